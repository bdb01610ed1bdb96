import BatchProcessing
import Platform
import ReceiptFlattening
import Synchronization
import ScalarText

/// What a batch prints on standard error: a moving progress line on a terminal, elsewhere one line for each capture, and always
/// what failed.
final class BatchProgress: Sendable {
    private let names: [String]
    private let console: Console
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    private struct State {
        var ended = 0
        var failed = 0
        /// Captures processed in this run; those done earlier tell nothing about the rate.
        var worked = 0
        /// When the last capture of this run ended.
        var lastEnd: ContinuousClock.Instant?
        /// The jobs in progress, in the order in which they began.
        var current: [Int] = []
        var isOver = false
    }

    /// - Parameter jobs: the captures' names.
    init(jobs: [String], console: Console) {
        names = jobs
        self.console = console
        guard console.showsProgress else { return }
        draw()
        // Draw once a second, so that the time advances during long captures.
        startTicking(every: 1) { [weak self] in
            self?.draw()
            return self != nil
        }
    }

    /// Shows an event of the batch.
    func show(_ event: Batch.Event) {
        // Hold the lock while printing, so that messages do not mix.
        state.withLock { state in
            switch event {
            case .began(let index): state.current.append(index)
            case .ended(let index, let outcome): end(index, outcome, &state)
            case .warned(let words): console.warn(words)
            }
            if console.isTerminal { console.progress(line(state)) }
        }
    }

    private func draw() {
        state.withLock { state in
            if !state.isOver { console.progress(line(state)) }
        }
    }

    private func end(_ index: Int, _ outcome: Batch.Outcome, _ state: inout State) {
        state.current.removeAll { $0 == index }
        state.ended += 1
        let name = names[index]
        let words: String
        switch outcome {
        case .done(let seconds, let messages):
            state.worked += 1
            state.lastEnd = .now
            for message in messages.split(atScalar: "\n") {
                console.warn("\(name): " + (message.dropping(scalarPrefix: "warning: ") ?? message))
            }
            words = "done, \(NumberText.fixed(seconds, 1)) s"
        case .alreadyDone: words = "done earlier"
        case .failed(let reason, let earlier):
            state.failed += 1
            if !earlier {
                state.worked += 1
                state.lastEnd = .now
            }
            console.fail("\(name): \(reason)" + (earlier ? " (earlier)" : ""))
            words = "failed"
        }
        if !console.isTerminal, !console.isQuiet {
            console.say("\(state.ended)/\(names.count) \(name): \(words)")
        }
    }

    /// Removes the moving line and prints a summary.
    /// - Returns: how many captures failed.
    func finish() -> Int {
        let state = state.withLock { state in
            state.isOver = true
            return state
        }
        console.clearProgress()
        if !console.isQuiet {
            console.say(
                "\(names.count - state.failed) of \(names.count) captures are flattened, \(state.failed) failed"
            )
        }
        return state.failed
    }

    /// Says that the batch will end after the captures in progress.
    func windDown() {
        guard !console.isQuiet else { return }
        let count = state.withLock { $0.current.count }
        console.say("asked to end, after the captures at work: \(count)")
    }

    /// Says that the batch ends early, and how to continue it. It is printed as an error, to be seen even where only errors are
    /// asked for.
    func interrupt() {
        let ended = state.withLock { state in
            state.isOver = true
            return state.ended
        }
        console.fail(
            "stopped after \(ended) of \(names.count) captures. The same command with --resume goes on")
    }

    /// The moving line: a bar, the captures done and failed, the time elapsed, the rate, the time left, and the captures in
    /// progress.
    private func line(_ state: State) -> String {
        let width = 24
        let filled = state.ended * width / max(names.count, 1)
        var text = "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        text += "] \(state.ended)/\(names.count)"
        if state.failed > 0 { text += ", \(state.failed) failed" }
        let now = ContinuousClock.now
        text += ", " + Self.clockTime(now - start)
        if let lastEnd = state.lastEnd, state.worked > 0 {
            let each = (lastEnd - start) / state.worked
            let perMinute = Self.rate(.seconds(60) / each)
            // The captures in progress have already used some of their time.
            let left = max(each * (names.count - state.ended) - (now - lastEnd), .zero)
            text += ", \(perMinute) a minute, \(Self.clockTime(left)) left"
        }
        if !state.current.isEmpty {
            text += ": " + state.current.map { names[$0] }.joined(separator: ", ")
        }
        return text
    }

    /// Hours, minutes and seconds: "0:01:30".
    static func clockTime(_ duration: Duration) -> String {
        let seconds = Int((duration / .seconds(1)).rounded(.toNearestOrEven))
        func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    }

    /// A number with two significant digits: "0.50", "1.2", "12", "120".
    static func rate(_ value: Double) -> String {
        guard let rounded = Double(NumberText.significant(value, 2)), rounded > 0, rounded.isFinite else {
            return NumberText.fixed(value, 0)
        }
        return NumberText.fixed(rounded, max(1 - Int(log10(rounded).rounded(.down)), 0))
    }
}
