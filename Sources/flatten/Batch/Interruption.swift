import Foundation

/// A last word when somebody ends the batch; then the process ends as it would have.
struct Interruption {
    private let signals: sigset_t
    /// Held from the signal to the end of the process.
    private let ending = NSLock()

    /// Made before other threads are: each inherits that it is not the one that signals end.
    init(_ lastWord: @escaping @Sendable () -> Void) {
        var signals = sigset_t()
        sigemptyset(&signals)
        // Who starts a batch with nohup wants it to go on.
        for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) { sigaddset(&signals, number) }
        self.signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread { [signals, ending] in
            var (signals, number) = (signals, Int32(0))
            while sigwait(&signals, &number) != 0 {}
            ending.lock()
            // A standard error that takes nothing must not keep the process alive.
            let hasSpoken = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                lastWord()
                hasSpoken.signal()
            }
            _ = hasSpoken.wait(timeout: .now() + Self.patience)
            signal(number, SIG_DFL)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            kill(getpid(), number)
        }
    }

    /// Seconds that the last word may take.
    private static let patience = 1.0

    /// Lets signals end the process again without a word. After a signal it does not return: what the last word ended has
    /// no result, and the process ends by the signal.
    func end() {
        ending.lock()
        defer { ending.unlock() }
        var signals = signals
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
