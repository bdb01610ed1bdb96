import TextFormats
import ArgumentParser
import Platform
import ReceiptFlattening

/// The format of text output.
enum TextOutputFormat: String, CaseIterable, Codable, ExpressibleByArgument {
    case text, json, tsv, hocr, alto, markdown, pdf

    /// The format for a path's extension; plain text without an extension, and for "-".
    /// - Throws: a usage error for an extension that is no text format.
    init(path: String) throws(ValidationError) {
        let fileExtension = URL(filePath: path).pathExtension.lowercased()
        self =
            switch TextFormat(fileExtension: fileExtension) {
            case .json: .json
            case .tsv: .tsv
            case .hocr: .hocr
            case .alto: .alto
            case .markdown: .markdown
            case .plain: .text
            case nil where fileExtension == "pdf": .pdf
            case nil where fileExtension.isEmpty: .text
            case nil:
                throw ValidationError(
                    "--text \(path): no text is written as .\(fileExtension) (allowed: none, .txt, .text, .json, .tsv, "
                        + ".hocr, .html, .htm, .alto, .xml, .md, .markdown, .pdf); or say --format text"
                        + (fileExtension == "csv" ? "; a table of what it says is --table \(path)" : ""))
            }
    }

    /// The library's corresponding format; nil for the one that also contains the image.
    var textFormat: TextFormat? {
        switch self {
        case .text: .plain
        case .json: .json
        case .tsv: .tsv
        case .hocr: .hocr
        case .alto: .alto
        case .markdown: .markdown
        case .pdf: nil
        }
    }
}
