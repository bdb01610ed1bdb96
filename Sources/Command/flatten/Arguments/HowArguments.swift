import ArgumentParser
import Documents
import Platform
import ReceiptFlattening
import SheetFlattening
import TextRecognition

/// Options for how captures are flattened and read, shared by `flatten` and `flatten batch`.
struct HowArguments: ParsableArguments {
    @Flag(help: "Ignore depth and use the image alone.")
    var noDepth = false

    @Option(
        help: """
            Which sheets in view: best (the one most likely meant) or all, each with outputs of its own: flat-1.png, \
            flat-2.png ... in reading order.
            """)
    var sheets: SheetChoice = .best

    @OptionGroup var joining: PageJoiningArguments

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
            Resolution of the flat image where its true size is known, \(FlatteningRequest.inWords(FlatteningRequest.resolutions, "to")); by default that of the photograph, up to \
            \(Int(ReceiptFlattener.Options().maximumDotsPerInch)).
            """)
    var dpi: Double?

    @Option(
        help: """
            Margin around the sheet, in millimetres, \(FlatteningRequest.inWords(FlatteningRequest.margins, "to")); by default 1.5, and 0 where the image is cut \
            along the sheet's sides.
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

    @Option(help: "Version of the vCard.")
    var vcard: VCard.Version = .v4

    @Option(
        help: ArgumentHelp(
            "Black out personal data in all outputs and read them back: card numbers (without a value), or a list of cards, names, phones, emails, faces, mrz, codes.",
            valueName: "list"), completion: .list(PersonalData.sought.map(\.rawValue)),
        transform: RedactedKinds.init(argument:))
    var redact: RedactedKinds?

    @OptionGroup var requirements: RequirementArguments

    @Flag(help: "Replace existing outputs even if they are inputs or files of the capture.")
    var force = false

    @OptionGroup var time: TimeArguments

    @Flag(help: "Leave timings out of the report, so that the same capture gives the same bytes.")
    var reproducible = false

    mutating func validate() throws {
        if [look != nil, clean, blackAndWhite].count(where: { $0 }) > 1 {
            throw ValidationError("--look, --clean and --bw exclude each other")
        }
    }

    /// Returns the request for these captures, without outputs.
    func request(of input: CaptureRequest) -> FlatteningRequest {
        var request = FlatteningRequest(input: input)
        (request.sheets, request.joinPages, request.vcard) = (sheets, joining.joinPages, vcard)
        request.noDepth = noDepth
        request.corners = Array(corners.joined())
        (request.method, request.dpi, request.margin, request.edge) = (method, dpi, margin, edge)
        request.light = blackAndWhite ? .blackAndWhite : clean ? .even : look?.light ?? .automatic
        (request.language, request.reader, request.readerModel) = (language, reader, readerModel)
        (request.today, request.country, request.currency) = (today, country, currency)
        request.find = find.contents.sorted { $0.rawValue < $1.rawValue }
        request.redact = (redact?.kinds ?? []).sorted { $0.rawValue < $1.rawValue }
        request.requirements = requirements.requirements
        request.existing = force ? .forced : .replaced
        (request.timeout, request.reproducible) = (time.timeout, reproducible)
        return request
    }

    /// Parses a day in the format of ISO 8601: 2025-02-13.
    private static func day(in word: String) throws -> Date {
        guard word.wholeMatch(of: #/\d{4}-\d{2}-\d{2}/#) != nil,
            let day = try? Date(word, strategy: .iso8601.year().month().day()),
            day.formatted(.iso8601.year().month().day()) == word
        else { throw ValidationError("--today \(word): this is no day as 2025-02-13") }
        return day
    }

    /// Returns a function that accepts one of the known codes, in upper or lower case.
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
