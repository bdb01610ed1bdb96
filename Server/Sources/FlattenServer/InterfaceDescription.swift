import Foundation

/// What `openapi.json` says of the interface's paths.
enum InterfaceDescription {
    /// The parts of each path, nil for one that stands for a value, and the methods that it takes.
    private static let paths: [(parts: [String?], methods: [String])] = {
        struct Description: Decodable {
            /// An operation, or what holds for all of a path.
            struct Anything: Decodable {}
            var paths: [String: [String: Anything]]
        }
        let bytes = Data(PackageResources.openapi_json)
        // A file of ours; a test reads it.
        guard let description = try? JSONDecoder().decode(Description.self, from: bytes) else { return [] }
        return description.paths.map { path, operations in
            (
                parts(of: path).map { $0.hasPrefix("{") ? nil : $0 },
                operations.keys.filter { $0 != "parameters" }.map { $0.uppercased() }.sorted()
            )
        }
    }()

    private static func parts(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

    /// The methods that a path takes; none for one that is not the interface's.
    static func methods(of path: String) -> [String] {
        let asked = parts(of: path)
        let found = paths.filter { known in
            known.parts.count == asked.count && zip(known.parts, asked).allSatisfy { $0 == nil || $0 == $1 }
        }
        // "/v1/archive/totals" is also what "/v1/archive/{id}" could be: what is named goes before.
        return found.min { $0.parts.count { $0 == nil } < $1.parts.count { $0 == nil } }?.methods ?? []
    }
}
