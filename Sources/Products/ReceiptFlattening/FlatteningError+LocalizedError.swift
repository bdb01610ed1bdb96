public import Diagnostics
public import Platform

extension FlatteningError: LocalizedError {
    /// The whole message, the same as `description`.
    public var errorDescription: String? { description }
    /// What was seen, and what would have been accepted.
    public var failureReason: String? {
        let facts = [seen.map { "seen: " + $0 }, allowed.map { "allowed: " + $0 }].compactMap(\.self)
        return facts.isEmpty ? nil : facts.joined(separator: "; ")
    }
    /// What to do next.
    public var recoverySuggestion: String? { advice }
}
