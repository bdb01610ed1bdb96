package import Diagnostics
package import Imaging
package import TextRecognition

/// Writes a PDF of images with their text over them, invisible (text rendering mode 3), to be searched and copied: PDF/A-2b (ISO
/// 19005-2). It is written page by page; only the places of its objects and the characters used are kept in memory.
///
/// It does not use tesseract's writer, which accepts only tesseract's own result; here text and image are the same as in all
/// other outputs. Based on ISO 32000-1: 8.9 (images), 9.4 (text), 9.7 (composite fonts), 9.10 (text to Unicode). All characters
/// are one empty glyph of the embedded `GlyphlessFont`, 0.6 ems wide, so that a word's characters spread evenly over its box. A
/// map to Unicode gives the character for each code, so that any script can be searched.
package struct SearchablePDF {
    /// The properties of a page, except its image's data.
    package struct Page: Codable, Sendable {
        /// The encoding of an image's data.
        package enum Encoding: String, Codable, Sendable {
            /// A JPEG file of three components.
            case jpeg
            /// One bit per pixel, fax group 4.
            case group4
        }

        /// The encoding of the image.
        package var encoding: Encoding
        /// The image's width in pixels.
        package var width: Int
        /// The image's height in pixels.
        package var height: Int
        /// True pixel density; nil if the scale is unknown: then a pixel is taken as 1/300 inch.
        package var pixelsPerMeter: Double?
        /// The recognized text, with boxes in the image's pixels; nil for none.
        package var text: RecognizedText?
        /// Width and height in millimetres of the page on which the image is centred; nil for a page of the image's size.
        package var paper: SIMD2<Double>?

        package init(encoding: Encoding, size: PixelSize, pixelsPerMeter: Double?, text: RecognizedText?) {
            self.encoding = encoding
            (width, height) = (size.width, size.height)
            self.pixelsPerMeter = pixelsPerMeter
            self.text = text
        }
    }

    /// Takes the next bytes of the file.
    package typealias Sink = ([UInt8]) throws(FlatteningError) -> Void

    /// Objects that occur once, in the order of their numbers.
    private enum Object: Int, CaseIterable {
        case catalog = 1
        case pages, font, descendantFont, fontDescriptor, fontFile, glyphMap, unicodeMap, metadata, profile
        case information

        var reference: String { "\(rawValue) 0 R" }
    }

    /// Allowed lengths of a page's sides, in points (ISO 19005-2, 6.1.13).
    private static let pageSides = 3.0...14400.0
    /// The density if the scale is unknown, as scanners assume it.
    private static let usualPixelsPerMeter = 300 / Inch.meters

    /// The file's metadata, written at its end.
    package var metadata: PDFMetadata
    private var file: PDFFile
    private var characters = PDFCharacters()
    private var pages: [(number: Int, title: String?)] = []

    /// Begins a file.
    package init(_ metadata: PDFMetadata, sink: @escaping Sink) throws(FlatteningError) {
        self.metadata = metadata
        file = try PDFFile(reserving: Object.allCases.count, sink: sink)
    }

    /// Returns a whole file of one page.
    package static func bytes(
        of page: Page, picture: [UInt8], metadata: PDFMetadata
    ) throws(FlatteningError) -> [UInt8] {
        try collecting { (sink) throws(FlatteningError) in
            var pdf = try SearchablePDF(metadata, sink: sink)
            try pdf.add(page, picture: picture, title: metadata.title)
            try pdf.finish()
        }
    }

    /// Collects the bytes that `write` passes to its sink.
    package static func collecting(
        _ write: (@escaping Sink) throws(FlatteningError) -> Void
    ) throws(FlatteningError) -> [UInt8] {
        let collected = Collected()
        try write { (bytes) throws(FlatteningError) in collected.bytes += bytes }
        return collected.bytes
    }

    private final class Collected {
        var bytes: [UInt8] = []
    }

    /// Adds a page.
    /// - Parameters:
    ///   - picture: the image's data, in the page's encoding.
    ///   - title: its bookmark in a file of several pages; nil for none.
    package mutating func add(_ page: Page, picture: [UInt8], title: String?) throws(FlatteningError) {
        let scale = Self.pointsPerPixel(page)
        let (width, height) = (Double(page.width) * scale, Double(page.height) * scale)
        let paper = Self.paper(page) ?? SIMD2(width, height)
        let (left, bottom) = ((paper.x - width) / 2, (paper.y - height) / 2)
        let numbers = (picture: file.newNumber(), content: file.newNumber(), page: file.newNumber())
        try file.add(
            numbers.picture,
            "/Type /XObject /Subtype /Image /Width \(page.width) /Height \(page.height) \(page.filter)",
            stream: picture)
        let size = "\(PDFSyntax.number(width)) 0 0 \(PDFSyntax.number(height))"
        let place = "\(PDFSyntax.number(left)) \(PDFSyntax.number(bottom))"
        let text = characters.content(of: page.text, pageHeight: height, pointsPerPixel: scale)
        let shown =
            "q \(size) \(place) cm /Picture Do Q\n"
            + (paper == SIMD2(width, height) ? text : "q 1 0 0 1 \(place) cm\n" + text + "Q\n")
        try file.add(numbers.content, stream: Array(shown.utf8))
        try file.add(
            numbers.page,
            "<< /Type /Page /Parent \(Object.pages.reference)"
                + " /MediaBox [0 0 \(PDFSyntax.number(paper.x)) \(PDFSyntax.number(paper.y))]"
                + " /Resources << /XObject << /Picture \(numbers.picture) 0 R >>"
                + " /Font << /F0 \(Object.font.reference) >> >> /Contents \(numbers.content) 0 R >>")
        pages.append((numbers.page, title))
    }

    /// Ends the file. It must have at least one page; a PDF without pages is invalid.
    package mutating func finish() throws(FlatteningError) {
        precondition(!pages.isEmpty, "a PDF has a page")
        let language = metadata.language.map { " /Lang (\($0))" } ?? ""
        let outline =
            pages.count > 1 && pages.contains { $0.title != nil }
            ? " /Outlines \(try addOutline()) 0 R /PageMode /UseOutlines" : ""
        try add(
            .catalog,
            "<< /Type /Catalog /Pages \(Object.pages.reference) /Metadata \(Object.metadata.reference)\(language)\(outline)"
                + " /ViewerPreferences << /DisplayDocTitle true >>"
                + " /OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1"
                + " /OutputConditionIdentifier (sRGB IEC61966-2.1) /Info (sRGB IEC61966-2.1)"
                + " /DestOutputProfile \(Object.profile.reference) >>] >>")
        let kids = pages.map { "\($0.number) 0 R" }.joined(separator: "\n")
        try add(.pages, "<< /Type /Pages /Count \(pages.count) /Kids [\(kids)] >>")
        try addFont()
        try file.add(
            Object.metadata.rawValue, "/Type /Metadata /Subtype /XML", stream: Array(metadata.packet.utf8))
        try file.add(Object.profile.rawValue, "/N 3", stream: SRGBProfile.bytes)
        try add(.information, metadata.dictionary)
        try file.finish(root: Object.catalog.rawValue, information: Object.information.rawValue)
    }

    /// Adds a bookmark for each page with a title; at least one page must have one (ISO 32000-1, 12.3.3).
    /// - Returns: the number of the object that contains them.
    private mutating func addOutline() throws(FlatteningError) -> Int {
        let root = file.newNumber()
        let marked = pages.compactMap { page in page.title.map { (page: page.number, title: $0) } }
        let numbers = marked.map { _ in file.newNumber() }
        for (index, mark) in marked.enumerated() {
            var entries = "/Title \(PDFSyntax.text(mark.title)) /Parent \(root) 0 R"
            if index > 0 { entries += " /Prev \(numbers[index - 1]) 0 R" }
            if index + 1 < marked.count { entries += " /Next \(numbers[index + 1]) 0 R" }
            try file.add(numbers[index], "<< \(entries) /Dest [\(mark.page) 0 R /Fit] >>")
        }
        try file.add(
            root,
            "<< /Type /Outlines /First \(numbers[0]) 0 R /Last \(numbers[marked.count - 1]) 0 R /Count \(marked.count) >>"
        )
        return root
    }

    private mutating func addFont() throws(FlatteningError) {
        let (name, advance) = (GlyphlessFont.name, GlyphlessFont.advance)
        let (ascent, descent) = (GlyphlessFont.ascent, GlyphlessFont.descent)
        try add(
            .font,
            "<< /Type /Font /Subtype /Type0 /BaseFont /\(name) /Encoding /Identity-H"
                + " /DescendantFonts [\(Object.descendantFont.reference)]"
                + " /ToUnicode \(Object.unicodeMap.reference) >>")
        try add(
            .descendantFont,
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /\(name) /DW \(advance)"
                + " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
                + " /FontDescriptor \(Object.fontDescriptor.reference)"
                + " /CIDToGIDMap \(Object.glyphMap.reference) >>")
        // Flags: fixed width, and characters outside the standard encodings.
        try add(
            .fontDescriptor,
            "<< /Type /FontDescriptor /FontName /\(name) /Flags 5 /FontBBox [0 \(descent) \(advance) \(ascent)]"
                + " /ItalicAngle 0 /Ascent \(ascent) /Descent \(descent) /CapHeight \(ascent) /StemV 80"
                + " /FontFile2 \(Object.fontFile.reference) >>")
        let font = GlyphlessFont.bytes
        try file.add(Object.fontFile.rawValue, "/Length1 \(font.count)", stream: font)
        try file.add(Object.glyphMap.rawValue, stream: characters.glyphMap)
        try file.add(Object.unicodeMap.rawValue, stream: Array(characters.unicodeMap.utf8))
    }

    private mutating func add(_ object: Object, _ content: String) throws(FlatteningError) {
        try file.add(object.rawValue, content)
    }

    /// Returns the page's scale: the true one if known, unless the page would then exceed the allowed sizes or its paper.
    private static func pointsPerPixel(_ page: Page) -> Double {
        let known = page.pixelsPerMeter.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        let scale = 72 / Inch.meters / (known ?? usualPixelsPerMeter)
        let sides = SIMD2(Double(max(page.width, 1)), Double(max(page.height, 1)))
        let whole = min(max(scale, pageSides.lowerBound / sides.min()), pageSides.upperBound / sides.max())
        return paper(page).map { min(whole, ($0 / sides).min()) } ?? whole
    }

    /// Returns the paper size in points, in landscape if the image is; nil for no paper, and for a size that no page may have.
    private static func paper(_ page: Page) -> SIMD2<Double>? {
        guard let size = page.paper.map({ $0 * (72 / Inch.meters / 1000) }), pageSides.contains(size.x),
            pageSides.contains(size.y)
        else { return nil }
        return (size.x < size.y) == (page.width < page.height) ? size : SIMD2(size.y, size.x)
    }
}

extension SearchablePDF.Page {
    /// The entries of the image's dictionary that describe its data.
    fileprivate var filter: String {
        switch encoding {
        case .jpeg: "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode"
        case .group4:
            "/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode"
                + " /DecodeParms << /K -1 /Columns \(width) /Rows \(height) >>"
        }
    }
}
