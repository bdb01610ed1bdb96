import DocumentArchive
import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import ReceiptFlattening

/// The archive: what was flattened here can be kept, found again and mended.
extension FlattenService {
    /// What a caller wants to keep.
    private struct Keeping: Decodable {
        var job: String
        var values: [String: String]?
        var tags: [String]?
        var notes: String?

        /// The same for a document that is there already; nil where nothing was entered.
        var change: ArchiveChange? {
            var change = ArchiveChange(values: (values ?? [:]).mapValues { .some($0) })
            change.addedTags = tags ?? []
            change.notes = notes
            return change.values.isEmpty && change.addedTags.isEmpty && notes == nil ? nil : change
        }
    }

    /// What a caller changes; null takes back what was entered.
    private struct Change: Decodable {
        var values: [String: String?]?
        var addedTags: [String]?
        var removedTags: [String]?
        var notes: String?
    }

    /// Documents that show the same paper.
    private struct Merging: Decodable {
        var ids: [UUID]
    }

    /// What this server does for its callers.
    private struct Capabilities: Encodable {
        var archive: Bool
        /// The largest upload, in bytes.
        var maximumBody: Int
        /// What can be looked for: what it takes is installed.
        var find = SheetContent.allCases.filter(\.isAvailable).map(\.rawValue).sorted()
        /// The countries that a request may name.
        var countries = ReceiptFlattener.Options.countries
    }

    /// How large the archive is.
    private struct Usage: Encodable {
        var documents: Int
        var bytes: Int
    }

    /// Documents in a list.
    private struct Page: Encodable {
        var count: Int
        var documents: [ArchivedSummary]
    }

    /// The largest body that names values.
    private static let mostBytes = 1 << 20
    /// How many documents an answer has at most.
    private static let mostDocuments = 200

    func addArchive(to group: RouterGroup<FlattenContext>) {
        let (pool, served) = (pool, archive)
        let capabilities = Capabilities(archive: served != nil, maximumBody: configuration.maximumBody)
        group.get("capabilities") { _, _ in Response(json: capabilities) }
        group.get("archive") { request, _ -> Response in
            let (query, offset, limit) = try Self.query(of: request)
            return try await Self.working(served) { archive in
                Response(
                    json: Page(
                        count: try archive.count(query),
                        documents: try archive.list(query, offset: offset, limit: limit)))
            }
        }
        group.post("archive") { request, _ -> Response in
            let keeping: Keeping = try await Self.body(of: request)
            guard let status = await pool.status(of: keeping.job), status.state == .done else {
                throw Problem(.notFound, "there is no such job, or it is not done")
            }
            let files = await pool.archivedFiles(of: keeping.job)
            return try await Self.working(served) { archive in
                let documents = try Self.documents(of: files, keeping)
                guard let added = try archive.add(documents, originals: files.originals) else {
                    // What came without its photograph is known by its flat image.
                    let known = files.originals.first ?? documents[0].files[0]
                    let ids = try archive.documents(with: known.content, as: known.role)
                    // What a person entered holds for what is there already, too.
                    if let first = ids.first, let change = keeping.change {
                        try archive.change(first, change)
                    }
                    return Response(json: try archive.documents(ids))
                }
                var response = Response(json: added, status: .created)
                response.headers[.location] = added.first.map { "/v1/archive/\($0.id.uuidString)" }
                return response
            }
        }
        group.get("archive/usage") { _, _ -> Response in
            try await Self.working(served) {
                Response(json: Usage(documents: try $0.count(), bytes: try $0.usedBytes()))
            }
        }
        group.get("archive/totals") { request, _ -> Response in
            let (query, _, _) = try Self.query(of: request)
            let word = request.uri.queryParameters["by"].map(String.init) ?? "month"
            guard let grouping = ArchiveTotal.Grouping(rawValue: word) else {
                let known = ArchiveTotal.Grouping.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(.unprocessableContent, "by is not known (allowed: \(known))")
            }
            return try await Self.working(served) { Response(json: try $0.totals(query, by: grouping)) }
        }
        addSearches(to: group)
        group.get("archive/:id") { _, context -> Response in
            let id = try Self.identifier(context)
            return try await Self.working(served) { Response(json: try Self.document(id, of: $0)) }
        }
        group.patch("archive/:id") { request, context -> Response in
            let id = try Self.identifier(context)
            let asked: Change = try await Self.body(of: request)
            return try await Self.working(served) { archive in
                _ = try Self.document(id, of: archive)
                var change = ArchiveChange()
                change.values = asked.values ?? [:]
                change.addedTags = asked.addedTags ?? []
                change.removedTags = asked.removedTags ?? []
                change.notes = asked.notes
                return Response(json: try archive.change(id, change))
            }
        }
        group.post("archive/:id/undo") { _, context -> Response in
            let id = try Self.identifier(context)
            return try await Self.working(served) { archive in
                _ = try Self.document(id, of: archive)
                return Response(json: try archive.undo(id))
            }
        }
        group.delete("archive/:id") { _, context -> Response in
            let id = try Self.identifier(context)
            return try await Self.working(served) { archive in
                _ = try Self.document(id, of: archive)
                try archive.remove([id])
                return Response(status: .noContent)
            }
        }
        group.get("archive/:id/files/:role") { request, context -> Response in
            let id = try Self.identifier(context)
            let role = ArchivedDocument.File.Role(rawValue: try context.parameters.require("role"))
            // Of several of a role, as the flat images of pages, the first, or that of a number.
            let number = request.uri.queryParameters["number"].map { Int($0) ?? 0 } ?? 1
            return try await Self.working(served) { archive in
                let files = try role.map { try Self.document(id, of: archive).files($0) } ?? []
                guard files.indices.contains(number - 1) else {
                    throw Problem(.notFound, "the document has no such file")
                }
                let file = files[number - 1]
                return Self.response(file: file, content: try archive.contents(of: file))
            }
        }
    }

