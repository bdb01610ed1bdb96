import Diagnostics
import TextRecognition

/// The moment by which a flattening must be done, and the caller's wish to stop, asked between stages.
struct Deadline: Sendable {
    /// The moment; nil if there is no limit.
    let end: ContinuousClock.Instant?
    /// Whether the caller wishes to stop.
    let isCancelled: @Sendable () -> Bool
    private let limit: Duration?

    init(after limit: Duration?, isCancelled: @escaping @Sendable () -> Bool) {
        self.limit = limit
        self.isCancelled = isCancelled
        end = limit.map { ContinuousClock.now + $0 }
    }

    /// The same for the reading of text.
    func readingContext(onProgress: (@Sendable (Double) -> Void)? = nil) -> ReadingContext {
        ReadingContext(deadline: end, isCancelled: isCancelled, onProgress: onProgress)
    }

    /// Whether the time is used up, or the caller wishes to stop.
    var isOver: Bool { isCancelled() || end.map { ContinuousClock.now >= $0 } ?? false }

    /// Throws `.timeout` once the time is used up and `.cancelled` once the caller wishes to stop.
    func check(before stage: String) throws(FlatteningError) {
        if isCancelled() {
            throw FlatteningError(.cancelled, "cancelled before \(stage)", stage: .init(rawValue: stage))
        }
        if let end, ContinuousClock.now >= end {
            throw FlatteningError(
                .timeout, "the time allowed was used up before \(stage)", stage: .init(rawValue: stage),
                allowed: limit.map { "\($0)" },
                advice: "Allow more time, or ask for less: no text, a lower resolution")
        }
    }
}
