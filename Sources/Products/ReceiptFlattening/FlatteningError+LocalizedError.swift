public import Diagnostics
public import Platform

extension FlatteningError: LocalizedError {
    /// The whole message, as `description` has it.
    public var errorDescription: String? { description }
    /// What was found and what would have been accepted.
    public var failureReason: String? {
        let facts = [seen.map { "seen: " + $0 }, allowed.map { "allowed: " + $0 }].compactMap(\.self)
        return facts.isEmpty ? nil : facts.joined(separator: "; ")
    }
    /// How to go on.
    public var recoverySuggestion: String? { advice }
}
