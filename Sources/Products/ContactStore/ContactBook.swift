public import Diagnostics
public import Documents
public import Platform
import Synchronization
import LocalFiles
import SQLiteDatabase

/// Contacts in one file, searched by words and parts of words.
///
/// ```swift
/// let book = try ContactBook(path: "contacts.store")
/// try book.add(contact)
/// for found in try book.search("hub acme") { print(found.id, found.text(of: .name) ?? "") }
/// ```
///
/// The file is an SQLite database in WAL mode: while it is open, files of the same name with `-wal` and `-shm` lie beside it.
/// Several programs may have it open; one that waits longer than `patience` for another gets an error. A new file is readable
/// only by its owner. Removed content is overwritten in the file; older blocks kept by a file system, and backups, are beyond
/// reach.
public final class ContactBook: Sendable {
    /// The access to a store.
    public enum Access: Sendable {
        /// Reading and changing; a missing file is created.
        case creating
        /// Reading and changing an existing store.
        case existing
    }

    /// The file, as the caller named it.
    public let path: String
    private let database: Mutex<Database>

    /// How long to wait for another program, in seconds: longer than any of our changes takes, and short enough for a person to
    /// wait.
    static let patience = 5.0

    /// Opens a store, and updates one of an earlier version.
    /// - Throws: `.fileAccess` for a file that is missing, cannot be opened or is kept locked by another program; `.badInput`
    ///   for a file that is no store or is damaged; `.unsupported` for a store of a later version.
    public init(path: String, access: Access = .creating) throws(FlatteningError) {
        self.path = path
        try Self.prepareFile(path, access)
        database = Mutex(try Self.open(path))
    }

    private static func open(_ path: String) throws(FlatteningError) -> Database {
        try translatingErrors(path) {
            let database = try Database(path: path, patience: patience)
            try database.guardContent()
            guard try !Schema.isLater(database) else {
                throw FlatteningError(
                    .unsupported, "a later version of the program made this store", file: path,
                    stage: .contacts, advice: "Use that version; this one would lose what it does not know")
            }
            try Schema.migrate(database)
            guard try !database.hasForeignPrograms() else {
                throw FlatteningError(
                    .badInput, "the store has triggers or views, which no store of this program has",
                    file: path, stage: .contacts, advice: "Use a store that flatten made")
            }
            return database
        }
    }

    // MARK: Reading

    /// Returns all contacts, sorted by name; those without a name come last, sorted by organisation.
    public func contacts() throws(FlatteningError) -> [StoredContact] {
        try reading { try StoredContact.fetch($0) }.inOrderOfNames
    }

    /// Returns one contact; nil if no contact has that number.
    public func contact(_ id: Int) throws(FlatteningError) -> StoredContact? {
        try reading { try StoredContact.fetch($0, ids: [id]) }.first
    }

    /// Returns contacts by their numbers, in that order.
    /// - Throws: `.badInput` for a number that does not exist.
    public func contacts(_ ids: [Int]) throws(FlatteningError) -> [StoredContact] {
        let found = try reading { [path] in try StoredContact.fetch($0, existing: ids, file: path) }
        return ids.compactMap { id in found.first { $0.id == id } }
    }

    /// Whether a contact was read from this photograph.
    /// - Parameter hash: as in ``StoredContact/Picture``.
    public func hasPicture(_ hash: String) throws(FlatteningError) -> Bool {
        try reading { try Self.holds(hash, $0) }
    }

    private static func holds(_ hash: String, _ database: Database) throws -> Bool {
        try !database.rows("SELECT 1 FROM picture WHERE hash = ? LIMIT 1", [.text(hash)]).isEmpty
    }

