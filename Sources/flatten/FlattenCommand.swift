import ArgumentParser
import Foundation
import ReceiptFlattening

/// `flatten CAPTURE -o flat.png`: the main job.
struct FlattenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flatten",
        abstract:
            "Turns a photograph of a curled, folded or tilted receipt into a flat picture of true size, and into text.",
        usage: """
            flatten CAPTURE -o PICTURE [options]
            flatten inspect CAPTURE [options]
            flatten batch FOLDER|LIST|- -o FOLDER [options]
            """,
        discussion: """
            CAPTURE is what a camera left: a capture folder (capture.json beside its files), a recording's folder or \
            archive, or a picture, with --depth and --intrinsics where there are any; "-" is standard input. Without depth \
            the picture alone is used. As an output, "-" names standard output.

            Outputs appear whole or not at all. One that exists is replaced, as its name was given; one that is an input, \
            or a file of the capture, only with --force. --no-clobber replaces none.

            flatten inspect CAPTURE says what was understood of a capture, and what looks wrong about it. flatten batch \
            FOLDER -o FOLDER flattens many. flatten --version --verbose says what this program is made of.

            Exit codes: 0 done; 1 some captures of a batch failed; 3 what --require or --min-confidence asks for was not \
            reached; 64 wrong usage; 65 bad input; 69 a library or language data is missing; 70 a defect of this program; \
            71 a limit of size was passed, or memory or open files are short; 74 a file cannot be read or written, the disk is \
            full, or a file exists and --no-clobber was given; 75 the time allowed was used up: outputs written before stay.
            """,
        version: ReceiptFlatteningVersion.current)

    @OptionGroup var input: CaptureArguments

    @Option(
        name: .shortAndLong,
        help:
            "The flat picture: PNG, JPEG or TIFF by its extension, PNG on standard output for \"-\". May be given several times.",
        completion: .file())
    var output: [String] = []

    @Option(help: "Where each pixel comes from: NPY, float32, height x width x 2.", completion: .file())
    var map: String?

    @Option(help: "What was understood and decided, as JSON.", completion: .file())
    var report: String?

    @Option(
        help:
            "The text of the receipt (needs tesseract), in the format of its extension: none, .txt, .json, .tsv, .hocr, .html, .alto, .xml or .pdf. May be given several times.",
        completion: .file())
    var text: [String] = []

    @Option(help: "The format of the one --text whatever its name: text, json, tsv, hocr, alto or pdf.")
    var format: TextOutputFormat?

    @Option(help: "The coloured point cloud: binary PLY, metres.", completion: .file())
    var cloud: String?

    @Option(help: "The depth sensor's view with contour bands of the relief.", completion: .file())
    var depthPreview: String?

    @Flag(help: "Use the picture alone even if there is depth.")
    var noDepth = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            """
            The sheet's four corners in order around it, from any of them, in pixels of the upright photograph. CAPTURE \
            stands before them.
            """,
            valueName: "x,y x,y x,y x,y"))
    var corners: [PicturePoints] = []

    @Option(help: "The surface to fit: plane, cylinder, freeform or auto.")
    var method: SurfaceMethod = .auto

    @Flag(help: "Even out light and shadows: the flat picture's paper becomes bright, its colours stay.")
    var clean = false

    @Flag(name: .customLong("bw"), help: "Make the flat picture black and white, its letters' rims smooth.")
    var blackAndWhite = false

    @Option(
        help: "Resolution of the flat picture, 20 to 2400; by default what the photograph holds, up to 600.")
    var dpi: Double?

    @Option(help: "What is kept around the sheet, in millimetres.")
    var margin: Double = ReceiptFlattener.Options().marginMillimeters

    @Option(help: "Tesseract's names of the languages to read, joined by \"+\".")
    var language = "eng"

    @Option(
        help: ArgumentHelp(
            "Black out in picture and text what is read as personal: cards (by itself), or a list of cards, names, phones.",
            valueName: "list"))
    var redact: String?

    @OptionGroup var requirements: RequirementArguments

    @Flag(help: "Replace outputs that exist even if they are inputs or files of the capture.")
    var force = false

    @Flag(
        name: [.customShort("n"), .long],
        help: "Replace no output that exists: end with exit code 74 before any work.")
    var noClobber = false

    @OptionGroup var time: TimeArguments

    @Flag(help: "Leave the timings out of the report, so that the same capture gives the same bytes.")
    var reproducible = false

    @OptionGroup var verbosity: VerbosityArguments

    mutating func validate() throws {
        guard !outputs.isEmpty else {
            throw ValidationError("nothing to do: name at least one output, for example -o flat.png")
        }
        if noDepth, input.fuse {
            throw ValidationError("--fuse brings depth together, which --no-depth leaves aside; give one")
        }
        if let dpi, !(20...2400).contains(dpi) {
            throw ValidationError("--dpi lies between 20 and 2400")
        }
        if !(0...50).contains(margin) {
            throw ValidationError("--margin lies between 0 and 50 mm")
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
        if let redact { _ = try RedactedKinds(argument: redact) }
        if redact != nil, cloud != nil || depthPreview != nil {
            throw ValidationError(
                "--cloud and --depth-preview show the photograph, which --redact does not change")
        }
        if format != nil, text.count != 1 {
            throw ValidationError(
                text.isEmpty
                    ? "--format says how --text is written; name a file for it"
                    : "--format says how one --text is written (seen: \(text.count)); leave it out for extensions to say it"
            )
        }
        if format == nil {
            for path in text { _ = try TextOutputFormat(path: path) }
        }
        if noDepth, requirements.includes(.depth) {
            throw ValidationError("--no-depth and --require depth contradict each other")
        }
        if force, noClobber {
            throw ValidationError("--force and --no-clobber contradict each other")
        }
        if clean, blackAndWhite {
            throw ValidationError("--clean and --bw are two answers to one question; give one")
        }
        if !corners.isEmpty, Array(corners.joined()).count != 4 {
            throw ValidationError("--corners takes four points, each as x,y")
        }
    }

    /// What only a run by itself needs: a batch parses words that name any number of captures.
    private func checkRequest() throws {
        try input.requireOneCapture(for: "flatten")
        try OutputPlan(outputs: outputs, inputs: input.files, capture: input.capture)
            .check(force ? .forced : noClobber ? .kept : .replaced)
    }

    /// Every file that is to be written, with the option that names it.
    private var outputs: [OutputPlan.Named] {
        let single = [
            ("--map", map), ("--report", report), ("--cloud", cloud), ("--depth-preview", depthPreview),
        ]
        return output.map { .init(option: "--output", path: $0) }
            + text.map { .init(option: "--text", path: $0) }
            + single.compactMap { option, path in path.map { .init(option: option, path: $0) } }
    }

    func run() throws { try run(exitCode: \.exitCode) }

    /// Loads what the words take, and says on standard error what it is and by which the bytes of the outputs are decided.
    /// - Parameter mark: how each of these lines begins.
    func tryLibraries(mark: String, exitCode: (FlatteningError.Code) -> Int32) throws {
        try withExitCodes(verbosity, exitCode: exitCode) { _ throws(FlatteningError) in
            for line in try LibraryVersions.fingerprint(language: options.language).split(separator: "\n") {
                Console.write(mark + line + "\n")
            }
        }
    }

    /// - Parameter exitCode: for each kind of error.
    func run(exitCode: (FlatteningError.Code) -> Int32) throws {
        try checkRequest()
        let activity = time.limit?.startWatchdog()
        var unmet: [String] = []
        try withExitCodes(verbosity, exitCode: exitCode) { console throws(FlatteningError) in
            console.progress("reading the capture")
            activity?.begin("read")
            let capture = try time.spend { end throws(FlatteningError) in
                try input.read(usesDepth: !noDepth, until: end)
            }
            try time.limit?.check(before: ReceiptFlattener.Stage.outline.rawValue)
            var receipt = try flatten(capture, console: console, activity: activity)
            unmet = requirements.unmet(by: receipt.report)
            for reason in unmet { console.fail(reason) }
            guard unmet.isEmpty || requirements.keep else { return }
            if let kinds = redactedKinds { receipt = try kinds.applied(to: receipt, console: console) }
            console.progress("writing")
            activity?.begin("write")
            if noClobber {
                try AtomicFile.keepingExisting { () throws(FlatteningError) in
                    try write(receipt, of: capture, console: console)
                }
            } else {
                try write(receipt, of: capture, console: console)
            }
        }
        if !unmet.isEmpty { throw ExitCode(RequirementArguments.exitCode) }
    }

    private func flatten(
        _ capture: Capture, console: Console, activity: TimeLimit.Activity?
    ) throws(FlatteningError) -> FlattenedReceipt {
        try time.spend { _ throws(FlatteningError) in
            try ReceiptFlattener(options: options).flatten(capture) { stage in
                activity?.begin(stage.rawValue)
                console.progress(stage.activity)
            } onReading: { share in
                console.progress(ReceiptFlattener.Stage.text.activity, share: share)
            }
        }
    }

    /// What is to be blacked out; the words were checked when they were parsed.
    private var redactedKinds: RedactedKinds? { redact.flatMap { try? RedactedKinds(argument: $0) } }

    private var options: ReceiptFlattener.Options {
        var options = ReceiptFlattener.Options()
        options.usesDepth = !noDepth
        options.corners = corners.isEmpty ? nil : Array(corners.joined())
        options.method = method
        options.dotsPerInch = dpi
        options.marginMillimeters = margin
        options.light = blackAndWhite ? .blackAndWhite : clean ? .even : .none
        options.language = text.isEmpty && redact == nil && !requirements.includes(.text) ? nil : language
        // Checked to be more than 0 before; what passed since is no reason to call the option wrong.
        options.timeLimit = time.limit.map { max($0.remaining, .milliseconds(1)) }
        return options
    }

    private func write(
        _ receipt: FlattenedReceipt, of capture: Capture, console: Console
    ) throws(FlatteningError) {
        for path in output { try receipt.picture.write(to: path) }
        if let map { try NPYWriter.write(receipt.map, to: map) }
        for path in text { try AtomicFile.replace(path, with: try written(receipt, to: path)) }
        if let report {
            var written = receipt.report
            if reproducible { written.timings = [] }
            try AtomicFile.replace(report, with: Array(try written.json()))
        }
        try writeDepthViews(of: capture, receipt: receipt, console: console)
    }

    /// Writes what only depth can show. That there is none is missing information: a warning, not an error.
    private func writeDepthViews(
        of capture: Capture, receipt: FlattenedReceipt, console: Console
    ) throws(FlatteningError) {
        if let cloud {
            do throws(FlatteningError) {
                let (points, colors) = try capture.coloredPointCloud()
                try PLYWriter.write(positions: points.positions, colors: colors, to: cloud)
            } catch  where error.code == .badInput {
                console.warn("\(cloud) is not written: \(error)")
            }
        }
        if let depthPreview {
            do throws(FlatteningError) {
                let preview = try ReliefPreview(of: capture, plane: receipt.plane, outline: receipt.outline)
                try ImageWriter.write(preview.image, to: depthPreview)
            } catch  where error.code == .badInput {
                console.warn("\(depthPreview) is not written: \(error)")
            }
        }
    }
}

