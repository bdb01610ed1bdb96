public import Platform

/// A document in an archive: what was read of it, what a person entered, and its files.
public struct ArchivedDocument: Identifiable, Codable, Hashable, Sendable {
    /// One thing that is known of a document.
    public struct Value: Codable, Hashable, Sendable {
        /// The value: ISO 8601 for days and times, a decimal point in amounts.
        public var text: String
        /// How likely it is right, 0 to 1; nil for what a person entered.
        public var confidence: Double?

        /// A value with its confidence.
        public init(_ text: String, confidence: Double? = nil) {
            self.text = text
            self.confidence = confidence
        }
    }

    /// A file that belongs to a document; its content is ``DocumentArchive/contents(of:)``.
    public struct File: Codable, Hashable, Sendable {
        /// What a file is to its document.
        public enum Role: String, CaseIterable, Codable, Hashable, Sendable {
            /// As it came: a photograph, a PDF, a depth map.
            case original
            /// The flat image.
            case flat
            /// The searchable PDF of the flat image.
            case pdf
            /// The text with its places, as JSON.
            case text
            /// The flat image, small.
            case thumbnail
        }

        /// What it is to the document.
        public var role: Role
        /// What it was called.
        public var name: String
        /// SHA-256 of its content, 64 hexadecimal digits.
        public var hash: String
        /// Its length.
        public var byteCount: Int
    }

    /// The same for ever, also in copies and exports.
    public let id: UUID
    /// When it came into the archive.
    public let added: Date
    /// When it last changed.
    public internal(set) var changed: Date
    /// What was read, by the names of the report's fields, and "kind". Of a business card also "name", "given_name", "family_name",
    /// "organisation", "title", "phone", "mobile", "fax", "email", "web" and "address", further ones as "phone_2".
    public internal(set) var read: [String: Value]
    /// What a person entered, by the same names or own ones.
    public internal(set) var entered: [String: String]
    /// Words to find it by, sorted.
    public internal(set) var tags: [String]
    /// What a person wrote about it.
    public internal(set) var notes: String
    /// What is printed on it, row by row.
    public internal(set) var text: String
    /// What its bar codes say.
    public internal(set) var codes: [String]
    /// The report of its flattening, as JSON.
    public internal(set) var report: String
    /// The program and version that read it.
    public internal(set) var program: String
    /// Its files, the originals first.
    public internal(set) var files: [File]
    /// To whom it was exported, each with when last: ``DocumentArchive/noteExport(of:to:date:)``.
    public package(set) var exported: [String: Date] = [:]

    /// What is known: what was entered, and what was read where nothing was.
    public var values: [String: Value] { read.merging(entered.mapValues { Value($0) }) { $1 } }

    /// What a list shows of it.
    public var summary: ArchivedSummary {
        let values = values
        return ArchivedSummary(
            id: id, kind: values["kind"]?.text, merchant: values["merchant"]?.text,
            day: values["date"].flatMap { ArchiveQuery.isDay($0.text) ? $0.text : nil },
            total: values["total"]?.text, currency: values["currency"]?.text,
            name: values["name"]?.text ?? values["organisation"]?.text, category: values["category"]?.text,
            added: added)
    }

    /// The files of a role.
    public func files(_ role: File.Role) -> [File] { files.filter { $0.role == role } }
}

extension ArchivedDocument {
    /// A document as it is encoded, also by versions that did not know of exports.
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

/// What a list shows of a document.
public struct ArchivedSummary: Identifiable, Codable, Hashable, Sendable {
    /// The document's.
    public let id: UUID
    /// What it is: "receipt", "invoice" ...; nil where that is not known, as below.
    public let kind: String?
    /// Who sold.
    public let merchant: String?
    /// The day printed on it, ISO 8601.
    public let day: String?
    /// The sum, a decimal with its currency's digits.
    public let total: String?
    /// The sum's currency, ISO 4217.
    public let currency: String?
    /// Of a business card whom it is of: the person, or the firm.
    public let name: String?
    /// What is sold: "groceries", "restaurant" ...
    public let category: String?
    /// When it came into the archive.
    public let added: Date
}
