/// The elements of an XML file as OpenCV writes its cascades: attributes are ignored, nothing is fetched or expanded.
///
/// Anything else is rejected: a document type, an entity, an unclosed element, text after the last element.
struct CascadeXML {
    let name: String
    private(set) var children: [CascadeXML] = []
    private(set) var text = ""

    /// Largest nesting depth; cascades have at most 8.
    private static let maximumDepth = 16
    /// Largest number of elements; frontalface_alt2 has 12,000.
    private static let maximumElements = 200_000

    /// Parses the file's root element.
    /// - Complexity: O(bytes).
    init?(_ bytes: [UInt8]) {
        var open: [CascadeXML] = []
        var root: CascadeXML?
        var elements = 0
        var index = 0
        func starts(_ word: StaticString, at index: Int) -> Bool {
            let count = word.utf8CodeUnitCount
            guard index + count <= bytes.count else { return false }
            return (0..<count).allSatisfy { bytes[index + $0] == word.utf8Start[$0] }
        }
        func end(of word: StaticString, from index: Int) -> Int? {
            var index = index
            while index < bytes.count {
                if starts(word, at: index) { return index }
                index += 1
            }
            return nil
        }
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                let stop = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                let text = bytes[index..<stop]
                if open.isEmpty {
                    guard text.allSatisfy(Self.isBlank) else { return nil }
                } else {
                    guard !text.contains(UInt8(ascii: "&")) else { return nil }
                    open[open.count - 1].text += String(decoding: text, as: UTF8.self)
                }
                index = stop
                continue
            }
            if starts("<!--", at: index) {
                guard let stop = end(of: "-->", from: index + 4) else { return nil }
                index = stop + 3
            } else if starts("<?", at: index) {
                guard let stop = end(of: "?>", from: index + 2) else { return nil }
                index = stop + 2
            } else {
                guard let stop = end(of: ">", from: index + 1) else { return nil }
                let tag = bytes[(index + 1)..<stop]
                index = stop + 1
                if tag.first == UInt8(ascii: "/") {
                    guard let ended = open.popLast(), Array(ended.name.utf8) == Array(tag.dropFirst()) else {
                        return nil
                    }
                    if open.isEmpty { root = ended } else { open[open.count - 1].children.append(ended) }
                } else {
                    let isEmpty = tag.last == UInt8(ascii: "/")
                    let name = (isEmpty ? tag.dropLast() : tag).prefix { !Self.isBlank($0) }
                    elements += 1
                    guard root == nil, elements <= Self.maximumElements, open.count < Self.maximumDepth,
                        !name.isEmpty, name.allSatisfy(Self.isNamePart)
                    else { return nil }
                    let element = CascadeXML(name: String(decoding: name, as: UTF8.self))
                    if !isEmpty {
                        open.append(element)
                    } else if open.isEmpty {
                        root = element
                    } else {
                        open[open.count - 1].children.append(element)
                    }
                }
            }
        }
        guard let root, open.isEmpty else { return nil }
        self = root
    }

    private init(name: String) { self.name = name }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte)
    }

    /// The only child with this name; nil for none or several.
    subscript(_ name: String) -> CascadeXML? {
        let named = children.filter { $0.name == name }
        return named.count == 1 ? named[0] : nil
    }

    /// The words of the text.
    var words: [Substring] {
        text.split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
    }

    /// The text as numbers; nil if any word is not a finite number.
    var numbers: [Double]? {
        let numbers = words.compactMap { Double($0) }
        return numbers.count == words.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }

    /// The text as a single integer.
    var wholeNumber: Int? { words.count == 1 ? words.first.flatMap { Int($0) } : nil }
}
