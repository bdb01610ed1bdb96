internal import Synchronization

/// The current state and its observers.
final class StateBoard: Sendable {
    private struct Content {
        var state = ReceiptCaptureState.idle
        var observers: [Int: AsyncStream<ReceiptCaptureState>.Continuation] = [:]
        var lastNumber = 0
    }

    private let content = Mutex(Content())

    /// The current state.
    var current: ReceiptCaptureState { content.withLock(\.state) }

    /// Changes the state. Observers are notified under the lock, so that all see the same order.
    func post(_ state: ReceiptCaptureState) {
        content.withLock { content in
            content.state = state
            for observer in content.observers.values { observer.yield(state) }
        }
    }

    /// A stream of the current state and of every change.
    func observe() -> AsyncStream<ReceiptCaptureState> {
        let (stream, continuation) = AsyncStream.makeStream(of: ReceiptCaptureState.self)
        let number = content.withLock { content in
            content.lastNumber += 1
            content.observers[content.lastNumber] = continuation
            continuation.yield(content.state)
            return content.lastNumber
        }
        continuation.onTermination = { [weak self] _ in
            self?.content.withLock { content in _ = content.observers.removeValue(forKey: number) }
        }
        return stream
    }

    deinit {
        content.withLock { content in
            for observer in content.observers.values { observer.finish() }
        }
    }
}
