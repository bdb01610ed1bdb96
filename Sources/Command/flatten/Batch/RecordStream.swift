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
    private enum Failure {
        /// A line could not be written, by errno.
        case writing(Int32)
        /// The record of the capture with this name is no JSON.
        case encoding(String)
    }

    /// Why the first line that failed did; taken while a line is written.
    private let failure = Mutex<Failure?>(nil)
    private let onFailure: @Sendable () -> Void
    private let isTerminal = TextOutput.isTerminal

    init(onFailure: @escaping @Sendable () -> Void) { self.onFailure = onFailure }

    /// Writes one record at once, whole.
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

    /// Tells of records that were lost.
    /// - Throws: `.fileAccess` or `.storageFull`, `.internalInconsistency` for a record that is no JSON; nothing where all were written or
    ///   their reader has gone away.
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
