import Diagnostics
internal import Platform

/// The course of one flattening through its stages: before each, the limits are checked and the caller is told; after it, the
/// time it took is noted.
struct Course {
    let deadline: Deadline
    /// Whether the caller is told of stages; not while some are tried again.
    var isAnnounced = true
    private(set) var timings: [FlatteningReport.Timing] = []
    private let onStage: (ReceiptFlattener.Stage) -> Void

    /// - Parameters:
    ///   - timings: of the stages that went before.
    ///   - onStage: called before each stage.
    init(
        until deadline: Deadline, after timings: [FlatteningReport.Timing] = [],
        onStage: @escaping (ReceiptFlattener.Stage) -> Void
    ) {
        self.deadline = deadline
        self.timings = timings
        self.onStage = onStage
    }

    /// Runs a stage.
    /// - Throws: what `work` throws, `.timeout` and `.cancelled`.
    mutating func run<Result>(
        _ stage: ReceiptFlattener.Stage, _ work: () throws(FlatteningError) -> Result
    ) throws(FlatteningError) -> Result {
        try begin(stage)
        return try time(stage.rawValue, work)
    }

    /// Begins a stage whose parts are timed one by one.
    func begin(_ stage: ReceiptFlattener.Stage) throws(FlatteningError) {
        try deadline.check(before: stage.ofErrors)
        if isAnnounced { onStage(stage) }
    }

    /// Runs a part of a stage, and notes its time under a name of its own or again under the stage's.
    mutating func time<Result, Failure: Error>(
        _ name: String, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = ContinuousClock.now
        defer {
            let elapsed = ContinuousClock.now - start
            let milliseconds =
                Double(elapsed.components.seconds) * 1e3 + Double(elapsed.components.attoseconds) * 1e-15
            timings.append(.init(stage: name, milliseconds: (milliseconds * 100).rounded() / 100))
        }
        return try work()
    }
}

extension ReceiptFlattener.Stage {
    /// The stage as errors name it.
    var ofErrors: FlatteningError.Stage { .init(rawValue: rawValue) }
}
