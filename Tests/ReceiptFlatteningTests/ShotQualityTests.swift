import Captures
import DepthGeometry
import Diagnostics
import DrawnReceipts
import Imaging
import ReceiptFlattening
import SheetFlattening
import SyntheticCaptures
import Testing

/// Which frame of a recording serves best, on one drawn receipt and what becomes of it in a shaking hand.
@Suite struct ShotQualityTests {
    /// Frames that are in memory; nil for one that cannot be read.
    private struct Frames: CaptureSource {
        var captures: [Capture?]
        var deadline: ContinuousClock.Instant?
        var frameCount: Int { captures.count }

        func frame(at index: Int) throws(FlatteningError) -> CaptureFrame {
            guard let capture = captures[index] else {
                throw FlatteningError(.badInput, "frame \(index) is broken")
            }
            return CaptureFrame(capture: capture)
        }
    }

    /// The drawn receipt at half its size: sheets are looked for in every frame, and these tests run unoptimised.
    private static let receipt: Result<Capture, any Error> = Result {
        let capture = try DrawnReceipt.capture()
        let large = capture.image
        var small = RGBImage(width: large.width / 2, height: large.height / 2, filledWith: .white)
        for y in 0..<small.height {
            for x in 0..<small.width {
                var sum = SIMD3<Int>()
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let pixel = large[x: 2 * x + dx, y: 2 * y + dy]
                    sum &+= SIMD3(Int(pixel.red), Int(pixel.green), Int(pixel.blue))
                }
                small[x: x, y: y] = RGB(
                    red: UInt8(sum.x / 4), green: UInt8(sum.y / 4), blue: UInt8(sum.z / 4))
            }
        }
        return Capture(
            image: small, depth: capture.depth, intrinsics: capture.intrinsics?.scaled(to: small.size))
    }

    /// The mean of each pixel and its neighbours along the row, as a hand that moves sideways gives it.
    private static func smeared(_ capture: Capture, by reach: Int) -> Capture {
        var capture = capture
        let sharp = capture.image
        for y in 0..<sharp.height {
            for x in 0..<sharp.width {
                var sum = SIMD3<Int>()
                for column in x - reach...x + reach {
                    let pixel = sharp[x: min(max(column, 0), sharp.width - 1), y: y]
                    sum &+= SIMD3(Int(pixel.red), Int(pixel.green), Int(pixel.blue))
                }
                let mean = sum / (2 * reach + 1)
                capture.image[x: x, y: y] = RGB(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
            }
        }
        return capture
    }

    /// What a camera sees that is held so that the sheet runs off the picture.
    private static func cutOff(_ capture: Capture) -> Capture {
        let image = capture.image
        let width = image.width / 2
        var part = RGBImage(width: width, height: image.height, filledWith: .white)
        for y in 0..<image.height { for x in 0..<width { part[x: x, y: y] = image[x: x, y: y] } }
        return Capture(image: part)
    }

    /// The same capture with readings in some of the map's columns only.
    private static func thinned(_ capture: Capture, keeping share: Double) -> Capture {
        var capture = capture
        guard let depth = capture.depth else { return capture }
        var values = depth.values
        for y in 0..<depth.height {
            for x in Int(share * Double(depth.width))..<depth.width { values[x: x, y: y] = .nan }
        }
        capture.depth = DepthMap(readings: values)
        return capture
    }

    @Test func theSharpestFrameIsTaken() throws {
        let sharp = try Self.receipt.get()
        let captures = [
            Self.smeared(sharp, by: 2), Self.smeared(sharp, by: 1), sharp, Self.smeared(sharp, by: 3),
        ]
        let best = try Frames(captures: captures).bestFrame()
        #expect(best.index == 2)
        // Each smear is wider than the one before it.
        let qualities = captures.map { ShotQuality(of: $0).sharpness }
        #expect(qualities[2] > qualities[1] && qualities[1] > qualities[0] && qualities[0] > qualities[3])
        #expect(best.quality.sharpness == qualities[2])
    }

    @Test func aSheetThatIsWhollyInViewComesBeforeASharpOneThatIsNot() throws {
        let capture = try Self.receipt.get()
        let whole = Self.smeared(Capture(image: capture.image), by: 6)
        let cut = Self.cutOff(capture)
        #expect(ShotQuality(of: whole).isWhole)
        #expect(!ShotQuality(of: cut).isWhole)
        #expect(ShotQuality(of: cut).sharpness > ShotQuality(of: whole).sharpness)
        for captures in [[whole, cut], [cut, whole]] {
            #expect(
                try Frames(captures: captures).bestFrame().index == (captures[0].image == whole.image ? 0 : 1)
            )
        }
    }

    @Test func ofTwoEquallySharpFramesTheOneWithMoreDepthIsTaken() throws {
        let full = try Self.receipt.get()
        let half = Self.thinned(full, keeping: 0.5)
        #expect(ShotQuality(of: half).depthShare < 0.6 * ShotQuality(of: full).depthShare)
        #expect(try Frames(captures: [half, full]).bestFrame().index == 1)
        #expect(try Frames(captures: [full, half]).bestFrame().index == 0)
        // Depth at all comes before sharpness.
        let bare = Capture(image: full.image)
        #expect(try Frames(captures: [bare, Self.smeared(half, by: 2)]).bestFrame().index == 1)
    }

    @Test func choosingEndsWithItsDeadline() throws {
        let capture = try Self.receipt.get()
        let error = #expect(throws: FlatteningError.self) {
            try Frames(captures: [capture, capture], deadline: .now - .seconds(1)).bestFrame()
        }
        #expect(error?.code == .timeout && error?.stage?.rawValue.hasPrefix("choosing frame") == true)
    }

    @Test func framesThatCannotBeReadArePassedOverUnlessNoneCan() throws {
        let capture = try Self.receipt.get()
        #expect(try Frames(captures: [nil, capture, nil]).bestFrame().index == 1)
        let error = #expect(throws: FlatteningError.self) {
            try Frames(captures: [nil, nil]).bestFrame()
        }
        #expect(error?.message == "frame 0 is broken")
    }

    @Test func ofALongRecordingEveryFrameIsLookedAt() throws {
        let sharp = try Self.receipt.get()
        let blurred = Self.smeared(sharp, by: 4)
        for index in [0, 11] {
            var captures = [Capture?](repeating: blurred, count: 12)
            captures[index] = sharp
            #expect(try Frames(captures: captures).bestFrame().index == index)
        }
        // Of frames that serve alike the first one is taken.
        #expect(try Frames(captures: Array(repeating: sharp, count: 7)).bestFrame().index == 0)
    }

    @Test func theSheetThatIsSeenLargerIsTaken() throws {
        let near = Capture(image: try DrawnReceipt.capture().image)
        var scene = try DrawnReceipt.flat.get().scene
        let position = scene.pose.translation
        // The same sheet, a third farther away.
        scene.pose = CameraPose(distance: 4 / 3 * position.z)
        let far = Capture(image: try scene.render(sensor: .structuredLight).image)
        let (seenNear, seenFar) = (ShotQuality(of: near), ShotQuality(of: far))
        #expect(seenFar.isWhole && seenNear.isWhole)
        #expect(seenFar.area < 0.75 * seenNear.area)
        for captures in [[near, far], [far, near]] {
            #expect(
                try Frames(captures: captures).bestFrame().index == (captures[0].image == near.image ? 0 : 1))
        }
    }

    @Test func whatLiesAroundTheSheetDoesNotMakeItSharper() throws {
        // A table with the strongest pattern that there is, up to some pixels from the sheet.
        let plain = Capture(image: try Self.receipt.get().image)
        let outline = try #require(SheetOutline.find(in: plain.image).outline)
        let sheet = outline.mask(size: plain.image.size)
        var patterned = plain
        for y in 0..<plain.image.height {
            for x in 0..<plain.image.width where (x + y) % 2 == 0 && !Self.isNear(sheet, x: x, y: y) {
                patterned.image[x: x, y: y] = RGB(red: 90, green: 90, blue: 90)
            }
        }
        let (quiet, loud) = (ShotQuality(of: plain), ShotQuality(of: patterned))
        try #require(loud.borderShare != nil, "the sheet is found on the patterned table too")
        #expect(abs(loud.sharpness / quiet.sharpness - 1) < 0.1, "the outline moves by a pixel at most")
    }

    /// Whether a pixel is on the sheet or within four pixels of it.
    private static func isNear(_ sheet: Raster<Bool>, x: Int, y: Int) -> Bool {
        for row in max(y - 4, 0)...min(y + 4, sheet.height - 1) {
            for column in max(x - 4, 0)...min(x + 4, sheet.width - 1) where sheet[x: column, y: row] {
                return true
            }
        }
        return false
    }
}
