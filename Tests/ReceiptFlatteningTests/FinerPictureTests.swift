import Captures
import DepthGeometry
import Imaging
import SyntheticCaptures
import TestSupport
import Testing
import TextRecognition

@testable import ReceiptFlattening

/// Recordings of a still receipt whose print is too small for one frame.
@Suite struct FinerPictureTests {
    private static let seed: UInt64 = 44

    private struct Shots: CaptureSource {
        var frames: [CaptureFrame]
        var frameCount: Int { frames.count }
        func frame(at index: Int) -> CaptureFrame { frames[index] }
    }

    private static let recording: Result<(source: Shots, text: String), any Error> = Result {
        var generator = SeededGenerator(seed: seed)
        var scene = SyntheticScene.random(
            .curl, paper: .narrow, itemCount: 5, imageSize: PixelSize(width: 252, height: 336),
            using: &generator)
        scene.quality = .draft
        let shots = try scene.handHeldShots(9, using: &generator).map { try $0.scene.render(sensor: .lidar) }
        return (
            Shots(
                frames: shots.map {
                    CaptureFrame(
                        capture: Capture(image: $0.image, depth: $0.depth, intrinsics: $0.intrinsics))
                }), shots[0].text
        )
    }

    private static var options: ReceiptFlattener.Options {
        var options = ReceiptFlattener.Options()
        options.language = TextReader.anyLanguage
        return options
    }

    private static func wrongCharacters(_ receipt: FlattenedReceipt, _ printed: String) -> Double {
        func letters(_ text: String) -> [Character] { text.filter { $0.isLetter || $0.isNumber }.map(\.self) }
        let read = letters(receipt.text?.lines.map(\.text).joined() ?? "")
        let printed = letters(printed)
        return Double(editDistance(read, printed)) / Double(printed.count)
    }

    @Test("Nine frames are read with half of the wrong characters of one, and are as large in millimetres")
    func reading() throws {
        let (source, printed) = try Self.recording.get()
        let flattener = ReceiptFlattener(options: Self.options)
        let one = try flattener.flatten(source.frames[0].capture)
        let fused = try source.fused(around: 0).capture
        let record = try #require(fused.fusion)
        #expect(record.finer != nil)
        #expect(fused.image.size == PixelSize(width: 504, height: 672))
        #expect(fused.intrinsics?.imageSize == fused.image.size)
        let several = try flattener.flatten(fused)
        #expect(several.report.fusion?.finer?.factor == 2)
        let (before, after) = (Self.wrongCharacters(one, printed), Self.wrongCharacters(several, printed))
        #expect(before > 0.04 && after <= before / 2, "seed \(Self.seed): \(after) of \(before)")
        // The same sheet by the same depth: what a finer outline changes is a fraction of a pixel.
        let (single, finer) = (try #require(one.report.sizeMm), try #require(several.report.sizeMm))
        #expect(abs(finer.width / single.width - 1) < 0.02 && abs(finer.height / single.height - 1) < 0.02)
    }

    @Test("Five frames leave the picture's pixels as they are")
    func few() throws {
        var source = try Self.recording.get().source
        source.frames.removeLast(4)
        let fused = try source.fused(around: 0).capture
        #expect(fused.fusion?.finer == nil && fused.image.size == source.frames[0].capture.image.size)
    }
}
