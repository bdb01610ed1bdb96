import Diagnostics
import Synchronization

/// Runs one reading at a time in the background.
///
/// There is no queue: a caller that finds it busy skips a frame, so the next reading is always of the newest frame. The
/// reading is cancelled when this object is released.
final class BackgroundReading: Sendable {
    typealias Outcome = Result<FrameReading, FlatteningError>

    private enum State {
        case idle
        case busy(Task<Void, Never>)
        case ended(Outcome)
    }

    /// A separate object, so that a running reading does not keep the outer object alive.
    private final class Board: Sendable {
        let state = Mutex(State.idle)
    }

    private let board = Board()

    deinit { cancel() }

    /// Whether no reading is running and no result is waiting to be taken.
    var isIdle: Bool {
        board.state.withLock { if case .idle = $0 { true } else { false } }
    }

    /// Begins a reading. Does nothing unless idle.
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

    /// Returns the result of a reading, once; nil while a reading is running, and if there was none.
    func take() -> Outcome? {
        board.state.withLock { state in
            guard case .ended(let outcome) = state else { return nil }
            state = .idle
            return outcome
        }
    }

    /// Waits until no reading is running; cancelling the surrounding task cancels the reading.
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

    /// Cancels a running reading; its result is not kept.
    func cancel() {
        board.state.withLock { if case .busy(let task) = $0 { task.cancel() } }
    }
}
