#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// Files that are made, never opened where something stands already.
package enum NewFile {
    /// A new file of this name, open for writing and for being read back.
    /// - Returns: its descriptor; -1, and the reason in `errno`, if it cannot be made or something of this name is there.
    static func create(_ name: String, _ permissions: mode_t) -> Int32 {
        unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
    }

    /// The permissions that a new file gets, seen on an empty one of this name, which is removed again: umask(2) can only
    /// be asked by changing it.
    /// - Returns: nil, and the reason in `errno`, if it cannot be made or something of this name is there.
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
