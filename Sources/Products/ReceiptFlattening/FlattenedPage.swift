package import Documents
import Imaging
import Platform
import TextRecognition

/// What is kept of a flattened page after its image is written, so that receipts that span several pages can be joined.
///
/// The first page of such a receipt holds all of its fields; the pages after it are marked as its continuation.
package struct FlattenedPage: Sendable {
    /// The page's report.
    package var report: FlatteningReport
    /// The fields of the receipt that begins on this page; nil if no text was read, or if another page's receipt continues
    /// here.
    package private(set) var fields: ReceiptFields?
    /// The text read on the page; nil if there was none.
    package let text: RecognizedText?
    /// What is known besides the print.
    private let context: ReceiptContext
    let map: SamplingMap
    let pixelsPerMillimeter: Double?

    /// Keeps the needed parts of a receipt.
    package init(_ receipt: FlattenedReceipt) {
        report = receipt.report
        fields = receipt.fields
        text = receipt.text
        context = receipt.context
        map = receipt.map
        pixelsPerMillimeter = receipt.pixelsPerMeter.map { $0 / 1000 }
    }

    /// Whether another page's receipt continues here.
    package var isContinuation: Bool { report.receiptPages?.first.map { $0 != report.page?.index } ?? false }

    /// Joins receipts that span several pages; their fields go to their first page. O(words).
    ///
    /// - Parameter pages: the pages of one document, in order. On a page with several sheets, each sheet is a receipt of its
    ///   own.
    package static func joined(_ pages: [FlattenedPage], _ joining: PagedReceipt.Joining) -> [FlattenedPage] {
        var joined = pages
        // A run of consecutive pages with one sheet each.
        var run: [(place: Int, page: PagedReceipt.Page)] = []
        func join() {
            if let first = run.first {
                Self.join(run, as: joining, of: &joined, context: pages[first.place].context)
            }
            run = []
        }
        for (place, page) in pages.enumerated() {
            guard let number = page.report.page?.index, let text = page.text,
                pages.count(where: { $0.report.page?.index == number }) == 1
            else {
                join()
                continue
            }
            run.append((place, PagedReceipt.Page(number: number, text: text)))
        }
        join()
        return joined
    }

    private static func join(
        _ run: [(place: Int, page: PagedReceipt.Page)], as joining: PagedReceipt.Joining,
        of pages: inout [FlattenedPage], context: ReceiptContext
    ) {
        let places = Dictionary(
            run.map { ($0.page.number, $0.place) }, uniquingKeysWith: { first, _ in first })
        let all = pages
        for receipt in PagedReceipt.receipts(on: run.map(\.page), joining: joining, context: context)
        where receipt.pages.count > 1 {
            for (index, number) in receipt.pages.enumerated() {
                guard let place = places[number] else { continue }
                pages[place].report.receiptPages = receipt.pages
                if index == 0 {
                    pages[place].fields = receipt.fields
                    pages[place].report.fields = .init(receipt.fields) { box, page in
                        let standsOn = page.flatMap { places[$0] }.map { all[$0] } ?? all[place]
                        var found = FlatteningReport.Place(
                            box, map: standsOn.map, pixelsPerMillimeter: standsOn.pixelsPerMillimeter)
                        found.page = page
                        return found
                    }
                } else {
                    pages[place].fields = nil
                    pages[place].report.fields = nil
                    pages[place].report.fieldsMissing = FlatteningReport.continues(page: receipt.pages[0])
                }
            }
        }
    }
}

// A page stored by one process for another, which joins it with others. The fields are not stored: they are read from the
// text again.
extension FlattenedPage: Codable {
    private enum CodingKeys: String, CodingKey { case report, text, context, map, pixelsPerMillimeter }

    /// A sampling map as sizes and bytes, because its nodes may be NaN, which JSON cannot express.
    private struct StoredMap: Codable {
        var width, height, spacing: Int
        /// Pairs of 32-bit floats, little-endian, row by row.
        var nodes: Data

        init(_ map: SamplingMap) {
            (width, height, spacing) = (map.outputSize.width, map.outputSize.height, map.spacing)
            nodes = Data(capacity: map.nodes.elements.count * 8)
            for node in map.nodes.elements {
                for part in [node.x, node.y] {
                    unsafe withUnsafeBytes(of: part.bitPattern.littleEndian) {
                        unsafe nodes.append(contentsOf: $0)
                    }
                }
            }
        }

        /// The longest side of an image, in pixels: the limit of PNG.
        private static let longestSide = 1 << 24

        /// The map; nil if sizes and bytes do not agree.
        var map: SamplingMap? {
            guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height),
                (1...Self.longestSide).contains(spacing)
            else { return nil }
            let size = PixelSize(width: width, height: height)
            let nodeSize = SamplingMap.nodeSize(outputSize: size, spacing: spacing)
            guard nodes.count == nodeSize.pixelCount * 8 else { return nil }
            let floats = unsafe nodes.withUnsafeBytes { bytes in
                (0..<nodeSize.pixelCount * 2).map {
                    unsafe Float(
                        bitPattern: UInt32(
                            littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)))
                }
            }
            guard !floats.contains(where: \.isInfinite) else { return nil }
            let elements = (0..<nodeSize.pixelCount).map { SIMD2(floats[2 * $0], floats[2 * $0 + 1]) }
            return SamplingMap(
                outputSize: size, spacing: spacing,
                nodes: Raster(width: nodeSize.width, height: nodeSize.height, elements: elements))
        }
    }

    /// The text of a stored page, enough to find receipts that span pages: a hundredth of the whole data.
    package struct StoredText: Decodable {
        /// The page with its number; nil if no text was read on it, or if the stored text is not valid.
        package let page: PagedReceipt.Page?

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let number = try container.decode(FlatteningReport.self, forKey: .report).page?.index
            let text = try container.decodeIfPresent(RecognizedText.self, forKey: .text)
            page = number.flatMap { number in
                text.flatMap { $0.isSound ? PagedReceipt.Page(number: number, text: $0) : nil }
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(report, forKey: .report)
        try container.encode(text, forKey: .text)
        try container.encode(context, forKey: .context)
        try container.encode(StoredMap(map), forKey: .map)
        try container.encode(pixelsPerMillimeter, forKey: .pixelsPerMillimeter)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        report = try container.decode(FlatteningReport.self, forKey: .report)
        text = try container.decodeIfPresent(RecognizedText.self, forKey: .text)
        context = try container.decode(ReceiptContext.self, forKey: .context)
        guard let map = try container.decode(StoredMap.self, forKey: .map).map else {
            throw DecodingError.dataCorruptedError(
                forKey: .map, in: container, debugDescription: "sizes and nodes do not agree")
        }
        self.map = map
        pixelsPerMillimeter = try container.decodeIfPresent(Double.self, forKey: .pixelsPerMillimeter)
        guard pixelsPerMillimeter.map({ (1e-3...1e6).contains($0) }) ?? true else {
            throw DecodingError.dataCorruptedError(
                forKey: .pixelsPerMillimeter, in: container, debugDescription: "no page has this resolution")
        }
        fields = nil
    }
}

extension FlatteningReport {
    /// Why a page's report has no fields: they are in the report of the receipt's first page.
    static func continues(page: Int) -> String {
        "the receipt of page \(page) goes on here: what it says stands in the report of that page"
    }
}

extension ReceiptFields {
    /// Creates the fields of a page that has none of its own, with the reason for each.
    package init(missing reason: String) {
        self.init()
        for name in ReceiptFieldName.allCases { missing[name.key] = reason }
        missing["items"] = reason
    }
}
