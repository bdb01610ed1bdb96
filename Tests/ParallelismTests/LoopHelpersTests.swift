#if !canImport(Darwin)
    import Synchronization
    import Testing

    @testable import Parallelism

    @Suite struct LoopHelpersTests {
        private func counts(_ helpers: LoopHelpers, _ iterations: Int) -> [Int] {
            let counts = Mutex([Int](repeating: 0, count: iterations))
            helpers.run(iterations: iterations) { index in counts.withLock { $0[index] += 1 } }
            return counts.withLock { $0 }
        }

        @Test("Each call is made once, whoever makes it", arguments: [0, 1, 3], [0, 1, 2, 1000])
        func eachOnce(helpers: Int, iterations: Int) {
            #expect(
                counts(LoopHelpers(count: helpers), iterations) == [Int](repeating: 1, count: iterations))
        }

        @Test("Without a thread to be had a loop is run by who has it, and the next one asks again")
        func withoutThreads() {
            let asked = Mutex(0)
            let helpers = LoopHelpers(count: 3) { body in
                asked.withLock { $0 += 1 }
                return asked.withLock { $0 > 2 } ? startThread(body) : false
            }
            #expect(counts(helpers, 10) == [Int](repeating: 1, count: 10))
            #expect(asked.withLock { $0 } == 1)
            #expect(counts(helpers, 10) == [Int](repeating: 1, count: 10))
            #expect(counts(helpers, 10) == [Int](repeating: 1, count: 10))
            #expect(asked.withLock { $0 } == 5, "three threads in the end, and two refusals before")
            #expect(counts(helpers, 10) == [Int](repeating: 1, count: 10))
            #expect(asked.withLock { $0 } == 5)
        }

        @Test("Loops within loops, of several threads at once, all end")
        func nested() async {
            final class Sum: Sendable {
                let value = Atomic<Int>(0)
            }
            let (helpers, sum) = (LoopHelpers(count: 2), Sum())
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        helpers.run(iterations: 20) { _ in
                            helpers.run(iterations: 20) { _ in sum.value.wrappingAdd(1, ordering: .relaxed) }
                        }
                    }
                }
            }
            #expect(sum.value.load(ordering: .relaxed) == 4 * 20 * 20)
        }
    }
#endif
