import Dispatch
import Synchronization

/// Tells a caller how much of the reading of a page is done.
///
/// Told on a queue of its own, one call after the other, so that a caller's code never runs under the locks of an engine or
/// inside it. The share never falls.
final class ReadingProgress: Sendable {
    private let last = Mutex(0.0)
    private let listener: @Sendable (Double) -> Void
    private let queue = DispatchQueue(label: "receipt-flattening.reading-progress")

    init(_ listener: @escaping @Sendable (Double) -> Void) {
        self.listener = listener
    }

    /// Tells the share of the page that has been read, 0 to 1.
    func tell(_ share: Double) {
        last.withLock { last in
            // The last step belongs to `end`: what remains after the last row is done by then too.
            guard share >= last, share < 1 else { return }
            last = share
            queue.async { [listener] in listener(share) }
        }
    }

    /// Returns when all has been told; after a reading that succeeded the last is 1.
    func end(succeeded: Bool) {
        if succeeded { queue.async { [listener] in listener(1) } }
        queue.sync {}
    }
}
