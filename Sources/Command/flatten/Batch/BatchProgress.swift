import BatchProcessing
import Platform
import ReceiptFlattening
import Synchronization
import ScalarText

/// What a batch says on standard error: on a terminal a line that moves, elsewhere a line for each capture, and what failed
/// always.
final class BatchProgress: Sendable {
    private let names: [String]
    private let console: Console
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    private struct State {
        var ended = 0
        var failed = 0
        /// Those that took time now; what was done earlier says nothing of the rate.
        var worked = 0
        /// When the last of these ended.
        var lastEnd: ContinuousClock.Instant?
        /// The jobs that workers are at, in the order in which they began.
        var current: [Int] = []
        var isOver = false
    }

    /// - Parameter jobs: the captures' names.
    init(jobs: [String], console: Console) {
        names = jobs
        self.console = console
        guard console.showsProgress else { return }
        draw()
        // Once a second, so that the time runs while long captures do.
        startTicking(every: 1) { [weak self] in
            self?.draw()
            return self != nil
        }
    }

    /// Tells of what happened.
    func show(_ event: Batch.Event) {
        // Held while it is said, so that messages do not mix.
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

    /// Removes the line that moves and sums up.
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

    /// Says that the captures which are being worked on are the last.
    func windDown() {
        guard !console.isQuiet else { return }
        let count = state.withLock { $0.current.count }
        console.say("asked to end, after the captures at work: \(count)")
    }

    /// Says why the batch ends early, and how to go on: an error, also where only those are asked for.
    func interrupt() {
        let ended = state.withLock { state in
            state.isOver = true
            return state.ended
        }
        console.fail(
            "stopped after \(ended) of \(names.count) captures. The same command with --resume goes on")
    }

    /// A bar, what is done, the rate, the time gone and left, and what is being worked on.
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
            // The captures that are being worked on have used up some of their time.
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

    /// A number with two digits that count: "0.50", "1.2", "12", "120".
    static func rate(_ value: Double) -> String {
        guard let rounded = Double(NumberText.significant(value, 2)), rounded > 0, rounded.isFinite else {
            return NumberText.fixed(value, 0)
        }
        return NumberText.fixed(rounded, max(1 - Int(log10(rounded).rounded(.down)), 0))
    }
}
