@testable import ContactStore
import Documents
import Foundation

/// A store of contacts whose file is what libFuzzer makes of the seeds, and one whose search is.
enum FuzzedStore {
    private static let folder = NSTemporaryDirectory() + "fuzz-\(UUID().uuidString)"
    private static let path = folder + "/cards.store"

    /// Reads and changes a store as the command does. An error is an answer.
    static func read(_ bytes: [UInt8]) {
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        FuzzedFolder.write(bytes, to: path)
        guard let book = try? ContactBook(path: path, access: .existing) else { return }
        let contacts = (try? book.contacts()) ?? []
        _ = try? book.search("anna firm")
        _ = try? book.duplicates()
        if contacts.count > 1 { _ = try? book.merge(contacts.prefix(2).map(\.id)) }
        if let last = contacts.last { try? book.remove([last.id]) }
    }

    /// A store of one contact.
    private static let book: ContactBook = {
        FuzzedFolder.write([], to: folder + "/.keep")
        var contact = Contact()
        contact.names = [.init(.init(full: "Anna Müller"))]
        contact.emails = [.init("anna@firm.example")]
        guard let book = try? ContactBook(path: path), (try? book.add(contact)) != nil else {
            fatalError("no store can be made in \(folder)")
        }
        return book
    }()

    /// No query is an error.
    static func search(_ query: String) {
        do {
            _ = try book.search(query)
        } catch {
            fatalError("\(query.debugDescription): \(error)")
        }
    }
}
