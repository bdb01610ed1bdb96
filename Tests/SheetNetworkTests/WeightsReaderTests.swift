import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import SheetNetwork

@Suite("Files of network weights")
struct WeightsReaderTests {
    static func refusal(of bytes: [UInt8]) -> FlatteningError? {
        failure { try bytes.withUnsafeBytes { bytes in try SheetNetwork(weights: bytes) } }
    }

    /// The narrow network's file with some bytes replaced.
    static func changed(at offset: Int, to bytes: [UInt8]) throws -> [UInt8] {
        var file = try NarrowNetwork.bytes()
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return file
    }

    @Test("A whole file says its widths and blocks")
    func whole() throws {
        let network = try NarrowNetwork.load()
        #expect(network.widths == [4, 6, 8, 10, 12])
        #expect(network.blocks == [1, 1, 2, 2])
    }

    @Test("A file that is too short or too long is refused with both lengths")
    func lengths() throws {
        let file = try NarrowNetwork.bytes()
        for count in [8, 20, 51, 52, 53, 1000, file.count - 2, file.count - 1] {
            let error = try #require(Self.refusal(of: Array(file[..<count])))
            #expect(error.code == .badInput && error.seen == "\(count) bytes", "\(count): \(error)")
        }
        let longer = try #require(Self.refusal(of: file + [0, 0]))
        #expect(longer.code == .badInput && longer.allowed == "\(file.count) bytes", "\(longer)")
    }

    @Test(
        "A file of another kind is refused", arguments: [[], Array("SHEETNE".utf8), Array("SHEETNOT".utf8)])
    func otherKinds(bytes: [UInt8]) throws {
        let error = try #require(Self.refusal(of: bytes))
        #expect(error.code == .badInput)
        #expect(error.message == "this is no file of the network's weights")
    }

    @Test("Another version is unsupported")
    func version() throws {
        let error = try #require(Self.refusal(of: try Self.changed(at: 8, to: [2, 0, 0, 0])))
        #expect(error.code == .unsupported && error.seen == "2" && error.allowed == "1")
    }

    @Test("A head that no network has is refused before anything is read by it")
    func heads() throws {
        // Levels, a width of none, one too large, and one that the rest of the file does not fit, blocks.
        for (offset, bytes) in [
            (12, [4, 0, 0, 0]), (16, [0, 0, 0, 0]), (20, [255, 255, 255, 255]), (20, [7, 0, 0, 0]),
            (36, [255, 255, 255, 127]), (36, [2, 0, 0, 0]),
        ] as [(Int, [UInt8])] {
            let error = try #require(Self.refusal(of: try Self.changed(at: offset, to: bytes)))
            #expect(error.code == .badInput && error.stage == .network, "\(offset): \(error)")
        }
    }

    @Test("A weight that is no finite number is refused", arguments: [0x7C00, 0xFC00, 0x7E01])
    func notFinite(bits: Int) throws {
        let error = try #require(Self.refusal(of: try Self.changed(at: 52, to: Bytes.little(bits, 2))))
        #expect(error.code == .badInput)
        #expect(error.message == "a weight of the network is no number")
    }
}
