internal import Dispatch
internal import Synchronization

/// A request to stop that one thread raises and others see.
package final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Creates a flag that is not raised.
    package init() {}

    /// Whether a stop was requested.
    package var isRaised: Bool { flag.load(ordering: .relaxed) }

    /// Requests a stop; this cannot be undone.
    package func raise() { flag.store(true, ordering: .relaxed) }
}

/// Computes on a separate thread: computations of several seconds must not block the few threads that serve all tasks. If no
/// thread can be started, it computes in place: libdispatch would wait for one forever.
/// - Parameter work: receives the flag that cancellation of the surrounding task raises.
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
