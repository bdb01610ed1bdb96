import ArgumentParser
import BatchProcessing
import DepthGeometry
import Diagnostics
import ImageFiles
import LocalFiles
import Platform
import ReceiptFlattening
import ReceiptOutputs
import ScalarText
import TextFormats

/// The kinds of outputs. The properties of a kind are in its row of `row`, and its option is in `OutputArguments` below.
///
/// The row decides on numbers in names, a batch's flags and names, the list in `--help`, what is read, checked and refused, and
/// what writes the output. The order of the cases is that of `--help`.
@dynamicMemberLookup
enum OutputKind: String, CaseIterable, Codable, Sendable {
    case image, text, fields, report, page, table, merge
    case contact, overlay, mesh, cloud, depthPreview, map
    /// Outputs that only a batch asks for: the small image of its index, and the parts from which it builds its index, its
    /// table, its PDF and receipts over several pages.
    case thumbnail, indexPart, tablePart, mergePart, valuesPart

    /// The properties of a kind.
    struct Row {
        /// Its option; for outputs without an option, what messages call the output.
        var option: String
        /// Whether `--help` lists it; `--help-all` lists every one.
        var isUsual = false
        /// Whether it always needs the text, whatever else is looked for.
        var takesText = false
        /// Whether it belongs to one photograph; an image joined from several does not have it.
        var isOfPhotograph = false
        /// Whether it shows depth; without depth it is not written.
        var showsDepth = false
        /// Whether it shows the photograph, in which nothing is blacked out.
        var showsPhotograph = false
        /// Whether a flattened sheet may lack it, because there is no depth or nothing for it to show.
        var mayBeMissing = false
        /// Returns why a sheet has nothing to show in it.
        var lack: (@Sendable (FlattenedReceipt) -> String)?
        /// How a batch writes it; nil for outputs that a batch does not write.
        var batch: InBatch?
        /// Throws a usage error, which names the option, for a path that it cannot be written to.
        var check: @Sendable (_ option: String, _ path: String) throws -> Void = { _, _ in }
        /// The files that are written for its path.
        var files: @Sendable (_ path: String) -> [String] = { [$0] }
        /// The function that writes it, and when.
        var writer: Writer
    }

    /// How a batch writes an output.
    struct InBatch {
        /// The suffix added to a capture's name; empty for image and text, whose formats decide it.
        var suffix = ""
        /// The help of the flag that asks for it; nil for outputs that come with another output.
        var help: String?
        /// The flag's letter.
        var letter: Character?
        /// The output that it comes with.
        var belongsTo: OutputKind?
        /// Whether it is kept for the batch's own use.
        var isKeptByBatch = false
        /// When its content names the capture.
        var naming = Batch.Job.Output.Naming.never
    }

    /// The function that writes an output.
    enum Writer {
        /// Written for each sheet separately; returns the paths of the files, none if the sheet has nothing to show.
        case sheet(@Sendable (SheetForOutput, _ path: String) throws(FlatteningError) -> [String])
        /// JSON for each sheet, written once all pages are read, since a receipt may continue over several.
        case values(@Sendable (FlattenedPage, FlatteningRequest) throws(FlatteningError) -> Data)
        /// Written once, for all sheets of a run.
        case run(
            @Sendable ([FinishedSheet], FlatteningRequest, _ path: String) throws(FlatteningError) -> Void)
    }

