import BatchProcessing
import Diagnostics
import DocumentArchive
import LocalFiles
import Platform
import ReceiptFlattening
import ScalarText

/// The output of `flatten batch` as documents; no capture is flattened again.
struct BatchDocuments {
    /// One input of the batch, with its results.
    struct Input {
        /// The path that was flattened: a file or a folder, as given to the batch.
        let path: String
        /// The numbers of its pages (1 for an input without pages), each with the names of its outputs.
        fileprivate(set) var pages: [Int: Set<String>]
    }

    private let folder: String
    /// Sorted by their names.
    private(set) var inputs: [Input] = []

    /// - Parameter folder: the batch's output.
    /// - Throws: `.fileAccess` for a folder without a batch's log.
    init(folder: String) throws(FlatteningError) {
        self.folder = folder
        var places: [String: Int] = [:]
        var moments: [String: String] = [:]
        for record in try JobLog.done(in: folder) {
            let outputs = Set(record.outputs.map(\.name))
            // Each page of a document is a separate capture.
            let (path, page) = PageLabel.parted(record.input) ?? (record.input, 1)
            if let place = places[path] {
                // If two records name the same page, as when a document used to have one page, the later one wins.
                if let other = moments[PageLabel.label(path, page: page)], other > record.ended ?? "" {
                    continue
                }
                inputs[place].pages[page] = outputs
            } else {
                places[path] = inputs.count
                inputs.append(Input(path: path, pages: [page: outputs]))
            }
            moments[PageLabel.label(path, page: page)] = record.ended
        }
    }

    /// One document for each report with an image; the pages of one receipt become one document.
    /// - Throws: `.badInput` if there is none, or one is broken; `.fileAccess`.
    func documents(of input: Input) throws(FlatteningError) -> [NewDocument] {
        var pages: [NewDocument] = []
        for (_, outputs) in input.pages.sorted(by: { $0.key < $1.key }) {
            pages += try documents(of: outputs)
        }
        guard !pages.isEmpty else {
            throw FlatteningError(
                .badInput, "the batch wrote no report or no image of it", file: input.path, stage: .documents,
                advice: "Run the batch again with --report")
        }
        return NewDocument.joined(pages)
    }

    /// A document for each sheet of a page, from the names of all its outputs.
    private func documents(of names: Set<String>) throws(FlatteningError) -> [NewDocument] {
        var documents: [NewDocument] = []
        for report in names.sorted(by: Self.precedes) {
            guard let stem = report.dropping(scalarSuffix: ".json").map(String.init),
                let image = [".png", ".jpg", ".tif"].map({ stem + $0 }).first(where: names.contains)
            else { continue }
            let content = try content(image)
            var files = [NewDocument.File(.flat, name: image, content: content)]
            for (role, name) in [(.pdf, stem + ".pdf"), (.text, stem + ".words.json")]
                as [(ArchivedDocument.File.Role, String)]
            where names.contains(name) {
                files.append(.init(role, name: name, content: try self.content(name)))
            }
            let text = stem + ".txt"
            do throws(FlatteningError) {
                documents.append(
                    try NewDocument(
                        report: try self.content(report),
                        text: names.contains(text)
                            ? String(decoding: try self.content(text), as: UTF8.self) : "",
                        image: try RGBImage(data: content), files: files, name: stem))
            } catch {
                throw error.naming(file: FilePath.join(folder, report))
            }
        }
        return documents
    }

    /// Whether a file belongs to an earlier sheet: 2 comes before 10.
    private static func precedes(_ one: String, _ other: String) -> Bool {
        let (own, others) = (NumberedPath.parted(one), NumberedPath.parted(other))
        return (own?.path ?? one, own?.number ?? 0) < (others?.path ?? other, others?.number ?? 0)
    }

    private func content(_ name: String) throws(FlatteningError) -> Data {
        Data(try InputFile.read(path: FilePath.join(folder, name), kind: .sequence).bytes)
    }
}
