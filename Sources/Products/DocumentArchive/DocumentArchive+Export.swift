import LocalFiles
public import Platform
import SQLiteDatabase

extension DocumentArchive {
    /// The data about a document in its exported folder.
    private struct Exported: Codable {
        /// A change that can be undone.
        struct Change: Codable {
            let at: Double
            let before: Before
            /// The names in the folder of the files of a reading that the change replaced; nil where it replaced none.
            let paths: [String]?
        }

        var format = 1
        let document: ArchivedDocument
        /// Each file's name in the folder, in the order of `document.files`.
        let paths: [String]
        let look: Int?
        let mergedInto: UUID?
        /// The oldest change first.
        let changes: [Change]

        /// All files with their names in the folder.
        var namedFiles: [(file: ArchivedDocument.File, name: String)] {
            let former = changes.flatMap { Array(zip($0.before.reading?.files ?? [], $0.paths ?? [])) }
            return zip(document.files, paths) + former
        }
    }

    /// Writes the whole archive to plain folders, one per document: its files under their names, and all its data as
    /// `document.json`. The folder appears only when complete; `importing` makes an equal archive from it.
    /// - Parameters:
    ///   - destination: a folder that does not exist.
    ///   - query: the documents to write, along with those that were merged into them; by default all.
    public func export(
        to destination: String, _ query: ArchiveQuery = ArchiveQuery()
    ) throws(FlatteningError) {
        guard let lock = try ArchiveLock(.keeping, folder: path, patience: Self.patience) else {
            throw Self.busy(path)
        }
        defer { withExtendedLifetime(lock) {} }
        let condition = query.condition(search)
        let ids = try reading { database in
            try database.rows(
                """
                WITH RECURSIVE family (id) AS (
                    SELECT id FROM document WHERE \(condition.sql)
                    UNION SELECT document.id FROM document JOIN family ON merged = family.id)
                SELECT uuid FROM document WHERE id IN (SELECT id FROM family) ORDER BY id
                """, condition.values
            ).compactMap { UUID(uuidString: try $0.text(0)) }
        }
        try Self.making(destination) { folder throws(FlatteningError) in
            for id in ids {
                // Other programs may remove one meanwhile.
                guard let exported = try reading({ try Self.exported(id, $0) }) else { continue }
                let document = exported.document
                let title = [
                    document.values["date"]?.text ?? String(document.added.formatted(.iso8601).prefix(10)),
                    document.values["merchant"]?.text ?? document.values["kind"]?.text ?? "document",
                    String(id.uuidString.prefix(8)),
                ].joined(separator: " ")
                let inner = FilePath.join(folder, Self.fileName(title))
                guard unsafe mkdir(inner, 0o700) == 0 else {
                    throw FileSystemError.last("the folder cannot be made", file: inner, stage: .documents)
                }
                for (file, name) in exported.namedFiles {
                    try AtomicFile.replace(
                        FilePath.join(inner, name), with: Array(try contents(of: file)))
                }
                try AtomicFile.replace(
                    FilePath.join(inner, "document.json"), with: Array(try Self.json(of: exported)))
            }
        }
    }

    /// Adds the documents that `export(to:)` wrote, each with its identifier; documents already in the archive stay
    /// unchanged.
    /// - Returns: the number of documents added.
    /// - Throws: `.badInput` for a folder with other content, or a file that was changed.
    @discardableResult
    public func importing(_ source: String) throws(FlatteningError) -> Int {
        var folders: [(path: String, document: UUID, mergedInto: UUID?)] = []
        for entry in try OpenFolder(path: source, follows: true, stage: .documents).entries(most: .max)
        where entry.kind == .folder {
            let folder = FilePath.join(source, String(decoding: entry.bytes, as: UTF8.self))
            let exported = try Self.exported(at: FilePath.join(folder, "document.json"))
            guard try document(exported.document.id) == nil else { continue }
            folders.append((folder, exported.document.id, exported.mergedInto))
        }
        for place in Self.order(folders.map { ($0.document, $0.mergedInto) }) {
            let folder = folders[place].path
            try take(try Self.exported(at: FilePath.join(folder, "document.json"))) {
                (file, name) throws(FlatteningError) in
                let path = FilePath.join(folder, Self.fileName(name))
                let content = try InputFile.read(path: path, limits: .wide, kind: .sequence).bytes
                guard try ObjectHash.of(content) == file.hash else {
                    throw FlatteningError(
                        .badInput, "the file is not what was exported", file: path, stage: .documents)
                }
                return Data(content)
            }
        }
        return folders.count
    }