    /// What is asked of many documents at once.
    private func addSearches(to group: RouterGroup<FlattenContext>) {
        let served = archive
        group.get("archive/taxes") { request, _ -> Response in
            let (query, _, _) = try Self.query(of: request)
            return try await Self.working(served) { Response(json: try $0.taxes(query)) }
        }
        group.get("archive/duplicates") { _, _ -> Response in
            try await Self.working(served) { Response(json: try $0.duplicates()) }
        }
        group.post("archive/merge") { request, _ -> Response in
            let merging: Merging = try await Self.body(of: request)
            return try await Self.working(served) { archive in
                for id in merging.ids { _ = try Self.document(id, of: archive) }
                return Response(json: try archive.merge(merging.ids))
            }
        }
        group.get("archive/documents.csv") { request, _ -> Response in
            let (query, _, _) = try Self.query(of: request)
            return try await Self.working(served) { archive in
                Self.export(
                    ArchiveExport.csv(of: try archive.documents(query)), type: "text/csv; charset=utf-8",
                    name: "documents.csv")
            }
        }
        group.get("archive/contacts.vcf") { request, _ -> Response in
            let (query, _, _) = try Self.query(of: request)
            return try await Self.working(served) { archive in
                Self.export(
                    ArchiveExport.vCards(of: try archive.documents(query)),
                    type: "text/vcard; charset=utf-8", name: "contacts.vcf")
            }
        }
        group.get("archive/:id/contact.vcf") { _, context -> Response in
            let id = try Self.identifier(context)
            return try await Self.working(served) { archive in
                let document = try Self.document(id, of: archive)
                guard document.contact != nil else { throw Problem(.notFound, "the document is no card") }
                return Self.export(
                    ArchiveExport.vCards(of: [document]), type: "text/vcard; charset=utf-8",
                    name: "contact.vcf")
            }
        }
    }

    /// A file to be saved.
    private static func export(_ text: String, type: String, name: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ], body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// Does work on the archive, which waits for the disk, away from the threads that answer.
    private static func working(
        _ served: ServedArchive?, _ work: @escaping @Sendable (DocumentArchive) throws -> Response
    ) async throws -> Response {
        guard let served else {
            throw Problem(.notFound, "this server keeps no archive: start it with --archive FOLDER")
        }
        return try await NIOThreadPool.singleton.runIfActive {
            do {
                return try work(try served.open())
            } catch let error as FlatteningError {
                throw Problem(error, hiding: served.path)
            }
        }
    }