    private var row: Row {
        switch self {
        case .image:
            Row(
                option: "--output", isUsual: true, batch: InBatch(), check: Self.imageFormat,
                writer: .sheet(Self.writeImage))
        case .text:
            Row(
                option: "--text", isUsual: true, takesText: true,
                batch: InBatch(
                    help: "Text: NAME.txt, or by --format .words.json, .tsv, .hocr, .alto.xml, .md or .pdf.",
                    letter: "t"),
                writer: .sheet(Self.writeText))
        case .fields:
            Row(
                option: "--fields", isUsual: true, takesText: true,
                batch: InBatch(
                    suffix: ".fields.json", help: "What the receipt says, as short JSON: NAME.fields.json."),
                writer: .values(Self.fieldsJSON))
        case .report:
            // Its warnings name the capture.
            Row(
                option: "--report", isUsual: true,
                batch: InBatch(
                    suffix: ".json", help: "Report of what was found and decided: NAME.json.", letter: "r",
                    naming: .sometimes),
                writer: .values(Self.reportJSON))
        case .page:
            Row(
                option: "--page", isUsual: true, takesText: true,
                batch: InBatch(
                    suffix: ".html", help: "Page to look at: NAME.html, and for all captures index.html.",
                    naming: .always),
                check: Self.extensions(["html", "htm"], orStream: true, "pages are files that end in .html"),
                writer: .sheet(Self.writePage))
        case .table:
            Row(
                option: "--table", isUsual: true, takesText: true,
                check: Self.extensions(["csv", "jsonl"], "tables are files that end in .csv or .jsonl"),
                files: TableFiles.paths(of:), writer: .run(Self.writeTable))
        case .merge:
            Row(
                option: "--merge", isUsual: true, takesText: true,
                check: Self.extensions(
                    ["pdf"], orStream: true, "sheets are merged into a file that ends in .pdf"),
                writer: .run(Self.writeMerged))
        case .contact:
            Row(
                option: "--contact", mayBeMissing: true,
                lack: { _ in "no contact was found, as on a business card" },
                batch: InBatch(suffix: ".vcf", help: "Contact of a business card as a vCard: NAME.vcf."),
                check: Self.extensions(
                    ContactFileFormat.allCases.map(\.rawValue), "contacts are written as .vcf or .csv"),
                writer: .sheet(Self.writeContact))
        case .overlay:
            Row(
                option: "--overlay", takesText: true, isOfPhotograph: true, showsPhotograph: true,
                batch: InBatch(
                    suffix: ".overlay.png",
                    help: "Photograph with what was found drawn over it: NAME.overlay.png."),
                check: Self.imageFormatOrSVG, writer: .sheet(Self.writeOverlay))
        case .mesh:
            Row(
                option: "--mesh", isOfPhotograph: true, mayBeMissing: true,
                lack: { receipt in
                    "a mesh needs a surface fitted to depth in a known unit, and the sheet was flattened by the method "
                        + receipt.report.method.rawValue
                },
                batch: InBatch(
                    suffix: ".glb",
                    help: "The fitted sheet with its texture: NAME.glb. Captures without depth have none."),
                check: Self.extensions(
                    FittedSheetMesh.Format.allCases.map(\.rawValue),
                    "meshes are written as .obj, .glb or .ply"),
                files: { path in
                    FittedSheetMesh.Format(path: path).map { FittedSheetMesh.paths(path, as: $0) } ?? []
                },
                writer: .sheet(Self.writeMesh))
        case .cloud:
            Row(
                option: "--cloud", isOfPhotograph: true, showsDepth: true, showsPhotograph: true,
                mayBeMissing: true, batch: InBatch(suffix: ".ply", help: "Coloured point cloud: NAME.ply."),
                writer: .sheet(Self.writeCloud))
        case .depthPreview:
            Row(
                option: "--depth-preview", isOfPhotograph: true, showsDepth: true, showsPhotograph: true,
                mayBeMissing: true,
                batch: InBatch(
                    suffix: ".relief.png", help: "Image of the depth sensor's view: NAME.relief.png."),
                check: Self.imageFormat, writer: .sheet(Self.writeDepthPreview))
        case .map:
            Row(
                option: "--map", isOfPhotograph: true,
                batch: InBatch(suffix: ".npy", help: "Sampling map: NAME.npy."),
                writer: .sheet(Self.writeMap))
        case .thumbnail:
            Row(
                option: "the small image", batch: InBatch(suffix: ".thumb.jpg", belongsTo: .page),
                writer: .sheet(Self.writeThumbnail))
        case .indexPart:
            Row(
                option: "the index's part", takesText: true,
                batch: InBatch(suffix: ".card", belongsTo: .page, isKeptByBatch: true),
                writer: .run(Self.writeGalleryPart))
        case .tablePart:
            Row(
                option: "the table's part", takesText: true,
                batch: InBatch(suffix: ".rows", belongsTo: .table, isKeptByBatch: true),
                writer: .run(Self.writeTablePart))
        case .mergePart:
            Row(
                option: "the PDF's part", takesText: true,
                batch: InBatch(suffix: ".pages", belongsTo: .merge, isKeptByBatch: true),
                writer: .run(Self.writeMergePart))
        case .valuesPart:
            Row(
                option: "the values' part", mayBeMissing: true,
                batch: InBatch(suffix: ".values", isKeptByBatch: true, naming: .sometimes),
                writer: .run(Self.writeValuesPart))
        }
    }

