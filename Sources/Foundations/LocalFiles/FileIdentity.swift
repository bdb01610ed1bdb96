#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// The identity of a file or folder, independent of its name: two paths to the same one have the same identity.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let node: UInt64

    /// The identity in a result of stat(2).
    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        node = UInt64(status.st_ino)
    }

    /// The identity of what a path leads to; nil if there is nothing.
    package init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
