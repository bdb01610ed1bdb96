import Diagnostics
import LocalFiles
import TestSupport
import Testing

@testable import ImageFiles

/// A deadline that has passed ends decoding with `.timeout`, wherever it has got to.
@Suite struct DecodingDeadlineTests {
    private static let late: FlatteningLimits = {
        var limits = FlatteningLimits()
        limits.deadline = .now - .seconds(1)
        return limits
    }()

    private func expectTimeout(
        stage: FlatteningError.Stage, file: String?, _ location: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) throws {
        let error = try #require(throws: FlatteningError.self, sourceLocation: location) { try body() }
        #expect(
            error.code == .timeout && error.stage == stage && error.file == file, sourceLocation: location)
    }

    @Test func neitherPictureNorMapNorWhatIsInsideIsDecoded() throws {
        let file = InputFile(name: "x.ppm", bytes: Array("P3 1 1 255 1 2 3".utf8))
        try expectTimeout(stage: .init(rawValue: "decoding"), file: "x.ppm") {
            _ = try ColorPicture.decode(file, limits: Self.late)
        }
        try expectTimeout(stage: .init(rawValue: "decoding"), file: "x.ppm") {
            _ = try SampleMap.decode(file, limits: Self.late)
        }
    }

    @Test func rowsThatWeDecodeOneByOneEndInBetween() throws {
        for text in ["P3 1 1 255 1 2 3", "P6 1 1 255 abc"] {
            try expectTimeout(stage: .pnm, file: nil) {
                _ = try PNMDecoding.color(Array(text.utf8), limits: Self.late)
            }
        }
        let tiff = HandmadeTIFF(width: 2, height: 2, bits: 8, pixels: [1, 2, 3, 4]).bytes
        try expectTimeout(stage: .tiff, file: nil) { _ = try TIFFDecoding.map(tiff, limits: Self.late) }
        try expectTimeout(stage: .tiff, file: nil) { _ = try TIFFDecoding.color(tiff, limits: Self.late) }
    }
}
