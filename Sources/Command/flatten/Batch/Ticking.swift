import Parallelism
import Platform

/// Calls `tick` repeatedly, on a thread of its own, until it returns false. If the system provides no thread, `tick` is never
/// called, so use this only for optional work.
/// - Parameters:
///   - seconds: the wait before each call.
///   - tick: does the work; returns whether to repeat it.
func startTicking(every seconds: UInt32, _ tick: @escaping @Sendable () -> Bool) {
    startThread {
        repeat { sleep(seconds) } while tick()
    }
}
