import Diagnostics
import Foundation
import ImageFiles
import LocalFiles
import TestSupport
import Testing

/// Limits and faults of OpenEXR files; they are those of the recordings (make-recordings.py of CapturesTests).
@Suite struct EXRDecodingTests {
    private static func file(_ name: String) throws -> InputFile {
        try InputFile.read(
            path: Repository.folder.appending(path: "Tests/CapturesTests/Fixtures/" + name).path(
                percentEncoded: false))
    }

    @Test func tilesAndBrokenFilesAreRefused() throws {
        let tiles = failure {
            try SampleMap.decode(try Self.file("depth-tiles.exr"))
        }
        #expect(tiles?.code == .unsupported)
        let whole = try Self.file("depth-half.exr")
        for length in [8, 100, whole.bytes.count / 2, whole.bytes.count - 1] {
            let cut = InputFile(name: "cut.exr", bytes: Array(whole.bytes.prefix(length)))
            #expect(failure { try SampleMap.decode(cut) }?.code == .badInput, "\(length)")
        }
        var limits = FlatteningLimits()
        limits.maximumDepthPixels = 299
        #expect(failure { try SampleMap.decode(whole, limits: limits) }?.code == .limitExceeded)
    }

    @Test func anEXRsSidesAndMemoryAreLimited() throws {
        let file = try Self.file("depth-float.exr")
        var limits = FlatteningLimits()
        limits.maximumSide = 20
        #expect(throws: Never.self) { try SampleMap.decode(file, limits: limits) }
        limits.maximumSide = 19
        let side = try #require(failure { try SampleMap.decode(file, limits: limits) })
        #expect(side.code == .limitExceeded && side.seen == "20 x 15")
        limits = FlatteningLimits()
        // A few rows of 20 floats are unpacked at once.
        limits.maximumDecodingBytes = 79
        let memory = try #require(failure { try SampleMap.decode(file, limits: limits) })
        #expect(memory.code == .limitExceeded && memory.seen?.contains("for a few rows") == true)
    }
}
