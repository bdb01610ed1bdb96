import LocalFiles
import Platform

/// Keeps programs that take files away apart from programs that bring or copy some. Goes with its process, however that ends.
final class ArchiveLock {
    /// What a program does with the files.
    enum Use { case keeping, removing }

    private let descriptor: Int32

    /// Waits for others.
    /// - Parameter patience: seconds; none to only try.
    /// - Returns: nil if others did not end in time.
    init?(_ use: Use, folder: String, patience: Double) throws(FlatteningError) {
        let path = FilePath.join(folder, "lock")
        let opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            throw FileSystemError.last("the archive cannot be locked", file: folder, stage: .documents)
        }
        descriptor = opened
        let end = ContinuousClock.now + .seconds(patience)
        while flock(opened, (use == .keeping ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw FileSystemError.last("the archive cannot be locked", file: folder, stage: .documents)
            }
            guard ContinuousClock.now < end else { return nil }
            usleep(Self.pause)
        }
    }

    deinit { close(descriptor) }

    /// Microseconds between two tries: a fraction of what a change takes.
    private static let pause: UInt32 = 10_000
}
