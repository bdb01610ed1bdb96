import ArgumentParser
import Diagnostics
import ImageFiles
import ReceiptFlattening

/// What `flatten` is asked for: a capture, outputs, and how they are made.
struct FlattenArguments: ParsableArguments {
    @OptionGroup var input: CaptureArguments

    @Option(
        name: .shortAndLong,
        help:
            "Flat image: PNG, JPEG or TIFF by its extension, PNG on standard output for \"-\". May be given several times.",
        completion: .file())
    var output: [String] = []

    @Option(
        help:
            "Sampling map, where in the photograph each pixel comes from: NPY, float32, height x width x 2.",
        completion: .file())
    var map: String?

    @Option(name: .shortAndLong, help: "Report of what was found and decided, as JSON.", completion: .file())
    var report: String?

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

    @OptionGroup var joint: JointOutputArguments

    @OptionGroup var views: ViewOutputArguments

    @Option(help: "Coloured point cloud: binary PLY, metres.", completion: .file())
    var cloud: String?

    @Option(help: "Image of the depth sensor's view with contour bands of the relief.", completion: .file())
    var depthPreview: String?

    @Option(
        help: ArgumentHelp(
            "The contact of a business card: a vCard for .vcf, a table for .csv. Implies --find contact.",
            valueName: "card.vcf"),
        completion: .file(extensions: ["vcf", "csv"]))
    var contact: String?

    @Flag(
        help: """
            Join photographs of parts of one sheet, given as several captures in any order, to one image. Each should show \
            a quarter of the next.
            """)
    var stitch = false

    @OptionGroup var how: HowArguments

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Black out an area of the flat image (in its pixels), and take the text in it out of all outputs; may be given several times.",
            valueName: "x,y,width,height"))
    var redactArea: [PictureArea] = []

    @Flag(
        name: [.customShort("n"), .long],
        help: "Replace no existing output: end with exit code \(ExitReason.file.rawValue) before any work."
    )
    var noClobber = false

    @Flag(
        help: ArgumentHelp(
            "Tell what is being done on standard error, for a program that shows it: lines of progress: and an object of JSON."
        ))
    var progress = false

    @OptionGroup var verbosity: VerbosityArguments

    mutating func validate() throws {
        for (name, path) in output.map({ ("--output", $0) })
            + (depthPreview.map { [("--depth-preview", $0)] } ?? [])
        {
            do throws(FlatteningError) {
                _ = try ImageWriter.Format(path: path)
            } catch {
                throw ValidationError("\(name): \(error)")
            }
        }
        if let contact, ContactFileFormat(path: contact) == nil {
            throw ValidationError("--contact \(contact): contacts are written as .vcf or .csv")
        }
        if format == nil {
            for path in text { _ = try TextOutputFormat(path: path) }
        }
        if how.force, noClobber {
            throw ValidationError("--force and --no-clobber exclude each other")
        }
        try request.validate()
    }

    /// The same as a value.
    var request: FlatteningRequest {
        var request = how.request(of: input.source)
        let single: [(OutputKind, String?)] = [
            (.map, map), (.report, report), (.fields, fields), (.contact, contact), (.cloud, cloud),
            (.depthPreview, depthPreview), (.page, views.page), (.overlay, views.overlay),
            (.mesh, views.mesh),
        ]
        request.outputs =
            output.map { .init(kind: .image, path: $0) } + text.map { .init(kind: .text, path: $0) }
            + single.compactMap { kind, path in path.map { .init(kind: kind, path: $0) } } + joint.outputs
        (request.textFormat, request.tableFor, request.mergeSize) = (format, joint.tableFor, joint.mergeSize)
        (request.stitch, request.redactAreas) = (stitch, redactArea)
        if noClobber { request.existing = .kept }
        return request
    }
}
