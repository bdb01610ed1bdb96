import Diagnostics
import Documents
import ImageFiles
import SheetFlattening
import ArgumentParser
import ReceiptFlattening
import TextRecognition
import Platform

/// What `flatten` is asked for: a capture, outputs, and how they are made. A batch takes the same of each capture.
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

    @Option(help: ArgumentHelp("What a batch makes its --table of.", visibility: .private))
    var tablePart: String?

    @Option(help: ArgumentHelp("What a batch makes its --merge of.", visibility: .private))
    var mergePart: String?

    @Option(
        help: ArgumentHelp("What a batch joins receipts over pages by.", visibility: .private))
    var valuesPart: String?

    /// Keeps what was read, and asks for nothing to be read.
    private static let valuesOption = "--values-part"

    @Option(help: "Coloured point cloud: binary PLY, metres.", completion: .file())
    var cloud: String?

    @Option(help: "Image of the depth sensor's view with contour bands of the relief.", completion: .file())
    var depthPreview: String?

    @Flag(help: "Ignore depth and use the image alone.")
    var noDepth = false

    @Option(
        help: """
            Which sheets in view: best (the one most likely meant) or all, each with outputs of its own: flat-1.png, \
            flat-2.png ... in reading order.
            """)
    var sheets: SheetChoice = .best

    @OptionGroup var joining: PageJoiningArguments

    @Flag(
        help: """
            Join photographs of parts of one sheet, given as several captures in any order, to one image. Each should show \
            a quarter of the next.
            """)
    var stitch = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            """
            The sheet's four corners in order around it, starting at any, in pixels of the upright photograph. Put CAPTURE \
            before them.
            """,
            valueName: "x,y x,y x,y x,y"))
    var corners: [PicturePoints] = []

    @Option(help: "Surface to fit; auto lets the depth decide.")
    var method: SurfaceMethod = .auto

    @Option(
        help: """
            How the sheet is shown: photo (as photographed), document (white paper without shadows, print in its colours) or \
            bw (black and white, as --bw). By default photo in images, document in PDF and --page.
            """)
    var look: FlatLook?

    @Flag(help: "Even out light and shadows: paper becomes bright, its colour stays.")
    var clean = false

    @Flag(name: .customLong("bw"), help: "Make the flat image black and white: one bit a pixel, but in JPEG.")
    var blackAndWhite = false

    @Option(
        help: """
            Resolution of the flat image, \(inWords(resolutions, "to")); by default that of the photograph, up to \
            \(Int(ReceiptFlattener.Options().maximumDotsPerInch)).
            """)
    var dpi: Double?

    @Option(
        help: """
            Margin around the sheet, in millimetres, \(inWords(margins, "to")); by default 1.5, and none where the sheet's \
            sides are made the image's.
            """)
    var margin: Double?

    @Option(
        help:
            "Beyond the sheet's edge, let the paper's colour go on (fill) or keep what the photograph shows.")
    var edge = SheetEdge.fill

    @Option(
        name: .shortAndLong,
        help:
            "Languages to read, by tesseract's codes (eng), two letters (en) or English names, joined by \"+\"; auto: any of Latin letters; --list-languages shows those that are there.",
        transform: LanguageName.codes(in:))
    var language = "auto"

    @Option(
        help:
            "What reads: auto takes the built-in reader for languages of Latin letters, else onnx (make reader) where it is there, else tesseract."
    )
    var reader: TextReader = .automatic

    @Option(help: ArgumentHelp("Model that onnx reads with.", valueName: "file"))
    var readerModel: String?

    @Option(
        help: ArgumentHelp(
            "The day by which dates are read: none is later. By default that of the clock; given, the same capture gives the same dates on any day.",
            valueName: "2025-02-13"),
        transform: Self.day(in:))
    var today: Date?

    @Option(
        help: ArgumentHelp(
            "The country of receipts whose print leaves it open: how 03/04/2024 and $ are meant there.",
            valueName: "US"),
        transform: Self.code(in: ReceiptContext.countries, of: "--country"))
    var country: String?

    @Option(
        help: ArgumentHelp(
            "The currency of amounts whose print leaves it open; by default that of --country.",
            valueName: "USD"),
        transform: Self.code(in: ReceiptContext.currencies, of: "--currency"))
    var currency: String?

    @Option(
        help: ArgumentHelp(
            "What else to look for on the sheet, for the report; several joined by commas.",
            valueName: "list"))
    var find: FoundContents = []

    @Option(
        help: ArgumentHelp(
            "The contact of a business card: a vCard for .vcf, a table for .csv. Implies --find contact.",
            valueName: "card.vcf"),
        completion: .file(extensions: ["vcf", "csv"]))
    var contact: String?

    @Option(help: "Version of the vCard.")
    var vcard: VCard.Version = .v4

    @Option(
        help: ArgumentHelp(
            "Black out personal data in all outputs and read them back: card numbers (without a value), or a list of cards, names, phones, emails, faces, mrz, codes.",
            valueName: "list"), completion: .list(PersonalData.sought.map(\.rawValue)))
    var redact: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Black out an area of the flat image, in its pixels, and what is said there; may be given several times.",
            valueName: "x,y,width,height"))
    var redactArea: [PictureArea] = []

    @OptionGroup var requirements: RequirementArguments

    @Flag(help: "Replace existing outputs even if they are inputs or files of the capture.")
    var force = false

    @Flag(
        name: [.customShort("n"), .long],
        help: "Replace no existing output: end with exit code \(ExitReason.file.rawValue) before any work."
    )
    var noClobber = false

    @OptionGroup var time: TimeArguments

    @Flag(help: "Leave timings out of the report, so that the same capture gives the same bytes.")
    var reproducible = false

    @Flag(
        help: ArgumentHelp(
            "Tell what is being done on standard error, for a program that shows it: lines of progress: and an object of JSON."
        ))
    var progress = false

    @OptionGroup var verbosity: VerbosityArguments

    mutating func validate() throws {
        if noDepth, input.fuse {
            throw ValidationError("--fuse and --no-depth exclude each other")
        }
        if stitch { try requireStitchable() }
        if let dpi, !Self.resolutions.contains(dpi) {
            throw ValidationError("--dpi lies between \(Self.inWords(Self.resolutions, "and"))")
        }
        if let margin, !Self.margins.contains(margin) {
            throw ValidationError("--margin lies between \(Self.inWords(Self.margins, "and")) mm")
        }
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
        if let redact { _ = try RedactedKinds(argument: redact) }
        if isRedacted, cloud != nil || depthPreview != nil {
            throw ValidationError(
                "--cloud and --depth-preview show the photograph, which --redact does not change")
        }
        if isRedacted, views.overlay != nil {
            throw ValidationError("--overlay shows the photograph, which --redact does not change")
        }
        if !redactArea.isEmpty, sheets == .all {
            throw ValidationError("--redact-area is of one flat image, and --sheets all makes several")
        }
        if format != nil, text.count != 1 {
            throw ValidationError(
                text.isEmpty
                    ? "--format needs --text with a file to write"
                    : "--format applies to one --text (seen: \(text.count)); without it each extension decides"
            )
        }
        if format == nil {
            for path in text { _ = try TextOutputFormat(path: path) }
        }
        if requirements.keep, !requirements.asksForSomething, !isRedacted {
            throw ValidationError("--keep goes with --require, --min-confidence or --redact")
        }
        if noDepth, requirements.includes(.depth) {
            throw ValidationError("--no-depth and --require depth exclude each other")
        }
        if force, noClobber {
            throw ValidationError("--force and --no-clobber exclude each other")
        }
        if [look != nil, clean, blackAndWhite].count(where: { $0 }) > 1 {
            throw ValidationError("--look, --clean and --bw exclude each other")
        }
        if !corners.isEmpty, Array(corners.joined()).count != 4 {
            throw ValidationError("--corners takes four points, each as x,y")
        }
    }

    /// The day of ISO 8601 that a word names.
    private static func day(in word: String) throws -> Date {
        guard word.wholeMatch(of: #/\d{4}-\d{2}-\d{2}/#) != nil,
            let day = try? Date(word, strategy: .iso8601.year().month().day()),
            day.formatted(.iso8601.year().month().day()) == word
        else { throw ValidationError("--today \(word): this is no day as 2025-02-13") }
        return day
    }

    /// Takes a word for one of a list of codes, in capitals or small letters.
    private static func code(
        in known: [String], of option: String
    ) -> @Sendable (String) throws -> String {
        { word in
            let code = word.uppercased()
            guard known.contains(code) else {
                throw ValidationError(
                    "\(option) \(word): not a code that is known (allowed: \(known.joined(separator: " ")))")
            }
            return code
        }
    }

    /// Why a run without outputs is refused.
    static let nothingToDo = ValidationError(
        "nothing to do: name at least one output, for example -o flat.png")

    /// What the library allows of `--dpi` and `--margin`.
    private static let resolutions = SheetFlattener.Options.resolutions
    private static let margins = SheetFlattener.Options.margins

    /// A range of whole numbers.
    private static func inWords(_ range: ClosedRange<Double>, _ word: String) -> String {
        "\(Int(range.lowerBound)) \(word) \(Int(range.upperBound))"
    }
}

