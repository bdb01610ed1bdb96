import ArgumentParser
import BatchProcessing
import LocalFiles

/// Which files are written of each capture of a batch.
struct BatchOutputs: ParsableArguments {
    /// The kinds of pictures.
    enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
        case png, jpg, tif
    }

    @Flag(inversion: .prefixedNo, help: "Flat image: NAME.png, or by --picture-format.")
    var picture = true

    @Option(help: "Format of the flat image.")
    var pictureFormat: PictureFormat = .png

    @Flag(name: .shortAndLong, help: "Report of what was found and decided: NAME.json.")
    var report = false

    @Flag(
        name: .shortAndLong,
        help: "Text: NAME.txt, or by --format .words.json, .tsv, .hocr, .alto.xml, .md or .pdf.")
    var text = false

    @Option(help: "Format of the text.")
    var format: TextOutputFormat?

    @Flag(help: "What the receipt says, as short JSON: NAME.fields.json.")
    var fields = false

    @Flag(help: "Contact of a business card as a vCard: NAME.vcf.")
    var contact = false

    @Flag(help: "Sampling map: NAME.npy.")
    var map = false

    @Flag(help: "Coloured point cloud: NAME.ply.")
    var cloud = false

    @Flag(help: "Image of the depth sensor's view: NAME.relief.png.")
    var depthPreview = false

    @Flag(help: "Page to look at: NAME.html, and for all captures index.html.")
    var page = false

    @Flag(help: "Photograph with what was found drawn over it: NAME.overlay.png.")
    var overlay = false

    @Flag(help: "The fitted sheet with its texture: NAME.glb. Captures without depth have none.")
    var mesh = false

    @OptionGroup var joint: JointOutputArguments

    /// What is added to a capture's name for the parts of `--table` and of `--merge`, and for what tells which pages are one
    /// receipt.
    static let (tableSuffix, mergeSuffix, valuesSuffix) = (".rows", ".pages", ".values")
    /// The same for what tells of one receipt.
    static let (reportSuffix, fieldsSuffix) = (".json", NumberedPath.DoubleExtension.fieldsJSON.rawValue)

    /// What is written of each capture, with what is added to the capture's name.
    private var kinds: [(kind: OutputKind, suffix: String)] {
        let all: [(isWanted: Bool, kind: OutputKind, suffix: String)] = [
            (picture, .image, "." + pictureFormat.rawValue), (report, .report, Self.reportSuffix),
            (text, .text, textSuffix), (fields, .fields, Self.fieldsSuffix), (contact, .contact, ".vcf"),
            (map, .map, ".npy"), (cloud, .cloud, ".ply"),
            (depthPreview, .depthPreview, NumberedPath.DoubleExtension.reliefPNG.rawValue),
            (page, .page, Self.pageSuffix), (page, .thumbnail, Self.thumbnailSuffix),
            (page, .galleryPart, Self.gallerySuffix),
            (overlay, .overlay, NumberedPath.DoubleExtension.overlayPNG.rawValue), (mesh, .mesh, ".glb"),
            (joint.table != nil, .tablePart, Self.tableSuffix),
            (joint.merge != nil, .mergePart, Self.mergeSuffix),
            (tellsOfReceipts, .valuesPart, Self.valuesSuffix),
        ]
        return all.filter(\.isWanted).map { ($0.kind, $0.suffix) }
    }

    /// Whether an output tells of receipts that may go on over pages.
    private var tellsOfReceipts: Bool {
        report || fields || page || joint.table != nil || joint.merge != nil
    }

    /// What is added to a capture's name for its page, its small picture and its part of the index.
    static let (pageSuffix, gallerySuffix) = (".html", ".card")
    static let thumbnailSuffix = NumberedPath.DoubleExtension.thumbJPEG.rawValue

    private var textSuffix: String {
        switch format ?? .text {
        case .text: ".txt"
        case .json: NumberedPath.DoubleExtension.wordsJSON.rawValue
        case .tsv: ".tsv"
        case .hocr: ".hocr"
        case .markdown: ".md"
        case .alto: NumberedPath.DoubleExtension.altoXML.rawValue
        case .pdf: ".pdf"
        }
    }

    /// The page of all captures, a file of the batch's folder.
    static let index = "index.html"
    /// The files that are of no single capture, by names in the batch's folder.
    var sharedNames: [String] { page ? [Self.index] : [] }

    /// What is added to a capture's name for each of its files.
    var suffixes: [String] { kinds.map(\.suffix) }

    /// What tells the files of a capture by its name and by whether it is a page of several.
    var files: (String, CaptureList.Entry) -> [Batch.Job.Output] {
        let kinds = kinds
        return { name, capture in
            kinds.filter { $0.kind != .valuesPart || capture.isPageAmongOthers }.map { kind, suffix in
                var output = kind.batchOutput(named: name + suffix)
                // So does this format of text.
                if kind == .text, format == .hocr { output.naming = .always }
                return output
            }
        }
    }

    /// The same as outputs of `flatten`, for a capture of this name.
    func requested(_ name: String) -> [RequestedOutput] {
        kinds.map { RequestedOutput(kind: $0.kind, path: name + $0.suffix) }
    }
}
