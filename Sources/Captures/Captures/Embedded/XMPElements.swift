import ScalarText

/// The stack of open elements at a position in an XMP packet, with their namespaces resolved.
///
/// It enforces the limits: a packet with more than any camera writes ends there.
struct XMPElements {
    /// An element, named by its namespace's URI and its name.
    struct Element {
        let name: String
        /// The innermost structure that the element is or belongs to; nil if none.
        var structure: Structure?
    }

    /// One of the elements whose properties are collected together.
    struct Structure {
        let name: String
        /// Its index among the elements of that name, in the packet's order.
        let index: Int
    }

    private var open: [Element] = []
    private var namespaces: [String: String] = [:]
    /// Elements and attributes so far.
    private var count = 0

    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let greatestDepth = 64
    /// The most elements and attributes of a packet. Cameras write some hundred properties, under namespaces of up to sixty
    /// characters.
    private static let greatestCount = 10_000
    /// Longer namespaces stay unresolved, because each of their properties would carry a copy.
    private static let longestNamespace = 256

    /// The innermost element, with the structure that it belongs to.
    var innermost: Element? { open.last }

    /// The property that a text belongs to: the innermost element that is not one of RDF's own, which RDF uses for lists and
    /// structures.
    var property: String? { open.last { !$0.name.hasScalarPrefix(Self.rdf) }?.name }

    /// Returns the element of a tag, not yet opened, and its attributes without namespace declarations; nil beyond the
    /// limits.
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

    /// Returns a name with its prefix replaced by the namespace's URI; unchanged if the prefix is not known.
    private func resolved(_ name: String) -> String {
        guard let colon = name.firstIndex(ofScalar: ":") else { return name }
        let local = name.index(afterScalar: colon)
        return (namespaces[String(name[..<colon])] ?? String(name[..<local])) + name[local...]
    }
}
