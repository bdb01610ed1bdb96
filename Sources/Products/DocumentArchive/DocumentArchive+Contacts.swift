import Checksums
import ContactStore
import Documents
import Platform
import SQLiteDatabase

extension DocumentArchive {
    /// Adds the contacts of a store (`ContactBook`) as business cards, each with its values and its times of adding and
    /// changing; cards already in the archive stay unchanged. A store has no images, so these cards have none.
    /// - Parameter store: the store's file.
    /// - Returns: the number of cards added.
    /// - Throws: errors of `ContactBook.init(path:access:)`; `.fileAccess`, `.storageFull`.
    @discardableResult
    public func importing(contactsOf store: String) throws(FlatteningError) -> Int {
        let contacts = try ContactBook(path: store, access: .existing).contacts()
        let identified = try contacts.map { contact throws(FlatteningError) in
            (try Self.identifier(of: contact), contact)
        }
        return try bringing([]) { [path] database in
            var added = 0
            for (id, contact) in identified
            where try ArchivedDocument.row(of: id, in: database) == nil {
                _ = try Self.insert(
                    NewDocument(contact), files: [], id: id, added: contact.added, changed: contact.changed,
                    into: database, path: path)
                added += 1
            }
            return added
        }
    }

    /// Returns an identifier that stays the same however often the contact is edited or merged in its store: made from its
    /// number and its time of adding.
    private static func identifier(of contact: StoredContact) throws(FlatteningError) -> UUID {
        var hash = try SHA256()
        hash.update("contact \(contact.id) \(contact.added.timeIntervalSince1970)")
        let digits = Array(hash.digest().uppercased().utf8)
        var text = [UInt8]()
        for (place, digit) in digits.prefix(32).enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            // RFC 9562: version 8, for custom identifiers; the variant's digit is 8 to B.
            text.append(place == 12 ? UInt8(ascii: "8") : place == 16 ? UInt8(ascii: "A") : digit)
        }
        guard let id = UUID(uuidString: String(decoding: text, as: UTF8.self)) else {
            throw FlatteningError(.internalInconsistency, "a hash is no identifier", stage: .documents)
        }
        return id
    }

    /// Returns groups of cards that most likely belong to one person. Cards of colleagues do not, however much they have in
    /// common.
    package func sameContacts() throws(FlatteningError) -> [[ArchivedDocument]] {
        try reading { database in
            try Self.sameContacts(in: database).map { rows in
                try rows.map { row in
                    guard
                        let text = try database.rows(
                            "SELECT uuid FROM document WHERE id = ?", [.integer(row)]
                        ).first?.text(0),
                        let id = UUID(uuidString: text),
                        let document = try ArchivedDocument.fetch(id, from: database)
                    else { throw DamagedDatabase() }
                    return document
                }
            }
        }
    }

    /// Returns groups of rows of cards that most likely belong to one person.
    static func sameContacts(in database: Database) throws -> [[Int]] {
        var rows: [Int] = []
        var contacts: [[StoredValue]] = []
        for row in try database.rows(
            "SELECT id, uuid FROM document WHERE merged IS NULL AND kind = ? ORDER BY id",
            [.text(DocumentKind.businessCard.rawValue)])
        {
            guard let id = UUID(uuidString: try row.text(1)),
                let contact = try ArchivedDocument.fetch(id, from: database)?.contact
            else { throw DamagedDatabase() }
            rows.append(try row.integer(0))
            contacts.append(contact.values)
        }
        return Duplicates.groups(ofValues: contacts).map { $0.map { rows[$0] } }
    }
}

extension NewDocument {
    /// Creates a business card from a contact of a store.
    fileprivate init(_ contact: StoredContact) {
        self.init()
        read["kind"] = .init(DocumentKind.businessCard.rawValue, confidence: 1)
        for (name, value) in ContactValues.named(contact.values) {
            if value.confidence == nil { entered[name] = value.text } else { read[name] = value }
        }
        text = contact.values.map(\.printed).filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
