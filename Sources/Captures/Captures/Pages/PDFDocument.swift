internal import ChildProcesses
import DepthGeometry
package import Diagnostics
import ImageFiles
import Imaging
package import LocalFiles
import Platform
import ScalarText

/// The pages of a PDF, read by poppler's programs: no library of this package draws PDF.
///
/// `pdfinfo` counts and measures the pages, `pdfimages` lists the images on a page, `pdftotext` its words, and `pdftoppm`
/// draws it. A page filled by one image is drawn by `pdftocairo`, which reproduces that image pixel by pixel; `pdftoppm`
/// makes it a pixel larger and thus blurred. Each program reads one page of one file, in the confinement of a
/// ``HelperProgram``. Their output still comes from a stranger's file: numbers are bounded, and a size that does not fit the
/// image is an error.
package struct PDFDocument: Sendable {
    /// The file's path, as the caller gave it.
    package let path: String
    /// The stated number of pages; at least 1.
    package private(set) var pageCount: Int
    /// The file's path with links resolved: a link could point elsewhere by the time it is read.
    private let realPath: String
    private let limits: FlatteningLimits
    private let searchPath: String?
    private var isCancelled: @Sendable () -> Bool = { Task.isCancelled }

    /// The largest address space of poppler's programs, in bytes: Debian's pdftoppm 22.12 draws a page of 64 megapixels with
    /// transparency in less than 600 MiB.
    private static let maximumAddressSpace: UInt64 = 2 << 30
    /// The longest processor time for drawing a page, in seconds: a page of 64 megapixels, covered thirty times by
    /// transparent discs, takes 20 s.
    private static let maximumProcessorSeconds: UInt64 = 60
    /// The same if nothing is drawn: 10,000 pages are counted, and 100,000 words found, in half a second.
    private static let maximumLookingSeconds: UInt64 = 15
    /// The most bytes of a page's words: 100,000 words take 10 MB.
    private static let maximumWordBytes = 32 << 20
    private static let maximumFactBytes = 4 << 20

    /// Opens a file and counts its pages.
    /// - Throws: `.missingDependency` without poppler's programs, `.unsupported` if no program may be started and for a file
    ///   locked by a password, `.badInput` for a broken file, `.limitExceeded`, `.timeout`, `.cancelled`.
    package init(
        path: String, limits: FlatteningLimits = FlatteningLimits(),
        searchPath: String? = ProcessInfo.processInfo.environment["PATH"]
    ) throws(FlatteningError) {
        self.path = path
        self.limits = limits
        self.searchPath = searchPath
        guard limits.startsPrograms else {
            throw FlatteningError(
                .unsupported, "a PDF takes poppler's programs to be read, and none may be started here",
                file: path, stage: .pdf, allowed: "pictures (startsPrograms)",
                advice: "Draw its pages before: pdftoppm -png -r 300 in.pdf page")
        }
        var status = stat()
        guard let resolved = unsafe realpath(path, nil) else {
            throw FileSystemError.last("the file cannot be opened", file: path, stage: .pdf)
        }
        realPath = unsafe String(cString: resolved)
        unsafe free(resolved)
        guard unsafe stat(realPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FlatteningError(
                .fileAccess, "this is a folder, device or pipe, not a file", file: path, stage: .pdf)
        }
        guard Int64(status.st_size) <= Int64(limits.maximumPDFBytes) else {
            throw FlatteningError(
                .limitExceeded, "the PDF is too large", file: path, stage: .pdf,
                seen: "\(status.st_size) bytes", allowed: "\(limits.maximumPDFBytes) bytes (maximumPDFBytes)",
                advice: "Take out the pages that are wanted: qpdf in.pdf --pages . 1-20 -- out.pdf")
        }
        pageCount = 1
        let facts = try facts(of: nil)
        guard let count = facts["Pages"].flatMap(Int.init), count > 0 else {
            throw FlatteningError(
                .badInput, "the PDF has no page", file: path, stage: .pdf, seen: facts["Pages"] ?? "no number"
            )
        }
        pageCount = count
    }

    /// Draws a page.
    /// - Parameters:
    ///   - number: 1 to `pageCount`.
    ///   - isCancelled: checked ten times a second; if true, the programs are ended.
    /// - Throws: as `init`; `.badInput` for a page that cannot be drawn.
    package func page(
        _ number: Int, unless isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
    ) throws(FlatteningError) -> DocumentPage {
        var document = self
        document.isCancelled = isCancelled
        do throws(FlatteningError) {
            return try document.drawnPage(number)
        } catch {
            throw error.file == nil ? error.naming(file: "\(path) page \(number)") : error
        }
    }

    private func drawnPage(_ number: Int) throws(FlatteningError) -> DocumentPage {
        let points = try size(of: number)
        var notes: [String] = []
        let images = try PDFImageList(
            run(.images, ["-list"], page: number, limit: Self.maximumFactBytes)
                .output(ofSuccess: {
                    notes.append("\(path): the pictures on page \(number) are not told of: \($0)")
                }))
        let share = images.area / (points.x * points.y / (Self.pointsPerInch * Self.pointsPerInch))
        // A page filled by an image is a photograph or scan; text recognised on it earlier is ignored.
        let words =
            share >= Self.filledShare
            ? []
            : PDFWords.words(
                in: try run(
                    .words, ["-bbox-layout", "-cropbox", "-enc", "UTF-8"], page: number, to: "-",
                    limit: Self.maximumWordBytes
                ).output(ofSuccess: {
                    notes.append("\(path): the text of page \(number) is not handed out: \($0)")
                }))
        let isDrawn = share < Self.filledShare && (!words.isEmpty || share < Self.picturesShare)
        let wanted =
            isDrawn ? Self.drawnResolution : images.resolution(filling: points) ?? Self.drawnResolution
        let resolution = try bounded(max(wanted, Self.leastResolution), points)
        if resolution < min(wanted, Self.drawnResolution) * 0.99 {
            notes.append(
                "\(path): page \(number) measures \(Int(points.x / Self.pointsPerInch * 25.4)) x "
                    + "\(Int(points.y / Self.pointsPerInch * 25.4)) mm and is drawn at \(Int(resolution)) dpi, to stay within "
                    + "\(limits.maximumColorPixels / 1_000_000) megapixels")
        }
        let drawing = try run(
            isDrawn ? .drawing : .photograph,
            ["-cropbox", "-r", "\(resolution)"]
                + (isDrawn ? [] : ["-jpeg", "-jpegopt", "quality=100", "-singlefile"]),
            page: number, to: isDrawn ? nil : "-", limit: Self.mostPictureBytes(limits))
        guard drawing.reason == nil, !drawing.output.isEmpty else {
            throw FlatteningError(
                .badInput, "the page cannot be drawn", stage: .pdf, seen: drawing.reason,
                detail: drawing.detail)
        }
        let scale = resolution / Self.pointsPerInch
        return DocumentPage(
            picture: InputFile(name: path, bytes: drawing.output),
            page: Capture.Page(
                number: number, count: pageCount,
                drawn: isDrawn
                    ? Capture.Drawn(
                        pixelsPerMeter: resolution / Inch.meters,
                        words: words.map { word in
                            Capture.Word(
                                text: word.text,
                                box: Box(
                                    left: word.box.left * scale, top: word.box.top * scale,
                                    right: word.box.right * scale, bottom: word.box.bottom * scale))
                        }) : nil,
                millimeters: points / Self.pointsPerInch * Inch.meters * 1000),
            notes: notes)
    }

    /// PDF's unit of length is 1/72 inch.
    static let pointsPerInch = 72.0
    /// Resolution of drawn pages, in dots per inch: the best one for reading text, and that of printers' scans.
    private static let drawnResolution = 300.0
    /// The lowest resolution used for an image on a page: one that fills A4 would otherwise have less than half a megapixel.
    private static let leastResolution = 72.0
    /// The share of a page at which its images are taken for the page itself, as in a scan; and the share up to which they
    /// are ignored, like logos.
    private static let filledShare = 0.5
    private static let picturesShare = 0.1
    /// Bytes of a PPM before its pixels.
    private static let headerBytes = 64

    /// Returns the most bytes that a page's image can have.
    static func mostPictureBytes(_ limits: FlatteningLimits) -> Int {
        limits.maximumColorPixels * 3 + headerBytes
    }
    /// The allowed sides of a page, in points. PDF 1.7 allows 14,400 (200 inches); ten times as much is accepted, because
    /// plotters' files have it.
    private static let sides = 1.0...144_000

    /// Returns the page's crop box in points, as displayed.
    private func size(of number: Int) throws(FlatteningError) -> SIMD2<Double> {
        let facts = try facts(of: number)
        let sides = (facts["Page \(number) size"] ?? "").split(atScalar: " ")
            .compactMap { Double($0) }.prefix(2)
        guard sides.count == 2, sides.allSatisfy(Self.sides.contains) else {
            throw FlatteningError(
                .badInput, "the page has no size that can be drawn", stage: .pdf,
                seen: facts["Page \(number) size"] ?? "none",
                allowed: "\(Int(Self.sides.lowerBound)) to \(Int(Self.sides.upperBound)) pts a side")
        }
        let isTurned = ["90", "270"].contains(facts["Page \(number) rot"] ?? "")
        return isTurned ? SIMD2(sides[1], sides[0]) : SIMD2(sides[0], sides[1])
    }

    /// Lowers a resolution until the page has no more pixels than an image may have.
    private func bounded(_ resolution: Double, _ points: SIMD2<Double>) throws(FlatteningError) -> Double {
        // A fraction of a pixel becomes a whole pixel on each side.
        let pixels = (Double(limits.maximumColorPixels) / (points.x * points.y)).squareRoot()
        let side = Double(limits.maximumSide - 1) / max(points.x, points.y)
        let greatest = min(pixels * Self.roundingLoss, side) * Self.pointsPerInch
        guard min(points.x, points.y) * min(resolution, greatest) >= Self.pointsPerInch else {
            throw FlatteningError(
                .badInput, "the page is a sliver that has no pixels", stage: .pdf,
                seen: "\(points.x) x \(points.y) pts")
        }
        return min(resolution, greatest)
    }

    private static let roundingLoss = 0.999

    // MARK: - poppler's programs

    /// What one of the programs is asked for.
    private enum Question {
        case facts, images, words, drawing, photograph

        var program: String {
            switch self {
            case .facts: "pdfinfo"
            case .images: "pdfimages"
            case .words: "pdftotext"
            case .drawing: "pdftoppm"
            case .photograph: "pdftocairo"
            }
        }
    }

    /// A program's answer.
    private struct Answer {
        var output: [UInt8]
        /// Why the program failed; nil for success.
        var reason: String?
        var detail: String?

        /// Returns the output; if the program failed, returns nothing and notes why.
        func output(ofSuccess note: (String) -> Void) -> [UInt8] {
            guard let reason else { return output }
            note(detail.map { "\(reason) (\($0))" } ?? reason)
            return []
        }
    }

    /// Returns the entries of `pdfinfo`, by name: of the file, or of a page.
    private func facts(of page: Int?) throws(FlatteningError) -> [String: String] {
        let answer = try run(.facts, [], page: page, limit: Self.maximumFactBytes)
        guard answer.reason == nil else {
            if answer.detail?.contains("Incorrect password") == true {
                throw FlatteningError(
                    .unsupported, "the PDF is locked by a password", file: path, stage: .pdf,
                    detail: answer.detail,
                    advice: "Unlock a copy: qpdf --decrypt --password=... in.pdf out.pdf")
            }
            throw FlatteningError(
                .badInput, "the PDF is broken", file: path, stage: .pdf, seen: answer.reason,
                detail: answer.detail, advice: "Try to mend a copy: qpdf in.pdf out.pdf")
        }
        var facts: [String: String] = [:]
        for line in String(decoding: answer.output, as: UTF8.self).split(atScalar: "\n") {
            guard let colon = line.firstIndex(ofScalar: ":") else { continue }
            let name = line[..<colon].split(atScalar: " ").joined(separator: " ")
            facts[name] = line[line.index(afterScalar: colon)...].split(atScalar: " ").joined(separator: " ")
        }
        return facts
    }

    private func run(
        _ question: Question, _ arguments: [String], page: Int?, to output: String? = nil, limit: Int
    ) throws(FlatteningError) -> Answer {
        let program = HelperProgram(
            name: question.program, product: "poppler's \(question.program)", purpose: "reads PDF",
            installation: "apt-get install poppler-utils, or brew install poppler", subject: "the PDF",
            portion: "the PDF's page", wayOut: "Draw the page before: pdftoppm -png -r 150 in.pdf page",
            stage: .pdf, maximumAddressSpace: Self.maximumAddressSpace,
            maximumProcessorSeconds: question == .drawing || question == .photograph
                ? Self.maximumProcessorSeconds : Self.maximumLookingSeconds,
            settings: ["/etc/fonts", "/var/cache/fontconfig", "/usr/share/poppler"])
        let pages = page.map { ["-f", "\($0)", "-l", "\($0)"] } ?? []
        // An absolute path cannot be taken for an option or for standard input.
        let outcome = try program.run(
            arguments + pages + [realPath] + [output].compactMap(\.self), limit: limit, reading: realPath,
            deadline: limits.deadline, searchPath: searchPath, isCancelled: isCancelled)
        let hasEnded = outcome.ending == .exited(0) || outcome.ending == .unknown
        return Answer(
            output: outcome.output, reason: hasEnded ? nil : program.words(for: outcome.ending),
            detail: hasEnded ? nil : Self.firstLine(of: outcome.messages))
    }

    /// Returns the first message: later ones follow from it.
    private static func firstLine(of messages: String) -> String? {
        messages.split(whereSeparator: \.isNewline).first.map { String($0.prefix(300)) }
    }
}