/// `--join-pages`: which pages of a document are one receipt.
struct PageJoiningArguments: ParsableArguments {
    @Option(
        help: """
            Which pages of a document are one receipt: auto takes those whose print says so, all takes all, none leaves each \
            alone. Its first page tells all of it in --fields, --report and --table.
            """)
    var joinPages: PagedReceipt.Joining = .auto
}

extension FlattenArguments {
    /// Every file that is to be written, with the option that names it.
    var outputs: [OutputPlan.Named] { sheetOutputs + jointOutputs }

    /// Those that hold all sheets.
    var jointOutputs: [OutputPlan.Named] {
        joint.outputs + views.jointOutputs
            + [
                ("--table-part", tablePart), ("--merge-part", mergePart), (Self.valuesOption, valuesPart),
            ].compactMap { option, path in path.map { .init(option: option, path: $0) } }
    }

    /// Those of which each sheet has its own.
    var sheetOutputs: [OutputPlan.Named] {
        let single = [
            ("--map", map), ("--report", report), ("--fields", fields), ("--contact", contact),
            ("--cloud", cloud),
            ("--depth-preview", depthPreview),
        ]
        return output.map { .init(option: "--output", path: $0) }
            + text.map { .init(option: "--text", path: $0) }
            + single.compactMap { option, path in path.map { .init(option: option, path: $0) } }
            + views.sheetOutputs
    }

