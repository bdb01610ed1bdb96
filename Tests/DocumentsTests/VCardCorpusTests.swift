import TestSupport
import Testing

@testable import Documents

/// Whatever stands beside a delimiter, a reader of the card gets the value back.
@Suite struct VCardCorpusTests {
    @Test(arguments: VCard.Version.allCases)
    func valuesAreReadBack(version: VCard.Version) throws {
        for text in DelimiterCorpus.texts(around: [
            ";", ",", "\\", ":", "\"", "\\n", "\r\nEND:VCARD\r\n", "=",
        ]) {
            var contact = Contact()
            contact.names = [.init(.init(full: text, given: text, family: text))]
            contact.organisation = .init(text)
            contact.title = .init(text)
            contact.phones = [.init(.init(number: text))]
            contact.emails = [.init(text)]
            contact.urls = [.init(text)]
            contact.address = .init(
                .init(full: text, street: text, locality: text, postalCode: text, country: text))
            let card = try Self.read(Array(VCard.text(of: contact, version: version).utf8))
            #expect(card.count == 11, "\(text.debugDescription)")
            let expected = scalars(Self.escapedText(text))
            for name in ["FN", "ORG", "TITLE", "TEL", "EMAIL"] {
                #expect(card[name]?.map { scalars($0) } == [expected], "\(name) \(text.debugDescription)")
            }
            let (none, value) = ([Unicode.Scalar](), expected)
            #expect(card["N"]?.map { scalars($0) } == [value, value, none, none, none])
            #expect(card["ADR"]?.map { scalars($0) } == [none, none, value, value, none, value, value])
            #expect(
                card["BEGIN"] == ["VCARD"] && card["END"] == ["VCARD"]
                    && card["VERSION"] == [version.rawValue])
        }
    }

    /// Line ends of any kind are one; other controls are left out.
    private static func escapedText(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where last == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": result.append("\n")
            case _ where scalar.properties.generalCategory == .control: break
            default: result.append(scalar)
            }
            last = scalar
        }
        return String(result)
    }

    /// The values of each property by RFC 6350, byte by byte: unfolded, parted at semicolons, unmarked; a URI is one value.
    private static func read(_ bytes: [UInt8]) throws -> [String: [String]] {
        var lines: [[UInt8]] = [[]]
        var place = 0
        while place < bytes.count {
            if bytes[place...].starts(with: "\r\n ".utf8) {
                place += 3
            } else if bytes[place...].starts(with: "\r\n".utf8) {
                lines.append([])
                place += 2
            } else {
                try #require(bytes[place] >= 0x20, "a control in a line")
                lines[lines.count - 1].append(bytes[place])
                place += 1
            }
        }
        #expect(lines.removeLast().isEmpty)
        var card: [String: [String]] = [:]
        for line in lines {
            let colon = try #require(line.firstIndex(of: UInt8(ascii: ":")))
            let name = String(decoding: line[..<colon].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            let value = line[(colon + 1)...]
            try #require(card[name] == nil, "\(name) stands twice")
            card[name] = name == "URL" ? [String(decoding: value, as: UTF8.self)] : try components(value)
        }
        return card
    }

    private static func components(_ value: ArraySlice<UInt8>) throws -> [String] {
        var parts: [[UInt8]] = [[]]
        var rest = value
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: ";"): parts.append([])
            case UInt8(ascii: "\\"):
                try #require(!rest.isEmpty)
                let marked = rest.removeFirst()
                parts[parts.count - 1].append(marked == UInt8(ascii: "n") ? 0x0A : marked)
            default: parts[parts.count - 1].append(byte)
            }
        }
        return try parts.map { try #require(String(validating: $0, as: UTF8.self)) }
    }
}