/// The images on a page, as `pdfimages -list` lists them.
struct PDFImageList {
    /// The area in square inches that all images together take on the page; overlaps count more than once.
    private(set) var area = 0.0
    /// Dots per inch of the image with the most pixels, along its denser side, as a whole number; nil if there are no images.
    private(set) var resolution: Double?
    /// The number of pixels of that image.
    private var pixels = 0.0

    /// Returns the dots per inch at which the image with the most pixels is reproduced pixel by pixel.
    /// - Parameter points: the page's sides, in points.
    func resolution(filling points: SIMD2<Double>) -> Double? {
        guard let resolution else { return nil }
        let exact = (pixels / (points.x * points.y)).squareRoot() * PDFDocument.pointsPerInch
        // Slightly less, so that a rounding error cannot add a pixel.
        return abs(exact - resolution) <= 1 ? exact * (1 - 1e-6) : resolution
    }

    /// Reads the table: page, number, type, width, height ... horizontal and vertical density, bytes, ratio.
    init(_ output: [UInt8]) {
        for line in String(decoding: output, as: UTF8.self).split(atScalar: "\n") {
            let cells = line.split(atScalar: " ")
            // The mask that holds an image's transparency is not an image of its own.
            guard cells.count >= 14, ["image", "stencil"].contains(cells[2]),
                let width = Double(cells[3]), let height = Double(cells[4]), width >= 1, height >= 1,
                // Counted from the end, because an inline image has one cell less.
                let across = Double(cells[cells.count - 4]), let down = Double(cells[cells.count - 3]),
                across >= 1, down >= 1
            else { continue }
            area += width / across * (height / down)
            if width * height > pixels {
                pixels = width * height
                resolution = max(across, down)
            }
        }
    }
}