    private static func document(_ id: UUID, of archive: DocumentArchive) throws -> ArchivedDocument {
        guard let document = try archive.document(id) else {
            throw Problem(.notFound, "there is no such document")
        }
        return document
    }

    private static func identifier(_ context: FlattenContext) throws -> UUID {
        guard let id = UUID(uuidString: try context.parameters.require("id")) else {
            throw Problem(.notFound, "there is no such document")
        }
        return id
    }

    private static func body<Value: Decodable>(of request: Request) async throws -> Value {
        guard let body = try? await request.body.collect(upTo: mostBytes) else {
            throw Problem(.contentTooLarge, "the body is too large (allowed: \(mostBytes) bytes)")
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode(Value.self, from: Data(body.readableBytesView))
        } catch {
            throw Problem(.unprocessableContent, "the body is no JSON of this kind")
        }
    }

    private static func query(of request: Request) throws(Problem) -> (ArchiveQuery, offset: Int, limit: Int)
    {
        let asked = request.uri.queryParameters
        func text(_ name: Substring) -> String? {
            asked[name].map(String.init).flatMap { $0.isEmpty ? nil : $0 }
        }
        func number(_ name: Substring, _ range: ClosedRange<Int>, _ usual: Int) throws(Problem) -> Int {
            guard let word = text(name) else { return usual }
            guard let number = Int(word), range.contains(number) else {
                throw Problem(
                    .unprocessableContent, "\(name) lies between \(range.lowerBound) and \(range.upperBound)")
            }
            return number
        }
        func amount(_ name: Substring) throws(Problem) -> Decimal? {
            guard let word = text(name) else { return nil }
            guard word.wholeMatch(of: /-?[0-9]{1,12}(\.[0-9]{1,3})?/) != nil else {
                throw Problem(.unprocessableContent, "\(name) is an amount, as 12.50")
            }
            return Decimal(string: word)
        }
        var query = ArchiveQuery(words: text("words") ?? "")
        query.merchant = text("merchant")
        query.kind = text("kind")
        query.category = text("category")
        if let word = text("order") {
            guard let order = ArchiveQuery.Order(rawValue: word) else {
                throw Problem(.unprocessableContent, "order is latest or name")
            }
            query.order = order
        }
        query.tag = text("tag")
        query.currency = text("currency")
        query.code = text("code")
        for (name, place) in [("since", \ArchiveQuery.since), ("until", \ArchiveQuery.until)] {
            guard let day = text(Substring(name)) else { continue }
            guard ArchiveQuery.isDay(day) else {
                throw Problem(.unprocessableContent, "\(name) is a day, as 2026-11-26")
            }
            query[keyPath: place] = day
        }
        query.least = try amount("least")
        query.most = try amount("most")
        return (query, try number("offset", 0...100_000_000, 0), try number("limit", 0...mostDocuments, 50))
    }

    /// The documents that a job came to: each of its sheets one, and the pages of one receipt one.
    private static func documents(of files: ArchivedFiles, _ keeping: Keeping) throws -> [NewDocument] {
        let pages = try files.sheets.enumerated().map { index, sheet in
            guard let report = sheet.report, let image = sheet.image else {
                throw Problem(
                    .conflict,
                    "the job wrote no report or no image: ask for image.png or image.jpg among its outputs")
            }
            let number = index == 0 ? "" : "-\(index + 1)"
            var kept = [
                NewDocument.File(.flat, name: "image\(number)." + image.ending, content: image.content)
            ]
            if let words = sheet.words {
                kept.append(.init(.text, name: "text\(number).json", content: words))
            }
            if let pdf = sheet.pdf { kept.append(.init(.pdf, name: "receipt\(number).pdf", content: pdf)) }
            return try NewDocument(
                report: report, text: sheet.text.map { String(decoding: $0, as: UTF8.self) } ?? "",
                image: try RGBImage(data: image.content), files: kept, name: "image\(number)")
        }
        let whole = files.document.map { NewDocument.File(.pdf, name: "receipt.pdf", content: $0) }
        return NewDocument.joined(pages, pdf: whole).enumerated().map { index, document in
            var document = document
            if index == 0 { document.entered = keeping.values ?? [:] }
            document.tags = keeping.tags ?? []
            document.notes = keeping.notes ?? ""
            return document
        }
    }

