import Documents
import TextFormats

/// Contacts as rows of comma-separated values. No cell can be read as a formula.
package enum ContactTable {
    /// A column: its name and the content of its cells.
    private static let columns: [(name: String, cell: @Sendable (Contact) -> String)] = [
        ("name", { joined($0.names.map(\.value.full)) }),
        ("given_name", { $0.names.first?.value.given ?? "" }),
        ("family_name", { $0.names.first?.value.family ?? "" }),
        ("organisation", { $0.organisation?.value ?? "" }),
        ("title", { $0.title?.value ?? "" }),
        ("phone", { numbers(of: .work, in: $0) }),
        ("mobile", { numbers(of: .mobile, in: $0) }),
        ("fax", { numbers(of: .fax, in: $0) }),
        ("email", { joined($0.emails.map(\.value)) }),
        ("url", { joined($0.urls.map(\.value)) }),
        ("street", { $0.address?.value.street ?? "" }),
        ("postal_code", { $0.address?.value.postalCode ?? "" }),
        ("locality", { $0.address?.value.locality ?? "" }),
        ("country", { $0.address?.value.country ?? "" }),
        ("address", { $0.address?.value.full ?? "" }),
    ]

    private static func numbers(of kind: Contact.Phone.Kind, in contact: Contact) -> String {
        joined(contact.phones.map(\.value).filter { $0.kind == kind }.map(\.number))
    }

    /// Joins several values in one cell.
    private static func joined(_ values: [String]) -> String { values.joined(separator: "; ") }

    /// Returns the table: a row of column names, then one row per contact.
    package static func csv(of contacts: [Contact]) -> String {
        CSVTable.row(columns.map(\.name))
            + contacts.map { contact in CSVTable.row(columns.map { $0.cell(contact) }) }.joined()
    }
}