    /// A property from the kind's row.
    subscript<Value>(dynamicMember fact: KeyPath<Row, Value>) -> Value { row[keyPath: fact] }

    /// Whether there is one output for all sheets of a run, not one for each sheet.
    var isOfRun: Bool { if case .run = row.writer { true } else { false } }

    /// Whether it waits until all pages are read, since a receipt may continue over several.
    var isOfValues: Bool { if case .values = row.writer { true } else { false } }

    /// What a batch adds to a capture's name.
    var suffix: String { row.batch?.suffix ?? "" }

    /// The long names of the options of outputs, without their hyphens.
    /// - Parameter usual: true for the options that `--help` lists, false for the others.
    static func options(usual: Bool) -> [String] {
        allCases.map(\.row).filter { $0.isUsual == usual && $0.option.hasScalarPrefix("--") }
            .map { String($0.option.dropFirst(2)) }
    }

    /// Returns this kind as an output of a batch's job.
    /// - Parameter name: the name of its file.
    func batchOutput(named name: String) -> Batch.Job.Output {
        Batch.Job.Output(
            kind: rawValue, name: name, mayBeMissing: row.mayBeMissing,
            isKeptByBatch: row.batch?.isKeptByBatch == true,
            naming: row.batch?.naming ?? .never)
    }
}

/// The options that name the files of outputs.
struct OutputArguments: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help:
            "Flat image: PNG, JPEG or TIFF by its extension, PNG on standard output for \"-\". May be given several times.",
        completion: .file())
    var output: [String] = []

    @Option(
        name: .shortAndLong,
        help:
            "Text of the sheet, in the format of its extension: none, .txt, .json, .tsv, .hocr, .html, .alto, .xml, .md or .pdf. May be given several times.",
        completion: .file())
    var text: [String] = []

    @Option(help: "Format of the one --text, whatever its extension.")
    var format: TextOutputFormat?

    @Option(
        help: ArgumentHelp(
            "What the receipt says, as short JSON: merchant, date, items, total ... and why any is missing.",
            valueName: "fields.json"),
        completion: .file(extensions: ["json"]))
    var fields: String?

    @Option(name: .shortAndLong, help: "Report of what was found and decided, as JSON.", completion: .file())
    var report: String?

    @Option(
        help: "Page to look at in a browser, one file that needs no server: pictures, text, values, shape.",
        completion: .file(extensions: ["html"]))
    var page: String?

    @OptionGroup var joint: JointOutputArguments

    @Option(
        help: ArgumentHelp(
            "The contact of a business card: a vCard for .vcf, a table for .csv. Implies --find contact.",
            valueName: "card.vcf"),
        completion: .file(extensions: ["vcf", "csv"]))
    var contact: String?

    @Option(
        help: "Photograph with the sheet's contour, unrolled grid, rows and fields: PNG, JPEG, TIFF or SVG.",
        completion: .file())
    var overlay: String?

    @Option(
        help:
            "The fitted sheet with its texture, metres: .glb, .ply, or .obj with .mtl and .jpg beside it. Needs depth.",
        completion: .file(extensions: ["glb", "ply", "obj"]))
    var mesh: String?

    @Option(help: "Coloured point cloud: binary PLY, metres.", completion: .file())
    var cloud: String?

    @Option(help: "Image of the depth sensor's view with contour bands of the relief.", completion: .file())
    var depthPreview: String?

    @Option(
        help:
            "Sampling map, where in the photograph each pixel comes from: NPY, float32, height x width x 2.",
        completion: .file())
    var map: String?

    mutating func validate() throws {
        // `joint` checks its own outputs.
        for output in requested where !output.kind.isOfRun { try output.kind.check(output.path) }
        if format == nil {
            for path in text { _ = try TextOutputFormat(path: path) }
        }
    }

    /// The outputs asked for.
    var requested: [RequestedOutput] {
        let single: [(OutputKind, String?)] = [
            (.fields, fields), (.report, report), (.page, page), (.contact, contact), (.overlay, overlay),
            (.mesh, mesh), (.cloud, cloud), (.depthPreview, depthPreview), (.map, map),
        ]
        return output.map { .init(kind: .image, path: $0) } + text.map { .init(kind: .text, path: $0) }
            + single.compactMap { kind, path in path.map { .init(kind: kind, path: $0) } } + joint.requested
    }
}

