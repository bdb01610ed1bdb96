import Parallelism
import Dispatch
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

    /// Made before other threads are: each inherits that it is not the one that signals end.
    /// - Parameters:
    ///   - grace: seconds; with 0 there is none.
    ///   - windDown: called with the first signal that gives a grace.
    ///   - lastWord: called before the process ends.
    init(grace: Double, windDown: @escaping @Sendable () -> Void, lastWord: @escaping @Sendable () -> Void) {
        var signals = sigset_t()
        sigemptyset(&signals)
        // Who starts a batch with nohup wants it to go on.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] where !Self.isIgnored(number) {
            sigaddset(&signals, number)
        }
        self.signals = SignalSet(signals: signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        startThread { [self] in
            var number = wait()
            let isGentle = [SIGTERM, SIGUSR1].contains(number)
            if isGentle, grace > 0 {
                Self.speak(windDown)
                startThread { [self] in
                    sleep(UInt32(grace.rounded(.up)))
                    if !isOver.load(ordering: .relaxed) { kill(getpid(), SIGTERM) }
                }
                number = wait()
            }
            ending.wait()
            Self.speak(lastWord)
            if isGentle, [SIGTERM, SIGUSR1].contains(number) { ProgramEnd.exit(ExitReason.timeout.rawValue) }
            signal(number, SIG_DFL)
            var signals = self.signals.signals
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            kill(getpid(), number)
        }
    }

    private func wait() -> Int32 {
        var (signals, number) = (signals.signals, Int32(0))
        while sigwait(&signals, &number) != 0 {}
        return number
    }

    /// Runs something that says a word. A standard error that takes nothing must not keep the process alive.
    private static func speak(_ word: @escaping @Sendable () -> Void) {
        let hasSpoken = DispatchSemaphore(value: 0)
        startThread {
            word()
            hasSpoken.signal()
        }
        _ = hasSpoken.wait(timeout: .now() + Self.patience)
    }

    /// Seconds that a word may take.
    private static let patience = 1.0

    /// Lets signals end the process again without a word. After a last word it does not return: what that ended has no
    /// result, and the process ends by the signal.
    func end() {
        ending.wait()
        defer { ending.signal() }
        isOver.store(true, ordering: .relaxed)
        var signals = signals.signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
