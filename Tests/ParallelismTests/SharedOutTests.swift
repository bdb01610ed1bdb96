import Parallelism
import Synchronization
import Testing

@Suite("Jobs shared out among workers")
struct SharedOutTests {
    @Test("Every job is done once, and results come in the order of the jobs", arguments: 1...4)
    func everyJobOnce(workers: Int) {
        let counts = Mutex([Int: Int]())
        let results = shareOut(
            Array(0..<50), among: Array(0..<workers), longestFirst: { $0 * 7 % 13 }
        ) { job, _ in
            counts.withLock { $0[job, default: 0] += 1 }
            return job * job
        }
        #expect(results == (0..<50).map { $0 * $0 })
        #expect(counts.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, 1) }))
    }

    @Test("Without workers of one's own, cores take the jobs")
    func cores() throws {
        struct Odd: Error, Equatable { let job: Int }
        #expect(shareOut(Array(0..<50), longestFirst: { $0 }) { $0 + 1 } == Array(1...50))
        #expect(throws: Odd(job: 3)) {
            try shareOut([1, 2, 3, 4, 5], longestFirst: { $0 }) { job throws(Odd) in
                if job >= 3 { throw Odd(job: job) }
            }
        }
    }

    @Test("The longest jobs are begun first, equal ones in their order")
    func longestFirst() {
        let begun = Mutex([Int]())
        _ = shareOut([3, 21, 10, 22, 1], among: [()], longestFirst: { $0 / 10 }) { job, _ in
            begun.withLock { $0.append(job) }
        }
        #expect(begun.withLock { $0 } == [21, 22, 10, 3, 1])
    }

    @Test("A worker has one job at a time")
    func oneJobAtATime() {
        final class Worker: Sendable {
            let jobs = Atomic<Int>(0)
        }
        let most = Mutex(0)
        _ = shareOut(Array(0..<100), among: [Worker(), Worker()], longestFirst: { $0 }) { _, worker in
            let now = worker.jobs.wrappingAdd(1, ordering: .relaxed).newValue
            most.withLock { $0 = max($0, now) }
            worker.jobs.wrappingSubtract(1, ordering: .relaxed)
        }
        #expect(most.withLock { $0 } == 1)
    }

    @Test("Of several errors that of the first job is thrown, after all have ended")
    func firstError() throws {
        struct Odd: Error, Equatable { var value: Int }
        let ended = Atomic<Int>(0)
        #expect(throws: Odd(value: 3)) {
            _ = try shareOut([2, 3, 4, 5], among: [0, 1], longestFirst: { $0 }) { job, _ throws(Odd) in
                defer { ended.wrappingAdd(1, ordering: .relaxed) }
                if job % 2 == 1 { throw Odd(value: job) }
                return job
            }
        }
        #expect(ended.load(ordering: .relaxed) == 4)
    }

    @Test("Where there is nothing to do nobody works")
    func nothing() {
        #expect(shareOut([Int](), among: [0], longestFirst: { $0 }) { job, _ in job }.isEmpty)
    }
}
