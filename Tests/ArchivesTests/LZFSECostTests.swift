import Archives
import TestSupport
import Testing

/// Streams that announce more work than their bytes are worth, and opcodes at their edges.
@Suite struct LZFSECostTests {
    private static func word(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private static let end = Array("bvx$".utf8)

    /// A block of entropy-coded data that announces so many literals and matches for `raw` bytes.
    private static func entropyCoded(raw: Int, literals: Int, matches: Int) -> [UInt8] {
        let fields = [
            UInt64(literals) | UInt64(matches) << 40 | 7 << 60, 7 << 60, 32 as UInt64,
        ]
        return Array("bvx2".utf8) + word(UInt64(raw), 4) + fields.flatMap { word($0, 8) } + end
    }

    @Test(arguments: [
        (8, 12, 0), (8, 0, 9), (8, 40_000, 0), (100_000, 40_004, 0), (100_000, 0, 10_001), (8, 3, 0),
    ])
    func aBlockThatAnnouncesMoreThanItCanHoldIsRefusedBeforeAnyWork(raw: Int, literals: Int, matches: Int) {
        let stream = Self.entropyCoded(raw: raw, literals: literals, matches: matches)
        let error = failure { try LZFSE.decompress(stream, count: raw) }
        #expect(error?.code == .badInput && error?.message == "a block announces more than it can hold")
    }

    @Test func anEmptyBlockIsRefusedBeforeItsTablesAreMade() {
        let error = failure {
            try LZFSE.decompress(Self.entropyCoded(raw: 0, literals: 0, matches: 0), count: 0)
        }
        #expect(error?.message == "a block holds nothing")
    }

    @Test func aBlockOfNoKnownKindIsNamed() {
        let error = failure { try LZFSE.decompress(Array("bvx7".utf8) + [0, 0, 0, 0], count: 0) }
        #expect(error?.seen == "0x37787662")
    }

    private static func lzvn(_ payload: [UInt8], raw: Int) throws -> [UInt8] {
        try LZFSE.decompress(
            Array("bvxn".utf8) + word(UInt64(raw), 4) + word(UInt64(payload.count), 4) + payload + end,
            count: raw)
    }

    /// The format's opcodes, one each; distances and lengths by lzvn_decode_base.c.
    // Three literals; two opcodes that do nothing; sixteen literals and more; one literal and four from one back, then two
    // alike; sixteen alike and more; a distance of 16 bits; one of 14 bits; a match from as far back as the one before.
    @Test(
        arguments: [
            ([0xE3, 1, 2, 3, 0x06], [1, 2, 3]), ([0x0E, 0x16, 0xE1, 9, 0x06], [9]),
            ([0xE0, 0] + Array(1...16) + [0x06], Array(1...16)),
            ([0x48, 1, 5, 0xF2, 0x06], [5, 5, 5, 5, 5, 5, 5]),
            ([0x48, 1, 5, 0xF0, 0, 0x06], [UInt8](repeating: 5, count: 21)),
            ([0x47, 1, 0, 6, 0x06], [6, 6, 6, 6]), ([0xA8, 4, 0, 8, 0x06], [8, 8, 8, 8]),
            ([0x48, 1, 5, 0x46, 7, 0x06], [5, 5, 5, 5, 5, 7, 7, 7, 7]),
        ] as [([UInt8], [UInt8])])
    func eachOpcodeGivesWhatTheFormatSays(payload: [UInt8], expected: [UInt8]) throws {
        #expect(try Self.lzvn(payload, raw: expected.count) == expected)
    }

    @Test(
        arguments: [
            [0x70], [0xD3], [0x0E], [0xE0], [0xF0], [0x48], [0x47, 1], [0xA8], [0xA8, 4], [], [0x1E, 0x06],
            [0xE2, 1], [0xF1, 0x06], [0x48, 0, 5, 0x06], [0x48, 2, 5, 0x06],
        ] as [[UInt8]])
    func whatIsNotDefinedCutOrOutsideIsRefused(payload: [UInt8]) {
        #expect(failure { try Self.lzvn(payload, raw: 8) }?.code == .badInput)
    }
}
