import Platform
import ScalarText

/// Pieces of HTML in which all text that was printed or named is escaped.
///
/// Pages are well-formed XML outside their scripts and styles, so that a test can parse them.
package enum Markup {
    /// Escapes text as content or as a quoted attribute. Control characters, which XML does not allow, become U+FFFD.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case let other
            where other.value < 0x20 || (0x7F...0x9F).contains(other.value)
                || (0xFFFE...0xFFFF).contains(other.value):
                escaped += "\u{FFFD}"
            // Characters that change the direction of the text behind them would show what is not there.
            case let other
            where (0x202A...0x202E).contains(other.value) || (0x2066...0x2069).contains(other.value):
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Encodes a value as JSON for a script element: nothing in it can end the element or open a comment.
    package static func scriptData(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let json = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        return json.replacingScalars("<", with: "\\u003c").replacingScalars(">", with: "\\u003e")
            .replacingScalars(
                "&", with: "\\u0026")
    }

    /// Bytes as a data URI.
    package static func dataURI(_ bytes: some Collection<UInt8>, type: String) -> String {
        "data:\(type);base64,\(Data(bytes).base64EncodedString())"
    }

    /// Stands among the first lines of an index; by it, a batch recognises an index that a batch wrote.
    package static let indexGenerator = "<meta name=\"generator\" content=\"flatten batch\" />"
    /// The same for the page of one receipt.
    static let pageGenerator = "<meta name=\"generator\" content=\"flatten\" />"

    /// Returns a whole page. Its policy allows its own script and style by their digests, images as the page's kind
    /// needs them, and nothing else: the page can send no request, and no script that was printed can run.
    /// - Parameters:
    ///   - language: the page's language.
    ///   - images: the sources from which images may come.
    ///   - body: must be escaped already.
    package static func page(
        language: String = "en", title: String, generator: String = pageGenerator, code: PageCode,
        images: String, body: String
    ) -> String {
        """
        <!DOCTYPE html>
        <html lang="\(escaped(language))">
        <head>
        <meta charset="utf-8" />
        \(generator)
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src \(images); style-src \
        'sha256-\(code.styleDigest)'; script-src 'sha256-\(code.scriptDigest)'; base-uri 'none'; form-action 'none'" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>\(escaped(title))</title>
        <style>\(code.style)</style>
        </head>
        <body>
        \(body)
        <script>\(code.script)</script>
        </body>
        </html>

        """
    }
}

/// The fixed script and style of a kind of page, with their SHA-256 digests in base64, which tests recompute.
package struct PageCode: Sendable {
    package let style: String
    package let styleDigest: String
    package let script: String
    package let scriptDigest: String
}
