import ArgumentParser
import Diagnostics
import Documents
import Imaging
import ReceiptFlattening

/// What to black out: the kinds of `--redact`, and the areas of `--redact-area`.
struct Redaction: Sendable {
    var kinds: Set<PersonalData> = []
    var areas: [PictureArea] = []

    /// Returns the receipt with the data blacked out. Warns if no text could be read, so that nothing could be found.
    /// - Parameter subject: the beginning of the warning.
    /// - Throws: `.badInput` for an area outside the flat image: a privacy option that does nothing must fail.
    func applied(
        to receipt: FlattenedReceipt, subject: String = "", console: Console
    ) throws(FlatteningError) -> FlattenedReceipt {
        let size = receipt.picture.size
        let image = Box(left: 0, top: 0, right: Double(size.width), bottom: Double(size.height))
        if let area = areas.first(where: { !$0.box.touches(image) }) {
            throw FlatteningError(
                .badInput, "--redact-area lies beside the flat image", stage: .redaction, seen: "\(area)",
                allowed: "areas in an image of \(size.width) x \(size.height) pixels")
        }
        guard let redacted = receipt.redacted(kinds, areas: areas.map(\.box)) else {
            throw FlatteningError(
                .internalInconsistency, "nothing was read to be redacted", stage: .redaction)
        }
        if !kinds.isEmpty, receipt.text?.legibility == .unreadable {
            console.warn(subject + "the text could not be read: personal data in it is not blacked out")
        }
        return redacted
    }
}

/// A rectangle of an image as people write it: "12,34,200,40", its left and top edge, width and height.
struct PictureArea: ExpressibleByArgument, CustomStringConvertible, Codable {
    let box: Box

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 4, let left = numbers[0], let top = numbers[1], let width = numbers[2],
            let height = numbers[3], [left, top].allSatisfy(\.isFinite), width > 0, height > 0,
            (left + width).isFinite, (top + height).isFinite
        else { return nil }
        box = Box(left: left, top: top, right: left + width, bottom: top + height)
    }

    var description: String { "\(box.left),\(box.top),\(box.width),\(box.height)" }
}