    private static func response(file: ArchivedDocument.File, content: Data) -> Response {
        let types: [ArchivedDocument.File.Role: [String: String]] = [
            .flat: [".png": "image/png", ".jpg": "image/jpeg"], .thumbnail: [".jpg": "image/jpeg"],
            .pdf: [".pdf": "application/pdf"], .text: [".json": "application/json"],
        ]
        let type = types[file.role]?.first { file.name.hasSuffix($0.key) }?.value
        var headers: HTTPFields = [
            .contentType: type ?? "application/octet-stream",
            .cacheControl: "no-store",
        ]
        if type == nil {
            // As it came from a stranger: to be saved, and no part of this site.
            headers[.contentDisposition] = "attachment"
            headers[.contentPolicy] = "sandbox; default-src 'none'"
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: content)))
    }
}

/// What a job leaves for an archive.
struct ArchivedFiles: Sendable {
    /// What one sheet came to; nil for what was not asked for.
    struct Sheet: Sendable {
        var report: Data?
        var image: (content: Data, ending: String)?
        var text: Data?
        /// The text with its places.
        var words: Data?
        var pdf: Data?
    }

    /// The uploaded files, the photograph first; none where something was blacked out.
    var originals: [NewDocument.File] = []
    var sheets: [Sheet] = []
    /// All pages in one PDF.
    var document: Data?
}

extension JobPool {
    /// What a job left: its uploads and its outputs.
    func archivedFiles(of id: String) -> ArchivedFiles {
        guard let (upload, folder, outputs) = kept(id) else { return ArchivedFiles() }
        func output(_ name: String) -> Data? {
            outputs.contains(name)
                ? try? Data(contentsOf: folder.appending(path: "out").appending(path: name)) : nil
        }
        var files = ArchivedFiles()
        var number = 1
        while true {
            func named(_ stem: String, _ ending: String) -> Data? {
                output("\(stem)-\(number).\(ending)") ?? (number == 1 ? output("\(stem).\(ending)") : nil)
            }
            guard let report = named("report", "json") else { break }
            let image = ["png", "jpg"].lazy.compactMap { ending in named("image", ending).map { ($0, ending) }
            }.first
            files.sheets.append(
                .init(
                    report: report, image: image.map { (content: $0.0, ending: $0.1) },
                    text: named("text", "txt"), words: named("text", "json"),
                    pdf: named("receipt", "pdf")))
            number += 1
        }
        files.document = output("document.pdf")
        guard !upload.request.isRedacted else { return files }
        let images = upload.images.enumerated().map { index, image in
            (Optional(image), index == 0 ? "capture" : "capture-\(index + 1)")
        }
        let uploads =
            images + [
                (upload.depth, "depth"), (upload.intrinsics, "intrinsics"), (upload.confidence, "confidence"),
            ]
        files.originals = uploads.compactMap { file, name in
            file.flatMap { try? Data(contentsOf: $0) }.map {
                .init(.original, name: name + Self.ending(of: $0), content: $0)
            }
        }
        return files
    }

    /// What a file is called by its first bytes: uploads are named by us.
    private static func ending(of content: Data) -> String {
        let starts: [([UInt8], String)] = [
            ([0xFF, 0xD8], ".jpg"), ([0x89, 0x50, 0x4E, 0x47], ".png"), (Array("%PDF".utf8), ".pdf"),
            (Array("PK".utf8), ".zip"), ([0x49, 0x49], ".tif"), ([0x4D, 0x4D], ".tif"),
            (Array("{".utf8), ".json"),
        ]
        return starts.first { content.starts(with: $0.0) }?.1 ?? ""
    }
}

extension Problem {
    /// An error of the archive; where it lies is the server's business.
    fileprivate init(_ error: FlatteningError, hiding path: String) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .badInput: .unprocessableContent
            case .storageFull: .init(code: 507, reasonPhrase: "Insufficient Storage")
            case .fileAccess, .shortage: .serviceUnavailable
            default: .internalServerError
            }
        var words = error.message
        if let seen = error.seen {
            words += " (seen: \(seen)" + (error.allowed.map { "; allowed: \($0)" } ?? "") + ")"
        }
        self.init(
            status, words.replacingOccurrences(of: path, with: "the archive"),
            retryAfter: status == .serviceUnavailable ? 5 : nil)
    }
}
