#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// Creates files; never opens one that already exists.
package enum NewFile {
    /// Creates a file with this name, open for writing and for reading back.
    /// - Returns: its descriptor; -1, with the reason in `errno`, if it cannot be created or the name is taken.
    static func create(_ name: String, _ permissions: mode_t) -> Int32 {
        unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
    }

    /// Returns the permissions of a new file, found by creating an empty one with this name and removing it: umask(2) can only
    /// be queried by changing it.
    /// - Returns: nil, with the reason in `errno`, if it cannot be created or the name is taken.
    package static func permissions(at name: String) -> mode_t? {
        let opened = create(name, 0o666)
        guard opened >= 0 else { return nil }
        var status = stat()
        let found = unsafe fstat(opened, &status)
        let failure = errno
        close(opened)
        unsafe unlink(name)
        errno = failure
        return found == 0 ? status.st_mode & 0o777 : nil
    }
}
