public import Documents
public import Platform

/// A contact in a store.
public struct StoredContact: Identifiable, Codable, Hashable, Sendable {
    /// A photograph that a contact was read from.
    public struct Picture: Codable, Hashable, Sendable {
        /// A hash of its content; equal for equal photographs only.
        public var hash: String
        /// The name of the file.
        public var name: String

        /// A photograph from its hash and its file's name.
        public init(hash: String, name: String) {
            self.hash = hash
            self.name = name
        }
    }

    /// Its number in the store: 1 or more, never given twice.
    public let id: Int
    /// All known values, field by field; the most important comes first. After a merge there may be several organisations,
    /// titles and addresses.
    public let values: [StoredValue]
    /// The photographs that it was read from.
    public let pictures: [Picture]
    /// When it came into the store.
    public let added: Date
    /// When it last changed.
    public let changed: Date

    /// The contact, with the first organisation, title and address.
    public var contact: Contact { Contact(values) }

    /// Returns the first value of a field as text; nil if there is none.
    public func text(of field: StoredValue.Field) -> String? {
        values.first { $0.field == field }?.text
    }
}
