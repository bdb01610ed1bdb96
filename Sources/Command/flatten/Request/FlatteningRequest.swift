import ArgumentParser
import Diagnostics
import Documents
import Platform
import ReceiptFlattening
import ReceiptOutputs
import SheetFlattening

/// What one run of `flatten` is asked for: what to read, how to flatten it, and what to write. A command line is parsed into a
/// request, and a batch sends one, as JSON, to the worker of each capture.
struct FlatteningRequest: Codable, Sendable {
    var input: CaptureRequest
    var outputs: [RequestedOutput] = []
    /// The format of the only text output; nil if each path's extension decides.
    var textFormat: TextOutputFormat?
    var tableFor = TableReader.spreadsheet
    var mergeSize = MergedPDF.PageSize.sheet
    var vcard = VCard.Version.v4

    /// Whether the captures are parts of one sheet, not pages of a document.
    var stitch = false
    var sheets = SheetChoice.best
    var joinPages = PagedReceipt.Joining.auto

    var noDepth = false
    /// The four corners of the sheet, in pixels of the upright photograph; empty if they are to be found.
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
    /// The latest day that a date may have; nil for the day of the clock.
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
    /// Nil for the default time limit of each capture.
    var timeout: TimeSpan?
    /// Whether timings are left out of the report.
    var reproducible = false

    /// Creates a request with the defaults.
    init(input: CaptureRequest) { self.input = input }

    /// The error for a run without outputs.
    static let nothingToDo = ValidationError(
        "nothing to do: name at least one output, for example -o flat.png")

    /// The ranges that the library allows for `--dpi` and `--margin`.
    static let resolutions = SheetFlattener.Options.resolutions
    static let margins = SheetFlattener.Options.margins

    /// The bounds of a range as whole numbers, with a word between them.
    static func inWords(_ range: ClosedRange<Double>, _ word: String) -> String {
        "\(Int(range.lowerBound)) \(word) \(Int(range.upperBound))"
    }

    /// Throws a usage error for options that do not go together.
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

    /// The paths of the outputs of one kind.
    func paths(_ kind: OutputKind) -> [String] { outputs.filter { $0.kind == kind }.map(\.path) }

    /// Every file that is to be written, with the option that names it.
    var files: [OutputPlan.Named] { outputs.flatMap(\.files) }

    /// The contents to look for: those that `--find` names, and those that outputs need.
    private var contents: Set<SheetContent> {
        Set(find).union(paths(.contact).isEmpty ? [] : [.contact])
    }

    /// Whether anything asked for needs the text.
    var readsText: Bool {
        outputs.contains(where: \.kind.takesText)
            // What codes and zones say is also printed, and hidden there; faces are not.
            || redact.contains { $0 != .faces }
            || requirements.required.contains(.text) || contents.contains(where: \.needsText)
    }

    /// Whether something is to be blacked out.
    var isRedacted: Bool { !redact.isEmpty || !redactAreas.isEmpty }

    /// What is to be blacked out.
    var redaction: Redaction { Redaction(kinds: Set(redact), areas: redactAreas) }

    /// The time limit, counted from the start of the program.
    /// - Parameter captures: the number of captures in the run.
    func limit(captures: Int = 1) -> TimeLimit { TimeLimit(timeout, captures: captures) }

    /// The request as options of the library, without a time limit: `limit` depends on the number of captures.
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
        return options
    }

    /// The request as JSON; equal requests give the same text.
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

    /// Decodes a request that `json` encoded.
    init(json: String) throws(FlatteningError) {
        do {
            self = try JSONDecoder().decode(FlatteningRequest.self, from: Data(json.utf8))
        } catch {
            throw FlatteningError(
                .badInput, "this is no request that a batch made", stage: .batch, detail: "\(error)")
        }
    }
}
