import Dispatch
import RuntimeLibraries
import Synchronization

/// As many workspaces of OpenBLAS as memory has been found for: nobody calls it who might be the first without one.
///
/// OpenBLAS reserves a workspace for each of the calls that run at once, keeps it, and where it cannot have one asks again
/// for ever. A call beyond those that there are waits for another to end.
final class BLASWorkspaces: Sendable {
    private struct State {
        var inUse = 0
        var known = 0
        /// Calls that wait for one to be given back.
        var waiting = 0
    }

    private let state = Mutex(State())
    private let freed = DispatchSemaphore(value: 0)
    private let canReserve: @Sendable () -> Bool

    init(canReserve: @escaping @Sendable () -> Bool) { self.canReserve = canReserve }

    /// Takes a workspace, waiting for one if others have them all and there is no memory for more. `leave` gives it back.
    /// - Returns: false where there is none, and nobody to wait for.
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

    /// Gives a workspace back.
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
