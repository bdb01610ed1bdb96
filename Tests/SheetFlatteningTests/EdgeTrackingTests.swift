import Foundation
import Imaging
import Testing

@testable import SheetFlattening

/// Contours moved onto the edges of drawn sheets.
@Suite struct EdgeTrackingTests {
    private static let paper = SIMD3(225.0, 222.0, 215.0)
    private static let table = SIMD3(90.0, 80.0, 70.0)
    /// The distance of the two colours, in levels.
    private static let contrast = 243.75
    private static let center = SIMD2(64.3, 62.7)
    private static let radius = 40.0

    /// A picture of which a share of each pixel shows one colour and the rest another.
    private static func picture(
        _ size: Int, _ inside: SIMD3<Double>, on outside: SIMD3<Double>, share: (SIMD2<Double>) -> Double
    ) -> RGBImage {
        RGBImage(
            width: size, height: size,
            elements: (0..<size * size).map { index in
                let part = share(SIMD2(Double(index % size), Double(index / size)))
                let color = outside + (inside - outside) * part
                return RGB(
                    red: UInt8(color.x.rounded()), green: UInt8(color.y.rounded()),
                    blue: UInt8(color.z.rounded()))
            })
    }

    /// How much of a pixel a disc covers.
    private static func disc(_ place: SIMD2<Double>, _ center: SIMD2<Double>, _ radius: Double) -> Double {
        min(max(radius - distance(place, center) + 0.5, 0), 1)
    }

    /// A circle clockwise as seen.
    private static func circle(_ center: SIMD2<Double>, _ radius: Double) -> Contour {
        Contour(
            (0..<180).map { index in
                let angle = Double(index) * .pi / 90
                return center + SIMD2(cos(angle), sin(angle)) * radius
            })
    }

    /// A circle of another size and place than the disc: up to 5.4 pixels off its rim.
    private static let start = circle(SIMD2(66, 61), 37)

    @Test(arguments: [true, false])
    func aDiscsRimIsFoundWhetherItIsLighterOrDarker(isLight: Bool) {
        let picture = Self.picture(
            130, isLight ? Self.paper : Self.table, on: isLight ? Self.table : Self.paper
        ) {
            Self.disc($0, Self.center, Self.radius)
        }
        let options = EdgeTracking.Options.fine(reach: 8, spacing: 2.5, readingsAlong: 3)
        let result = EdgeTracking(in: picture, options: options).track(Self.start)
        // 232.5 pixels around.
        #expect(result.contour.count == 93 && result.strength.count == 93)
        #expect(result.contour.signedArea > 0)
        for (point, strength) in zip(result.contour.points, result.strength) {
            let miss = distance(point, Self.center) - Self.radius
            // A ramp of one pixel, read every pixel and fitted by a parabola, three readings of a circle's
            // chord: a tenth.
            #expect(abs(miss) < 0.15, "\(point): \(miss)")
            // Two pixels on either side show most of the step where the normal is a little aslant.
            #expect(strength > 0.8 * Self.contrast && strength < 1.01 * Self.contrast, "\(strength)")
        }
    }

    @Test func aStretchWithoutAnEdgeIsBridged() {
        // A white thing of twelve pixels touches the disc from outside: there the rim cannot be seen.
        let thing = Self.center + SIMD2(Self.radius + 4, 0)
        let picture = Self.picture(130, Self.paper, on: Self.table) {
            max(Self.disc($0, Self.center, Self.radius), Self.disc($0, thing, 6))
        }
        let result = EdgeTracking(in: picture, options: .coarse(reach: 8)).track(Self.start)
        for point in result.contour.points {
            // Regions move the choice by a pixel; around the thing the line would be 8 pixels off, as far as
            // is searched.
            let miss = distance(point, Self.center) - Self.radius
            #expect(abs(miss) < 1.25, "\(point): \(miss)")
        }
        #expect((result.strength.min() ?? .infinity) < 0.1 * Self.contrast)
    }

    @Test func aSheetThatRunsOffThePictureEndsAtItsRim() {
        // Columns below 70 and rows 30 to 94 are paper, with a dark rule along the picture's left rim.
        let picture = Self.picture(120, Self.paper, on: Self.table) { place in
            let isPaper = place.x < 70 && place.y >= 30 && place.y < 95
            return isPaper && !(3...4).contains(place.x) ? 1 : 0
        }
        let start = Contour([SIMD2(0, 33), SIMD2(66, 33), SIMD2(66, 92), SIMD2(0, 92)])
        let tracked = EdgeTracking(in: picture, options: .coarse(reach: 8)).track(start)
        let from = start.resampled(count: tracked.contour.count).points
        var counts = (left: 0, right: 0, top: 0, bottom: 0)
        for (before, after) in zip(from, tracked.contour.points) {
            // Corners are cut by a few points; between them the edge lies half-way between pixels, or half a
            // pixel further in.
            if (43..<83).contains(before.y), before.x < 0.5 {
                counts.left += 1
                #expect(abs(after.x) <= 0.5, "\(before): \(after)")
            } else if (43..<83).contains(before.y), before.x > 65.5 {
                counts.right += 1
                #expect(abs(after.x - 69.5) < 0.6, "\(before): \(after)")
            } else if (13..<54).contains(before.x), before.y < 34 {
                counts.top += 1
                #expect(abs(after.y - 29.5) < 0.6, "\(before): \(after)")
            } else if (13..<54).contains(before.x), before.y > 91 {
                counts.bottom += 1
                #expect(abs(after.y - 94.5) < 0.6, "\(before): \(after)")
            }
        }
        #expect(min(counts.left, counts.right, counts.top, counts.bottom) > 12, "\(counts)")
    }

    @Test func whereNothingIsToBeSeenTheContourStays() {
        let picture = RGBImage(
            width: 100, height: 100, filledWith: RGB(red: 128, green: 128, blue: 128))
        let start = Self.circle(SIMD2(50, 50), 30)
        let result = EdgeTracking(in: picture, options: .coarse(reach: 6, restraint: 1)).track(start)
        // Any mean of 128 is 128, a power of two: no step at all is left by rounding.
        #expect(result.contour == start.resampled(count: result.contour.count))
        #expect(result.strength.allSatisfy { $0 == 0 })
    }
}
