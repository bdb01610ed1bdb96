import Captures
import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import SyntheticCaptures
import Testing

@testable import ReceiptFlattening

/// Recordings of a still receipt with a reflection on another place in each shot, and a finger in the first.
@Suite struct FusedPictureTests {
    private static let seed: UInt64 = 31

    private struct Shots: CaptureSource {
        var frames: [CaptureFrame]
        var frameCount: Int { frames.count }
        func frame(at index: Int) -> CaptureFrame { frames[index] }
    }

    private struct Recording {
        var spoiled: [SyntheticCapture]
        var clean: [SyntheticCapture]

        func source(_ change: (Int, inout Capture) -> Void = { _, _ in }) -> Shots { source(spoiled, change) }

        func source(
            _ captures: [SyntheticCapture], _ change: (Int, inout Capture) -> Void = { _, _ in }
        ) -> Shots {
            Shots(
                frames: captures.enumerated().map { index, drawn in
                    var capture = Capture(
                        image: drawn.image, depth: drawn.depth, intrinsics: drawn.intrinsics)
                    change(index, &capture)
                    return CaptureFrame(capture: capture)
                })
        }

        /// Root mean square difference in grey levels between two pictures of one shot, over the sheet.
        func error(of picture: RGBImage, at shot: Int) -> Double {
            let sheet = clean[shot].flatMillimeters()
            var (sum, count) = (0.0, 0.0)
            for index in sheet.elements.indices where sheet.elements[index].x.isFinite {
                let (a, b) = (picture.elements[index], clean[shot].image.elements[index])
                let difference = Double(a.luma) - Double(b.luma)
                sum += difference * difference
                count += 1
            }
            return (sum / count).squareRoot()
        }
    }

    private static let recording: Result<Recording, any Error> = Result {
        var generator = SeededGenerator(seed: seed)
        var scene = SyntheticScene.random(
            .curl, paper: .narrow, itemCount: 5, imageSize: PixelSize(width: 600, height: 800),
            using: &generator)
        scene.quality = .draft
        let shots = scene.handHeldShots(4, shift: 0.006, using: &generator).map(\.scene)
        let places = [SIMD2(0.3, 0.25), SIMD2(0.7, 0.45), SIMD2(0.35, 0.6), SIMD2(0.6, 0.85)]
        let spoiled = shots.indices.map { index in
            var shot = shots[index]
            shot.flaws = [PhotographFlaw(.glare, at: places[index], radius: 0.009)]
            if index == 0 { shot.flaws.append(PhotographFlaw(.finger, at: SIMD2(0.7, 0.7), radius: 0.007)) }
            // Each in a light of its own, as cameras choose exposure anew.
            shot.look.exposure *= 1 - 0.05 * Float(index)
            return shot
        }
        return Recording(
            spoiled: try spoiled.map { try $0.render(sensor: .lidar) },
            clean: try spoiled.map {
                var shot = $0
                shot.flaws = []
                return try shot.render(sensor: .lidar)
            })
    }

    @Test func reflectionsAndAFingerAreGone() throws {
        let recording = try Self.recording.get()
        let fused = try recording.source().fused(around: 0)
        let single = recording.spoiled.indices.map {
            recording.error(of: recording.spoiled[$0].image, at: $0)
        }
        let error = recording.error(of: fused.capture.image, at: 0)
        // Half of the least spoiled frame's error: what fractions of a pixel and one more resampling leave of print is far
        // below the white and the skin that lay on a tenth of the sheet.
        #expect(error < 0.5 * (single.min() ?? 0), "seed \(Self.seed): \(error) of \(single)")
        let record = try #require(fused.capture.fusion)
        #expect(record.depthFrames == 4)
        #expect(record.comparedFrames.sorted() == [1, 2, 3])
        #expect(record.refusals.isEmpty)
        let share = record.shareTaken { _ in true }
        #expect(share > 0.01 && share < 0.5, "\(share)")
    }

