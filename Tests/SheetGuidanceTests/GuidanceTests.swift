import Captures
import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import SheetFlattening
import SheetGuidance
import SyntheticCaptures
import Testing

/// What a person is told while the camera is pointed at a receipt, on drawn frames whose truth is known.
@Suite struct GuidanceTests {
    /// Guides through frames, 15 a second.
    private func guide(_ frames: [CaptureFrame]) -> [ReceiptGuidance] {
        var tracker = GuidanceTracker()
        return frames.map { tracker.guide($0) }
    }

    /// One receipt under changing light, motion and focus, followed by one tracker; calm after two good frames.
    private static let story: Result<[(name: String, guidance: ReceiptGuidance)], any Error> = Result {
        let scene = GuidanceScene.plain
        var frames: [(String, CaptureFrame)] = []
        func add(_ name: String, shift: Int = 0, _ change: (RGBImage) -> RGBImage = { $0 }) throws {
            // 15 frames a second on a clock that does not begin at zero.
            let time = 100 + Double(frames.count) / 15
            frames.append(
                (name, try GuidanceScene.frame(scene, shift: SIMD2(shift, 0), time: time, change: change)))
        }
        for name in ["first", "second", "third", "fourth"] { try add(name) }
        for shift in [8, 16, 24] { try add("shifted by \(shift)", shift: shift) }
        for name in ["still", "stiller", "calm"] { try add(name, shift: 24) }
        try add("dim", shift: 24, GuidanceScene.lit(0.5))
        try add("dark", shift: 24, GuidanceScene.lit(0.25))
        try add("dim again", shift: 24, GuidanceScene.lit(0.5))
        try add("bright", shift: 24, GuidanceScene.lit(1.6))
        try add("out of focus", shift: 24, GuidanceScene.blurred(width: 5))
        var options = GuidanceOptions()
        options.calmFrames = 2
        var tracker = GuidanceTracker(options: options)
        return frames.map { ($0.0, tracker.guide($0.1)) }
    }

    private func moment(_ name: String) throws -> ReceiptGuidance {
        try #require(Self.story.get().first { $0.name == name }).guidance
    }

    // MARK: Advice

    @Test func aStillGoodViewIsReadyAfterEnoughCalmFramesAndNotBefore() throws {
        // The first frame has none before it, so that nobody knows whether it was calm.
        let advice = try ["first", "second", "third", "fourth"].map { try moment($0).advice }
        #expect(advice == [.holdStill, .holdStill, .ready, .ready])
        let quality = try moment("third").quality
        #expect(quality.motion.map { $0 < 0.02 } ?? false, "the same frame again has not moved")
        #expect(quality.wholeness == 1)
        #expect(quality.sharpness > 0.4, "a third more than what would do")
        #expect(quality.brightness > 0.6, "white paper in good light")
        #expect(quality.glare == 0)
        #expect(try moment("first").quality.motion == nil)
    }

