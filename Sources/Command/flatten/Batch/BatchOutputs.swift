import ArgumentParser
import BatchProcessing
import LocalFiles

/// Options for which files a batch writes for each capture.
struct BatchOutputs: ParsableArguments {
    /// The formats of the flat image.
    enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
        case png, jpg, tif
    }

    @Flag(inversion: .prefixedNo, help: "Flat image: NAME.png, or by --picture-format.")
    var picture = true

    @Option(help: "Format of the flat image.")
    var pictureFormat: PictureFormat = .png

    @Flag var asked: [AskedOutput] = []

    @Option(help: "Format of the text.")
    var format: TextOutputFormat?

    @OptionGroup var joint: JointOutputArguments

    /// The kinds of outputs written for each capture.
    private var kinds: [OutputKind] {
        let asked = Set(asked.map(\.kind) + joint.requested.map(\.kind) + (picture ? [.image] : []))
        let tellsOfReceipts = !asked.isDisjoint(with: [.report, .fields, .page, .table, .merge])
        return OutputKind.allCases.filter { kind in
            guard let batch = kind.batch else { return false }
            return asked.contains(kind) || batch.belongsTo.map(asked.contains) ?? false
                // The values part is needed to find the pages that are one receipt.
                || kind == .valuesPart && tellsOfReceipts
        }
    }

    /// The suffix that a kind of output adds to a capture's name.
    private func suffix(of kind: OutputKind) -> String {
        switch kind {
        case .image: "." + pictureFormat.rawValue
        case .text: (format ?? .text).suffix
        default: kind.suffix
        }
    }

    /// Whether the batch writes a page that shows all captures.
    var makesIndex: Bool { kinds.contains(.page) }

    /// The name, in the batch's folder, of the page that shows all captures.
    static let index = "index.html"
    /// The names of files in the batch's folder that belong to no single capture.
    var sharedNames: [String] { makesIndex ? [Self.index] : [] }

    /// The suffixes that are added to a capture's name, one for each of its files.
    var suffixes: [String] { kinds.map(suffix) }

    /// Returns the files of a capture, given its name and its entry, which tells whether it is a page of several.
    var files: (String, CaptureList.Entry) -> [Batch.Job.Output] {
        let kinds = kinds
        return { name, capture in
            kinds.filter { $0 != .valuesPart || capture.isPageAmongOthers }.map { kind in
                var output = kind.batchOutput(named: name + suffix(of: kind))
                // Text as hOCR always names the capture.
                if kind == .text, format == .hocr { output.naming = .always }
                return output
            }
        }
    }

    /// The same kinds as outputs of `flatten`, for a capture of this name.
    func requested(_ name: String) -> [RequestedOutput] {
        kinds.map { RequestedOutput(kind: $0, path: name + suffix(of: $0)) }
    }
}

/// An output that a flag of `flatten batch` asks for.
struct AskedOutput: EnumerableFlag {
    let kind: OutputKind

    static var allCases: [AskedOutput] {
        OutputKind.allCases.filter { $0.batch?.help != nil }.map(AskedOutput.init)
    }

    static func name(for value: AskedOutput) -> NameSpecification {
        let long = NameSpecification.Element.customLong(String(value.kind.option.dropFirst(2)))
        return NameSpecification((value.kind.batch?.letter.map { [.customShort($0)] } ?? []) + [long])
    }

    static func help(for value: AskedOutput) -> ArgumentHelp? {
        value.kind.batch?.help.map { ArgumentHelp(stringLiteral: $0) }
    }
}

extension TextOutputFormat {
    /// What a batch adds to a capture's name for a text of this format.
    fileprivate var suffix: String {
        switch self {
        case .text: ".txt"
        case .json: ".words.json"
        case .tsv: ".tsv"
        case .hocr: ".hocr"
        case .markdown: ".md"
        case .alto: ".alto.xml"
        case .pdf: ".pdf"
        }
    }
}
