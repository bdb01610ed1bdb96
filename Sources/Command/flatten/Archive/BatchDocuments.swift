import Diagnostics
import DocumentArchive
import ImageFiles
import LocalFiles
import Platform
import ScalarText

/// What `flatten batch` wrote, as documents: no capture is flattened again.
struct BatchDocuments {
    /// The sheets of one input.
    struct Input {
        /// What was flattened: a file or a folder, as the batch was told.
        let path: String
        fileprivate(set) var documents: [NewDocument]

        /// Whether its originals may be kept.
        var keepsOriginals: Bool { !documents.contains(where: \.isRedacted) }
    }

    /// The inputs in the order in which they were done first.
    private(set) var inputs: [Input] = []
    /// Names of captures without a report or an image.
    private(set) var incomplete: [String] = []

    private struct Job: Decodable {
        struct Output: Decodable { let name: String }
        let input: String
        let name: String
        let state: String
        let outputs: [Output]?
    }

    /// - Parameter folder: the batch's output.
    /// - Throws: `.badInput` for a folder without a batch's log, and a report that is none; `.fileAccess`.
    init(folder: String) throws(FlatteningError) {
        let log = FilePath.join(folder, "jobs.jsonl")
        let lines = try InputFile.read(path: log, kind: .sequence).bytes.split(separator: UInt8(ascii: "\n"))
        var last: [String: Job] = [:]
        var order: [String] = []
        for line in lines {
            // The log has lines of other kinds too, and its last may be cut where the batch was killed.
            guard let job = try? JSONDecoder().decode(Job.self, from: Data(line)) else { continue }
            if last.updateValue(job, forKey: job.name) == nil { order.append(job.name) }
        }
        guard !order.isEmpty else {
            throw FlatteningError(
                .badInput, "no capture of a batch is in this folder", file: folder, stage: .documents)
        }
        var places: [String: Int] = [:]
        for job in order.compactMap({ last[$0] }) where job.state == "done" {
            let names = Set((job.outputs ?? []).map(\.name))
            let documents = try Self.documents(of: names, in: folder)
            guard !documents.isEmpty else {
                incomplete.append(job.name)
                continue
            }
            // The pages of a document are jobs of their own.
            let path = String(
                job.input.firstRange(ofScalars: "#page=").map { job.input[..<$0.lowerBound] }
                    ?? job.input[...])
            if let place = places[path] {
                inputs[place].documents += documents
            } else {
                places[path] = inputs.count
                inputs.append(Input(path: path, documents: documents))
            }
        }
    }

    /// A document for each report that has an image.
    private static func documents(of names: Set<String>, in folder: String) throws(FlatteningError)
        -> [NewDocument]
    {
        var documents: [NewDocument] = []
        for report in names.sorted() {
            guard let stem = report.dropping(scalarSuffix: ".json").map(String.init),
                stem.dropping(scalarSuffix: ".fields") == nil, stem.dropping(scalarSuffix: ".words") == nil,
                let image = [".png", ".jpg", ".tif"].map({ stem + $0 }).first(where: names.contains)
            else { continue }
            func bytes(_ name: String) throws(FlatteningError) -> [UInt8] {
                try InputFile.read(path: FilePath.join(folder, name), kind: .sequence).bytes
            }
            let content = try bytes(image)
            var files = [NewDocument.File(.flat, name: image, content: Data(content))]
            if names.contains(stem + ".pdf") {
                files.append(.init(.pdf, name: stem + ".pdf", content: Data(try bytes(stem + ".pdf"))))
            }
            if names.contains(stem + ".words.json") {
                files.append(
                    .init(.text, name: stem + ".words.json", content: Data(try bytes(stem + ".words.json"))))
            }
            let text =
                names.contains(stem + ".txt") ? String(decoding: try bytes(stem + ".txt"), as: UTF8.self) : ""
            do throws(FlatteningError) {
                documents.append(
                    try NewDocument(
                        report: Data(try bytes(report)), text: text,
                        image: try ColorPicture.decode(
                            InputFile(name: image, bytes: content), limits: FlatteningLimits()
                        )
                        .image, files: files, name: stem))
            } catch {
                throw error.naming(file: FilePath.join(folder, report))
            }
        }
        return documents
    }
}
