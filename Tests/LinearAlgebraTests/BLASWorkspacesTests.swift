import Foundation
import Synchronization
import Testing

@testable import LinearAlgebra

@Suite struct BLASWorkspacesTests {
    @Test func withoutMemoryTheFirstCallerIsRefusedAndTheNextTriesAgain() {
        let hasMemory = Mutex(false)
        let workspaces = BLASWorkspaces { hasMemory.withLock(\.self) }
        #expect(!workspaces.enter())
        hasMemory.withLock { $0 = true }
        #expect(workspaces.enter())
        hasMemory.withLock { $0 = false }
        workspaces.leave()
        // What has been reserved is kept.
        #expect(workspaces.enter())
    }

    @Test func noMoreCallersAreInsideThanThereIsMemoryFor() {
        let left = Mutex(2)
        let workspaces = BLASWorkspaces {
            left.withLock { left in
                guard left > 0 else { return false }
                left -= 1
                return true
            }
        }
        let inside = Mutex((now: 0, most: 0))
        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            #expect(workspaces.enter())
            inside.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            inside.withLock { $0.now -= 1 }
            workspaces.leave()
        }
        #expect(inside.withLock(\.most) <= 2 && inside.withLock(\.now) == 0)
    }
}
