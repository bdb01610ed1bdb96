public import Platform

/// A document in an archive: the values that were read, those that a person entered, and its files.
public struct ArchivedDocument: Identifiable, Codable, Hashable, Sendable {
    /// One value of a document.
    public struct Value: Codable, Hashable, Sendable {
        /// The value: ISO 8601 for days and times, a decimal point in amounts.
        public var text: String
        /// Probability that it is right, 0 to 1; nil for an entered value.
        public var confidence: Double?

        /// Creates a value with its confidence.
        public init(_ text: String, confidence: Double? = nil) {
            self.text = text
            self.confidence = confidence
        }
    }

    /// A file of a document; ``DocumentArchive/contents(of:)`` returns its content.
    public struct File: Codable, Hashable, Sendable {
        /// The role of a file in its document.
        public enum Role: String, CaseIterable, Codable, Hashable, Sendable {
            /// A file as it was received: a photograph, a PDF, a depth map.
            case original
            /// The flat image.
            case flat
            /// The searchable PDF of the flat image.
            case pdf
            /// The text with its positions, as JSON.
            case text
            /// A small version of the flat image.
            case thumbnail
        }

        /// The file's role in the document.
        public var role: Role
        /// The file's original name.
        public var name: String
        /// SHA-256 of its content, 64 hexadecimal digits.
        public var hash: String
        /// Its length in bytes.
        public var byteCount: Int
    }

    /// The identifier, which never changes, not even in copies and exports.
    public let id: UUID
    /// When it was added to the archive.
    public let added: Date
    /// When it last changed.
    public internal(set) var changed: Date
    /// The values that were read, by the names of the report's fields, and "kind". A business card also has "name",
    /// "given_name", "family_name", "organisation", "title", "phone", "mobile", "fax", "email", "web" and "address", with
    /// further values as "phone_2".
    public internal(set) var read: [String: Value]
    /// The values that a person entered, by the same names or names of their own.
    public internal(set) var entered: [String: String]
    /// Words to find it by, sorted.
    public internal(set) var tags: [String]
    /// A person's notes.
    public internal(set) var notes: String
    /// The printed text, row by row.
    public internal(set) var text: String
    /// The contents of its bar codes.
    public internal(set) var codes: [String]
    /// The report of its flattening, as JSON.
    public internal(set) var report: String
    /// The program and version that read the document.
    public internal(set) var program: String
    /// Its files, the originals first.
    public internal(set) var files: [File]
    /// The recipients of exports, each with the time of the last one: ``DocumentArchive/noteExport(of:to:date:)``.
    public package(set) var exported: [String: Date] = [:]

    /// The values that count: those that were entered and, for all other names, those that were read.
    public var values: [String: Value] { read.merging(entered.mapValues { Value($0) }) { $1 } }

    /// The properties shown in a list.
    public var summary: ArchivedSummary {
        let values = values
        return ArchivedSummary(
            id: id, kind: values["kind"]?.text, merchant: values["merchant"]?.text,
            day: values["date"].flatMap { ArchiveQuery.isDay($0.text) ? $0.text : nil },
            total: values["total"]?.text, currency: values["currency"]?.text,
            name: values["name"]?.text ?? values["organisation"]?.text, category: values["category"]?.text,
            added: added)
    }

    /// Returns the files with a role.
    public func files(_ role: File.Role) -> [File] { files.filter { $0.role == role } }
}

extension ArchivedDocument {
    /// Decodes a document, also one encoded by versions without the record of exports.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(UUID.self, forKey: .id)
        added = try values.decode(Date.self, forKey: .added)
        changed = try values.decode(Date.self, forKey: .changed)
        read = try values.decode([String: Value].self, forKey: .read)
        entered = try values.decode([String: String].self, forKey: .entered)
        tags = try values.decode([String].self, forKey: .tags)
        notes = try values.decode(String.self, forKey: .notes)
        text = try values.decode(String.self, forKey: .text)
        codes = try values.decode([String].self, forKey: .codes)
        report = try values.decode(String.self, forKey: .report)
        program = try values.decode(String.self, forKey: .program)
        files = try values.decode([File].self, forKey: .files)
        exported = try values.decodeIfPresent([String: Date].self, forKey: .exported) ?? [:]
    }
}

/// The properties of a document that a list shows.
public struct ArchivedSummary: Identifiable, Codable, Hashable, Sendable {
    /// The document's identifier.
    public let id: UUID
    /// The kind of document: "receipt", "invoice" ...; nil if not known, like the properties below.
    public let kind: String?
    /// The seller.
    public let merchant: String?
    /// The day printed on it, ISO 8601.
    public let day: String?
    /// The total, a decimal number with its currency's digits.
    public let total: String?
    /// The total's currency, ISO 4217.
    public let currency: String?
    /// The name on a business card: the person's, or the company's.
    public let name: String?
    /// The kind of goods: "groceries", "restaurant" ...
    public let category: String?
    /// When the document was added to the archive.
    public let added: Date
}