/// An output that is asked for.
struct RequestedOutput: Codable, Sendable {
    var kind: OutputKind
    /// Where it goes; "-" is standard output.
    var path: String

    /// The files that are written for it, each with the option that names it.
    var files: [OutputPlan.Named] { kind.files(path).map { .init(option: kind.option, path: $0) } }

    /// Returns this output for the sheet with this number.
    func numbered(_ number: Int) -> RequestedOutput {
        .init(kind: kind, path: NumberedPath.numbered(path, number))
    }
}

// MARK: - Which paths are taken

extension OutputKind {
    /// Throws a usage error for a path that it cannot be written to.
    func check(_ path: String) throws { try row.check(row.option, path) }

    /// - Parameter orStream: whether it may go to standard output.
    private static func extensions(
        _ known: [String], orStream: Bool = false, _ rule: String
    ) -> @Sendable (String, String) throws -> Void {
        { option, path in
            guard known.contains(URL.extension(of: path)) || orStream && path == "-" else {
                throw ValidationError("\(option) \(path): \(rule)")
            }
        }
    }

    @Sendable private static func imageFormat(_ option: String, _ path: String) throws {
        do throws(FlatteningError) {
            _ = try ImageWriter.Format(path: path)
        } catch {
            throw ValidationError("\(option): \(error)")
        }
    }

    @Sendable private static func imageFormatOrSVG(_ option: String, _ path: String) throws {
        if URL.extension(of: path) != "svg" { try imageFormat(option, path) }
    }
}

// MARK: - How each is written

/// A sheet whose outputs are written, and what they need.
struct SheetForOutput {
    let receipt: FlattenedReceipt
    let capture: Capture
    /// What outputs call the capture.
    let name: String
    /// Whether no sheet of the run was written before it.
    let isFirst: Bool
    let request: FlatteningRequest
}

extension OutputKind {
    @Sendable private static func writeImage(
        _ sheet: SheetForOutput, to path: String
    ) throws(FlatteningError) -> [String] {
        try sheet.receipt.picture.write(toPath: path)
        return [path]
    }

    @Sendable private static func writeMap(
        _ sheet: SheetForOutput, to path: String
    ) throws(FlatteningError) -> [String] {
        try NPYWriter.write(sheet.receipt.map, to: path)
        return [path]
    }

    @Sendable private static func writeText(
        _ sheet: SheetForOutput, to path: String
    ) throws(FlatteningError) -> [String] {
        let (receipt, request) = (sheet.receipt, sheet.request)
        // Paths whose extension is no format were refused when they were parsed.
        let format = request.textFormat ?? (try? TextOutputFormat(path: path)) ?? .text
        guard let textFormat = format.textFormat else {
            try AtomicFile.replace(path, with: Array(try receipt.searchablePDF(date: SourceDate.current)))
            return [path]
        }
        let picture = request.picture(besides: path).flatMap { receipt.hidden.shown($0) == $0 ? $0 : nil }
        let text = receipt.text?.formatted(as: textFormat, picture: picture) ?? ""
        try TextOutput.write(
            sheet.isFirst || !request.isStreamed(path) ? text : "\u{C}" + text, to: path)
        return [path]
    }