    @Test func theReportTellsWhatCameFromOthers() throws {
        let recording = try Self.recording.get()
        var options = ReceiptFlattener.Options()
        options.language = nil
        let fused = try recording.source().fused(around: 0).capture
        let summary = try #require(try ReceiptFlattener(options: options).flatten(fused).report.fusion)
        #expect(summary.depthFrames == 4 && summary.comparedFrames == [1, 2, 3])
        #expect(!summary.pictureFrames.isEmpty && summary.refused.isEmpty)
        #expect(summary.shareFromOthers > 0.02 && summary.shareFromOthers < 0.6, "\(summary.shareFromOthers)")
        let alone = recording.source().frames[0].capture
        #expect(try ReceiptFlattener(options: options).flatten(alone).report.fusion == nil)
    }

    @Test func whereNothingIsHiddenThePictureStaysAsItIs() throws {
        let recording = try Self.recording.get()
        let fused = try recording.source(recording.clean).fused(around: 0).capture
        let isSame = fused.image == recording.clean[0].image
        #expect(isSame, "the picture has changed")
        #expect(fused.fusion?.pictureFrames == [])
        #expect(fused.fusion?.shareTaken { _ in true } == 0)
    }

    @Test func twoFramesCannotOutvoteEachOther() throws {
        let recording = try Self.recording.get()
        var source = recording.source()
        source.frames.removeLast(2)
        let fused = try source.fused(around: 0).capture
        let isSame = fused.image == recording.spoiled[0].image
        #expect(isSame, "the picture has changed")
    }

    @Test func aPictureThatDoesNotLieOnTheOthersIsLeftOutWithItsReason() throws {
        let recording = try Self.recording.get()
        // As a shutter that rolls over a shaken camera: lines are shifted by up to four pixels, back and forth.
        let source = recording.source { index, capture in
            guard index == 2 else { return }
            let image = capture.image
            for y in 0..<image.height {
                let shift = Int((4 * sin(Double(y) / 25)).rounded())
                for x in 0..<image.width {
                    capture.image[x: x, y: y] = image[x: min(max(x + shift, 0), image.width - 1), y: y]
                }
            }
        }
        let fused = try source.fused(around: 0).capture
        let record = try #require(fused.fusion)
        let refusal = try #require(record.refusals.first)
        #expect(record.refusals.count == 1 && refusal.frame == 2 && refusal.isOfPictureAlone)
        #expect(refusal.reason.contains("does not lie on the reference's"), "\(refusal.reason)")
        #expect(record.comparedFrames.sorted() == [1, 3])
    }

    @Test func theSharpestFrameIsTaken() throws {
        let recording = try Self.recording.get()
        let source = recording.source(recording.clean) { index, capture in
            guard index == 0 else { return }
            for _ in 0..<4 { capture.image = capture.image.smoothed { $0.mean(with: $1, $2) } }
        }
        let blurred = source.frames[0].capture.image
        let fused = try source.fused(around: 0).capture
        let (before, after) = (recording.error(of: blurred, at: 0), recording.error(of: fused.image, at: 0))
        // What is left is one more resampling and fractions of a pixel at strokes three pixels wide: 0.55 of the blur's error
        // was measured.
        #expect(after < 0.7 * before, "seed \(Self.seed): \(after) of \(before)")
    }

    @Test func theSameFramesGiveTheSameBytes() throws {
        let source = try Self.recording.get().source()
        let (first, second) = (
            try source.fused(around: 1).capture.image, try source.fused(around: 1).capture.image
        )
        let isSame = first == second
        #expect(isSame, "two runs differ")
    }
}

extension RGB {
    /// (a + 2 b + c) / 4 of each channel, this being a.
    fileprivate func mean(with b: RGB, _ c: RGB) -> RGB {
        func mean(_ channel: KeyPath<RGB, UInt8>) -> UInt8 {
            UInt8(
                (Int(self[keyPath: channel]) + 2 * Int(b[keyPath: channel]) + Int(c[keyPath: channel]) + 2)
                    / 4)
        }
        return RGB(red: mean(\.red), green: mean(\.green), blue: mean(\.blue))
    }
}
