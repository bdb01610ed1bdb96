import ScalarText

/// The content of a JSON or YAML file, before it is interpreted.
enum StructuredValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// Always finite.
    case number(Double)
    case string(String)
    case array([StructuredValue])
    case object([String: StructuredValue])

    /// The value of a key; nil if this is not an object or has no such key.
    subscript(key: String) -> StructuredValue? {
        if case .object(let members) = self { return members[key] }
        return nil
    }

    /// The number; nil if this is something else.
    var number: Double? {
        if case .number(let number) = self { return number }
        return nil
    }

    /// The text; nil if this is something else.
    var string: String? {
        if case .string(let string) = self { return string }
        return nil
    }

    /// The elements; nil if this is something else.
    var array: [StructuredValue]? {
        if case .array(let elements) = self { return elements }
        return nil
    }

    /// The numbers of an array, or of a text such as "(3088.0, 2316.0)", as Swift prints vectors; nil if this is neither.
    var numbers: [Double]? {
        if let elements = array {
            let numbers = elements.compactMap(\.number)
            return numbers.count == elements.count ? numbers : nil
        }
        guard
            let fields = string?.dropping(scalarPrefix: "(")?.dropping(scalarSuffix: ")")?.split(
                atScalar: ",")
        else { return nil }
        let numbers = fields.compactMap { Double($0.replacingScalars(" ", with: "")) }.filter(\.isFinite)
        return numbers.count == fields.count ? numbers : nil
    }

    /// The keys in order; empty if this is not an object.
    var keys: [String] {
        if case .object(let members) = self { return members.keys.sorted() }
        return []
    }

    /// What this is, for messages: "a number", "an array of 4" ...
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number(let number): "the number \(number)"
        case .string(let string): "the text \"\(string.prefix(40))\""
        case .array(let elements): "an array of \(elements.count)"
        case .object: "an object"
        }
    }
}
