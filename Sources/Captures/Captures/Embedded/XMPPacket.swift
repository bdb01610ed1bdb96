/// The properties of an XMP packet (ISO 16684-1): RDF in XML, as attributes or as elements, single or in lists.
///
/// See ``XMLTokenizer`` for the supported part of XML and ``XMPElements`` for the limits. Broken input, or more than any
/// camera writes, ends the packet at that point.
struct XMPPacket {
    /// Values by the namespace's URI and the property's name, in the packet's order.
    private var values: [String: [String]] = [:]
    /// For each requested element name, the properties within each such element: the first value of each property.
    private var structures: [String: [[String: String]]] = [:]

    /// A property's first value.
    func value(_ namespace: String, _ name: String) -> String? { values[namespace + name]?.first }

    /// A property's first value as a number.
    func number(_ namespace: String, _ name: String) -> Double? {
        value(namespace, name).flatMap(Double.init)
    }

    /// The numbers of a list; nil if one of its values is not a number.
    func numbers(_ namespace: String, _ name: String) -> [Double]? {
        guard let list = values[namespace + name] else { return nil }
        let numbers = list.compactMap(Double.init)
        return numbers.count == list.count ? numbers : nil
    }

    /// All values of a property, in the packet's order.
    func values(_ namespace: String, _ name: String) -> [String] { values[namespace + name] ?? [] }

    /// Returns the properties within each element of a name, by namespace and name, in the packet's order; only for names
    /// that were given to ``init(_:structures:)``.
    func structures(_ name: String) -> [[String: String]] { structures[name] ?? [] }

    /// Reads a packet.
    /// - Parameter names: the elements (namespace and name) whose properties are collected together.
    init(_ bytes: some Collection<UInt8>, structures names: Set<String> = []) {
        var elements = XMPElements()
        for token in XMLTokenizer(bytes) {
            switch token {
            case .text(let text):
                if let property = elements.property {
                    take(property, text, in: elements.innermost?.structure)
                }
            case .closing:
                guard elements.close() else { return }
            case .opening(let tag):
                guard let (found, attributes) = elements.read(tag) else { return }
                var element = found
                if names.contains(element.name) {
                    let index = structures[element.name, default: []].count
                    structures[element.name, default: []].append([:])
                    element.structure = .init(name: element.name, index: index)
                }
                for (property, value) in attributes { take(property, value, in: element.structure) }
                guard tag.isEmpty || elements.open(element) else { return }
            }
        }
    }

    private mutating func take(
        _ property: String, _ value: String, in structure: XMPElements.Structure?
    ) {
        values[property, default: []].append(value)
        guard let structure, structures[structure.name]?[structure.index][property] == nil else { return }
        structures[structure.name]?[structure.index][property] = value
    }
}