    @Test func aMovingHandIsToldToHoldStillAndIsReadyOnlyAfterwards() throws {
        // 8 pixels in a fifteenth of a second are 0.19 pictures a second; corners found to half a pixel blur that by 0.012.
        for name in ["shifted by 8", "shifted by 16", "shifted by 24"] {
            let moving = try moment(name)
            #expect(moving.advice == .holdStill)
            #expect(abs((moving.quality.motion ?? 0) - 8.0 / 640 * 15) < 0.03)
        }
        #expect(
            try ["still", "stiller", "calm"].map { try moment($0).advice } == [.holdStill, .ready, .ready])
        #expect(abs((try moment("second").timestamp ?? 0) - 100 - 1.0 / 15) < 1e-9)
    }

    @Test func tooLittleLightIsTooDarkAndTooMuchTooBright() throws {
        #expect(try moment("dim").advice == .ready)
        #expect(try moment("dark").advice == .tooDark)
        #expect(try moment("dim again").advice != .tooDark)
        let bright = try moment("bright")
        #expect(bright.advice == .tooBright)
        #expect(bright.quality.glare > 0.2)
    }

    @Test func aPictureOutOfFocusIsBlurred() throws {
        let blurred = try moment("out of focus")
        #expect(blurred.advice == .blurred)
        let sharpness = try moment("calm").quality.sharpness
        #expect(blurred.quality.sharpness < 0.5 * sharpness)
    }

    @Test func changingLightMotionAndFocusLeaveTheSheetItsId() throws {
        for (name, guidance) in try Self.story.get() { #expect(guidance.sheet?.id == 1, "\(name)") }
    }

    @Test func aDistantSheetIsTooFar() throws {
        // Too small to be told from other things at once: it is seen when the middle is looked at more closely.
        let frame = try GuidanceScene.frame(GuidanceScene.far)
        let all = guide(Array(repeating: frame, count: 4))
        let seen = try #require(all.last)
        #expect(seen.advice == .tooFar)
        #expect(all.allSatisfy { $0.advice == .noSheet || $0.advice == .tooFar })
        // The box around the true corners, as a share of the picture.
        let rows = try GuidanceScene.corners(GuidanceScene.far).map(\.y)
        let extent = ((rows.max() ?? 0) - (rows.min() ?? 0)) / Double(GuidanceScene.frameSize.height)
        #expect(abs(seen.quality.extent - extent) < 0.02, "two corners found to some pixels of 480")
    }

    @Test func aSheetOverTheRimIsCutOffAndOneOverBothIsTooClose() throws {
        let cut = try #require(
            guide([try GuidanceScene.frame(GuidanceScene.plain, shift: SIMD2(0, -140))]).last)
        #expect(cut.advice == .cutOff)
        #expect(cut.quality.wholeness < 0.95 && cut.quality.wholeness > 0.5)
        let near = try #require(guide([try GuidanceScene.frame(GuidanceScene.near)]).last)
        #expect(near.advice == .tooClose)
    }

    @Test func aTiltedCameraIsToldSoByDepthAndByTheCornersAlone() throws {
        let drawn = try GuidanceScene.tilted.get()
        func frame(_ depth: DepthMap?) -> CaptureFrame {
            CaptureFrame(capture: Capture(image: drawn.image, depth: depth, intrinsics: drawn.intrinsics))
        }
        let seen = guide([frame(drawn.depth), frame(nil)])
        #expect(seen.map(\.advice) == [.tooTilted, .tooTilted])
        let (byDepth, byCorners) = (seen[0].quality, seen[1].quality)
        // Depth's noise is averaged over a thousand readings; corners a pixel off turn a sheet of 200 pixels by some degrees.
        #expect(abs((byDepth.tilt ?? 0) - GuidanceScene.tiltOfTilted) < 0.02)
        #expect(abs((byCorners.tilt ?? 0) - GuidanceScene.tiltOfTilted) < 0.1)
        #expect(byCorners.distance == nil)
        // The camera looks at the sheet's middle; half the readings lie beyond it, but for perspective, which shows more of
        // the nearer half.
        #expect(abs((byDepth.distance ?? 0) / GuidanceScene.distanceOfTilted - 1) < 0.1)
    }

    // MARK: Following

    @Test func aSheetKeepsItsIdAndItsCornersWhereverItMoves() throws {
        let shifts = [(0, 0), (6, 2), (14, 5), (30, 4), (60, -10), (60, -40), (40, -60), (0, -60)]
        var firsts: [SIMD2<Double>] = []
        let seen = guide(
            try shifts.map { try GuidanceScene.frame(GuidanceScene.plain, shift: SIMD2($0.0, $0.1)) })
        for (guidance, shift) in zip(seen, shifts) {
            let sheet = try #require(guidance.sheet)
            #expect(sheet.id == 1)
            let truth = try GuidanceScene.corners(GuidanceScene.plain, shift: SIMD2(shift.0, shift.1))
            // Edges are found to a fraction of a pixel; where two of them meet, to some three.
            #expect(
                GuidanceScene.greatestError(sheet.corners, truth) < 3,
                "shift \(shift), seed \(GuidanceScene.seed)")
            let first = try #require(sheet.corners?.first)
            firsts.append(first - SIMD2(Double(shift.0), Double(shift.1)))
        }
        for first in firsts {
            #expect(
                ((first - firsts[0]) * (first - firsts[0])).sum() < 16, "the first corner stays the first")
        }
    }

    @Test func aSheetThatComesIntoViewIsWholeAgainUnderItsId() throws {
        let seen = guide(
            try [-140, -110, -80, -50, -20, -20].map {
                try GuidanceScene.frame(GuidanceScene.plain, shift: SIMD2(0, $0))
            })
        #expect(seen[0].advice == .cutOff && seen[0].sheet?.corners == nil)
        // One that runs off the picture is searched for every fifth frame.
        let last = try #require(seen.last)
        #expect(last.quality.wholeness == 1 && last.sheet?.id == 1)
        let truth = try GuidanceScene.corners(GuidanceScene.plain, shift: SIMD2(0, -20))
        #expect(GuidanceScene.greatestError(last.sheet?.corners, truth) < 3, "seed \(GuidanceScene.seed)")
    }

    @Test func anotherSheetInTheSamePlaceHasAnotherId() throws {
        let first = try GuidanceScene.frame(GuidanceScene.plain)
        let second = try GuidanceScene.frame(GuidanceScene.other)
        let ids = guide([first, first, second, second, second]).map { $0.sheet?.id }
        #expect(ids[0] == 1 && ids[1] == 1)
        #expect(ids.last == 2)
    }

    @Test func aSheetThatWasAwayForLongHasAnotherIdAndATableHasNone() throws {
        let sheet = try GuidanceScene.frame(GuidanceScene.plain)
        let table = try GuidanceScene.frame(GuidanceScene.table)
        // While there is none, every third frame is searched: the seventh without a sheet would be.
        let seen = guide([sheet] + Array(repeating: table, count: 6) + [sheet])
        #expect(seen[0].sheet?.id == 1)
        for empty in seen[1...6] {
            #expect(empty.sheet == nil && empty.advice == .noSheet)
            #expect(empty.quality.wholeness == 0 && empty.quality.extent == 0)
        }
        #expect(seen[7].sheet?.id == 2)
    }

    @Test func framesOfAnotherSizeBeginAnewAndPlacesAreInTheirPixels() throws {
        let drawn = try GuidanceScene.plain.get()
        let seen = guide([
            CaptureFrame(capture: Capture(image: GuidanceScene.grayPicture)),
            CaptureFrame(capture: Capture(image: drawn.image)),
        ])
        #expect(seen[0].advice == .noSheet)
        #expect(seen[1].quality.motion == nil)
        let document = drawn.scene.document
        let truth = [(0, 0), (document.width, 0), (document.width, document.height), (0, document.height)].map
        {
            drawn.photographPosition(u: $0.0, v: $0.1)
        }
        // The places are in the frame's pixels: in those of the frame reduced by two they would be 300 off. Corners are
        // found to a pixel and a half of that one.
        #expect(
            GuidanceScene.greatestError(seen[1].sheet?.corners, truth) < 3,
            "\(String(describing: seen[1].sheet?.corners)), not \(truth)")
        #expect(seen[1].sheet?.outline.imageSize == drawn.image.size)
    }

    // MARK: Streams

    @Test func aStreamGivesWhatTheTrackerGives() async throws {
        let frames = (0..<3).map {
            CaptureFrame(capture: Capture(image: GuidanceScene.grayPicture), timestamp: Double($0))
        }
        let (stream, continuation) = AsyncStream.makeStream(of: CaptureFrame.self)
        for frame in frames { continuation.yield(frame) }
        continuation.finish()
        var streamed: [ReceiptGuidance] = []
        for await guidance in stream.receiptGuidance() { streamed.append(guidance) }
        #expect(streamed == guide(frames))
    }

    @Test func aRecordingIsAStreamOfItsFramesAndItsErrorsComeThrough() async throws {
        struct Source: CaptureSource {
            var frameCount: Int { 3 }
            func frame(at index: Int) throws(FlatteningError) -> CaptureFrame {
                guard index < 2 else { throw FlatteningError(.badInput, "broken") }
                return CaptureFrame(
                    capture: Capture(image: GuidanceScene.grayPicture), timestamp: Double(index))
            }
        }
        var times: [Double?] = []
        await #expect(throws: FlatteningError.self) {
            for try await guidance in Source().frames.receiptGuidance() {
                times.append(guidance.timestamp)
                #expect(guidance.advice == .noSheet)
            }
        }
        #expect(times == [0, 1])
    }
}