/// The words of a page, as `pdftotext -bbox-layout` lists them.
enum PDFWords {
    /// Returns words with their places in points from the upper left corner of the page as displayed.
    static func words(in output: [UInt8]) -> [Capture.Word] {
        // Skips the document type, which would end the reading.
        // By Characters: these are bytes.
        guard let start = output.firstRange(of: Array("<html".utf8))?.lowerBound else { return [] }
        var words: [Capture.Word] = []
        var box: Box?
        for token in IteratorSequence(XMLTokenizer(output[start...])) {
            switch token {
            case .opening(let tag): box = tag.name == "word" ? self.box(tag) : nil
            case .text(let text):
                if let box {
                    let characters = text.filter { !$0.isWhitespace }
                    if !characters.isEmpty { words.append(Capture.Word(text: characters, box: box)) }
                }
                box = nil
            case .closing: box = nil
            }
        }
        return words
    }

    /// Returns the box of a word; nil for one without area, or with impossible coordinates.
    private static func box(_ tag: XMLTag) -> Box? {
        func side(_ name: String) -> Double? {
            tag.attributes.first { $0.name == name }.flatMap { Double($0.value) }
                .flatMap { abs($0) <= greatestPlace ? $0 : nil }
        }
        guard let left = side("xMin"), let top = side("yMin"), let right = side("xMax"),
            let bottom = side("yMax"), left < right, top < bottom
        else { return nil }
        return Box(left: left, top: top, right: right, bottom: bottom)
    }

    private static let greatestPlace = 1e6
}
