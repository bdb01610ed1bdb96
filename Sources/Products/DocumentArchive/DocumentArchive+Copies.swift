import LocalFiles
import Platform
import ScalarText
import SQLiteDatabase

extension DocumentArchive {
    /// Whatever is wrong with the archive, a sentence each; nothing if all of it is as it was written. Reads every byte.
    public func check() throws(FlatteningError) -> [String] {
        guard let lock = try ArchiveLock(.keeping, folder: path, patience: Self.patience) else {
            throw Self.busy(path)
        }
        defer { withExtendedLifetime(lock) {} }
        var problems = try reading { database in
            var problems = try database.rows("PRAGMA integrity_check").map { try $0.text(0) }.filter {
                $0 != "ok"
            }
            if try !database.rows("PRAGMA foreign_key_check").isEmpty {
                problems.append("rows belong to documents that are not there")
            }
            for table in ArchiveSchema.searchTables {
                let strays = try database.rows(
                    """
                    SELECT (SELECT count(*) FROM document) - (SELECT count(*) FROM \(table)),
                        count(*) FROM \(table) WHERE rowid NOT IN (SELECT id FROM document)
                    """)
                if try strays.first?.integer(0) != 0 || strays.first?.integer(1) != 0 {
                    problems.append("the search \(table) has other documents than the archive")
                }
            }
            return problems
        }
        // The search's own check writes nothing, but counts as a change.
        for table in ArchiveSchema.searchTables {
            do throws(FlatteningError) {
                try writing { try $0.execute("INSERT INTO \(table) (\(table)) VALUES ('integrity-check')") }
            } catch {
                problems.append("the search \(table) is damaged")
            }
        }
        let (files, leftovers) = try reading { database in
            (
                try database.rows("SELECT DISTINCT hash, name, bytes FROM file ORDER BY hash").map {
                    (hash: try $0.text(0), name: try $0.text(1), bytes: try $0.integer(2))
                },
                try database.rows("SELECT hash FROM leftover").map { try $0.text(0) }
            )
        }
        for file in files {
            do throws(FlatteningError) {
                let content = try objects.read(file.hash, name: file.name)
                if content.count != file.bytes { problems.append("\(file.name) has another length") }
            } catch {
                problems.append(error.message + (error.detail.map { " (\($0))" } ?? ""))
            }
        }
        let strangers = try objects.hashes().subtracting(files.map(\.hash)).subtracting(leftovers)
        if !strangers.isEmpty { problems.append("\(strangers.count) files belong to no document") }
        return problems
    }

    /// Copies the archive as it is now, while others may use it. The copy is an archive itself; it appears when it is whole.
    /// - Parameter destination: a folder that is not there.
    /// - Throws: `.fileAccess`, `.storageFull`; `.badInput` if a file of the archive is not what it was. Nothing is left then.
    public func backup(to destination: String) throws(FlatteningError) {
        try Self.making(destination) { folder throws(FlatteningError) in
            guard let lock = try ArchiveLock(.keeping, folder: path, patience: Self.patience) else {
                throw Self.busy(path)
            }
            defer { withExtendedLifetime(lock) {} }
            let file = FilePath.join(folder, "archive.sqlite")
            let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw FileSystemError.last("the copy cannot be made", file: destination, stage: .documents)
            }
            close(descriptor)
            try Self.translatingErrors(path) {
                try database.withLock { try $0.execute("VACUUM INTO ?", [.text(file)]) }
            }
            let copies = ObjectStore(folder: folder)
            try copies.prepare()
            // Of the copy: documents may have come since.
            let files = try Self.translatingErrors(destination) {
                try Database(path: file, patience: Self.patience).rows(
                    "SELECT DISTINCT hash, name FROM file"
                ).map { (hash: try $0.text(0), name: try $0.text(1)) }
            }
            for file in files {
                try copies.write(try objects.read(file.hash, name: file.name), hash: file.hash)
            }
        }
    }

    /// Makes an archive of a backup.
    /// - Parameters:
    ///   - backup: what `backup(to:)` made.
    ///   - path: a folder that is not there.
    /// - Throws: `.badInput` for a backup that is damaged; as `backup(to:)`.
    public static func restore(_ backup: String, to path: String) throws(FlatteningError) {
        let archive = try DocumentArchive(path: backup, access: .existing)
        let problems = try archive.check()
        guard problems.isEmpty else {
            throw FlatteningError(
                .badInput, "the backup is damaged", file: backup, stage: .documents,
                seen: problems.prefix(3).joined(separator: "; "))
        }
        try archive.backup(to: path)
    }

    /// Makes a folder of files that appears when it is whole.
    static func making(
        _ destination: String, _ fill: (String) throws(FlatteningError) -> Void
    ) throws(FlatteningError) {
        var status = stat()
        guard lstat(destination, &status) != 0 else {
            throw FlatteningError(
                .fileAccess, "there is something of this name already", file: destination, stage: .documents,
                advice: "Name a folder that is not there; it is made")
        }
        var name = destination
        while name.utf8.count > 1, let shorter = name.dropping(scalarSuffix: "/") { name = String(shorter) }
        let partial = name + ".partial-" + UUID().uuidString.prefix(8)
        guard mkdir(partial, 0o700) == 0 else {
            throw FileSystemError.last("the folder cannot be made", file: destination, stage: .documents)
        }
        do throws(FlatteningError) {
            try fill(partial)
        } catch {
            removeFolder(partial)
            throw error
        }
        do throws(FlatteningError) {
            try ObjectStore.synchronize(partial)
            guard rename(partial, name) == 0 else {
                throw FileSystemError.last("the folder cannot be made", file: destination, stage: .documents)
            }
        } catch {
            removeFolder(partial)
            throw error
        }
        try ObjectStore.synchronize(name.lastIndex(ofScalar: "/").map { String(name[...$0]) } ?? ".")
    }

    /// Takes away a folder that was not finished, with all in it.
    private static func removeFolder(_ path: String) {
        let entries =
            (try? OpenFolder(path: path, follows: false, stage: .documents).entries(most: .max)) ?? []
        for entry in entries {
            let inner = FilePath.join(path, String(decoding: entry.bytes, as: UTF8.self))
            if entry.kind == .folder { removeFolder(inner) } else { unlink(inner) }
        }
        rmdir(path)
    }
}
