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

    @Flag var asked: [AskedOutput] = []

    @Option(help: "Format of the text.")
    var format: TextOutputFormat?

    @OptionGroup var joint: JointOutputArguments

    /// What is written of each capture.
    private var kinds: [OutputKind] {
        let asked = Set(asked.map(\.kind) + joint.requested.map(\.kind) + (picture ? [.image] : []))
        let tellsOfReceipts = !asked.isDisjoint(with: [.report, .fields, .page, .table, .merge])
        return OutputKind.allCases.filter { kind in
            guard let batch = kind.batch else { return false }
            return asked.contains(kind) || batch.belongsTo.map(asked.contains) ?? false
                // What tells which pages are one receipt.
                || kind == .valuesPart && tellsOfReceipts
        }
    }

    /// What is added to a capture's name.
    private func suffix(of kind: OutputKind) -> String {
        switch kind {
        case .image: "." + pictureFormat.rawValue
        case .text: (format ?? .text).suffix
        default: kind.suffix
        }
    }

    /// Whether there is a page for all captures.
    var makesIndex: Bool { kinds.contains(.page) }

    /// The page of all captures, a file of the batch's folder.
    static let index = "index.html"
    /// The files that are of no single capture, by names in the batch's folder.
    var sharedNames: [String] { makesIndex ? [Self.index] : [] }

    /// What is added to a capture's name for each of its files.
    var suffixes: [String] { kinds.map(suffix) }

    /// What tells the files of a capture by its name and by whether it is a page of several.
    var files: (String, CaptureList.Entry) -> [Batch.Job.Output] {
        let kinds = kinds
        return { name, capture in
            kinds.filter { $0 != .valuesPart || capture.isPageAmongOthers }.map { kind in
                var output = kind.batchOutput(named: name + suffix(of: kind))
                // So does this format of text.
                if kind == .text, format == .hocr { output.naming = .always }
                return output
            }
        }
    }

    /// The same as outputs of `flatten`, for a capture of this name.
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
