import TextRecognition
package import Platform
import ScalarText

/// The metadata of a PDF.
package struct PDFMetadata: Sendable, Equatable {
    /// The document's title.
    package var title: String
    /// The language of its text as a BCP 47 tag ("de"); nil if unknown.
    package var language: String?
    /// The creation date; nil leaves it out, so that equal input gives equal bytes.
    package var date: Date?

    private static let program = "receipt-flattening"

    /// - Parameter recognizedLanguage: tesseract's names joined by "+"; the first is taken.
    package init(title: String, recognizedLanguage: String?, date: Date?) {
        self.title = title
        self.date = date
        language = recognizedLanguage.flatMap(Self.languageTag)
    }

    /// Converts tesseract's language name to BCP 47; nil for names that are no language, such as "script/Latin".
    static func languageTag(_ names: String) -> String? {
        let parts = (names.split(atScalar: "+").first ?? "").split(atScalar: "_")
        guard let name = parts.first.map(String.init), name.utf8.count == 3,
            name.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
        else { return nil }
        // Tesseract uses the bibliographic code for a few languages; this is one.
        let code = name == "chi" ? "zho" : name
        let script = parts.dropFirst().compactMap { ["sim": "-Hans", "tra": "-Hant"][$0] }.first ?? ""
        return (LanguageName(code: code)?.twoLetters ?? code) + script
    }

    /// The dictionary that older readers use.
    var dictionary: String {
        var entries = [
            ("Title", PDFSyntax.text(title)), ("Creator", "(\(Self.program))"),
            ("Producer", "(\(Self.program))"),
        ]
        if let moment { entries.append(("CreationDate", "(D:\(moment.joined())+00'00')")) }
        return "<< " + entries.map { "/\($0) \($1)" }.joined(separator: " ") + " >>"
    }

    /// The same metadata as an XMP packet, with the claim to be PDF/A-2b.
    var packet: String {
        var properties = [
            "<pdfaid:part>2</pdfaid:part>", "<pdfaid:conformance>B</pdfaid:conformance>",
            "<dc:format>application/pdf</dc:format>",
            "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">\(escapedForXML(title))</rdf:li></rdf:Alt></dc:title>",
            "<xmp:CreatorTool>\(Self.program)</xmp:CreatorTool>",
            "<pdf:Producer>\(Self.program)</pdf:Producer>",
        ]
        if let language {
            properties.append("<dc:language><rdf:Bag><rdf:li>\(language)</rdf:li></rdf:Bag></dc:language>")
        }
        if let moment {
            let (day, time) = (moment[..<3].joined(separator: "-"), moment[3...].joined(separator: ":"))
            properties.append("<xmp:CreateDate>\(day)T\(time)+00:00</xmp:CreateDate>")
        }
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"
            xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
            \(properties.joined(separator: "\n"))
            </rdf:Description>
            </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>
            """
    }

    /// Year, month, day, hour, minute and second, in UTC, zero-padded.
    private var moment: [String]? {
        date.map { date in
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            return [String(parts.year ?? 0).leftPadded(to: 4)]
                + [parts.month, parts.day, parts.hour, parts.minute, parts.second]
                .map { String($0 ?? 0).leftPadded(to: 2) }
        }
    }
}
