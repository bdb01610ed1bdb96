import SheetGuidance

/// Finds the moment for an automatic photograph: when guidance has said `ready` of one sheet for long enough, without a
/// break.
struct ReadyMoment {
    /// The required duration, in seconds.
    private let seconds: Double
    /// The assumed interval in seconds between frames whose time stamps do not give one.
    private let assumedInterval: Double
    /// How long, in seconds, guidance has said `ready`, and of which sheet; nil while it does not.
    private var held: (seconds: Double, sheet: Int?)?
    private var lastTime: Double?

    /// Tolerance in seconds for the sum of intervals: fifteenths of a second add up to a half only within rounding.
    private static let rounding = 1e-9

    init(seconds: Double, assumedInterval: Double) {
        self.seconds = seconds
        self.assumedInterval = assumedInterval
    }

    /// Whether the moment has come with the next frame's guidance.
    mutating func hasCome(with guidance: ReceiptGuidance) -> Bool {
        let interval = interval(until: guidance.timestamp)
        lastTime = guidance.timestamp
        guard guidance.advice == .ready else {
            held = nil
            return false
        }
        let before = held.flatMap { $0.sheet == guidance.sheet?.id ? $0.seconds + interval : nil }
        held = (before ?? 0, guidance.sheet?.id)
        return (before ?? 0) >= seconds - Self.rounding
    }

    private func interval(until time: Double?) -> Double {
        guard let time, let lastTime, time > lastTime else { return assumedInterval }
        return time - lastTime
    }
}
