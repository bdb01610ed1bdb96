import Parallelism
import Synchronization

/// Tells a caller how much of a page has been read.
///
/// The listener is called on a thread of its own, one call after the other, so that a caller's code never runs inside
/// an engine or under its locks. Where the system gives no thread, all calls follow when the reading has ended. The
/// share never falls.
final class ReadingProgress: Sendable {
    private struct State: Sendable {
        /// The last share that was reported.
        var last = 0.0
        /// Shares not yet passed to the listener.
        var waiting: [Double] = []
        /// Whether the reading has ended.
        var isOver = false
        /// Whether a thread is passing shares to the listener.
        var hasTeller: Bool
    }

    private let state: Mutex<State>
    private let change = LockedCondition()
    private let listener: @Sendable (Double) -> Void

    /// - Parameter start: starts a thread; false if it cannot.
    init(
        _ listener: @escaping @Sendable (Double) -> Void,
        start: (@escaping @Sendable () -> Void) -> Bool = { startThread($0) }
    ) {
        self.listener = listener
        state = Mutex(State(hasTeller: true))
        let hasStarted = start { [self] in
            tellUntilOver()
            note { $0.hasTeller = false }
        }
        if !hasStarted { state.withLock { $0.hasTeller = false } }
    }

    /// Reports the share of the page that has been read, 0 to 1.
    func tell(_ share: Double) {
        note { state in
            // Only `end` reports the last step, because the work after the last row is done by then too.
            guard share >= state.last, share < 1 else { return }
            state.last = share
            state.waiting.append(share)
        }
    }

    /// Returns when all shares have been passed on; after a reading that succeeded the last is 1.
    func end(succeeded: Bool) {
        note { state in
            if succeeded { state.waiting.append(1) }
            state.isOver = true
        }
        change.lock()
        while state.withLock(\.hasTeller) { change.wait() }
        change.unlock()
        tellUntilOver()
    }

    /// Changes the state and wakes all threads that wait for a change.
    private func note(_ body: (inout State) -> Void) {
        change.lock()
        state.withLock { body(&$0) }
        change.broadcast()
        change.unlock()
    }

    /// Passes shares on until the reading has ended and none is left.
    private func tellUntilOver() {
        while true {
            change.lock()
            while state.withLock({ $0.waiting.isEmpty && !$0.isOver }) { change.wait() }
            let shares = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            change.unlock()
            if shares.isEmpty { return }
            for share in shares { listener(share) }
        }
    }
}
