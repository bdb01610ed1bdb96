import Foundation

/// A JSON Schema (2020-12), as far as those in `Schemas` go: a keyword that is not known here is a violation by itself.
package struct JSONSchema: Sendable {
    private let root: JSONValue

    /// One of the repository's own: "report", "capture" ...
    package init(named name: String) throws {
        root = try JSONValue(
            Data(contentsOf: Repository.folder.appending(path: "Schemas/\(name).schema.json")))
    }

    /// What of a value the schema does not allow, a line each with the place. Keys without a property count too: programs
    /// that read may pass over new keys, but a program that writes them must have them described.
    package func violations(by value: JSONValue) -> [String] { check(value, root, at: "$") }

    /// The names of all properties, whatever object they belong to.
    package var propertyNames: Set<String> { Self.names(in: root) }

    /// A value in which every property is there and nothing is null where it may be something.
    package var example: JSONValue { example(of: root) }

    private static func names(in schema: JSONValue) -> Set<String> {
        switch schema {
        case .object(let members):
            var names: Set<String> = []
            if case .object(let properties)? = members["properties"] { names.formUnion(properties.keys) }
            return members.values.reduce(into: names) { $0.formUnion(Self.names(in: $1)) }
        case .array(let values): return values.reduce(into: []) { $0.formUnion(Self.names(in: $1)) }
        default: return []
        }
    }

    private func resolved(_ name: String) -> JSONValue? {
        let prefix = "#/$defs/"
        return name.hasPrefix(prefix) ? root["$defs"]?[String(name.dropFirst(prefix.count))] : nil
    }

    private func check(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
        guard case .object(let keywords) = schema else { return ["\(place): the schema is no object"] }
        return keywords.sorted { $0.key < $1.key }.flatMap { keyword, argument in
            check(value, keyword, argument, in: keywords, at: place)
        }
    }

    private func check(
        _ value: JSONValue, _ keyword: String, _ argument: JSONValue, in keywords: [String: JSONValue],
        at place: String
    ) -> [String] {
        func fails(_ isMet: Bool) -> [String] { isMet ? [] : ["\(place): \(keyword) \(argument): \(value)"] }
        switch (keyword, argument, value) {
        case ("$schema", _, _), ("$id", _, _), ("$defs", _, _), ("title", _, _), ("description", _, _),
            ("examples", _, _):
            return []
        case ("$ref", .string(let name), _):
            guard let target = resolved(name) else { return ["\(place): there is no \(name)"] }
            return check(value, target, at: place)
        case ("type", .string(let name), _): return fails(Self.isOf(name, value))
        case ("const", _, _): return fails(value == argument)
        case ("enum", .array(let values), _): return fails(values.contains(value))
        case ("anyOf", .array(let schemas), _):
            let tries = schemas.map { check(value, $0, at: place) }
            // What is nearest tells most.
            return tries.contains([]) ? [] : tries.max { $0.count < $1.count } ?? []
        case ("minimum", .number(let least), .number(let number)): return fails(number >= least)
        case ("exclusiveMinimum", .number(let least), .number(let number)): return fails(number > least)
        case ("maximum", .number(let most), .number(let number)): return fails(number <= most)
        case ("minLength", .number(let least), .string(let text)):
            return fails(Double(text.unicodeScalars.count) >= least)
        case ("maxLength", .number(let most), .string(let text)):
            return fails(Double(text.unicodeScalars.count) <= most)
        case ("pattern", .string(let pattern), .string(let text)):
            return fails(text.range(of: pattern, options: .regularExpression) != nil)
        case ("items", _, .array(let values)):
            return values.enumerated().flatMap { check($1, argument, at: "\(place)[\($0)]") }
        case ("minItems", .number(let least), .array(let values)): return fails(Double(values.count) >= least)
        case ("maxItems", .number(let most), .array(let values)): return fails(Double(values.count) <= most)
        case ("required", .array(let names), .object(let members)):
            return names.compactMap { name in
                guard case .string(let key) = name else { return "\(place): required \(name)" }
                return members[key] == nil ? "\(place): \(key) is missing" : nil
            }
        case ("properties", .object(let properties), .object(let members)):
            return members.sorted { $0.key < $1.key }.flatMap { key, member in
                guard let schema = properties[key] else { return ["\(place): \(key) is not described"] }
                return check(member, schema, at: "\(place).\(key)")
            }
        case ("additionalProperties", _, .object(let members)):
            return keywords["properties"] == nil
                ? members.flatMap { check($1, argument, at: "\(place).\($0)") }
                : ["\(place): properties and additionalProperties together are not known here"]
        case ("minimum", .number, _), ("exclusiveMinimum", .number, _), ("maximum", .number, _),
            ("minLength", .number, _), ("maxLength", .number, _), ("pattern", .string, _), ("items", _, _),
            ("minItems", .number, _), ("maxItems", .number, _), ("required", .array, _),
            ("properties", .object, _),
            ("additionalProperties", _, _):
            // Each applies to values of one type; "type" says which one is meant.
            return []
        default: return ["\(place): the keyword \(keyword) is not known here"]
        }
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }

    private func example(of schema: JSONValue) -> JSONValue {
        if case .array(let examples)? = schema["examples"], let first = examples.first { return first }
        if let value = schema["const"] { return value }
        if case .array(let values)? = schema["enum"], let first = values.first { return first }
        if case .array(let schemas)? = schema["anyOf"], let first = schemas.first {
            return example(of: first)
        }
        if case .string(let name)? = schema["$ref"], let target = resolved(name) {
            return example(of: target)
        }
        switch schema["type"] {
        case .string("object"):
            guard case .object(let properties)? = schema["properties"] else {
                return .object(["some": example(of: schema["additionalProperties"] ?? .null)])
            }
            return .object(properties.mapValues(example))
        case .string("array"):
            let count = if case .number(let least)? = schema["minItems"] { max(Int(least), 1) } else { 1 }
            return .array(Array(repeating: example(of: schema["items"] ?? .null), count: count))
        case .string("string"): return .string("word")
        case .string("boolean"): return .bool(true)
        case .string: return .number(1)
        default: return .null
        }
    }
}
