import Platform
import ScalarText

/// Tags and texts of an XML document, in order.
///
/// For metadata, not for XML in general. It knows XML's five entities and numeric ones, and skips comments and instructions.
/// A document type declaration ends the document (it could define other entities), and so does broken input. Linear in the
/// bytes, no recursion.
struct XMLTokenizer: Sequence, IteratorProtocol {
    enum Token {
        /// The text before a tag, with entities decoded and surrounding whitespace removed; never empty.
        case text(String)
        case opening(XMLTag)
        case closing
    }

    private let bytes: [UInt8]
    /// Start of the next token; the end once the document has ended.
    private var position = 0

    init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    mutating func next() -> Token? {
        while let opening = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            if opening > position {
                let text = Self.text(bytes[position..<opening])
                position = opening
                if !text.isEmpty { return .text(text) }
            }
            position = opening + 1
            guard position < bytes.count else { break }
            if bytes[position...].starts(with: Array("!--".utf8)) {
                guard let end = end(of: "-->") else { break }
                position = end
            } else if bytes[position] == UInt8(ascii: "?") {
                guard let end = end(of: "?>") else { break }
                position = end
            } else {
                return tag()
            }
        }
        position = bytes.count
        return nil
    }

    /// Reads the tag whose "<" is just before the position.
    private mutating func tag() -> Token? {
        guard bytes[position] != UInt8(ascii: "!"), let tag = XMLTag(bytes, from: position) else {
            position = bytes.count
            return nil
        }
        position = tag.end
        return tag.isClosing ? .closing : .opening(tag)
    }

    /// Returns the end of the next `text`; nil if it does not occur any more.
    private func end(of text: StaticString) -> Int? {
        let wanted = Array(text.description.utf8)
        var index = position
        while index + wanted.count <= bytes.count {
            guard let next = bytes[index...].firstIndex(of: wanted[0]) else { return nil }
            if bytes[next...].starts(with: wanted) { return next + wanted.count }
            index = next + 1
        }
        return nil
    }

    /// Decodes the entities of a text and removes the whitespace around it.
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self).trimmingWhitespace
        guard text.containsScalar("&") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(ofScalar: "&") {
            result += rest[..<start]
            rest = rest[start...]
            guard let stop = rest.firstIndex(ofScalar: ";") else { break }
            result += character(of: rest[rest.index(afterScalar: start)..<stop])
            rest = rest[rest.index(afterScalar: stop)...]
        }
        return result + rest
    }

    /// Returns the character of an entity; empty for an unknown one.
    private static func character(of entity: Substring) -> String {
        if let digits = entity.dropping(scalarPrefix: "#") {
            let code = digits.dropping(scalarPrefix: "x").map { UInt32($0, radix: 16) } ?? UInt32(digits)
            return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
        }
        return ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"][String(entity)] ?? ""
    }
}

/// `<name a="b">`, `<name/>` or `</name>`.
struct XMLTag {
    let name: String
    private(set) var attributes: [(name: String, value: String)] = []
    private(set) var isClosing = false
    /// Whether the tag closes itself.
    private(set) var isEmpty = false
    /// The position after its last character.
    private(set) var end: Int

    /// The most attributes read for one tag.
    static let mostAttributes = 10_000

    /// Reads the tag whose "<" is just before the position; nil for a broken tag.
    fileprivate init?(_ bytes: [UInt8], from start: Int) {
        var position = start
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        func word() -> String {
            let first = position
            while position < bytes.count, !isBlank(bytes[position]), !"/>=".utf8.contains(bytes[position]) {
                position += 1
            }
            return String(decoding: bytes[first..<position], as: UTF8.self)
        }
        func skipBlank() {
            while position < bytes.count, isBlank(bytes[position]) { position += 1 }
        }
        if bytes[position] == UInt8(ascii: "/") {
            isClosing = true
            position += 1
        }
        name = word()
        end = position
        guard !name.isEmpty else { return nil }
        while true {
            skipBlank()
            guard position < bytes.count else { return nil }
            switch bytes[position] {
            case UInt8(ascii: ">"):
                end = position + 1
                return
            case UInt8(ascii: "/"):
                isEmpty = true
                position += 1
            default:
                let key = word()
                skipBlank()
                guard !key.isEmpty, position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
                    return nil
                }
                position += 1
                skipBlank()
                guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27,
                    let stop = bytes[(position + 1)...].firstIndex(of: bytes[position])
                else { return nil }
                guard attributes.count < Self.mostAttributes else { return nil }
                attributes.append((key, XMLTokenizer.text(bytes[(position + 1)..<stop])))
                position = stop + 1
            }
        }
    }
}