    /// Whether something that is asked for takes the text.
    private var readsText: Bool {
        !text.isEmpty || fields != nil || jointOutputs.contains { $0.option != Self.valuesOption }
            || redact != nil
            || requirements.includes(.text)
            || views.readsText
            || contents.contains(where: \.needsText)
    }

    /// What is looked for: what `--find` names, and what outputs take.
    private var contents: Set<SheetContent> {
        contact == nil ? find.contents : find.contents.union([.contact])
    }

    /// Whether something is to be blacked out.
    var isRedacted: Bool { redact != nil || !redactArea.isEmpty }

    /// What is to be blacked out; the words were checked when they were parsed.
    var redaction: Redaction {
        let kinds = redact.flatMap { try? RedactedKinds(argument: $0).kinds } ?? []
        return Redaction(kinds: kinds, areas: redactArea)
    }

    /// The same for the library.
    var options: ReceiptFlattener.Options {
        var options = ReceiptFlattener.Options()
        options.usesDepth = !noDepth
        options.corners = corners.isEmpty ? nil : Array(corners.joined())
        options.method = method
        options.dotsPerInch = dpi
        options.marginMillimeters = margin
        options.edge = edge
        options.light = blackAndWhite ? .blackAndWhite : clean ? .even : look?.light ?? .automatic
        options.reader = reader
        options.readerModel = readerModel
        options.language = readsText ? language : nil
        options.finds = contents.union(redaction.kinds.compactMap(\.content))
        if let today { options.today = today }
        options.country = country
        options.currency = currency
        options.timeLimit = time.limit().remaining
        return options
    }
}
