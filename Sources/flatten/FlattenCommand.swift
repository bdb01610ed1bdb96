import ArgumentParser
import Foundation
import ReceiptFlattening

/// `flatten CAPTURE -o flat.png`: the main job.
struct FlattenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flatten",
        abstract:
            "Turns a photograph of a curled, folded or tilted receipt into a flat picture of true size, and into text.",
        discussion: """
            CAPTURE is a capture folder (capture.json beside its files) or a picture, with --depth and --intrinsics where \
            there are any. Without depth the picture alone is used. "-" names standard output.

            flatten inspect CAPTURE says what was understood of a capture, and what looks wrong about it. flatten batch \
            FOLDER -o FOLDER flattens many.

            Exit codes: 0 done; 64 wrong usage; 65 bad input; 69 a library or language data is missing; 70 a defect of \
            this program; 71 a limit of size was passed; 74 a file cannot be read or written; 75 the time allowed was \
            used up.
            """,
        version: ReceiptFlatteningVersion.current)

    @OptionGroup var input: CaptureArguments

    @Option(
        name: .shortAndLong,
        help: "The flat picture: PNG, JPEG or TIFF by its extension, PNG on standard output for \"-\".",
        completion: .file())
    var output: String?

    @Option(help: "Where each pixel comes from: NPY, float32, height x width x 2.", completion: .file())
    var map: String?

    @Option(help: "What was understood and decided, as JSON.", completion: .file())
    var report: String?

    @Option(
        help: "The text of the receipt, in the format of its extension, else plain (needs tesseract).",
        completion: .file())
    var text: String?

    @Option(help: "The format of --text whatever its name: text, json, tsv, hocr, alto or pdf.")
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

    @Option(help: "Give up if flattening takes longer than this many seconds.")
    var timeout: Double?

    @Option(
        defaultAsFlag: RedactedKinds.cards, parsing: .next,
        help:
            "Black out in picture and text what is read as personal: cards (by itself), or a list of cards, names, phones."
    )
    var redact: RedactedKinds?

    @Flag(help: "Leave the timings out of the report, so that the same capture gives the same bytes.")
    var reproducible = false

    @OptionGroup var verbosity: VerbosityArguments

    mutating func validate() throws {
        let outputs = [output, map, report, text, cloud, depthPreview].compactMap { $0 }
        guard !outputs.isEmpty else {
            throw ValidationError("nothing to do: name at least one output, for example -o flat.png")
        }
        let places = outputs.map { $0 == "-" ? $0 : URL(filePath: $0).standardizedFileURL.path() }
        guard Set(places).count == places.count else {
            throw ValidationError("two outputs have the same name")
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
        for (name, path) in [("--output", output), ("--depth-preview", depthPreview)] {
            guard let path else { continue }
            do throws(FlatteningError) {
                _ = try ImageWriter.Format(path: path)
            } catch {
                throw ValidationError("\(name): \(error)")
            }
        }
        if redact != nil, cloud != nil || depthPreview != nil {
            throw ValidationError(
                "--cloud and --depth-preview show the photograph, which --redact does not change")
        }
        if format != nil, text == nil {
            throw ValidationError("--format says how --text is written; name a file for it")
        }
        if clean, blackAndWhite {
            throw ValidationError("--clean and --bw are two answers to one question; give one")
        }
        if !corners.isEmpty, Array(corners.joined()).count != 4 {
            throw ValidationError("--corners takes four points, each as x,y")
        }
        if let timeout, !(timeout > 0 && timeout <= 86400) {
            throw ValidationError("--timeout is more than 0 and at most 86400 seconds")
        }
    }

    func run() throws {
        try withExitCodes(verbosity) { console throws(FlatteningError) in
            console.progress("reading the capture")
            let capture = try input.read(usesDepth: !noDepth)
            var receipt = try ReceiptFlattener(options: options).flatten(capture) { stage in
                console.progress(stage.activity)
            } onReading: { share in
                console.progress(ReceiptFlattener.Stage.text.activity, share: share)
            }
            if let redact { receipt = try redact.applied(to: receipt, console: console) }
            console.progress("writing")
            try write(receipt, of: capture, console: console)
        }
    }

    private var options: ReceiptFlattener.Options {
        var options = ReceiptFlattener.Options()
        options.usesDepth = !noDepth
        options.corners = corners.isEmpty ? nil : Array(corners.joined())
        options.method = method
        options.dotsPerInch = dpi
        options.marginMillimeters = margin
        options.light = blackAndWhite ? .blackAndWhite : clean ? .even : .none
        options.language = text == nil && redact == nil ? nil : language
        options.timeLimit = timeout.map { .seconds($0) }
        return options
    }

    private func write(
        _ receipt: FlattenedReceipt, of capture: Capture, console: Console
    ) throws(FlatteningError) {
        if let output { try receipt.picture.write(to: output) }
        if let map { try NPYWriter.write(receipt.map, to: map) }
        if let text { try AtomicFile.replace(text, with: try written(receipt, to: text)) }
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
    /// How text is written.
    enum TextOutputFormat: String, CaseIterable, ExpressibleByArgument {
        case text, json, tsv, hocr, alto, pdf

        /// What a path's extension asks for; plain text for extensions that stand for nothing else, and for "-".
        init(path: String) {
            let fileExtension = URL(filePath: path).pathExtension.lowercased()
            self =
                switch TextFormat(fileExtension: fileExtension) {
                case .json: .json
                case .tsv: .tsv
                case .hocr: .hocr
                case .alto: .alto
                case .plain, nil: fileExtension == "pdf" ? .pdf : .text
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
        guard let format = (format ?? TextOutputFormat(path: path)).textFormat else {
            return try receipt.searchablePDF()
        }
        return Array((receipt.text?.formatted(as: format) ?? "").utf8)
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
