import Diagnostics
import Dispatch
import Parallelism
import Platform
import Synchronization

/// Handles the signals that end a batch.
///
/// SIGTERM and SIGUSR1, with which schedulers take a machine back, give the batch a grace period to finish the captures in
/// progress. After that, or at a second of these signals, a last word is said and the process ends with the exit code for "try
/// again". After SIGINT and SIGHUP the last word is said, and the process ends by the signal as usual.
final class Interruption: Sendable {
    private let signals: SignalSet
    /// Held from the last word until the process has ended.
    private let ending = DispatchSemaphore(value: 1)
    /// Whether the batch is over, with nothing left to interrupt.
    private let isOver = Atomic<Bool>(false)

    private struct SignalSet: @unchecked Sendable {
        var signals = sigset_t()
    }

    /// The signals that give a grace period.
    private static let gentle: Set = [SIGTERM, SIGUSR1]

    /// Must be created before any other thread: threads inherit the signal mask set here, so that these signals do not end the
    /// process but reach the thread that waits for them.
    /// - Parameters:
    ///   - grace: the grace period in seconds; 0 for none.
    ///   - windDown: called at the first signal, if it gives a grace period.
    ///   - lastWord: called before the process ends.
    /// - Throws: `.shortage` if the threads needed to end the batch cannot be started. They are started here because it may be
    ///   impossible by the time a signal arrives.
    init(
        grace: Double, windDown: @escaping @Sendable () -> Void, lastWord: @escaping @Sendable () -> Void
    ) throws(FlatteningError) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        // Ignored signals stay ignored: whoever starts a batch with nohup wants it to go on.
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
                // The batch finished within the grace period.
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
    /// - Parameter end: when to stop waiting. Until then, pending signals are polled, as not every system has sigtimedwait(2).
    /// - Returns: the signal; nil if none has come, or if the batch is over.
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

    /// Microseconds between two polls.
    private static let look: UInt32 = 50_000

    private func wait() -> Int32 {
        var (signals, number) = (signals.signals, Int32(0))
        while unsafe sigwait(&signals, &number) != 0 {}
        return number
    }

    /// A thread that is started early and waits to run a closure.
    private struct Speaker {
        private let turn = DispatchSemaphore(value: 0)
        private let hasSpoken = DispatchSemaphore(value: 0)

        /// The longest time to wait for the closure, in seconds.
        private static let patience = 1.0

        init(_ word: @escaping @Sendable () -> Void) throws(FlatteningError) {
            let hasStarted = startThread { [turn, hasSpoken] in
                turn.wait()
                word()
                hasSpoken.signal()
            }
            guard hasStarted else { throw .shortageOfThreads(stage: .batch) }
        }

        /// Runs the closure and waits for it, up to a limit: a blocked standard error must not keep the process alive.
        func speak() {
            turn.signal()
            _ = hasSpoken.wait(timeout: .now() + Self.patience)
        }
    }

    /// Lets signals end the process directly again, without a last word. Does not return once a last word is being said: the
    /// batch then has no result, and the process is about to end.
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
