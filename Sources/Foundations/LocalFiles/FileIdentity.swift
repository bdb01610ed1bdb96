#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// A file or folder, whatever it is called: two paths that lead to the same have the same identity.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let node: UInt64

    /// What stat(2) said of it.
    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        node = UInt64(status.st_ino)
    }

    /// What a path leads to; nil if there is nothing.
    package init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
