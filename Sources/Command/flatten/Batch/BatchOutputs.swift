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

    /// Each option of `flatten` that names an output, with what is added to the capture's name.
    private var kinds: [(option: String, suffix: String)] {
        let all: [(isWanted: Bool, option: String, suffix: String)] = [
            (picture, "--output", "." + pictureFormat.rawValue), (report, "--report", Self.reportSuffix),
            (text, "--text", textSuffix),
            (fields, "--fields", Self.fieldsSuffix),
            (contact, "--contact", ".vcf"), (map, "--map", ".npy"),
            (cloud, "--cloud", ".ply"),
            (depthPreview, "--depth-preview", NumberedPath.DoubleExtension.reliefPNG.rawValue),
            (page, "--page", Self.pageSuffix), (page, "--thumbnail", Self.thumbnailSuffix),
            (page, Self.galleryPart, Self.gallerySuffix),
            (overlay, "--overlay", NumberedPath.DoubleExtension.overlayPNG.rawValue),
            (mesh, "--mesh", ".glb"),
            (joint.table != nil, Self.tablePart, Self.tableSuffix),
            (joint.merge != nil, Self.mergePart, Self.mergeSuffix),
            (tellsOfReceipts, Self.valuesPart, Self.valuesSuffix),
        ]
        return all.filter(\.isWanted).map { ($0.option, $0.suffix) }
    }

    /// Whether an output tells of receipts that may go on over pages.
    private var tellsOfReceipts: Bool {
        report || fields || page || joint.table != nil || joint.merge != nil
    }

    private static let (tablePart, mergePart, valuesPart) = ("--table-part", "--merge-part", "--values-part")
    private static let galleryPart = "--gallery-part"

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
        // Without depth there is neither a cloud nor a view of it, nor a mesh, and most sheets are no business cards: a warning.
        let all = kinds.map {
            Batch.Job.Output(
                option: $0.option, name: $0.suffix,
                mayBeMissing: ["--cloud", "--depth-preview", "--mesh", "--contact", Self.valuesPart].contains(
                    $0.option),
                isPart: [Self.tablePart, Self.mergePart, Self.galleryPart, Self.valuesPart].contains(
                    $0.option),
                naming: naming(of: $0.option))
        }
        return { name, capture in
            all.filter { $0.option != Self.valuesPart || capture.isPageAmongOthers }.map { output in
                var output = output
                output.name = name + output.name
                return output
            }
        }
    }

    private func naming(of option: String) -> Batch.Job.Output.Naming {
        switch option {
        case "--page": .always
        case "--text" where format == .hocr: .always
        // Its warnings do.
        case "--report", Self.valuesPart: .sometimes
        default: .never
        }
    }

    /// The options of `flatten` that say in which form, but not where.
    var formatArguments: [String] { format.map { ["--format", $0.rawValue] } ?? [] }

    /// The options of `flatten` that write to `path` with each suffix.
    func arguments(path: String) -> [String] {
        kinds.flatMap { [$0.option, path + $0.suffix] } + formatArguments
    }
}
