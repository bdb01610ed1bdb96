import Diagnostics
import SQLiteDatabase
import Documents
import Foundation
import TestSupport
import Testing

@testable import ContactStore

@Suite struct StoreFileTests {
    let folder: ScratchFolder
    let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path("cards.store")
    }

    private func code(_ work: () throws -> Void) -> FlatteningError.Code? {
        do {
            try work()
            return nil
        } catch {
            return (error as? FlatteningError)?.code
        }
    }

    @Test func aNewStoreMayBeReadByItsOwnerOnly() throws {
        let book = try ContactBook(path: path)
        try book.add(.anna)
        for name in try folder.contents {
            let mode =
                try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test func aStoreThatIsNotThereIsMadeOnlyWhereAskedFor() throws {
        #expect(code { _ = try ContactBook(path: path, access: .existing) } == .fileAccess)
        #expect(try folder.contents.isEmpty)
        #expect(code { _ = try ContactBook(path: folder.path("no/cards.store")) } == .fileAccess)
        #expect(code { _ = try ContactBook(path: folder.path) } == .fileAccess)
        #expect(code { _ = try ContactBook(path: "-") } == .fileAccess)
    }

    @Test(arguments: ["not a store", String(repeating: "x", count: 5000), "SQLite format 3\0", ""])
    func anotherFileIsRefusedAndLeftAsItIs(content: String) throws {
        try folder.write(content, as: "other")
        #expect(code { _ = try ContactBook(path: folder.path("other"), access: .existing) } == .badInput)
        #expect(try String(contentsOfFile: folder.path("other"), encoding: .utf8) == content)
        #expect(try folder.contents == ["other"])
    }

    @Test func anotherProgramsDatabaseIsRefusedAndLeftAsItIs() throws {
        let other = try Database(path: path, patience: 0)
        try other.execute("CREATE TABLE contact (id INTEGER PRIMARY KEY)")
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(code { _ = try ContactBook(path: path) } == .badInput)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func aStoreOfALaterVersionIsRefused() throws {
        try ContactBook(path: path).add(.anna)
        let other = try Database(path: path, patience: 0)
        try other.execute("INSERT INTO grdb_migrations VALUES ('what comes later')")
        #expect(code { _ = try ContactBook(path: path) } == .unsupported)
    }

    @Test func aStoreWithStatementsOfItsOwnIsRefused() throws {
        try ContactBook(path: path).add(.anna)
        let other = try Database(path: path, patience: 0)
        try other.execute("CREATE TRIGGER keep AFTER DELETE ON contact BEGIN DELETE FROM picture; END")
        #expect(code { _ = try ContactBook(path: path) } == .badInput)
    }

    @Test func thePhotographsContactsAreAddedAllOrNone() throws {
        let book = try ContactBook(path: path)
        let picture = StoredContact.Picture(hash: "1", name: "cards.jpg")
        #expect(
            code { _ = try book.add([.anna, Contact()], of: picture, date: Date()) } == .badInput)
        #expect(try book.contacts().isEmpty && !book.hasPicture("1"))
        #expect(try book.add([.anna, .anna], of: picture, date: Date())?.count == 2)
    }

    @Test func ofManyProgramsWithOnePhotographOneAddsIt() async throws {
        try ContactBook(path: path).add(.anna)
        let picture = StoredContact.Picture(hash: "1", name: "card.jpg")
        // A connection each, as programs have.
        let books = try (0..<6).map { _ in try ContactBook(path: path) }
        let added = try await withThrowingTaskGroup(of: Int.self) { group in
            for book in books {
                group.addTask { try book.add([.anna], of: picture, date: Date()) == nil ? 0 : 1 }
            }
            return try await group.reduce(0, +)
        }
        #expect(added == 1)
        #expect(try ContactBook(path: path).contacts().count { $0.pictures == [picture] } == 1)
    }

    @Test func onlyADamagedStoreIsCalledSo() throws {
        func error(_ sql: String) -> FlatteningError? {
            do {
                try ContactBook.translatingErrors(path) { try Database(path: path, patience: 0).execute(sql) }
                return nil
            } catch {
                return error
            }
        }
        try ContactBook(path: path).add(.anna)
        for sql in ["SELECT rowid FROM word WHERE word MATCH '\"'", "nonsense", "SELECT * FROM nowhere"] {
            let seen = try #require(error(sql))
            #expect(seen.code == .internalInconsistency && !seen.message.contains("damaged"), "\(sql)")
        }
        // A page in the middle: SQLITE_CORRUPT.
        var broken = try Data(contentsOf: URL(filePath: path))
        broken.replaceSubrange(4096..<broken.count, with: Data(repeating: 0xA5, count: broken.count - 4096))
        try broken.write(to: URL(filePath: path))
        let seen = try #require(error("SELECT * FROM value"))
        #expect(seen.code == .badInput && seen.message == "the store is damaged")
    }

    @Test func aStoreThatIsHalfMadeIsMadeWhole() throws {
        // As it is left by a program that ends between its mark and its tables.
        let other = try Database(path: path, patience: 0)
        try other.execute("PRAGMA application_id = \(Schema.applicationID)")
        #expect(try ContactBook(path: path, access: .existing).add(.anna).id == 1)
    }

    @Test func aDamagedStoreIsAnErrorAndNotTheEnd() throws {
        try ContactBook(path: path).add(.anna)
        let whole = try Data(contentsOf: URL(filePath: path))
        var noticed = 0
        // Each page but the first, whose header says what the file is, in turn.
        for start in stride(from: 4096, to: whole.count, by: 4096) {
            var broken = whole
            broken.replaceSubrange(
                start..<min(start + 4096, whole.count), with: Data(repeating: 0xA5, count: 4096))
            try broken.write(to: URL(filePath: path))
            let seen = code {
                let book = try ContactBook(path: path)
                _ = try book.contacts()
                _ = try book.search("anna")
                _ = try book.duplicates()
                try book.remove([1])
            }
            // A page that nothing of this needs may be broken.
            #expect(seen == nil || seen == .badInput, "page at \(start)")
            noticed += seen == nil ? 0 : 1
        }
        #expect(noticed > 0)
    }

    @Test func aValueOfAnotherTypeIsDamage() throws {
        try ContactBook(path: path).add(.anna)
        let other = try Database(path: path, patience: 0)
        try other.execute("UPDATE value SET content = '{\"field\":\"name\",\"value\":7}'")
        #expect(code { _ = try ContactBook(path: path).contacts() } == .badInput)
    }

    @Test func whoFindsTheStoreLockedIsToldSo() throws {
        let book = try ContactBook(path: path)
        try book.add(.anna)
        let other = try Database(path: path, patience: 0)
        let started = ContinuousClock.now
        try other.execute("BEGIN EXCLUSIVE")
        let seen = code { try book.add(.anna) }
        try other.execute("ROLLBACK")
        #expect(seen == .fileAccess)
        // It waits as long as it says, and not much longer on a busy machine.
        let waited = ContinuousClock.now - started
        #expect(waited >= .seconds(ContactBook.patience * 0.9) && waited < .seconds(ContactBook.patience * 4))
        #expect(try book.contacts().count == 1)
    }

    @Test func aReaderThatKeepsTheLogIsToldOfWhenSomethingIsRemoved() throws {
        let book = try ContactBook(path: path)
        let id = try book.add(.anna).id
        let other = try Database(path: path, patience: 0)
        // A reading transaction holds the log where it is.
        try other.execute("BEGIN; SELECT count(*) FROM contact")
        let seen = code { try book.remove([id]) }
        try other.execute("ROLLBACK")
        #expect(seen == .fileAccess)
        #expect(try book.contacts().isEmpty)
    }

    /// A store that version 0.1.0 made, through GRDB: one contact, the merger of two.
    @Test func aStoreThatGRDBMadeIsReadChangedAndStaysReadable() throws {
        let fixture = try #require(
            Bundle.module.url(forResource: "grdb", withExtension: "store", subdirectory: "Fixtures"))
        try FileManager.default.copyItem(at: fixture, to: URL(filePath: path))
        let book = try ContactBook(path: path, access: .existing)
        let anna = try #require(try book.contacts().first)
        #expect(anna.id == 1 && anna.text(of: .name) == "Anna Müller")
        #expect(anna.text(of: .email) == "anna@firm.example")
        #expect(try book.search("muller firm").map(\.id) == [1])
        // Numbers are not given twice: the second contact's went with the merger.
        #expect(try book.add(.anna).id == 3)
        try book.remove([1])
        #expect(try ContactBook(path: path).contacts().map(\.id) == [3])
        let steps = try Database(path: path, patience: 0).rows("SELECT identifier FROM grdb_migrations")
        #expect(try steps.map { try $0.text(0) } == ["contacts, values, pictures, search"])
    }

    @Test func aTransactionThatFailsLeavesNothing() throws {
        let database = try Database(path: path, patience: 0)
        try database.execute("CREATE TABLE number (value INTEGER NOT NULL)")
        #expect(throws: DatabaseError.self) {
            try database.transaction(isWriting: true) {
                try $0.execute("INSERT INTO number VALUES (?)", [.integer(1)])
                try $0.execute("INSERT INTO number VALUES (NULL)")
            }
        }
        #expect(try database.rows("SELECT value FROM number").isEmpty)
        try database.transaction(isWriting: true) {
            try $0.execute("INSERT INTO number VALUES (?)", [.integer(.min)])
        }
        #expect(try database.rows("SELECT value FROM number").first?.integer(0) == .min)
    }

    @Test(arguments: ["", "a", "\0 in the middle \0", "Müller 漢字", String(repeating: "x", count: 100_000)])
    func aTextComesBackAsItWasBound(text: String) throws {
        let row = try #require(
            try Database(path: ":memory:", patience: 0).rows("SELECT ?, 1", [.text(text)]).first)
        #expect(try row.text(0) == text)
        #expect(throws: DamagedDatabase.self) { try row.text(1) }
        #expect(throws: DamagedDatabase.self) { try row.integer(0) }
        #expect(throws: DamagedDatabase.self) { try row.text(2) }
    }
}
