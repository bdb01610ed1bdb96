import BatchProcessing
import Diagnostics
import Platform
import LocalFiles
import Synchronization

/// `--metrics FILE`: the progress of a batch, in the text format of Prometheus, for the textfile collector of its node
/// exporter. No port is opened.
final class BatchMetrics: Sendable {
    private let path: String
    private let labels: String
    private let jobs: Int
    private let start = Date()
    private let state = Mutex(State())

    private struct State {
        var (done, earlier, failed) = (0, 0, 0)
        /// Total time of the captures finished in this run, without those done earlier.
        var seconds = 0.0
        var current = 0
        var isOver = false
        var isWhole = false
    }

    /// Seconds between two writes of the file: it is written more often than it is usually read.
    private static let period: UInt32 = 10

    init(path: String, shard: Shard?, jobs: Int) {
        self.path = path
        self.jobs = jobs
        labels = "shard=\"\(shard.map { "\($0.number)/\($0.count)" } ?? "1/1")\""
        // A file that cannot be written now may be writable later; only the last write reports an error.
        startTicking(every: Self.period) { [weak self] in
            try? self?.write()
            return self != nil
        }
    }

    func note(_ event: Batch.Event) {
        state.withLock { state in
            switch event {
            case .began: state.current += 1
            case .ended(_, let outcome):
                state.current -= 1
                switch outcome {
                case .done(let seconds, _):
                    state.done += 1
                    state.seconds += seconds
                case .alreadyDone: state.earlier += 1
                case .failed: state.failed += 1
                }
            case .warned: break
            }
        }
    }

    /// Checks before any work that the file can be written.
    func check() throws(FlatteningError) { try AtomicFile(path: path).discard() }

    /// Writes the file for the last time.
    /// - Parameter isWhole: whether every capture has come to its end.
    func end(isWhole: Bool) throws(FlatteningError) {
        state.withLock { ($0.isOver, $0.isWhole) = (true, isWhole) }
        try AtomicFile.replace(path, with: Array(text.utf8))
    }

    /// Replaces the file with the current values, unless the batch is over.
    func write() throws(FlatteningError) {
        guard !state.withLock({ $0.isOver }) else { return }
        try AtomicFile.replace(path, with: Array(text.utf8))
    }

    private var text: String {
        let state = state.withLock(\.self)
        func metric(_ name: String, _ kind: String, _ help: String, _ values: [(String, String)]) -> String {
            let name = "flatten_batch_" + name
            return "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
                + values.map { "\(name){\(labels)\($0.0)} \($0.1)\n" }.joined()
        }
        return metric("captures", "gauge", "Captures of this process.", [("", "\(jobs)")])
            + metric(
                "captures_ended_total", "counter", "Captures that have come to their end.",
                [
                    (",state=\"done\"", "\(state.done)"), (",state=\"done_earlier\"", "\(state.earlier)"),
                    (",state=\"failed\"", "\(state.failed)"),
                ])
            + metric(
                "captures_at_work", "gauge", "Captures that are being worked on.", [("", "\(state.current)")])
            + metric(
                "capture_seconds_total", "counter", "Seconds that the captures done now took, by the clock.",
                [("", "\(state.seconds)")])
            + metric(
                "start_time_seconds", "gauge", "When this process began, in seconds since 1970.",
                [("", "\(Int(start.timeIntervalSince1970))")])
            + metric(
                "complete", "gauge", "1 once every capture of this process has come to its end.",
                [("", state.isWhole ? "1" : "0")])
    }
}
