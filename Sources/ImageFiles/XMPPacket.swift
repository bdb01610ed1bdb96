import Foundation

/// The properties of an XMP packet (ISO 16684-1): RDF in XML, as attributes or as elements, single or in lists.
///
/// A reader for metadata, not for XML at large: entities are the five of XML and numbers, a document type declaration
/// ends the reading (it could define others), and what is broken, or more than any camera writes, ends it where it is. Linear
/// in the bytes, no recursion.
struct XMPPacket {
    /// Values by the namespace's URI and the property's name, in the packet's order.
    private var values: [String: [String]] = [:]
    /// What stands within each element of the names that were asked for: a property's first value there.
    private var structures: [String: [[String: String]]] = [:]

    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let greatestDepth = 64
    /// Cameras write some hundred properties, under namespaces of up to sixty characters. What is longer stays unresolved, as
    /// each of its properties would carry a copy.
    private static let greatestCount = 10_000
    private static let longestNamespace = 256

    /// A property's first value.
    func value(_ namespace: String, _ name: String) -> String? { values[namespace + name]?.first }

    /// A property's first value as a number.
    func number(_ namespace: String, _ name: String) -> Double? {
        value(namespace, name).flatMap(Double.init)
    }

    /// The numbers of a list; nil if one of its values is none.
    func numbers(_ namespace: String, _ name: String) -> [Double]? {
        guard let list = values[namespace + name] else { return nil }
        let numbers = list.compactMap(Double.init)
        return numbers.count == list.count ? numbers : nil
    }

    /// All values of a property, in the packet's order.
    func values(_ namespace: String, _ name: String) -> [String] { values[namespace + name] ?? [] }

    /// The properties within each element of a name, by namespace and name, in the packet's order; only for names that
    /// were given to ``init(_:structures:)``.
    func structures(_ name: String) -> [[String: String]] { structures[name] ?? [] }

    /// Reads a packet.
    /// - Parameter names: the elements (namespace and name) whose properties are also wanted together.
    init(_ bytes: some Collection<UInt8>, structures names: Set<String> = []) {
        let bytes = Array(bytes)
        var namespaces: [String: String] = [:]
        var open: [String] = []
        // The structures that are open: where they stand, and how deep their elements do.
        var within: [(name: String, index: Int, depth: Int)] = []
        var position = 0
        var count = 0

        func take(_ property: String, _ value: String) {
            values[property, default: []].append(value)
            guard let inner = within.last else { return }
            if structures[inner.name]?[inner.index][property] == nil {
                structures[inner.name]?[inner.index][property] = value
            }
        }

        func resolved(_ name: String) -> String {
            guard let colon = name.firstIndex(of: ":") else { return name }
            return (namespaces[String(name[..<colon])] ?? String(name[...colon]))
                + name[name.index(after: colon)...]
        }
        /// The end of `text` from `start` on, nil if it does not come any more.
        func end(of text: StaticString, from start: Int) -> Int? {
            let wanted = Array(text.description.utf8)
            var index = start
            while index + wanted.count <= bytes.count {
                guard let next = bytes[index...].firstIndex(of: wanted[0]) else { return nil }
                if bytes[next...].starts(with: wanted) { return next + wanted.count }
                index = next + 1
            }
            return nil
        }

        while let opening = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            let text = Self.text(bytes[position..<opening])
            if !text.isEmpty, let property = open.last(where: { !$0.hasPrefix(Self.rdf) }) {
                take(property, text)
            }
            position = opening + 1
            guard position < bytes.count else { return }
            if bytes[position...].starts(with: Array("!--".utf8)) {
                guard let next = end(of: "-->", from: position) else { return }
                position = next
            } else if bytes[position] == UInt8(ascii: "?") {
                guard let next = end(of: "?>", from: position) else { return }
                position = next
            } else if bytes[position] == UInt8(ascii: "!") {
                return
            } else {
                guard let tag = Tag(bytes, from: position) else { return }
                position = tag.end
                if tag.isClosing {
                    guard !open.isEmpty else { return }
                    open.removeLast()
                    if let inner = within.last, inner.depth > open.count { within.removeLast() }
                    continue
                }
                count += 1 + tag.attributes.count
                guard count <= Self.greatestCount else { return }
                for (name, value) in tag.attributes
                where name.hasPrefix("xmlns:") && value.utf8.count <= Self.longestNamespace {
                    namespaces[String(name.dropFirst(6))] = value
                }
                let name = resolved(tag.name)
                if names.contains(name) {
                    structures[name, default: []].append([:])
                    within.append((name, structures[name, default: []].count - 1, open.count + 1))
                }
                for (name, value) in tag.attributes where !name.hasPrefix("xmlns") {
                    take(resolved(name), value)
                }
                if tag.isEmpty {
                    if names.contains(name) { within.removeLast() }
                } else {
                    guard open.count < Self.greatestDepth else { return }
                    open.append(name)
                }
            }
        }
    }

    /// Text without its entities and without the blank around it.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            guard let stop = rest.firstIndex(of: ";") else { break }
            let entity = rest[rest.index(after: start)..<stop]
            let named = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
            if entity.hasPrefix("#") {
                let digits = entity.dropFirst()
                let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
                result += code.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
            } else {
                result += named[String(entity)] ?? ""
            }
            rest = rest[rest.index(after: stop)...]
        }
        return result + rest
    }

    /// `<name a="b">`, `<name/>` or `</name>`, from behind its first character.
    private struct Tag {
        var name: String
        var attributes: [(String, String)] = []
        var isClosing = false
        var isEmpty = false
        /// Behind its last character.
        var end: Int

        init?(_ bytes: [UInt8], from start: Int) {
            var position = start
            func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
            func word() -> String {
                let first = position
                while position < bytes.count, !isBlank(bytes[position]), !"/>=".utf8.contains(bytes[position])
                {
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
                    guard attributes.count < XMPPacket.greatestCount else { return nil }
                    attributes.append((key, XMPPacket.text(bytes[(position + 1)..<stop])))
                    position = stop + 1
                }
            }
        }
    }
}
