import ContactStore
import Documents
import Foundation
import Imaging
import TestSupport

extension Contact {
    /// A contact as if read from a card.
    static func read(
        name: String? = nil, organisation: String? = nil, title: String? = nil, phones: [Phone] = [],
        emails: [String] = [], urls: [String] = [], address: String? = nil, confidence: Double = 0.9
    ) -> Contact {
        func reading<Value>(_ value: Value, _ printed: String) -> Reading<Value> {
            Reading(
                value, confidence: confidence, printed: printed,
                box: Box(left: 1, top: 2, right: 30, bottom: 12))
        }
        var contact = Contact()
        contact.names = [name].compactMap { $0.map { reading(Name(full: $0), $0) } }
        contact.organisation = organisation.map { reading($0, $0) }
        contact.title = title.map { reading($0, $0) }
        contact.phones = phones.map { reading($0, $0.number) }
        contact.emails = emails.map { reading($0, $0) }
        contact.urls = urls.map { reading($0, $0) }
        contact.address = address.map { reading(Address(full: $0), $0) }
        return contact
    }

    /// Somebody with a value of each kind.
    static let anna = read(
        name: "Anna Müller", organisation: "Weiß & Söhne GmbH", title: "Leiterin Einkauf",
        phones: [
            Phone(number: "+493012345678"), Phone(number: "+491715550123", kind: .mobile),
            Phone(number: "+493012345679", kind: .fax),
        ],
        emails: ["a.mueller@weiss-soehne.example"], urls: ["https://www.weiss-soehne.example"],
        address: "Hauptstraße 5, 10115 Berlin")
}

/// A store in a folder of its own.
struct ScratchBook {
    let folder: ScratchFolder
    let path: String
    let book: ContactBook

    init() throws {
        folder = try ScratchFolder()
        path = folder.path("cards.store")
        book = try ContactBook(path: path)
    }

    /// All bytes of the store and of SQLite's files beside it.
    func bytes() throws -> Data {
        try folder.contents.reduce(into: Data()) {
            $0 += try Data(contentsOf: folder.url.appending(path: $1))
        }
    }
}
