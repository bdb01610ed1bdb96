import BatchProcessing
import LocalFiles
import ReceiptOutputs

/// What can come of a run: a row of one table each, by which outputs are numbered, named in a batch, read for and refused. Who
/// writes it is `FlatteningRequest.write`.
@dynamicMemberLookup
enum OutputKind: String, CaseIterable, Codable, Sendable {
    case image, text, map, report, fields, contact, cloud, depthPreview, page, overlay, mesh
    case table, merge
    /// What only a batch asks for: a small image for its index, and what its index, its table, its PDF and receipts over pages
    /// are made of.
    case thumbnail, galleryPart, tablePart, mergePart, valuesPart

    /// What sets a kind apart from others.
    struct Row {
        /// The option that names it; what messages call it where there is none.
        var option: String
        /// Whether there is one of all sheets of a run, and not one of each.
        var isOfRun = false
        /// Whether it waits until all pages are read, since a receipt may go on over them.
        var isOfValues = false
        /// Whether the text is read for it, whatever else is looked for.
        var takesText = false
        /// Whether it shows one photograph, which several that are joined are not.
        var isOfPhotograph = false
        /// Whether it shows what only depth can, and is not written without.
        var showsDepth = false
        /// Whether it shows what is not blacked out in the flat image alone.
        var showsPhotograph = false
        /// Whether a capture that is flattened may still not have it, for want of depth or of what it tells of.
        var mayBeMissing = false
        /// Where its content names the capture.
        var naming = Batch.Job.Output.Naming.never
        /// Whether a batch keeps it for its own use.
        var isPart = false
    }

    private var row: Row {
        switch self {
        case .image: Row(option: "--output")
        case .text: Row(option: "--text", takesText: true)
        case .map: Row(option: "--map", isOfPhotograph: true)
        // Its warnings name the capture.
        case .report: Row(option: "--report", isOfValues: true, naming: .sometimes)
        case .fields: Row(option: "--fields", isOfValues: true, takesText: true)
        case .contact: Row(option: "--contact", mayBeMissing: true)
        case .cloud:
            Row(
                option: "--cloud", isOfPhotograph: true, showsDepth: true, showsPhotograph: true,
                mayBeMissing: true)
        case .depthPreview:
            Row(
                option: "--depth-preview", isOfPhotograph: true, showsDepth: true, showsPhotograph: true,
                mayBeMissing: true)
        case .page: Row(option: "--page", takesText: true, naming: .always)
        case .overlay: Row(option: "--overlay", takesText: true, isOfPhotograph: true, showsPhotograph: true)
        case .mesh: Row(option: "--mesh", isOfPhotograph: true, mayBeMissing: true)
        case .table: Row(option: "--table", isOfRun: true, takesText: true)
        case .merge: Row(option: "--merge", isOfRun: true, takesText: true)
        case .thumbnail: Row(option: "the small image")
        case .galleryPart: Row(option: "the index's part", isOfRun: true, takesText: true, isPart: true)
        case .tablePart: Row(option: "the table's part", isOfRun: true, takesText: true, isPart: true)
        case .mergePart: Row(option: "the PDF's part", isOfRun: true, takesText: true, isPart: true)
        case .valuesPart:
            Row(
                option: "the values' part", isOfRun: true, mayBeMissing: true, naming: .sometimes,
                isPart: true)
        }
    }

    /// What its row says.
    subscript<Value>(dynamicMember fact: KeyPath<Row, Value>) -> Value { row[keyPath: fact] }

    /// What a batch makes of it.
    /// - Parameter name: its file's.
    func batchOutput(named name: String) -> Batch.Job.Output {
        Batch.Job.Output(
            kind: rawValue, name: name, mayBeMissing: row.mayBeMissing, isPart: row.isPart, naming: row.naming
        )
    }
}

/// An output that is asked for.
struct RequestedOutput: Codable, Sendable {
    var kind: OutputKind
    /// Where it goes; "-" is standard output.
    var path: String

    /// The files that it takes, with the option that names them.
    var files: [OutputPlan.Named] {
        let paths =
            switch kind {
            case .mesh: FittedSheetMesh.Format(path: path).map { FittedSheetMesh.paths(path, as: $0) } ?? []
            case .table: TableFiles.paths(of: path)
            default: [path]
            }
        return paths.map { .init(option: kind.option, path: $0) }
    }

    /// The same for the sheet of this number.
    func numbered(_ number: Int) -> RequestedOutput {
        .init(kind: kind, path: NumberedPath.numbered(path, number))
    }
}
