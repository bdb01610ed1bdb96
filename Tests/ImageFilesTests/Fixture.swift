import Foundation
import ImageFiles
import Imaging
import LocalFiles
import TestSupport
import Testing

/// A file that another program wrote, and what it must decode to (see Fixtures/make-fixtures.py).
struct Fixture: Decodable, Sendable, CustomTestStringConvertible {
    enum Kind: String, Decodable { case color, uint8, uint16, float32 }

    var file: String
    var kind: Kind
    var width: Int
    var height: Int
    /// A file of raw values.
    var expected: String
    /// Largest difference of a channel; 0 if absent. JPEG decoders may round the inverse transform differently.
    var tolerance: Int?
    var orientation: Int?
    var focalLengthIn35mmFilm: Double?
    var pixelsPerMeter: Double?

    var testDescription: String { "\(file) as \(kind.rawValue)" }

    static let all: [Fixture] = {
        do {
            return try JSONDecoder().decode([Fixture].self, from: Data(bytes("fixtures.json")))
        } catch {
            Issue.record("the list of fixtures cannot be read: \(error)")
            return []
        }
    }()

    static func bytes(_ name: String) throws -> [UInt8] { try Fixtures(of: .module).bytes(name) }

    func load() throws -> InputFile { InputFile(name: file, bytes: try Self.bytes(file)) }

    func expectedValues<Value>(as type: Value.Type) throws -> [Value] {
        let bytes = try Self.bytes(expected)
        return bytes.withUnsafeBytes { raw in
            (0..<raw.count / MemoryLayout<Value>.size).map {
                raw.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Value>.size, as: Value.self)
            }
        }
    }
}
