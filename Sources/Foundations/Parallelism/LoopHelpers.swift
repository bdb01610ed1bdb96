internal import Platform
internal import Synchronization

#if !canImport(Darwin)
    /// Threads that help with loops: one for each further core, started when a loop first needs it, and kept.
    ///
    /// The thread that runs a loop works on it too, and waits only for helpers that have begun with it. So a loop also ends
    /// where the system gives no threads; libdispatch's `concurrentPerform` would ask for one again and again, forever.
    final class LoopHelpers: @unchecked Sendable {
        /// The helpers of this process.
        static let shared = LoopHelpers(
            count: ProcessInfo.processInfo.activeProcessorCount - 1)

        private let count: Int
        private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
        private let change = LockedCondition()
        // The following properties are read and changed under the lock of `change`.
        private var started = 0
        /// The loops that may have calls left, the innermost last.
        private var loops: [Loop] = []

        /// - Parameters:
        ///   - count: the largest number of helpers.
        ///   - start: starts a thread; returns whether that succeeded.
        init(
            count: Int,
            start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { startThread($0) }
        ) {
            self.count = count
            self.start = start
        }

        /// Calls `body` for 0 to `iterations` - 1, once each, on this thread and on the helpers.
        func run(iterations: Int, _ body: @Sendable (Int) -> Void) {
            withoutActuallyEscaping(body) { body in
                let loop = Loop(iterations, body)
                change.lock()
                while started < min(count, iterations - 1), start({ [self] in help() }) { started += 1 }
                loops.append(loop)
                change.broadcast()
                change.unlock()

                loop.work()

                change.lock()
                loops.removeAll { $0 === loop }
                while loop.helpers > 0 { change.wait() }
                // A helper may keep the loop object a little longer, but not the body.
                loop.body = nil
                change.unlock()
            }
        }

        /// The work of a helper, for the life of the process.
        private func help() {
            change.lock()
            while true {
                guard let loop = loops.last(where: \.hasMore) else {
                    change.wait()
                    continue
                }
                loop.helpers += 1
                change.unlock()
                loop.work()
                change.lock()
                loop.helpers -= 1
                if loop.helpers == 0 { change.broadcast() }
            }
        }

        private final class Loop: @unchecked Sendable {
            private let iterations: Int
            private let next = Atomic<Int>(0)
            /// Reset by the thread that runs the loop once nobody works on it any more.
            var body: (@Sendable (Int) -> Void)?
            /// The number of helpers that work on it; under the lock of `change`.
            var helpers = 0

            init(_ iterations: Int, _ body: @escaping @Sendable (Int) -> Void) {
                self.iterations = iterations
                self.body = body
            }

            var hasMore: Bool { next.load(ordering: .relaxed) < iterations }

            func work() {
                guard let body else { return }
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < iterations else { return }
                    body(index)
                }
            }
        }
    }
#endif
