import Diagnostics
import TextRecognition

/// The deadline of a flattening and the caller's cancellation, checked between stages.
struct Deadline: Sendable {
    /// The deadline; nil if there is no limit.
    let end: ContinuousClock.Instant?
    /// Whether the caller has cancelled.
    let isCancelled: @Sendable () -> Bool
    private let limit: Duration?

    init(after limit: Duration?, isCancelled: @escaping @Sendable () -> Bool) {
        self.limit = limit
        self.isCancelled = isCancelled
        end = limit.map { ContinuousClock.now + $0 }
    }

    /// The same limits for the reading of text.
    func readingContext(onProgress: (@Sendable (Double) -> Void)? = nil) -> ReadingContext {
        ReadingContext(deadline: end, isCancelled: isCancelled, onProgress: onProgress)
    }

    /// Whether the time is used up or the caller has cancelled.
    var isOver: Bool { isCancelled() || end.map { ContinuousClock.now >= $0 } ?? false }

    /// Throws `.timeout` if the time is used up and `.cancelled` if the caller has cancelled.
    func check(before stage: FlatteningError.Stage) throws(FlatteningError) {
        if isCancelled() { throw FlatteningError(.cancelled, "cancelled before \(stage)", stage: stage) }
        if let end, ContinuousClock.now >= end {
            throw FlatteningError(
                .timeout, "the time allowed was used up before \(stage)", stage: stage,
                allowed: limit.map { "\($0)" },
                advice: "Allow more time, or ask for less: no text, a lower resolution")
        }
    }
}
