import ScalarText

/// The label of a document's page among captures: the document's path and "#page=2", as in links to a PDF's page (RFC
/// 8118).
package enum PageLabel {
    private static let mark = "#page="

    /// The label of a page, counted from 1.
    package static func label(_ path: String, page: Int) -> String { path + mark + "\(page)" }

    /// Splits a label into path and page; nil for a path without a page.
    package static func parted(_ label: String) -> (path: String, page: Int)? {
        guard let hash = label.lastIndex(ofScalar: "#"),
            let digits = String(label[hash...]).dropping(scalarPrefix: mark), let page = Int(digits),
            page > 0,
            "\(page)" == digits
        else { return nil }
        return (String(label[..<hash]), page)
    }

    /// The path of a capture, or of the document that a page belongs to.
    package static func path(of label: String) -> String { parted(label)?.path ?? label }
}
