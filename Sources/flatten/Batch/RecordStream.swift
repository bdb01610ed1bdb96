import Synchronization
import BatchProcessing
import Platform

/// `--records -`: a line of JSON on standard output for each capture that has come to its end.
///
/// A reader that has gone away wants no more: the batch is to end then, as after SIGTERM.
final class RecordStream: Sendable {
    private let writing = Mutex(())
    private let onLostReader: @Sendable () -> Void

    init(onLostReader: @escaping @Sendable () -> Void) { self.onLostReader = onLostReader }

    /// Writes one record at once, whole.
    @Sendable func write(_ record: JobRecord) {
        guard let line = record.line else { return }
        writing.withLock { _ in
            line.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes {
                        Platform.write(STDOUT_FILENO, $0.baseAddress, $0.count)
                    }
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else {
                        onLostReader()
                        return
                    }
                    rest = rest.dropFirst(count)
                }
            }
        }
    }
}
