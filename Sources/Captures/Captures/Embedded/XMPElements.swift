import ScalarText

/// The elements of an XMP packet that are open at a place in it, each within the one before, with their namespaces resolved.
///
/// Holds the limits: more than any camera writes ends the packet.
struct XMPElements {
    /// An element, by its namespace's URI and its name.
    struct Element {
        let name: String
        /// The innermost structure that the element is, or stands in; nil for none.
        var structure: Structure?
    }

    /// One of the elements whose properties are wanted together.
    struct Structure {
        let name: String
        /// Which one of that name, in the packet's order.
        let index: Int
    }

    private var open: [Element] = []
    private var namespaces: [String: String] = [:]
    /// Elements and attributes so far.
    private var count = 0

    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let greatestDepth = 64
    /// Most elements and attributes of a packet. Cameras write some hundred properties, under namespaces of up to sixty
    /// characters.
    private static let greatestCount = 10_000
    /// What is longer stays unresolved, as each of its properties would carry a copy.
    private static let longestNamespace = 256

    /// The innermost element, and the structure that it stands in.
    var innermost: Element? { open.last }

    /// The property that a text stands for: the innermost element that is not one of RDF's own, in which it writes lists and
    /// structures.
    var property: String? { open.last { !$0.name.hasScalarPrefix(Self.rdf) }?.name }

    /// The element of a tag, not yet open, and its attributes without the declarations of namespaces; nil beyond the limits.
    mutating func read(_ tag: XMLTag) -> (element: Element, attributes: [(name: String, value: String)])? {
        count += 1 + tag.attributes.count
        guard count <= Self.greatestCount else { return nil }
        for (name, value) in tag.attributes
        where name.hasScalarPrefix("xmlns:") && value.utf8.count <= Self.longestNamespace {
            namespaces[String(name.dropFirst(6))] = value
        }
        let attributes = tag.attributes.filter { !$0.name.hasScalarPrefix("xmlns") }
        return (
            Element(name: resolved(tag.name), structure: open.last?.structure),
            attributes.map { (resolved($0.name), $0.value) }
        )
    }

    /// Opens an element within the innermost one.
    /// - Returns: false beyond the limits.
    mutating func open(_ element: Element) -> Bool {
        guard open.count < Self.greatestDepth else { return false }
        open.append(element)
        return true
    }

    /// Closes the innermost element, whatever the closing tag is called.
    /// - Returns: false if none is open.
    mutating func close() -> Bool { open.popLast() != nil }

    /// A name with its namespace's URI for the prefix; as it is where that is not known.
    private func resolved(_ name: String) -> String {
        guard let colon = name.firstIndex(ofScalar: ":") else { return name }
        let local = name.index(afterScalar: colon)
        return (namespaces[String(name[..<colon])] ?? String(name[..<local])) + name[local...]
    }
}