    /// Returns the contacts in which every word of a query is found, the best first.
    ///
    /// A query word matches the beginning of a word of a contact, ignoring accents and case, or any part of a mail address, web
    /// address or number; the latter needs at least three characters. Names count most, then organisations.
    /// - Returns: an empty list for a query without letters and digits.
    public func search(_ query: String) throws(FlatteningError) -> [StoredContact] {
        let words = SearchWord.words(of: query)
        guard !words.isEmpty else { return [] }
        return try reading { database in
            let ids = try SearchWord.contacts(with: words, in: database)
            let found = Dictionary(
                try StoredContact.fetch(database, ids: ids).map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first })
            return ids.compactMap { found[$0] }
        }
    }

    /// Returns groups of contacts that are most likely the same, each sorted by number.
    ///
    /// Two contacts count as the same if they share a personal mail address or a mobile number, or have similar names at similar
    /// organisations. A number or a mailbox shared by colleagues counts only with similar names. Contacts that are the same as a
    /// third belong to one group.
    public func duplicates() throws(FlatteningError) -> [[StoredContact]] {
        Duplicates.groups(of: try reading { try StoredContact.fetch($0) })
    }

    // MARK: Changing

    /// Adds a contact, even if a similar one exists.
    /// - Parameters:
    ///   - contact: the contact to add.
    ///   - pictures: the photographs it was read from.
    ///   - date: when it is added.
    /// - Returns: the contact as it is stored.
    /// - Throws: `.badInput` for a contact without a value.
    @discardableResult
    public func add(
        _ contact: Contact, pictures: [StoredContact.Picture] = [], date: Date = Date()
    ) throws(FlatteningError) -> StoredContact {
        try writing { [path] database in
            try Self.insert(contact, pictures: pictures, date: date, into: database, file: path)
        }
    }

    /// Adds the contacts of one photograph: all of them or, on any error, none.
    /// - Returns: nil, and adds nothing, if the photograph is already in the store. This is checked while nobody else writes, so
    ///   that only one of two programs with the same photograph adds it.
    package func add(
        _ contacts: [Contact], of picture: StoredContact.Picture, date: Date
    ) throws(FlatteningError) -> [StoredContact]? {
        try writing { [path] database in
            guard try !Self.holds(picture.hash, database) else { return nil }
            return try contacts.map {
                try Self.insert($0, pictures: [picture], date: date, into: database, file: path)
            }
        }
    }

    private static func insert(
        _ contact: Contact, pictures: [StoredContact.Picture], date: Date, into database: Database,
        file: String
    ) throws -> StoredContact {
        guard !contact.isEmpty else {
            throw FlatteningError(.badInput, "the contact has no value", file: file, stage: .contacts)
        }
        try database.execute(
            "INSERT INTO contact (added, changed) VALUES (?, ?)",
            [.real(date.timeIntervalSince1970), .real(date.timeIntervalSince1970)])
        return try StoredContact(
            id: database.lastInsertedID, values: contact.values.withoutRepetitions,
            pictures: pictures, added: date, changed: date
        ).written(to: database)
    }

    /// Replaces a contact's values with those a person entered.
    ///
    /// An unchanged value keeps its print and place; any other counts as entered by hand, and stays first in its field when the
    /// contact is merged. Replaced content is overwritten in the file. The photographs that the contact was read from stay
    /// attached to it by name and hash, even if it now describes someone else; only removing the contact removes them.
    /// - Throws: `.badInput` if no contact has that number, or the new one has no value.
    @discardableResult
    public func edit(
        _ id: Int, to contact: Contact, date: Date = Date()
    ) throws(FlatteningError) -> StoredContact {
        guard !contact.isEmpty else {
            throw FlatteningError(
                .badInput, "the contact has no value", file: path, stage: .contacts,
                advice: "To remove contact \(id), say so")
        }
        let edited = try writing { [path] database in
            guard let before = try StoredContact.fetch(database, existing: [id], file: path).first else {
                throw DamagedDatabase()
            }
            return try StoredContact(
                id: id,
                values: contact.values.map { before.values.contains($0) ? $0 : $0.enteredByHand }
                    .withoutRepetitions,
                pictures: before.pictures, added: before.added, changed: date
            )
            .written(to: database)
        }
        try overwriteWhatIsGone()
        return edited
    }

    /// Merges several contacts into one.
    ///
    /// It keeps every value once: values entered by hand first, then those of the contact that changed last, and so on.
    /// - Parameters:
    ///   - ids: at least two numbers of contacts in the store; the smallest number is kept.
    ///   - date: when they are merged.
    /// - Throws: `.badInput` for fewer, and for a number that does not exist.
    @discardableResult
    public func merge(_ ids: [Int], date: Date = Date()) throws(FlatteningError) -> StoredContact {
        let ids = Array(Set(ids)).sorted()
        guard let id = ids.first, ids.count > 1 else {
            throw FlatteningError(
                .badInput, "there is nothing to merge", file: path, stage: .contacts,
                seen: "\(ids.count) contact", allowed: "two and more")
        }
        let merged = try writing { [path] database in
            let parts = try StoredContact.fetch(database, existing: ids, file: path)
                // For equal times, the contact added later comes first.
                .sorted { ($0.changed, $0.id) > ($1.changed, $1.id) }
            var pictures: [StoredContact.Picture] = []
            for picture in parts.flatMap(\.pictures)
            where !pictures.contains(where: { $0.hash == picture.hash }) {
                pictures.append(picture)
            }
            try StoredContact.delete(ids.filter { $0 != id }, from: database)
            return try StoredContact(
                id: id, values: parts.flatMap(\.values).withoutRepetitions, pictures: pictures,
                added: parts.map(\.added).min() ?? date, changed: date
            )
            .written(to: database)
        }
        try overwriteWhatIsGone()
        return merged
    }

    /// Removes contacts with all that belongs to them, and overwrites them in the file.
    /// - Throws: `.badInput` for a number that does not exist; then nothing is removed.
    public func remove(_ ids: [Int]) throws(FlatteningError) {
        try writing { [path] database in
            _ = try StoredContact.fetch(database, existing: ids, file: path)
            try StoredContact.delete(ids, from: database)
        }
        try overwriteWhatIsGone()
    }

    // MARK: Parts

    private func reading<Value: Sendable>(
        _ read: (Database) throws -> Value
    ) throws(FlatteningError) -> Value {
        try Self.translatingErrors(path) {
            try database.withLock { try $0.transaction(isWriting: false, read) }
        }
    }

    private func writing<Value: Sendable>(
        _ write: (Database) throws -> Value
    ) throws(FlatteningError) -> Value {
        try Self.translatingErrors(path) {
            try database.withLock { try $0.transaction(isWriting: true, write) }
        }
    }

    /// Overwrites deleted content. The tables do this themselves (`secure_delete`), except for traces of rows that moved between
    /// pages, which disappear when the file is rewritten. The search tables keep deleted words until their parts are merged, and
    /// the log of changes keeps all former pages until it is emptied. O(the file).
    private func overwriteWhatIsGone() throws(FlatteningError) {
        try writing { database in
            for table in Schema.searchTables {
                try database.execute("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
            }
        }
        try Self.translatingErrors(path) { try database.withLock { try $0.execute("VACUUM") } }
        try emptyLog()
    }

    /// Writes the log of changes to the file and empties it.
    private func emptyLog() throws(FlatteningError) {
        let isBusy = try Self.translatingErrors(path) {
            try database.withLock { try $0.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.integer(0) } != 0
        }
        guard !isBusy else {
            throw FlatteningError(
                .fileAccess,
                "the change is made, but another program reads the store, so what was there before stays in its log",
                file: path, stage: .contacts,
                advice: "End that program: the log goes when the last one closes the store")
        }
    }
}

extension [StoredContact] {
    /// The contacts sorted by name; those without one come last, sorted by organisation; ties are sorted by number.
    var inOrderOfNames: [StoredContact] {
        func key(_ contact: StoredContact) -> (Int, String, Int) {
            let name = contact.text(of: .name)
            let family = contact.contact.names.first?.value.family ?? ""
            return (
                name == nil ? 1 : 0,
                (name.map { family.isEmpty ? $0 : "\(family) \($0)" } ?? contact.text(of: .organisation) ?? "")
                    .folded,
                contact.id
            )
        }
        return map { (key: key($0), contact: $0) }.sorted { $0.key < $1.key }.map(\.contact)
    }
}

extension StoredValue {
    /// The same value as if entered by a person.
    fileprivate var enteredByHand: StoredValue {
        switch self {
        case .name(let reading): .name(.init(reading.value))
        case .organisation(let reading): .organisation(.init(reading.value))
        case .title(let reading): .title(.init(reading.value))
        case .phone(let reading): .phone(.init(reading.value))
        case .email(let reading): .email(.init(reading.value))
        case .url(let reading): .url(.init(reading.value))
        case .address(let reading): .address(.init(reading.value))
        }
    }
}
