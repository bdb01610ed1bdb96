import Diagnostics
import Documents
import Foundation
import GRDB
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
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE TABLE contact (id INTEGER PRIMARY KEY)") }
        try queue.close()
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(code { _ = try ContactBook(path: path) } == .badInput)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func aStoreOfALaterVersionIsRefused() throws {
        try ContactBook(path: path).add(.anna)
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('what comes later')") }
        try queue.close()
        #expect(code { _ = try ContactBook(path: path) } == .unsupported)
    }

    @Test func aStoreWithStatementsOfItsOwnIsRefused() throws {
        try ContactBook(path: path).add(.anna)
        let queue = try DatabaseQueue(path: path)
        try queue.write {
            try $0.execute(
                sql: "CREATE TRIGGER keep AFTER DELETE ON contact BEGIN DELETE FROM picture; END")
        }
        try queue.close()
        #expect(code { _ = try ContactBook(path: path) } == .badInput)
    }

    @Test func thePhotographsContactsAreAddedAllOrNone() throws {
        let book = try ContactBook(path: path)
        let picture = StoredContact.Picture(hash: "1", name: "cards.jpg")
        #expect(
            code { _ = try book.add([.anna, Contact()], pictures: [picture], date: Date()) } == .badInput)
        #expect(try book.contacts().isEmpty && !book.hasPicture("1"))
        #expect(try book.add([.anna, .anna], pictures: [picture], date: Date()).count == 2)
    }

    @Test func aStoreThatIsHalfMadeIsMadeWhole() throws {
        // As it is left by a program that ends between its mark and its tables.
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
        }
        try queue.close()
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
        let queue = try DatabaseQueue(path: path)
        try queue.write {
            try $0.execute(sql: "UPDATE value SET content = '{\"field\":\"name\",\"value\":7}'")
        }
        try queue.close()
        #expect(code { _ = try ContactBook(path: path).contacts() } == .badInput)
    }

    @Test func whoFindsTheStoreLockedIsToldSo() throws {
        let book = try ContactBook(path: path)
        try book.add(.anna)
        let other = try DatabaseQueue(path: path)
        let started = ContinuousClock.now
        let seen = try other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN EXCLUSIVE")
            defer { try? database.execute(sql: "ROLLBACK") }
            return code { try book.add(.anna) }
        }
        #expect(seen == .fileAccess)
        // It waits as long as it says, and not much longer on a busy machine.
        let waited = ContinuousClock.now - started
        #expect(waited >= .seconds(ContactBook.patience * 0.9) && waited < .seconds(ContactBook.patience * 4))
        #expect(try book.contacts().count == 1)
    }

    @Test func aReaderThatKeepsTheLogIsToldOfWhenSomethingIsRemoved() throws {
        let book = try ContactBook(path: path)
        let id = try book.add(.anna).id
        let other = try DatabaseQueue(path: path)
        let seen = try other.writeWithoutTransaction { database in
            // A reading transaction holds the log where it is.
            try database.execute(sql: "BEGIN; SELECT count(*) FROM contact")
            defer { try? database.execute(sql: "ROLLBACK") }
            return code { try book.remove([id]) }
        }
        #expect(seen == .fileAccess)
        #expect(try book.contacts().isEmpty)
    }
}
