import BatchProcessing
import Diagnostics
import LocalFiles
import Platform
import Synchronization

/// `--records -`: prints a line of JSON on standard output for each capture that was processed.
///
/// If a line cannot be written, the batch is wound down as after SIGTERM: a reader that has closed the pipe wants no more
/// records, and captures whose records are lost would look as if they were never processed.
final class RecordStream: Sendable {
    private enum Failure {
        /// A line could not be written; the value is errno.
        case writing(Int32)
        /// The record of the capture with this name cannot be written as JSON.
        case encoding(String)
    }

    /// Why the first failed line could not be written. The lock is held while a line is written.
    private let failure = Mutex<Failure?>(nil)
    private let onFailure: @Sendable () -> Void
    private let isTerminal = TextOutput.isTerminal

    init(onFailure: @escaping @Sendable () -> Void) { self.onFailure = onFailure }

    /// Writes one record immediately, as a whole line.
    @Sendable func write(_ record: JobRecord) {
        failure.withLock { failure in
            guard failure == nil else { return }
            guard let line = record.line.map(shown) else {
                failure = .encoding(record.name)
                onFailure()
                return
            }
            unsafe line.withUnsafeBytes { bytes in
                var rest = unsafe bytes[...]
                while unsafe !rest.isEmpty {
                    let count = unsafe rest.withUnsafeBytes {
                        unsafe Platform.write(STDOUT_FILENO, $0.baseAddress, $0.count)
                    }
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else {
                        failure = .writing(count < 0 ? errno : ENOSPC)
                        onFailure()
                        return
                    }
                    unsafe rest = unsafe rest.dropFirst(count)
                }
            }
        }
    }

    private func shown(_ line: [UInt8]) -> [UInt8] {
        isTerminal
            ? Array(TextOutput.shown(String(decoding: line, as: UTF8.self), to: "-", isTerminal: true).utf8)
            : line
    }

    /// Reports records that were lost.
    /// - Throws: `.fileAccess` or `.storageFull` for a line that could not be written; `.internalInconsistency` for a record
    ///   that cannot be written as JSON; nothing if all were written or their reader has closed the pipe.
    func check() throws(FlatteningError) {
        switch failure.withLock(\.self) {
        case nil, .writing(EPIPE): return
        case .writing(let number):
            throw FileSystemError.make(
                number, "the records cannot be written", file: "standard output", stage: .batch)
        case .encoding(let name):
            throw FlatteningError(
                .internalInconsistency, "the record of a capture cannot be written as JSON", file: name,
                stage: .batch,
                allowed: "finite numbers")
        }
    }
}
