internal import Platform
import Synchronization

/// Runs jobs on a few workers at once; each worker takes the next job as soon as it is free.
///
/// The longest jobs come first, so that no long job starts last and the workers end at about the same time.
/// - Parameter length: the duration of a job, relative to the others.
/// - Returns: the results in the order of the jobs.
/// - Throws: the error of the first job that fails, after all have ended.
package func shareOut<Job: Sendable, Worker: Sendable, Output: Sendable, Failure: Error>(
    _ jobs: [Job], among workers: [Worker], longestFirst length: (Job) -> Int,
    _ work: @Sendable (Job, Worker) throws(Failure) -> Output
) throws(Failure) -> [Output] {
    let lengths = jobs.map(length)
    let order = jobs.indices.sorted { (lengths[$1], $0) < (lengths[$0], $1) }
    let next = NextIndex()
    let done = concurrentMap(workers) { worker in
        var done: [(index: Int, result: Result<Output, Failure>)] = []
        while let index = next.take(from: order) {
            done.append((index, Result { () throws(Failure) in try work(jobs[index], worker) }))
        }
        return done
    }
    var outputs: [Output] = []
    outputs.reserveCapacity(jobs.count)
    for job in done.joined().sorted(by: { $0.index < $1.index }) { outputs.append(try job.result.get()) }
    return outputs
}

/// Runs jobs with one worker for each core.
package func shareOut<Job: Sendable, Output: Sendable, Failure: Error>(
    _ jobs: [Job], longestFirst length: (Job) -> Int,
    _ work: @Sendable (Job) throws(Failure) -> Output
) throws(Failure) -> [Output] {
    try shareOut(
        jobs, among: Array(0..<ProcessInfo.processInfo.activeProcessorCount), longestFirst: length
    ) { (job, _: Int) throws(Failure) in try work(job) }
}

private final class NextIndex: Sendable {
    private let taken = Atomic<Int>(0)

    func take(from order: [Int]) -> Int? {
        let place = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        return place < order.count ? order[place] : nil
    }
}