extension FlattenCommand {
    /// Runs the command for words as they were written.
    static func main(_ words: [String]?) {
        let words = words ?? Array(CommandLine.arguments.dropFirst())
        if VersionPage.isAsked(by: words) {
            end(with: CleanExit.message(VersionPage.lines.joined(separator: "\n")))
        }
        runToEnd(words, preparedAs: .flatten, parsedBy: parseForRun)
    }

    /// Parses words. What else is wrong with them is said before that there is no output.
    private static func parseForRun(_ words: [String]) throws -> FlattenCommand {
        do {
            return try parse(words)
        } catch {
            // The parser looks for words that it does not know only where all it knows is right.
            let request = try parse(["--report", "-"] + words).input
            try request.requireOneCapture(for: "flatten")
            try request.requireExistence()
            throw error
        }
    }

    /// Ends this process with an error's message and exit code.
    static func exit(withError error: (any Error)? = nil) -> Never {
        end(with: error ?? ExitCode.success)
    }

    /// How text is written.
    enum TextOutputFormat: String, CaseIterable, ExpressibleByArgument {
        case text, json, tsv, hocr, alto, pdf

        /// What a path's extension asks for; plain text without one, and for "-".
        /// - Throws: a usage error for an extension that stands for no format of text.
        init(path: String) throws(ValidationError) {
            let fileExtension = URL(filePath: path).pathExtension.lowercased()
            self =
                switch TextFormat(fileExtension: fileExtension) {
                case .json: .json
                case .tsv: .tsv
                case .hocr: .hocr
                case .alto: .alto
                case .plain: .text
                case nil where fileExtension == "pdf": .pdf
                case nil where fileExtension.isEmpty: .text
                case nil:
                    throw ValidationError(
                        "--text \(path): no text is written as .\(fileExtension) (allowed: none, .txt, .text, .json, .tsv, "
                            + ".hocr, .html, .htm, .alto, .xml, .pdf); or say --format text")
                }
        }

        /// The library's name of it; nil for the one that bears the picture too.
        var textFormat: TextFormat? {
            switch self {
            case .text: .plain
            case .json: .json
            case .tsv: .tsv
            case .hocr: .hocr
            case .alto: .alto
            case .pdf: nil
            }
        }
    }

    /// The bytes of the text output.
    private func written(_ receipt: FlattenedReceipt, to path: String) throws(FlatteningError) -> [UInt8] {
        // Paths whose extension is no format were refused when they were parsed.
        let format = format ?? (try? TextOutputFormat(path: path)) ?? .text
        guard let textFormat = format.textFormat else {
            return try receipt.searchablePDF()
        }
        return Array((receipt.text?.formatted(as: textFormat) ?? "").utf8)
    }
}

extension ReceiptFlattener.Stage {
    /// What a person reads while the stage runs.
    fileprivate var activity: String {
        switch self {
        case .outline: "finding the sheet"
        case .surface: "fitting its surface"
        case .print: "straightening its printed lines"
        case .upright: "turning it upright"
        case .resampling: "making it flat"
        case .text: "reading it"
        }
    }
}
