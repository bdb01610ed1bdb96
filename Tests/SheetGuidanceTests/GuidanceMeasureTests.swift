import DepthGeometry
import Imaging
import SheetFlattening
import SyntheticCaptures
import Testing

@testable import SheetGuidance

/// What guidance measures, each by itself.
@Suite struct GuidanceMeasureTests {
    static let seed: UInt64 = 5

    /// Grey noise averaged over blocks, so that its structure is about `grain` pixels wide.
    private func texture(width: Int, height: Int, grain: Int) -> RGBImage {
        var generator = SeededGenerator(seed: Self.seed)
        let columns = width / grain + 2
        let coarse = (0..<columns * (height / grain + 2)).map { _ in UInt8(generator.uniform(40..<220)) }
        return RGBImage(
            width: width, height: height,
            elements: (0..<width * height).map { index in
                let value = coarse[(index / width / grain) * columns + index % width / grain]
                return RGB(red: value, green: value, blue: value)
            })
    }

    private func crop(_ image: RGBImage, x: Int, y: Int, size: PixelSize) -> RGBImage {
        RGBImage(
            width: size.width, height: size.height,
            elements: (0..<size.pixelCount).map { image[x: x + $0 % size.width, y: y + $0 / size.width] })
    }

    @Test(
        "A shift is found to a few pixels",
        arguments: [SIMD2(0, 0), SIMD2(12, -8), SIMD2(-37, 21), SIMD2(61, 50)])
    func shift(by shift: SIMD2<Int>) {
        let large = texture(width: 520, height: 440, grain: 23)
        let size = PixelSize(width: 320, height: 240)
        let before = LumaPyramid(crop(large, x: 100, y: 100, size: size))
        let after = LumaPyramid(crop(large, x: 100 - shift.x, y: 100 - shift.y, size: size))
        let found = PictureShift.estimate(from: before, to: after, columns: 0..<320, rows: 0..<240)
        // The finest level that is looked at has a quarter of the picture's size.
        #expect(
            abs(found.x - Double(shift.x)) <= 4 && abs(found.y - Double(shift.y)) <= 4, "seed \(Self.seed)")
    }

    /// An upright sheet in a working image of 320 x 240 pixels.
    private func sheet(x: ClosedRange<Double>, y: ClosedRange<Double>) throws -> SheetOutline {
        let (left, right, top, bottom) = (x.lowerBound, x.upperBound, y.lowerBound, y.upperBound)
        let corners = [SIMD2(left, top), SIMD2(right, top), SIMD2(right, bottom), SIMD2(left, bottom)]
        return try #require(SheetOutline(corners: corners, imageSize: GuidanceScene.grayPicture.size))
    }

    @Test func ofSeveralSheetsTheOneNearestTheMiddleIsFollowed() throws {
        let view = GuidanceView(Capture(image: GuidanceScene.grayPicture), longestSide: 320)
        let left = try sheet(x: 10...120, y: 20...220)
        let right = try sheet(x: 180...310, y: 20...220)
        let middle = try sheet(x: 140...170, y: 100...140)
        #expect(view.nearestMiddle(of: []) == nil)
        #expect(view.nearestMiddle(of: [left]) == left)
        #expect(view.nearestMiddle(of: [left, right]) == right, "40 pixels from the middle, and 20")
        #expect(view.nearestMiddle(of: [left, right, middle]) == middle)
        // What holds the middle is at no distance from it; of two that do, the first, which is the one meant.
        let under = try sheet(x: 100...300, y: 50...200)
        #expect(view.nearestMiddle(of: [under, middle]) == under)
        #expect(view.nearestMiddle(of: [middle, under]) == middle)
    }

    @Test func theSheetThatIsFollowedStaysUnlessAnotherIsClearlyNearer() throws {
        let view = GuidanceView(Capture(image: GuidanceScene.grayPicture), longestSide: 320)
        let held = try sheet(x: 10...120, y: 20...220)
        let seen = try sheet(x: 12...122, y: 20...220)
        // A tenth of the longer side is 32 pixels.
        #expect(view.nearestMiddle(of: [try sheet(x: 180...310, y: 20...220), seen], holding: held) == seen)
        let nearer = try sheet(x: 162...300, y: 20...220)
        #expect(view.nearestMiddle(of: [nearer, seen], holding: held) == nearer)
    }

    @Test(arguments: [
        (SIMD2(50.0, 50.0), 0.0), (SIMD2(0, 50), 10), (SIMD2(60, 120), 20), (SIMD2(103, 104), 5),
    ])
    func theDistanceToASheetIsThatToItsNearestSideOrCorner(place: SIMD2<Double>, distance: Double) throws {
        let outline = try sheet(x: 10...100, y: 10...100)
        // 3-4-5 from the corner; else along an axis.
        #expect(abs(outline.distance(to: place) - distance) < 1e-9)
    }

    @Test func aPictureWithoutAnythingInItHasNotMoved() {
        let gray = LumaPyramid(GuidanceScene.grayPicture)
        #expect(PictureShift.estimate(from: gray, to: gray, columns: 0..<320, rows: 0..<240) == .zero)
    }

    /// A part of the drawn receipt that is all print and paper.
    private func print() throws -> RGBImage {
        let frame = try GuidanceScene.frame(GuidanceScene.plain).capture.image
        let center = try GuidanceScene.corners(GuidanceScene.plain).reduce(SIMD2(0, 0), +) / 4
        return crop(
            frame, x: Int(center.x) - 70, y: Int(center.y) - 100, size: PixelSize(width: 140, height: 200))
    }

    private func detail(_ image: RGBImage) -> Double {
        LumaPyramid(image).fineDetail(columns: 0..<image.width, rows: 0..<image.height)
    }

    @Test func fineDetailTellsBlurAndNotBrightness() throws {
        let sharp = try print()
        let share = detail(sharp)
        #expect(share > 0.4, "seed \(GuidanceScene.seed)")
        for width in [3, 5, 9] {
            #expect(detail(GuidanceScene.blurred(width: width)(sharp)) < 0.5 * share, "\(width) pixels")
        }
        // The ratio of two energies, both of which fall with the square of the light; rounding to levels is all that is left.
        #expect(abs(detail(GuidanceScene.lit(0.5)(sharp)) / share - 1) < 0.1)
        #expect(detail(GuidanceScene.grayPicture) == 0)
    }

    @Test func noiseIsNotDetail() throws {
        var generator = SeededGenerator(seed: Self.seed)
        let blurred = GuidanceScene.blurred(width: 9)(try print())
        let noisy = blurred.map { pixel in
            let value = UInt8(min(max((Double(pixel.luma) + 3 * generator.normal()).rounded(), 0), 255))
            return RGB(red: value, green: value, blue: value)
        }
        // As much noise as a camera has in a dim room must not make a blurred picture look sharp.
        #expect(detail(noisy) < 0.3, "seed \(Self.seed)")
    }

    @Test func aSheetLooksLikeItselfAndUnlikeAnother() throws {
        func pattern(_ scene: Result<SyntheticCapture, any Error>, _ shift: SIMD2<Int>, error: Double) throws
            -> SheetPattern
        {
            let frame = try GuidanceScene.frame(scene, shift: shift)
            let corners = try GuidanceScene.corners(scene, shift: shift)
            // Seen at a quarter of the size, with each corner found a little beside where it is.
            let off = [SIMD2(error, 0), SIMD2(0, error), SIMD2(-error, 0), SIMD2(0, -error)]
            let small = zip(corners, off).map { ($0 + $1 + 0.5) / 4 - 0.5 }
            return try #require(SheetPattern(LumaPyramid(frame.capture.image).level(2), corners: small))
        }
        let sheet = try pattern(GuidanceScene.plain, SIMD2(0, 0), error: 0)
        let again = try pattern(GuidanceScene.plain, SIMD2(31, -18), error: 2)
        let other = try pattern(GuidanceScene.other, SIMD2(0, 0), error: 0)
        let like = try #require(sheet.likeness(to: again))
        let unlike = try #require(sheet.likeness(to: other))
        #expect(like > 0.75 && unlike < 0.5, "\(like), \(unlike)")
        let blank = SheetPattern(
            GrayImage(width: 160, height: 120, filledWith: 200),
            corners: [SIMD2(20, 20), SIMD2(90, 20), SIMD2(90, 100), SIMD2(20, 100)])
        #expect(blank?.likeness(to: sheet) == nil, "nothing printed, nothing to compare")
    }
}
