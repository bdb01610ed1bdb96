import ArgumentParser
import Diagnostics
import Documents
import Platform
import ReceiptFlattening
import ReceiptOutputs
import SheetFlattening

/// What one run of `flatten` is asked for: what is read, how it is made flat, and what is written. The words of a command line
/// become one, and a batch sends one to the worker of each capture, as JSON.
struct FlatteningRequest: Codable, Sendable {
    var input: CaptureSource
    var outputs: [RequestedOutput] = []
    /// The format of the one text; nil where each path's extension decides.
    var textFormat: TextOutputFormat?
    var tableFor = TableReader.spreadsheet
    var mergeSize = MergedPDF.PageSize.sheet
    var vcard = VCard.Version.v4

    /// Whether the captures are parts of one sheet, and not pages.
    var stitch = false
    var sheets = SheetChoice.best
    var joinPages = PagedReceipt.Joining.auto

    var noDepth = false
    /// Four, in pixels of the upright photograph; empty where they are to be found.
    var corners: [SIMD2<Double>] = []
    var method = SurfaceMethod.auto
    var light = LightCorrection.automatic
    var dpi: Double?
    /// Millimetres.
    var margin: Double?
    var edge = SheetEdge.fill

    /// Tesseract's codes, joined by "+", or "auto".
    var language = "auto"
    var reader = TextReader.automatic
    var readerModel: String?
    /// Nil for the clock's.
    var today: Date?
    var country: String?
    var currency: String?
    /// In the order of their names.
    var find: [SheetContent] = []

    /// In the order of their names.
    var redact: [PersonalData] = []
    var redactAreas: [PictureArea] = []
    var requirements = Requirements()
    var existing = OutputPlan.Existing.replaced
    /// Nil for the usual one of each capture.
    var timeout: TimeSpan?
    /// Whether timings are left out.
    var reproducible = false

    /// The defaults.
    init(input: CaptureSource) { self.input = input }

    /// Why a run without outputs is refused.
    static let nothingToDo = ValidationError(
        "nothing to do: name at least one output, for example -o flat.png")

    /// What the library allows of `--dpi` and `--margin`.
    static let resolutions = SheetFlattener.Options.resolutions
    static let margins = SheetFlattener.Options.margins

    /// A range of whole numbers.
    static func inWords(_ range: ClosedRange<Double>, _ word: String) -> String {
        "\(Int(range.lowerBound)) \(word) \(Int(range.upperBound))"
    }

    /// Throws a usage error for what does not go together.
    func validate() throws(ValidationError) {
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
        let texts = paths(.text)
        if textFormat != nil, texts.count != 1 {
            throw ValidationError(
                texts.isEmpty
                    ? "--format needs --text with a file to write"
                    : "--format applies to one --text (seen: \(texts.count)); without it each extension decides"
            )
        }
        if isRedacted, let shown = outputs.first(where: \.kind.showsPhotograph) {
            throw ValidationError("\(shown.kind.option) shows the photograph, which --redact does not change")
        }
        if !redactAreas.isEmpty, sheets == .all {
            throw ValidationError("--redact-area is of one flat image, and --sheets all makes several")
        }
        if requirements.keep, !requirements.asksForSomething, !isRedacted {
            throw ValidationError("--keep goes with --require, --min-confidence or --redact")
        }
        if noDepth, requirements.required.contains(.depth) {
            throw ValidationError("--no-depth and --require depth exclude each other")
        }
        if !corners.isEmpty, corners.count != 4 {
            throw ValidationError("--corners takes four points, each as x,y")
        }
    }

    /// The outputs of some kind.
    func paths(_ kind: OutputKind) -> [String] { outputs.filter { $0.kind == kind }.map(\.path) }

    /// Every file that is to be written, with the option that names it.
    var files: [OutputPlan.Named] { outputs.flatMap(\.files) }

    /// What is looked for: what `--find` names, and what outputs take.
    private var contents: Set<SheetContent> {
        Set(find).union(paths(.contact).isEmpty ? [] : [.contact])
    }

    /// Whether something that is asked for takes the text.
    var readsText: Bool {
        outputs.contains(where: \.kind.takesText) || !redact.isEmpty
            || requirements.required.contains(.text) || contents.contains(where: \.needsText)
    }

    /// Whether something is to be blacked out.
    var isRedacted: Bool { !redact.isEmpty || !redactAreas.isEmpty }

    /// What is to be blacked out.
    var redaction: Redaction { Redaction(kinds: Set(redact), areas: redactAreas) }

    /// The limit of time, its clock running since the program started.
    /// - Parameter captures: how many the run is about.
    func limit(captures: Int = 1) -> TimeLimit { TimeLimit(timeout, captures: captures) }

    /// The same for the library.
    var options: ReceiptFlattener.Options {
        var options = ReceiptFlattener.Options()
        options.usesDepth = !noDepth
        options.corners = corners.isEmpty ? nil : corners
        options.method = method
        options.dotsPerInch = dpi
        options.marginMillimeters = margin
        options.edge = edge
        options.light = light
        options.reader = reader
        options.readerModel = readerModel
        options.language = readsText ? language : nil
        options.finds = contents.union(redaction.kinds.compactMap(\.content))
        if let today { options.today = today }
        options.country = country
        options.currency = currency
        options.timeLimit = limit().remaining
        return options
    }

    /// The request as JSON, the same for the same request.
    func json() throws(FlatteningError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            throw FlatteningError(
                .internalInconsistency, "a request cannot be written as JSON", stage: .batch,
                detail: "\(error)")
        }
    }

    /// The request that `json` gave.
    init(json: String) throws(FlatteningError) {
        do {
            self = try JSONDecoder().decode(FlatteningRequest.self, from: Data(json.utf8))
        } catch {
            throw FlatteningError(
                .badInput, "this is no request that a batch made", stage: .batch, detail: "\(error)")
        }
    }
}
