import BatchProcessing
import Diagnostics
import LocalFiles
import Platform
import Synchronization

/// `--records -`: a line of JSON on standard output for each capture that has come to its end.
///
/// Once a line cannot be written the batch is to end, as after SIGTERM: a reader that has gone away wants no more, and
/// records that are lost would look like captures that were never worked on.
final class RecordStream: Sendable {
    /// Why the first line that failed did, as errno; taken while a line is written.
    private let failure = Mutex<Int32?>(nil)
    private let onFailure: @Sendable () -> Void

    init(onFailure: @escaping @Sendable () -> Void) { self.onFailure = onFailure }

    /// Writes one record at once, whole.
    @Sendable func write(_ record: JobRecord) {
        guard let line = record.line else { return }
        failure.withLock { failure in
            guard failure == nil else { return }
            line.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes {
                        Platform.write(STDOUT_FILENO, $0.baseAddress, $0.count)
                    }
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else {
                        failure = count < 0 ? errno : ENOSPC
                        onFailure()
                        return
                    }
                    rest = rest.dropFirst(count)
                }
            }
        }
    }

    /// Tells of records that were lost.
    /// - Throws: `.fileAccess` or `.storageFull`; nothing where all were written or their reader has gone away.
    func check() throws(FlatteningError) {
        guard let number = failure.withLock(\.self), number != EPIPE else { return }
        throw FileSystemError.make(
            number, "the records cannot be written", file: "standard output", stage: .batch)
    }
}
