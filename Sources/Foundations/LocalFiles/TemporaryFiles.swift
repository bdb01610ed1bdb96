import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The named temporary files of this process, which must be removed if it ends without unwinding.
enum TemporaryFiles {
    private static let named = Mutex(Set<String>())

    /// Records a file's new name; nil if it has none.
    static func change(from old: String?, to new: String?) {
        named.withLock { names in
            if let old { names.remove(old) }
            if let new { names.insert(new) }
        }
    }

    /// Removes them all.
    static func removeAll() {
        named.withLock { names in
            for name in names { unsafe unlink(name) }
        }
    }
}

extension AtomicFile {
    /// Removes every named temporary file, for a process that is about to end without unwinding.
    package static func removeTemporaries() { TemporaryFiles.removeAll() }

    // MARK: - Names

    /// Returns the permissions of a new file beside this one; owner-only if they cannot be determined.
    static func usualPermissions(beside path: String) -> mode_t {
        var permissions: mode_t?
        _ = firstFreeName(beside: path) { name in
            permissions = NewFile.permissions(at: name)
            return permissions != nil
        }
        return permissions ?? 0o600
    }

    /// Returns the first random name beside `path` for which `attempt` does not fail with EEXIST; nil, with errno unchanged, if
    /// it fails otherwise.
    static func firstFreeName(beside path: String, _ attempt: (String) -> Bool) -> String? {
        let (folder, name) = split(path)
        for _ in 0..<100 {
            let candidate = folder + temporaryPrefix(of: name) + randomSuffix() + ".tmp"
            if attempt(candidate) { return candidate }
            if errno != EEXIST { return nil }
        }
        return nil
    }

    /// Returns the prefix of the temporary files for a file of this name; their names end in ".tmp". Names are at most 255 bytes
    /// long.
    package static func temporaryPrefix(of name: String) -> String {
        "." + String(decoding: name.utf8.prefix(100), as: UTF8.self) + "."
    }

    private static func randomSuffix() -> String {
        String(UInt64.random(in: 0...UInt64.max), radix: 36)
    }
}
