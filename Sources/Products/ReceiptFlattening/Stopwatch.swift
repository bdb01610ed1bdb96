internal import Platform

/// Wall-clock time by stage.
struct Stopwatch {
    private(set) var timings: [FlatteningReport.Timing] = []

    /// Runs `work` and notes how long it took.
    mutating func time<Result, Failure: Error>(
        _ stage: String, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = ContinuousClock.now
        defer {
            let elapsed = ContinuousClock.now - start
            let milliseconds =
                Double(elapsed.components.seconds) * 1e3 + Double(elapsed.components.attoseconds) * 1e-15
            timings.append(.init(stage: stage, milliseconds: (milliseconds * 100).rounded() / 100))
        }
        return try work()
    }
}