    /// Returns the order of documents in which none comes before the one that it was merged into: a program killed meanwhile
    /// then leaves no merged document standing by itself.
    private static func order(_ documents: [(id: UUID, mergedInto: UUID?)]) -> [Int] {
        let targets = Dictionary(
            documents.map { ($0.id, $0.mergedInto) }, uniquingKeysWith: { first, _ in first })
        func depth(_ id: UUID) -> Int {
            var (depth, id) = (0, id)
            while let next = targets[id] ?? nil, depth <= targets.count { (depth, id) = (depth + 1, next) }
            return depth
        }
        let depths = documents.map { depth($0.id) }
        return documents.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }
    }

    /// Copies all documents, with their undoable changes and the refused files, into an empty archive.
    func copyAll(to other: DocumentArchive) throws(FlatteningError) {
        guard let lock = try ArchiveLock(.keeping, folder: path, patience: Self.patience) else {
            throw Self.busy(path)
        }
        defer { withExtendedLifetime(lock) {} }
        let all = try reading { database in
            try database.rows(
                """
                SELECT uuid, coalesce((SELECT uuid FROM document AS other WHERE other.id = document.merged), '')
                FROM document ORDER BY id
                """
            ).compactMap { row in
                try UUID(uuidString: row.text(0)).map { ($0, try UUID(uuidString: row.text(1))) }
            }
        }
        for place in Self.order(all) {
            // Other programs may remove one meanwhile.
            guard let exported = try reading({ try Self.exported(all[place].0, $0) }) else { continue }
            try other.take(exported) { (file, _) throws(FlatteningError) in try contents(of: file) }
        }
        for refusal in try refusals() {
            try other.refuse(
                refusal.hash, name: refusal.name, reason: refusal.reason, date: refusal.date)
        }
    }

    /// Adds a document from another archive.
    /// - Parameter content: returns the content of a file, given its exported name.
    private func take(
        _ exported: Exported,
        _ content: (ArchivedDocument.File, String) throws(FlatteningError) -> Data
    ) throws(FlatteningError) {
        let files = try exported.namedFiles.map { file, name throws(FlatteningError) in
            StoredFile(file: file, content: try content(file, name))
        }
        try bringing(files) { [path] database in
            try Self.insert(exported, into: database, path: path)
        }
    }

    private static func insert(_ exported: Exported, into database: Database, path: String) throws {
        let document = exported.document
        var new = NewDocument()
        new.read = document.read
        new.entered = document.entered
        new.tags = document.tags
        new.notes = document.notes
        new.text = document.text
        new.codes = document.codes
        new.report = document.report
        new.program = document.program
        new.look = exported.look.map { UInt64(UInt(bitPattern: $0)) }
        _ = try insert(
            new, files: document.files, id: document.id, added: document.added, changed: document.changed,
            into: database, path: path)
        let row = try ArchivedDocument.row(of: document.id, in: database) ?? 0
        if let target = exported.mergedInto {
            try database.execute(
                "UPDATE document SET merged = (SELECT id FROM document WHERE uuid = ?) WHERE id = ?",
                [.text(target.uuidString), .integer(row)])
        }
        for change in exported.changes {
            try database.execute(
                "INSERT INTO change (document, at, before) VALUES (?, ?, ?)",
                [
                    .integer(row), .real(change.at),
                    .text(String(decoding: try json(of: change.before), as: UTF8.self)),
                ])
            let number = database.lastInsertedID
            try insert(change.before.reading?.files ?? [], row: row, change: number, into: database)
        }
        for (name, date) in document.exported {
            try noteExport(of: document.id, to: name, date: date, database)
        }
    }

    /// Records that documents were exported to a recipient: an accountant, a program. A query with ``ArchiveQuery/newFor``
    /// returns them again once they change. This is not a change of the documents, and `undo` does not revert it.
    /// - Parameters:
    ///   - ids: the documents; those that no longer exist are skipped.
    ///   - name: the recipient.
    ///   - date: when they were read from the archive; later changes count as new.
    public func noteExport(
        of ids: [UUID], to name: String, date: Date = Date()
    ) throws(FlatteningError) {
        try writing { database in
            for id in ids { try Self.noteExport(of: id, to: name, date: date, database) }
        }
    }

    private static func noteExport(
        of id: UUID, to name: String, date: Date, _ database: Database
    ) throws {
        try database.execute(
            """
            INSERT OR REPLACE INTO exported (document, name, at) SELECT id, ?, ? FROM document WHERE uuid = ?
            """, [.text(name), .real(date.timeIntervalSince1970), .text(id.uuidString)])
    }

    private static func exported(_ id: UUID, _ database: Database) throws -> Exported? {
        guard let document = try ArchivedDocument.fetch(id, from: database),
            let row = try ArchivedDocument.row(of: id, in: database)
        else { return nil }
        let more = try database.rows(
            """
            SELECT coalesce(look, ''), coalesce((SELECT uuid FROM document AS other WHERE other.id = document.merged), '')
            FROM document WHERE id = ?
            """, [.integer(row)]
        ).first
        var taken: Set<String> = ["document.json"]
        func name(_ file: ArchivedDocument.File) -> String {
            var name = fileName(file.name)
            var number = 2
            while !taken.insert(name.lowercased()).inserted {
                name = "\(number)-" + fileName(file.name)
                number += 1
            }
            return name
        }
        let paths = document.files.map(name)
        return Exported(
            document: document, paths: paths, look: try? more?.integer(0),
            mergedInto: try more.flatMap { UUID(uuidString: try $0.text(1)) },
            changes: try database.rows(
                "SELECT at, before FROM change WHERE document = ? ORDER BY id", [.integer(row)]
            ).map {
                let before = try JSONDecoder().decode(Before.self, from: Data($0.text(1).utf8))
                return Exported.Change(
                    at: try $0.real(0), before: before, paths: before.reading?.files.map(name))
            })
    }

    private static func exported(at path: String) throws(FlatteningError) -> Exported {
        let bytes = try InputFile.read(path: path, limits: .wide, kind: .metadata).bytes
        do {
            let exported = try JSONDecoder().decode(Exported.self, from: Data(bytes))
            guard exported.format == 1, exported.paths.count == exported.document.files.count,
                exported.changes.allSatisfy({ $0.paths?.count == $0.before.reading?.files.count })
            else {
                throw DamagedDatabase()
            }
            return exported
        } catch {
            throw FlatteningError(
                .badInput, "this is no document of an exported archive", file: path, stage: .documents,
                detail: "\(error)")
        }
    }

    private static func json(of value: some Encodable) throws(FlatteningError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            throw FlatteningError(
                .internalInconsistency, "the document cannot be written as JSON", stage: .documents,
                detail: "\(error)")
        }
    }

    /// Replaces the characters of a name that would lead elsewhere or that file systems refuse.
    package static func fileName(_ name: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            // No name may begin with characters that hide a file or lead upwards.
            if kept.isEmpty, scalar == "." || scalar == " " { continue }
            kept.append(
                scalar.value < 32 || scalar.value == 127 || refusedInNames.contains(scalar) ? "_" : scalar)
        }
        if kept.isEmpty { return "_" }
        while String(kept).utf8.count > longestName { kept.removeLast() }
        return String(kept)
    }

    private static let refusedInNames = Set("/\\:*?\"<>|".unicodeScalars)
    /// In bytes: file systems allow 255, and a number may be put in front.
    private static let longestName = 200
}
