internal import Foundation

/// A file, whatever it is called.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let node: UInt64

    /// What a path leads to; nil if there is nothing.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        node = UInt64(status.st_ino)
    }
}
