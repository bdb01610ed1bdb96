internal import Dispatch
internal import Synchronization

/// A wish to stop that one thread raises and others see.
package final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// A flag that is not raised.
    package init() {}

    /// Whether somebody wishes to stop.
    package var isRaised: Bool { flag.load(ordering: .relaxed) }

    /// Wishes to stop; there is no way back.
    package func raise() { flag.store(true, ordering: .relaxed) }
}

/// Computes on a thread of its own: seconds of computing do not belong on the few threads that serve all tasks. Where the
/// system gives none, it computes in place: libdispatch would wait for one for ever.
/// - Parameter work: is handed the flag that the surrounding task's cancellation raises.
package func computeDetached<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (_ stop: CancellationFlag) throws(Failure) -> Value
) async throws(Failure) -> Value {
    let stop = CancellationFlag()
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            let compute: @Sendable () -> Void = {
                continuation.resume(returning: Result { () throws(Failure) in try work(stop) })
            }
            if startThread({}) {
                DispatchQueue.global(qos: .userInitiated).async(execute: compute)
            } else {
                compute()
            }
        }
    } onCancel: {
        stop.raise()
    }
    return try result.get()
}
