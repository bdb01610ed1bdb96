internal import Platform
internal import Synchronization

#if !canImport(Darwin)
    /// Threads that help with loops: one for each further core, started when a loop first finds it missing, and kept.
    ///
    /// Whoever has a loop works through it too, and waits for nobody but helpers that have begun with it. So a loop ends also
    /// where the system gives no thread; libdispatch's `concurrentPerform` asks for one again and again, for ever.
    final class LoopHelpers: @unchecked Sendable {
        /// Those of this process.
        static let shared = LoopHelpers(
            count: ProcessInfo.processInfo.activeProcessorCount - 1)

        private let count: Int
        private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
        private let change = LockedCondition()
        // What follows is read and changed under the lock of `change`.
        private var started = 0
        /// Those that may have calls left, the innermost last.
        private var loops: [Loop] = []

        /// - Parameters:
        ///   - count: how many there are at most.
        ///   - start: starts a thread, if one can be had.
        init(
            count: Int,
            start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { startThread($0) }
        ) {
            self.count = count
            self.start = start
        }

        /// Calls `body` for 0 to `iterations` - 1, each once, on this thread and on those that help.
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
                // A helper may hold the loop a little longer, but not what it ran.
                loop.body = nil
                change.unlock()
            }
        }

        /// What a helper does for as long as the process lives.
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
            /// Set back by who has the loop once nobody works on it any more.
            var body: (@Sendable (Int) -> Void)?
            /// How many work on it besides; under the lock of `change`.
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
