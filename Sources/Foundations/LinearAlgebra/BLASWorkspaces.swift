import Dispatch
import RuntimeLibraries
import Synchronization

/// Counts the OpenBLAS workspaces that memory was found for, so that no call runs without one.
///
/// OpenBLAS reserves and keeps a workspace for each concurrent call; if it cannot get one, it retries forever. A call beyond the
/// available workspaces waits for another to end.
final class BLASWorkspaces: Sendable {
    private struct State {
        var inUse = 0
        var known = 0
        /// The number of calls that wait for a workspace.
        var waiting = 0
    }

    private let state = Mutex(State())
    private let freed = DispatchSemaphore(value: 0)
    private let canReserve: @Sendable () -> Bool

    init(canReserve: @escaping @Sendable () -> Bool) { self.canReserve = canReserve }

    /// Takes a workspace; waits if all are in use and there is no memory for more. `leave` returns it.
    /// - Returns: false if there is no workspace and no call to wait for.
    func enter() -> Bool {
        while true {
            let isIn: Bool? = state.withLock { state in
                if state.inUse == state.known {
                    if canReserve() {
                        state.known += 1
                    } else if state.inUse == 0 {
                        return false
                    } else {
                        state.waiting += 1
                        return nil
                    }
                }
                state.inUse += 1
                return true
            }
            if let isIn { return isIn }
            freed.wait()
        }
    }

    /// Returns a workspace.
    func leave() {
        let wakes = state.withLock { state in
            state.inUse -= 1
            guard state.waiting > 0 else { return false }
            state.waiting -= 1
            return true
        }
        if wakes { freed.signal() }
    }
}
