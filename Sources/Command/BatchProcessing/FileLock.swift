internal import Platform

/// flock(2), with results for file systems that have no locks.
enum FileLock {
    enum Outcome {
        case taken
        /// Another process has it.
        case held
        /// Locks are not available: some network and user-space file systems have none.
        case unsupported
    }

    /// Number of attempts for a lock that is held, and the pause between them in microseconds: a process that only checks
    /// whether a batch runs holds its lock for an instant.
    private static let (tries, pause) = (20, UInt32(50_000))

    /// - Parameter mode: LOCK_EX or LOCK_SH.
    static func take(_ descriptor: Int32, _ mode: Int32) -> Outcome {
        for attempt in 1...tries {
            let outcome = takeNow(descriptor, mode)
            guard case .held = outcome, attempt < tries else { return outcome }
            usleep(pause)
        }
        return .held
    }

    /// As `take`, without waiting.
    static func takeNow(_ descriptor: Int32, _ mode: Int32) -> Outcome {
        while flock(descriptor, mode | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return .held
            default: return .unsupported
            }
        }
        return .taken
    }
}
