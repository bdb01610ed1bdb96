import Diagnostics
import Dispatch
import Parallelism
import Platform
import Synchronization

/// What becomes of a batch that somebody ends.
///
/// SIGTERM and SIGUSR1, by which schedulers take a machine back, let it come to a good end within a grace; then, or with the
/// next signal, the process ends with the exit code for "try again". SIGINT and SIGHUP have a last word said; then the
/// process ends as it would have.
final class Interruption: Sendable {
    private let signals: SignalSet
    /// Held from the last word to the end of the process.
    private let ending = DispatchSemaphore(value: 1)
    /// Whether there is nothing to interrupt any more.
    private let isOver = Atomic<Bool>(false)

    private struct SignalSet: @unchecked Sendable {
        var signals = sigset_t()
    }

    /// Those that give a grace.
    private static let gentle: Set = [SIGTERM, SIGUSR1]

    /// Made before other threads are: each inherits that it is not the one that signals end.
    /// - Parameters:
    ///   - grace: seconds; with 0 there is none.
    ///   - windDown: called with the first signal that gives a grace.
    ///   - lastWord: called before the process ends.
    /// - Throws: `.shortage` if the threads cannot be had that the end takes. There are none to be had, perhaps, when it has
    ///   come.
    init(
        grace: Double, windDown: @escaping @Sendable () -> Void, lastWord: @escaping @Sendable () -> Void
    ) throws(FlatteningError) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        // Who starts a batch with nohup wants it to go on.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] where !Self.isIgnored(number) {
            unsafe sigaddset(&signals, number)
        }
        self.signals = SignalSet(signals: signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let (windDown, lastWord) = (try Speaker(windDown), try Speaker(lastWord))
        let hasStarted = startThread { [self] in
            let first = wait()
            let isGentle = Self.gentle.contains(first)
            var last: Int32? = first
            if isGentle, grace > 0 {
                windDown.speak()
                last = wait(until: .now + .seconds(grace))
            }
            ending.wait()
            let number = last ?? first
            if !isOver.load(ordering: .relaxed) {
                lastWord.speak()
                if isGentle, Self.gentle.contains(number) { ProgramEnd.exit(ExitReason.timeout.rawValue) }
            } else if last == nil {
                // All came to its end within the grace.
                ending.signal()
                return
            }
            signal(number, SIG_DFL)
            unblock()
            kill(getpid(), number)
        }
        guard hasStarted else { throw .shortageOfThreads(stage: .batch) }
    }

    /// Waits for the next signal.
    /// - Parameter end: when it is waited for no more; nil for never. Until then it is looked for now and then, as not every
    ///   system has sigtimedwait(2).
    /// - Returns: nil if none has come.
    private func wait(until end: ContinuousClock.Instant) -> Int32? {
        while !isOver.load(ordering: .relaxed) {
            var pending = sigset_t()
            unsafe sigpending(&pending)
            var signals = signals.signals
            if (1..<32).contains(where: {
                unsafe sigismember(&pending, $0) == 1 && sigismember(&signals, $0) == 1
            }) {
                return wait()
            }
            guard .now < end else { return nil }
            usleep(Self.look)
        }
        return nil
    }

    /// Microseconds between two looks.
    private static let look: UInt32 = 50_000

    private func wait() -> Int32 {
        var (signals, number) = (signals.signals, Int32(0))
        while unsafe sigwait(&signals, &number) != 0 {}
        return number
    }

    /// A thread that waits to say a word.
    private struct Speaker {
        private let turn = DispatchSemaphore(value: 0)
        private let hasSpoken = DispatchSemaphore(value: 0)

        /// Seconds that a word may take.
        private static let patience = 1.0

        init(_ word: @escaping @Sendable () -> Void) throws(FlatteningError) {
            let hasStarted = startThread { [turn, hasSpoken] in
                turn.wait()
                word()
                hasSpoken.signal()
            }
            guard hasStarted else { throw .shortageOfThreads(stage: .batch) }
        }

        /// Has it say its word. A standard error that takes nothing must not keep the process alive.
        func speak() {
            turn.signal()
            _ = hasSpoken.wait(timeout: .now() + Self.patience)
        }
    }

    /// Lets signals end the process again without a word. After a last word it does not return: what that ended has no
    /// result, and the process ends by the signal.
    func end() {
        ending.wait()
        defer { ending.signal() }
        isOver.store(true, ordering: .relaxed)
        unblock()
    }

    private func unblock() {
        var signals = signals.signals
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(number, nil, &action)
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = unsafe action.__sigaction_handler.sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
