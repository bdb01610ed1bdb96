import CLineNetwork
import Diagnostics
import TestSupport
import Testing

@testable import LineNetwork

@Suite struct LayerReaderTests {
    private static var file: [UInt8] {
        Array(UnsafeRawBufferPointer(start: clinenetwork_weights(), count: clinenetwork_weights_size()))
    }

    private static func refusal(of bytes: [UInt8]) -> FlatteningError? {
        failure { try bytes.withUnsafeBytes { bytes in try LineNetwork(weights: bytes) } }
    }

    @Test func aFileOfAnotherLengthIsRefusedWithBoth() throws {
        let file = Self.file
        for count in [8, 19, 20, 1000, 100_000, file.count - 1] {
            let error = try #require(Self.refusal(of: Array(file[..<count])))
            #expect(error.code == .badInput && error.seen == "\(count) bytes", "\(count): \(error)")
        }
        let longer = try #require(Self.refusal(of: file + [0]))
        #expect(longer.code == .badInput && longer.allowed == "\(file.count) bytes", "\(longer)")
    }

    @Test(arguments: [[], Array("LINENET".utf8), Array("SHEETNET".utf8)])
    func anotherFileIsRefused(bytes: [UInt8]) throws {
        let error = try #require(Self.refusal(of: bytes))
        #expect(error.code == .badInput && error.message == "this is no file of the reader's weights")
    }

    @Test func anotherVersionIsUnsupported() throws {
        var file = Self.file
        file[8] = 1
        let error = try #require(Self.refusal(of: file))
        #expect(error.code == .unsupported && error.seen == "1" && error.allowed == "2")
    }

    @Test func aHeadThatTheFileDoesNotFitIsRefusedBeforeAnythingIsReadByIt() throws {
        // Characters, and their bytes: too many, and one more than there are.
        for (offset, bytes) in [
            (12, Bytes.little(1 << 20, 4)), (16, Bytes.little(1 << 30, 4)), (12, [0xC5, 2, 0, 0]),
        ] {
            var file = Self.file
            file.replaceSubrange(offset..<offset + 4, with: bytes)
            #expect(Self.refusal(of: file)?.code == .badInput, "\(offset)")
        }
    }

    @Test func aScaleThatIsNoNumberIsRefused() throws {
        var file = Self.file
        let names = (0..<4).reduce(0) { $0 | Int(file[16 + $1]) << (8 * $1) }
        file.replaceSubrange(20 + names..<24 + names, with: Bytes.little(0x7FC0_0000, 4))
        #expect(Self.refusal(of: file)?.message == "a weight of the reader is no number")
    }
}
