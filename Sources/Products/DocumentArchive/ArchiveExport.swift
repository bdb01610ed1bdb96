import Documents
import Platform
import ReceiptOutputs
import TextFormats

/// Exports documents for other programs.
public enum ArchiveExport {
    /// The columns before those of the values.
    private static let columns = ["id", "added", "kind"]
    /// Lists, which an archive does not store among the values.
    private static let lists: Set = ["tax_lines", "payments", "contradictions"]

    /// Returns one row per document: its values by the names of the report's fields, each with its confidence ("" for entered
    /// values), then tags and notes. The CSV follows RFC 4180, with a header row.
    public static func csv(of documents: [ArchivedDocument]) -> String {
        let fields = ReceiptTable.fieldColumns.filter { !lists.contains($0) }
        let own = Set(documents.flatMap(\.values.keys)).subtracting(fields).subtracting(["kind"]).sorted()
        let names = fields + own
        let head = columns + names.flatMap { [$0, $0 + "_confidence"] } + ["tags", "notes"]
        let rows = documents.map { document in
            let values = document.values
            var cells = [
                document.id.uuidString, document.added.formatted(.iso8601), values["kind"]?.text ?? "",
            ]
            for name in names { cells += [values[name]?.text ?? "", confidence(of: values[name])] }
            return cells + [document.tags.joined(separator: "; "), document.notes]
        }
        return ([head] + rows).map(CSVTable.row).joined()
    }

    /// Returns the vCards of the documents that have contact data, one after another.
    public static func vCards(of documents: [ArchivedDocument]) -> String {
        documents.compactMap(\.contact).map { VCard.text(of: $0) }.joined()
    }

    /// Returns "" for an entered value, and for a missing one.
    private static func confidence(of value: ArchivedDocument.Value?) -> String {
        guard let confidence = value?.confidence else { return "" }
        return String((confidence * 1000).rounded() / 1000)
    }
}
