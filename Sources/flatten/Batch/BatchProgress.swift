import BatchProcessing
import Foundation
import ReceiptFlattening
import Synchronization

/// What a batch says on standard error: a bar on a terminal, a line for each capture elsewhere, and what failed always.
final class BatchProgress: Sendable {
    private let names: [String]
    private let console: Console
    private let start = ContinuousClock.now
    private let counts = Mutex(Counts())

    private struct Counts {
        var ended = 0
        var failed = 0
        /// Those that took time now; what was done earlier says nothing of the rate.
        var worked = 0
    }

    /// - Parameter jobs: the captures' names.
    init(jobs: [String], console: Console) {
        names = jobs
        self.console = console
    }

    /// Tells of a capture that came to its end.
    func show(_ index: Int, _ outcome: Batch.Outcome) {
        // Held while it is said, so that messages do not mix.
        counts.withLock { counts in
            counts.ended += 1
            switch outcome {
            case .done: counts.worked += 1
            case .failed(_, let earlier):
                counts.failed += 1
                counts.worked += earlier ? 0 : 1
            case .alreadyDone: break
            }
            say(index, outcome, counts)
        }
    }

    private func say(_ index: Int, _ outcome: Batch.Outcome, _ counts: Counts) {
        let name = names[index]
        let line: String
        switch outcome {
        case .done(let seconds, let messages):
            for message in messages.split(separator: "\n") {
                console.warn("\(name): " + message.replacing("warning: ", with: "", maxReplacements: 1))
            }
            line = "done, \(seconds.formatted(.number.precision(.fractionLength(1)))) s"
        case .alreadyDone: line = "done earlier"
        case .failed(let reason, let earlier):
            console.fail("\(name): \(reason)" + (earlier ? " (earlier)" : ""))
            line = "failed"
        }
        if console.isTerminal {
            console.progress(bar(counts))
        } else if !console.isQuiet {
            console.say("\(counts.ended)/\(names.count) \(name): \(line)")
        }
    }

    /// Removes the bar and sums up.
    /// - Returns: how many captures failed.
    func finish() -> Int {
        console.clearProgress()
        let counts = counts.withLock { $0 }
        if !console.isQuiet {
            console.say(
                "\(names.count - counts.failed) of \(names.count) captures are flattened, \(counts.failed) failed"
            )
        }
        return counts.failed
    }

    private func bar(_ counts: Counts) -> String {
        let width = 24
        let filled = counts.ended * width / names.count
        var text = "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        text += "] \(counts.ended)/\(names.count)"
        if counts.failed > 0 { text += ", \(counts.failed) failed" }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        guard counts.worked > 0, elapsed > 0 else { return text }
        let rate = Double(counts.worked) / elapsed
        let left = Duration.seconds(Double(names.count - counts.ended) / rate)
        let perMinute = (rate * 60).formatted(.number.precision(.significantDigits(2)))
        return text + ", \(perMinute) a minute, \(left.formatted(.time(pattern: .hourMinuteSecond))) left"
    }
}
