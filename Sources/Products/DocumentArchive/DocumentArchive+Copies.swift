import LocalFiles
import Platform
import ScalarText
import SQLiteDatabase

extension DocumentArchive {
    /// Returns everything that is wrong with the archive, one sentence each; empty if all of it is as written. Reads every
    /// byte.
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
            for table in ArchiveSearch.tables {
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
        // The search's own check writes nothing, but SQLite treats it as a change.
        for table in ArchiveSearch.tables {
            do throws(FlatteningError) {
                try writing { try $0.execute("INSERT INTO \(table) (\(table)) VALUES ('integrity-check')") }
            } catch {
                problems.append("the search \(table) is damaged")
            }
        }
        // The files are listed before the documents: other programs may be adding files, and record them first.
        let present = try objects.hashes()
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
        problems += try objects.problems()
        let strangers = present.subtracting(files.map(\.hash)).subtracting(leftovers)
        if !strangers.isEmpty { problems.append("\(strangers.count) files belong to no document") }
        return problems
    }

    /// Copies the archive in its current state, while others may use it. The copy is an archive itself, and appears only when
    /// complete.
    /// - Parameter destination: a folder that does not exist.
    /// - Throws: `.fileAccess`, `.storageFull`; `.badInput` if a file of the archive was changed. Nothing is left then.
    public func backup(to destination: String) throws(FlatteningError) {
        try Self.making(destination) { folder throws(FlatteningError) in
            guard let lock = try ArchiveLock(.keeping, folder: path, patience: Self.patience) else {
                throw Self.busy(path)
            }
            defer { withExtendedLifetime(lock) {} }
            let file = Self.databasePath(folder)
            try Self.makeFile(file, of: destination)
            let copy = try Self.translatingErrors(path) {
                try database.withLock { database in
                    // An encrypted database is copied page by page; a plain one is written anew, without removed data.
                    if isEncrypted {
                        let copy = try Database(path: file, patience: Self.patience, passphrase: passphrase)
                        try database.copy(to: copy)
                        return copy
                    }
                    try database.execute("VACUUM INTO ?", [.text(file)])
                    return try Database(path: file, patience: Self.patience)
                }
            }
            let copies = try Self.store(in: folder, passphrase)
            // Listed from the copy: documents may have been added since.
            let files = try Self.translatingErrors(destination) {
                try copy.rows("SELECT DISTINCT hash, name FROM file").map {
                    (hash: try $0.text(0), name: try $0.text(1))
                }
            }
            for file in files {
                try copies.write(try objects.read(file.hash, name: file.name), hash: file.hash)
            }
        }
    }

    /// Creates an archive from a backup, or from another archive: a copy, possibly with another passphrase or none.
    /// - Parameters:
    ///   - backup: a folder made by `backup(to:)`.
    ///   - path: a folder that does not exist.
    ///   - passphrase: the backup's passphrase; nil if it is plain.
    ///   - newPassphrase: the new archive's passphrase; nil for a plain one.
    /// - Throws: `.badInput` for a damaged backup; errors of `init(path:access:passphrase:)` and `backup(to:)`.
    public static func restore(
        _ backup: String, to path: String, passphrase: String?, newPassphrase: String?
    ) throws(FlatteningError) {
        let archive = try DocumentArchive(path: backup, access: .existing, passphrase: passphrase)
        let problems = try archive.check()
        guard problems.isEmpty else {
            throw FlatteningError(
                .badInput, "the backup is damaged", file: backup, stage: .documents,
                seen: problems.prefix(3).joined(separator: "; "))
        }
        guard passphrase != newPassphrase else { return try archive.backup(to: path) }
        try making(path) { folder throws(FlatteningError) in
            try archive.copyAll(to: try DocumentArchive(path: folder, passphrase: newPassphrase))
        }
    }

    /// Creates an archive from a plain backup.
    /// - Parameters:
    ///   - backup: a folder made by `backup(to:)`.
    ///   - path: a folder that does not exist.
    /// - Throws: as `restore(_:to:passphrase:newPassphrase:)`.
    public static func restore(_ backup: String, to path: String) throws(FlatteningError) {
        try restore(backup, to: path, passphrase: nil, newPassphrase: nil)
    }

    /// Creates a folder of files that appears only when complete.
    static func making(
        _ destination: String, _ fill: (String) throws(FlatteningError) -> Void
    ) throws(FlatteningError) {
        var status = stat()
        guard unsafe lstat(destination, &status) != 0 else {
            throw FlatteningError(
                .fileAccess, "there is something of this name already", file: destination, stage: .documents,
                advice: "Name a folder that is not there; it is made")
        }
        var name = destination
        while name.utf8.count > 1, let shorter = name.dropping(scalarSuffix: "/") { name = String(shorter) }
        let partial = name + ".partial-" + UUID().uuidString.prefix(8)
        guard unsafe mkdir(partial, 0o700) == 0 else {
            throw FileSystemError.last("the folder cannot be made", file: destination, stage: .documents)
        }
        do throws(FlatteningError) {
            try fill(partial)
        } catch {
            removeFolder(partial)
            throw error
        }
        do throws(FlatteningError) {
            try ObjectFolder.synchronize(partial)
            guard unsafe rename(partial, name) == 0 else {
                throw FileSystemError.last("the folder cannot be made", file: destination, stage: .documents)
            }
        } catch {
            removeFolder(partial)
            throw error
        }
        try ObjectFolder.synchronize(name.lastIndex(ofScalar: "/").map { String(name[...$0]) } ?? ".")
    }

    /// Removes an unfinished folder with everything in it.
    private static func removeFolder(_ path: String) {
        let entries =
            (try? OpenFolder(path: path, follows: false, stage: .documents).entries(most: .max)) ?? []
        for entry in entries {
            let inner = FilePath.join(path, String(decoding: entry.bytes, as: UTF8.self))
            if entry.kind == .folder { removeFolder(inner) } else { unsafe unlink(inner) }
        }
        unsafe rmdir(path)
    }
}
