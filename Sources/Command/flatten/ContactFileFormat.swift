public import ArgumentParser
import Platform
import ReceiptFlattening

extension VCard.Version: ExpressibleByArgument {}

/// The file format of a contact.
enum ContactFileFormat: String, CaseIterable {
    case vCard = "vcf"
    case table = "csv"

    /// The format that a path's extension names; nil for any other extension.
    init?(path: String) { self.init(rawValue: URL.extension(of: path)) }

    /// The file's text. A table begins with its column names; a vCard without a contact is empty.
    func text(of contact: Contact, version: VCard.Version) -> String {
        switch self {
        case .vCard: contact.isEmpty ? "" : VCard.text(of: contact, version: version)
        case .table: ContactTable.csv(of: contact.isEmpty ? [] : [contact])
        }
    }
}
