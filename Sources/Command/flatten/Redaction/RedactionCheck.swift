import Diagnostics
import Documents
import ImageFiles
import Imaging
import LocalFiles
import ReceiptFlattening

/// Searches outputs for the hidden data of redacted receipts. Each output is read back, taken apart, and searched for every
/// hidden name, number and address; its images must show nothing where they are blacked out.
///
/// Whether the flat image itself is still readable was checked when it was blacked out: see
/// `FlattenedReceipt.redacted(_:)`.
struct RedactionCheck {
    /// What is searched for one receipt.
    struct Subject {
        let hidden: [PersonalData: HiddenContent]
        /// The kinds that its image still shows.
        let shown: Set<PersonalData>
        /// Its visible text.
        let text: String
        /// The size of its image, and where it is blacked out.
        let size: PixelSize
        let blackened: [Box]

        init(_ receipt: FlattenedReceipt) {
            (hidden, shown) = (receipt.hidden, receipt.shown)
            text = receipt.text?.string ?? ""
            (size, blackened) = (receipt.picture.size, receipt.picture.blackened.map(\.box))
        }
    }

    /// The receipts in the outputs.
    let receipts: [Subject]

    init(receipts: [FlattenedReceipt]) { self.init(receipts.map(Subject.init)) }

    init(_ receipts: [Subject]) { self.receipts = receipts }

    /// Returns what is found in held outputs, one sentence each, which names an output and a kind, never the data.
    func findings(in outputs: AtomicFile.Held) throws(FlatteningError) -> [String] {
        var found = Set(receipts.flatMap(\.shown)).sorted { $0.rawValue < $1.rawValue }
            .map {
                "--redact: the flat image still holds, or may hold, what was to be hidden (\($0.rawValue))"
            }
        try outputs.forEach { (path, bytes) throws(FlatteningError) in
            let content = WrittenContent(bytes)
            for kind in kindsSaid(in: content.text).map(\.rawValue).sorted() {
                found.append(sentence(path, kind))
            }
            if content.pictures.contains(where: showsCovered) { found.append(sentence(path, "a picture")) }
        }
        return found
    }

    private func sentence(_ output: String, _ kind: String) -> String {
        "--redact: \(output == "-" ? "standard output" : output) still holds what was to be hidden (\(kind))"
    }

    /// The kinds of hidden data that a text contains. If it covers several sheets, data that another sheet shows openly
    /// does not count.
    private func kindsSaid(in text: String) -> Set<PersonalData> {
        receipts.indices.reduce(into: []) { kinds, index in
            var said = receipts[index].hidden.kindsSaid(in: text)
            for (other, receipt) in receipts.enumerated() where other != index && !said.isEmpty {
                said.subtract(receipts[index].hidden.kindsSaid(in: receipt.text))
            }
            kinds.formUnion(said)
        }
    }

    /// Largest standard deviation of brightness, of 255, at which an area is unreadable. Black boxes in a JPEG of quality
    /// 82 had at most 2, faint print on thermal paper 20 and more.
    private static let mostSpread = 10.0
    /// Pixels along the edge of a box that are left out, because compression rings there.
    private static let rim = 3.0
    /// Smallest side in pixels of an area that is checked: smaller areas hold no letter.
    private static let leastSide = 4

    /// Whether an image shows something where the flat image is blacked out. An image that cannot be decoded, or has other
    /// proportions, counts as showing it.
    private func showsCovered(_ bytes: [UInt8]) -> Bool {
        // With several sheets, the image is compared with those of its proportions.
        guard let image = try? ColorPicture.decode(InputFile(name: "output", bytes: bytes)).image else {
            return true
        }
        return !receipts.contains { receipt in
            let size = receipt.size
            let scale = SIMD2(
                Double(image.width) / Double(size.width), Double(image.height) / Double(size.height))
            // Both sides of a reduced image are rounded to whole pixels.
            let tolerance = 2 / Double(min(image.width, image.height))
            guard abs(scale.x / scale.y - 1) <= tolerance else { return false }
            return receipt.blackened.allSatisfy { Self.isEven(image, in: $0, scale: scale) }
        }
    }

    private static func isEven(_ image: RGBImage, in box: Box, scale: SIMD2<Double>) -> Bool {
        func side(_ from: Double, _ to: Double, _ scale: Double, of count: Int) -> Range<Int> {
            let low = min(max((from + 0.5) * scale - 0.5 + rim, 0), Double(count))
            let high = min(max((to + 0.5) * scale - 0.5 - rim, low), Double(count))
            return Int(low.rounded(.up))..<max(Int(low.rounded(.up)), Int(high))
        }
        let columns = side(box.left, box.right, scale.x, of: image.width)
        let rows = side(box.top, box.bottom, scale.y, of: image.height)
        guard columns.count >= leastSide, rows.count >= leastSide else { return true }
        var sum = 0.0
        var squares = 0.0
        for y in rows {
            for x in columns {
                let pixel = image[x: x, y: y]
                let brightness = Double(Int(pixel.red) + Int(pixel.green) + Int(pixel.blue)) / 3
                sum += brightness
                squares += brightness * brightness
            }
        }
        let count = Double(rows.count * columns.count)
        return squares / count - sum / count * (sum / count) <= mostSpread * mostSpread
    }
}
