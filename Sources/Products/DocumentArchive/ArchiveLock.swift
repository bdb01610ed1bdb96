import LocalFiles
import Platform

/// Keeps programs that remove files apart from programs that add or copy some. The lock ends with its process, however that
/// ends.
final class ArchiveLock {
    /// How a program uses the files.
    enum Use { case keeping, removing }

    private let descriptor: Int32

    /// Waits for other programs and takes the lock.
    /// - Parameter patience: the longest wait in seconds; 0 tries only once.
    /// - Returns: nil if the others did not finish in time.
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

    /// Microseconds between two attempts: a fraction of the time of a change.
    private static let pause: UInt32 = 10_000
}
