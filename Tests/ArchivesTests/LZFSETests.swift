import Archives
import Diagnostics
import Foundation
import TestSupport
import Testing

func fixture(_ name: String) throws -> [UInt8] { try Fixtures(of: .module).bytes(name) }

func fixturePath(_ name: String) throws -> String { Fixtures(of: .module).path(name) }

// The streams were made by Apple's own compressor; make-fixtures.py computes the contents by the same formulas.
@Suite struct LZFSETests {
    /// The generator of make-fixtures.py.
    static func generated(_ count: Int) -> [UInt8] {
        var state: UInt32 = 1
        return (0..<count).map { _ in
            state = 1_664_525 &* state &+ 1_013_904_223
            return UInt8(state >> 24)
        }
    }

    static let contents: [String: [UInt8]] = [
        "noise": generated(3000),
        "text": Array(String(repeating: "TOTAL 12.34 EUR\n", count: 100).utf8),
        "steps": (0..<4000).map { UInt8($0 / 7 % 251) },
        "levels": generated(20000).map { $0 % 3 },
        "runs": generated(200).flatMap { Array(repeating: $0, count: Int($0) * 4 + 1) },
    ]

    @Test(arguments: ["noise", "text", "steps", "levels", "runs"])
    func applesStreamsUnpackToWhatWentIn(name: String) throws {
        let content = try #require(Self.contents[name])
        #expect(try LZFSE.decompress(try fixture(name + ".lzfse"), count: content.count) == content)
    }

    @Test func aDepthMapComesBackBitForBitWithItsHoles() throws {
        let bytes = try LZFSE.decompress(try fixture("depth.lzfse"), count: 128 * 96 * 4)
        for y in 0..<96 {
            for x in 0..<128 {
                let start = 4 * (y * 128 + x)
                let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
                let value = Float(bitPattern: bits)
                // Sums of powers of two: exact.
                #expect(x < 8 ? value.isNaN : value == 0.25 + Float(x) / 512 + Float(y) / 1024)
            }
        }
    }

    @Test func anEmptyStreamIsItsEndMarkAlone() throws {
        #expect(try LZFSE.decompress(Array("bvx$".utf8), count: 0).isEmpty)
        #expect(failure { try LZFSE.decompress([], count: 0) }?.code == .badInput)
    }

    @Test func anotherLengthThanAskedForIsAnError() throws {
        let stream = try fixture("text.lzfse")
        for count in [0, 1599, 1601] {
            #expect(failure { try LZFSE.decompress(stream, count: count) }?.code == .badInput)
        }
    }

    @Test(arguments: ["noise", "text", "steps", "runs"])
    func everyCutIsAnError(name: String) throws {
        let stream = try fixture(name + ".lzfse")
        let count = try #require(Self.contents[name]).count
        for length in stride(from: 0, to: stream.count, by: max(stream.count / 60, 1)) {
            #expect(
                failure { try LZFSE.decompress(Array(stream.prefix(length)), count: count) }?.code
                    == .badInput)
        }
    }

    @Test(arguments: ["text", "steps", "runs"], [3, 4] as [UInt64])
    func damagedStreamsGiveAnErrorOrTheRightLengthNeverATrap(name: String, seed: UInt64) throws {
        let stream = try fixture(name + ".lzfse")
        let count = try #require(Self.contents[name]).count
        var state = seed
        func random(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        for _ in 0..<150 {
            var damaged = stream
            for _ in 0...random(below: 3) {
                damaged[random(below: damaged.count)] = UInt8(random(below: 256))
            }
            let error = failure {
                let bytes = try LZFSE.decompress(damaged, count: count)
                #expect(bytes.count == count, "seed \(seed)")
            }
            #expect(error.map { $0.code == .badInput } ?? true, "seed \(seed): \(String(describing: error))")
        }
    }
}
