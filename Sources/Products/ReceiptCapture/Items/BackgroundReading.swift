import Diagnostics
import Synchronization

/// One reading at a time, away from who asks for it.
///
/// Nothing waits in line: who finds it busy leaves a frame out, so that the next reading is of the newest frame. The reading
/// is cancelled when this object goes.
final class BackgroundReading: Sendable {
    typealias Outcome = Result<FrameReading, FlatteningError>

    private enum State {
        case idle
        case busy(Task<Void, Never>)
        case ended(Outcome)
    }

    /// Kept apart, so that a reading under way does not keep this object.
    private final class Board: Sendable {
        let state = Mutex(State.idle)
    }

    private let board = Board()

    deinit { cancel() }

    /// Whether no reading is under way, nor one left to be taken.
    var isIdle: Bool {
        board.state.withLock { if case .idle = $0 { true } else { false } }
    }

    /// Begins a reading. Only when idle.
    func begin(_ read: @escaping @Sendable () async throws(FlatteningError) -> FrameReading) {
        let board = board
        board.state.withLock { state in
            guard case .idle = state else { return }
            state = .busy(
                Task(priority: .utility) {
                    let outcome: Outcome
                    do throws(FlatteningError) {
                        outcome = .success(try await read())
                    } catch {
                        outcome = .failure(error)
                    }
                    board.state.withLock { $0 = Task.isCancelled ? .idle : .ended(outcome) }
                })
        }
    }

    /// What has been read, once; nil while a reading is under way, and when there was none.
    func take() -> Outcome? {
        board.state.withLock { state in
            guard case .ended(let outcome) = state else { return nil }
            state = .idle
            return outcome
        }
    }

    /// Waits until no reading is under way; the surrounding task's cancellation cancels it.
    func waitUntilEnded() async {
        let task = board.state.withLock { state -> Task<Void, Never>? in
            if case .busy(let task) = state { task } else { nil }
        }
        guard let task else { return }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends a reading that is under way; what it read is not kept.
    func cancel() {
        board.state.withLock { if case .busy(let task) = $0 { task.cancel() } }
    }
}
