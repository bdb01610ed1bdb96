import Foundation
import RuntimeLibraries

/// As many workspaces of OpenBLAS as memory has been found for: nobody calls it who might be the first without one.
///
/// OpenBLAS reserves a workspace for each of the calls that run at once, keeps it, and where it cannot have one asks again
/// for ever. A call beyond those that there are waits for another to end.
final class BLASWorkspaces: @unchecked Sendable {
    // Both are touched under the condition's lock only.
    private let condition = NSCondition()
    private var inUse = 0
    private var known = 0
    private let canReserve: @Sendable () -> Bool

    init(canReserve: @escaping @Sendable () -> Bool) { self.canReserve = canReserve }

    /// Takes a workspace, waiting for one if others have them all and there is no memory for more. `leave` gives it back.
    /// - Returns: false where there is none, and nobody to wait for.
    func enter() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while inUse == known {
            if canReserve() {
                known += 1
            } else if inUse == 0 {
                return false
            } else {
                condition.wait()
            }
        }
        inUse += 1
        return true
    }

    /// Gives a workspace back.
    func leave() {
        condition.lock()
        inUse -= 1
        condition.signal()
        condition.unlock()
    }
}
