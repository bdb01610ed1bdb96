import SheetGuidance

/// The moment at which a photograph is taken that nobody releases: guidance has said `ready` of one sheet for long enough,
/// without a break.
struct ReadyMoment {
    /// How long that is, in seconds.
    private let seconds: Double
    /// Seconds between frames whose time stamps do not tell.
    private let assumedInterval: Double
    /// For how many seconds it has been said, and of which sheet; nil while it is not said.
    private var held: (seconds: Double, sheet: Int?)?
    private var lastTime: Double?

    /// Seconds that a sum of intervals may lack: fifteenths of a second reach a half but for rounding.
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
