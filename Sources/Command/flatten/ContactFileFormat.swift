public import ArgumentParser
import Platform
import ReceiptFlattening

extension VCard.Version: ExpressibleByArgument {}

/// How a contact is written.
enum ContactFileFormat {
    case vCard
    case table

    /// What a path's extension asks for; nil for any other.
    init?(path: String) {
        switch URL(filePath: path).pathExtension.lowercased() {
        case "vcf": self = .vCard
        case "csv": self = .table
        default: return nil
        }
    }

    /// The file's text. A table begins with its column names; a vCard without a contact is empty.
    func text(of contact: Contact, version: VCard.Version) -> String {
        switch self {
        case .vCard: contact.isEmpty ? "" : VCard.text(of: contact, version: version)
        case .table: ContactTable.csv(of: contact.isEmpty ? [] : [contact])
        }
    }
}
