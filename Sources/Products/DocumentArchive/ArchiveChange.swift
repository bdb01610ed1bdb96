/// What a person changes of a document.
public struct ArchiveChange: Sendable {
    /// Values by the names of the report's fields, "kind", or own names; nil takes back what was entered, so that what was read holds
    /// again.
    public var values: [String: String?] = [:]
    /// Tags that it gets.
    public var addedTags: [String] = []
    /// Tags that it loses.
    public var removedTags: [String] = []
    /// Its notes; nil leaves them.
    public var notes: String?

    /// A change of values, or of nothing.
    public init(values: [String: String?] = [:]) { self.values = values }
}
