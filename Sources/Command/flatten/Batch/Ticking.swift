import Parallelism
import Platform

/// Does something time and again, on a thread of its own, until it says that there will be no more. Where the system gives no
/// thread it is never done: this is for what is welcome, not for what is needed.
/// - Parameters:
///   - seconds: from one time to the next.
///   - tick: what is done; whether it is to be done again.
func startTicking(every seconds: UInt32, _ tick: @escaping @Sendable () -> Bool) {
    startThread {
        repeat { sleep(seconds) } while tick()
    }
}
