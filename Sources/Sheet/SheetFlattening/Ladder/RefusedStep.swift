/// A step of the ladder that was not taken, and why.
public struct RefusedStep: Codable, Equatable, Sendable {
    /// The step: "depth", "freeform", "edges", "corners" ...
    public var step: String
    /// Why it was not taken, in one sentence.
    public var reason: String

    /// A refusal.
    package init(step: String, reason: String) {
        self.step = step
        self.reason = reason
    }
}
