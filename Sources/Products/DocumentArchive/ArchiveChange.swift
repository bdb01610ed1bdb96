/// A person's change to a document.
public struct ArchiveChange: Sendable {
    /// Values by the names of the report's fields, "kind", or names of your own; nil removes the entered value, so that the
    /// value that was read counts again.
    public var values: [String: String?] = [:]
    /// Tags to add.
    public var addedTags: [String] = []
    /// Tags to remove.
    public var removedTags: [String] = []
    /// The new notes; nil leaves them unchanged.
    public var notes: String?

    /// Creates a change of values, or an empty change.
    public init(values: [String: String?] = [:]) { self.values = values }
}