    @Sendable private static func writeContact(
        _ sheet: SheetForOutput, to path: String
    ) throws(FlatteningError) -> [String] {
        guard let format = ContactFileFormat(path: path), let found = sheet.receipt.findings.contact,
            !found.isEmpty
        else { return [] }
        try AtomicFile.replace(
            path, with: Array(format.text(of: found, version: sheet.request.vcard).utf8))
        return [path]
    }

    @Sendable private static func writePage(
        _ sheet: SheetForOutput, to path: String
    ) throws(FlatteningError) -> [String] {
        let page = try ResultPage(
            of: sheet.receipt, in: sheet.capture, name: sheet.name, isRedacted: sheet.request.isRedacted)
        try TextOutput.write(page.html, to: path)
        return [path]
    }

    @Sendable private static func writeOverlay(
        _ sheet: SheetForOutput, to path: String
    ) throws(FlatteningError) -> [String] {
        let drawn = SheetOverlay(of: sheet.receipt, photograph: sheet.capture.image)
        if URL.extension(of: path) == "svg" {
            try AtomicFile.replace(path, with: Array(try drawn.svg().utf8))
        } else {
            try ImageWriter.write(drawn.render(), to: path)
        }
        return [path]
    }

    @Sendable private static func writeCloud(
        _ sheet: SheetForOutput, to path: String
    ) throws(FlatteningError) -> [String] {
        let (points, colors) = try sheet.capture.coloredPointCloud()
        try PLYWriter.write(positions: points.positions, colors: colors, to: path)
        return [path]
    }

    @Sendable private static func writeDepthPreview(
        _ sheet: SheetForOutput, to path: String
    ) throws(FlatteningError) -> [String] {
        let preview = try ReliefPreview(
            of: sheet.capture, plane: sheet.receipt.plane, outline: sheet.receipt.outline)
        try ImageWriter.write(preview.image, to: path)
        return [path]
    }

    @Sendable private static func writeMesh(
        _ sheet: SheetForOutput, to path: String
    ) throws(FlatteningError) -> [String] {
        guard let format = FittedSheetMesh.Format(path: path),
            let fitted = FittedSheetMesh(of: sheet.receipt, in: sheet.capture)
        else { return [] }
        let files = try fitted.files(named: path, as: format, texture: sheet.receipt.picture.render())
        for file in files { try AtomicFile.replace(file.path, with: file.bytes) }
        return files.map(\.path)
    }

    @Sendable private static func reportJSON(
        _ page: FlattenedPage, _ request: FlatteningRequest
    ) throws(FlatteningError) -> Data {
        var report = page.report
        if request.reproducible { report.timings = [] }
        return try report.json()
    }

    @Sendable private static func fieldsJSON(
        _ page: FlattenedPage, _ request: FlatteningRequest
    ) throws(FlatteningError) -> Data {
        try ReceiptValues(page).json()
    }

    @Sendable private static func writeTable(
        _ sheets: [FinishedSheet], _ request: FlatteningRequest, to path: String
    ) throws(FlatteningError) {
        let format = TableFiles.Format(path: path, for: request.tableFor)
        try TableFiles.replace(path, as: format) { (tables) throws(FlatteningError) in
            let capture = request.input.captures.joined(separator: " + ")
            try tables.add(
                FinishedSheet.table(sheets),
                capture: sheets.reduce(capture) { $1.subject.hidden.shown($0) }, name: "")
        }
    }

    @Sendable private static func writeMerged(
        _ sheets: [FinishedSheet], _ request: FlatteningRequest, to path: String
    ) throws(FlatteningError) {
        _ = try MergedPDF.replace(path, pageSize: request.mergeSize) { (pdf) throws(FlatteningError) in
            for page in sheets.compactMap(\.page) { try pdf.add(page) }
        }
    }
}

extension FittedSheetMesh.Format {
    /// The format that a path's extension names; nil if it is not a format of meshes.
    init?(path: String) { self.init(rawValue: URL.extension(of: path)) }
}

extension URL {
    /// A path's extension in small letters; "" without one.
    static func `extension`(of path: String) -> String { URL(filePath: path).pathExtension.lowercased() }
}
