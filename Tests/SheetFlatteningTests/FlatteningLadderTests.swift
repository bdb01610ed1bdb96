import DepthGeometry
import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

@Suite("The ladder from depth down to the photograph as it is")
struct FlatteningLadderTests {
    private static let size = PixelSize(width: 320, height: 240)
    private static let camera = CameraIntrinsics(fx: 300, fy: 300, cx: 159.5, cy: 119.5, imageSize: size)
    private static let corners = [SIMD2(80.0, 50), SIMD2(230.0, 60), SIMD2(235.0, 190), SIMD2(75.0, 185)]
    private static let ground = Plane(through: SIMD3(0, 0, 0.3), normal: SIMD3(0.2, -0.3, -1))

    /// A picture that shows nothing, with depth of a tilted plane and normal noise of a share of the distance.
    private func capture(noise: Double = 0, _ change: (inout Capture) -> Void = { _ in }) -> Capture {
        var generator = RobustStatistics.SplitMix64(seed: 3)
        let depth = DepthMap(readings: Raster<Float>(width: 160, height: 120, filledWith: 1)).mapReadings {
            x, y, _ in
            let pixel = (SIMD2(Double(x), Double(y)) + 0.5) * 2 - 0.5
            let z = Self.ground.intersection(along: Self.camera.ray(through: pixel))?.z ?? .nan
            let draw = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &generator) }
            return Float(z * (1 + noise * draw))
        }
        let image = RGBImage(
            width: Self.size.width, height: Self.size.height, filledWith: RGB(red: 90, green: 90, blue: 90))
        var capture = Capture(image: image, depth: depth, intrinsics: Self.camera)
        change(&capture)
        return capture
    }

    private func sheet(
        _ capture: Capture, found: Bool = true, _ change: (inout SheetFlattener.Options) -> Void = { _ in }
    ) throws -> UnrolledSheet {
        var options = SheetFlattener.Options()
        change(&options)
        let search: SheetSearch =
            found
            ? .found([try #require(SheetOutline(corners: Self.corners, imageSize: Self.size))])
            : .notFound(.nothingStandsOut)
        return try FlatteningLadder(capture: capture, search: search, options: options).climb()
    }

    /// Why depth was not used.
    private func refusal(of sheet: UnrolledSheet) -> String? {
        sheet.refused.first { $0.step == "depth" }?.reason
    }

    @Test(
        "The plane shown is the one that the sheet was unrolled from, and it is the true one",
        arguments: [0, 0.002])
    func onePlane(noise: Double) throws {
        let sheet = try sheet(capture(noise: noise))
        #expect(sheet.method == .plane)
        let plane = try #require(sheet.plane), fit = try #require(sheet.fit)
        #expect(fit.surface == .plane(plane.model))
        #expect(sheet.unrolling.exact?.plane == plane.model)
        // 0.6 mm of noise over some 5000 readings on 80 mm: hundredths of a degree.
        #expect(plane.model.angle(to: Self.ground) < (noise > 0 ? 2e-3 : 1e-5))
        #expect(abs(plane.model.offset - Self.ground.offset) < (noise > 0 ? 2e-4 : 1e-6))
        #expect(plane.inlierFraction > 0.99)
        // z times the noise, seen at a slant of 20 degrees.
        #expect(abs(plane.rmsResidual - noise * 0.3 * 0.94) < 0.1 * noise * 0.3 + 1e-6)
    }

    @Test("Depth that cannot be used is refused by name, and the corners are taken")
    func depthRefused() throws {
        let cases: [(Capture, String)] = [
            (capture { $0.depth = nil }, "the capture has no depth map"),
            (
                capture { $0.depth = $0.depth?.mapReadings { _, _, _ in .nan } },
                "the depth map has no valid reading"
            ),
            (
                capture {
                    $0.depth = $0.depth?.mapReadings { x, y, z in x % 16 == 0 && y % 4 == 0 ? z : .nan }
                },
                "depth readings lie on the sheet; 200 are needed"
            ),
            (capture(noise: 0.3), "the readings scatter around the best surface by"),
        ]
        for (capture, reason) in cases {
            let sheet = try sheet(capture)
            #expect(
                refusal(of: sheet)?.contains(reason) == true,
                "\(refusal(of: sheet) ?? "none"), not: \(reason)")
            #expect(sheet.method == .corners)
            #expect(sheet.plane == nil && sheet.fit == nil && !sheet.isMetric)
        }
        let unused = try sheet(capture()) { $0.usesDepth = false }
        #expect(refusal(of: unused) == "depth was not to be used")
    }

    @Test("Without a sheet most readings' plane is taken, or the photograph as it is")
    func noSheet() throws {
        let dominant = try sheet(capture(), found: false)
        #expect(dominant.method == .plane && dominant.outline == nil)
        #expect(dominant.confidence > 0.45 && dominant.confidence <= 0.5)
        let bare = try sheet(capture { $0.depth = nil }, found: false)
        #expect(bare.method == .unchanged && bare.confidence == 0)
        #expect(bare.refused.map(\.step) == ["depth", "corners"])
    }

    @Test("Sides that are straight show no cylinder: the edges are refused and the corners taken")
    func edgesRefused() throws {
        let sheet = try sheet(capture { $0.depth = nil })
        #expect(sheet.method == .corners)
        #expect(sheet.refused.map(\.step) == ["depth", "edges"])
    }

    @Test("The curve that sides show is undone, but for one that no seen paper has")
    func unevenCurve() throws {
        // Curled by 52 degrees to either side, seen at 14 degrees.
        let scene = SurfaceScene.cylinder(radius: 0.05, angle: 0)
        let outline = SheetOutline(
            imageSize: scene.camera.imageSize, polygon: scene.outline, cornerIndices: [0, 30, 60, 90],
            confidence: 1, borderShare: 0)
        let picture = RGBImage(
            width: scene.camera.imageSize.width, height: scene.camera.imageSize.height,
            filledWith: RGB(red: 90, green: 90, blue: 90))
        let sheet = try FlatteningLadder(
            capture: Capture(image: picture, intrinsics: scene.camera), search: .found([outline]),
            options: .init()
        ).climb()
        #expect(sheet.method == .edges)
        #expect(FlatteningLadder.reason(againstUnevenness: 2.8) == nil)
        #expect(FlatteningLadder.reason(againstUnevenness: 5.64)?.contains("by a factor of 5.6;") == true)
        #expect(FlatteningLadder.reason(againstUnevenness: .infinity)?.contains("any size") == true)
        #expect(FlatteningLadder.reason(againstUnevenness: .nan) != nil)
    }

    /// A sheet whose ends look like those of one that bulges towards the camera, with rows of letters that bulge or are level.
    private func bulging(rowsFollow: Bool) throws -> (capture: Capture, search: SheetSearch) {
        let size = PixelSize(width: 800, height: 1100)
        let middle = SIMD2(399.5, 549.5)
        // What is raised by a sixth of its distance lies farther from the middle of the picture by as much.
        func raised(_ place: SIMD2<Double>) -> SIMD2<Double> {
            let lift = max(sin(.pi * (place.x - 100) / 600), 0) / 6
            return middle + (place - middle) * (1 + lift)
        }
        var polygon: [SIMD2<Double>] = []
        for x in stride(from: 100.0, to: 700, by: 20) { polygon.append(raised(SIMD2(x, 120))) }
        for y in stride(from: 120.0, to: 990, by: 29) { polygon.append(raised(SIMD2(700, y))) }
        for x in stride(from: 700.0, to: 100, by: -20) { polygon.append(raised(SIMD2(x, 990))) }
        for y in stride(from: 990.0, to: 120, by: -29) { polygon.append(raised(SIMD2(100, y))) }
        var image = RGBImage(
            width: size.width, height: size.height, filledWith: RGB(red: 60, green: 60, blue: 60))
        let sheet = PolygonLookup(Polygon(polygon))
        for y in 0..<size.height {
            for x in 0..<size.width where sheet.contains(SIMD2(Double(x), Double(y))) {
                image[x: x, y: y] = RGB(red: 230, green: 230, blue: 230)
            }
        }
        // Letters of 8 by 12 pixels, five to a word.
        for row in 0..<18 {
            for letter in 0..<33 where letter % 6 < 5 {
                let flat = SIMD2(Double(135 + 16 * letter), Double(170 + 44 * row))
                let place = rowsFollow ? raised(flat) : flat
                let (left, top) = (Int(place.x.rounded()), Int(place.y.rounded()))
                for y in top..<top + 12 {
                    for x in left..<left + 8 { image[x: x, y: y] = RGB(red: 40, green: 40, blue: 40) }
                }
            }
        }
        let outline = SheetOutline(
            imageSize: size, polygon: polygon, cornerIndices: [0, 30, 60, 90], confidence: 1, borderShare: 0)
        return (Capture(image: image), .found([outline]))
    }

    @Test("A curve of the sides is refused where rows are clearly straighter on the plane")
    func rowsAgainstSides() throws {
        for rowsFollow in [false, true] {
            let (capture, search) = try bulging(rowsFollow: rowsFollow)
            let ladder = FlatteningLadder(capture: capture, search: search, options: .init())
            let climbed = try ladder.climb()
            #expect(climbed.method == .edges, "\(climbed.refused.map(\.reason))")
            let sheet = try ladder.straightened(climbed).sheet
            #expect(sheet.method == (rowsFollow ? .edges : .corners))
            #expect(sheet.showsCurve == !rowsFollow)
            #expect(sheet.refused.contains { $0.step == "edges" } == !rowsFollow)
        }
        // Less than pixels can show is not clearly straighter.
        #expect(FlatteningLadder.isClearlyStraighter(1.6, than: 2))
        #expect(!FlatteningLadder.isClearlyStraighter(1.8, than: 2))
        #expect(!FlatteningLadder.isClearlyStraighter(0.1, than: 0.3))
    }

    @Test("A picture that is the sheet is shown as it is, as sure as that is")
    func scan() throws {
        let outline = SheetOutline.scan(of: Self.size, confidence: 0.8)
        let bare = capture { $0.depth = nil }
        let sheet = try FlatteningLadder(capture: bare, search: .scan(outline), options: .init()).climb()
        #expect(sheet.method == .scan && sheet.confidence == 0.8 && sheet.outline == outline)
        #expect(sheet.refused.map(\.step) == ["depth"] && !sheet.isFramedByOutline)
    }

    @Test("Depth by a camera that is assumed gives a shape, and no size")
    func assumedCamera() throws {
        // The same readings as by a camera of the angle that is assumed.
        let known = capture { $0.intrinsics = .assumed(imageSize: Self.size) }
        let metric = try sheet(known)
        let assumed = try sheet(capture { $0.intrinsics = nil })
        #expect(metric.isMetric && !assumed.isMetric)
        #expect(assumed.method == metric.method && assumed.plane?.model == metric.plane?.model)
        #expect(assumed.intrinsicsOrigin == "assumed: a view angle of 60 degrees")
        #expect(refusal(of: assumed) == nil)
    }

    @Test("Depth of unknown scale gives a shape in units of nothing known")
    func relative() throws {
        let sheet = try sheet(
            capture {
                $0.depth = $0.depth.map { DepthMap(readings: $0.values.map { $0 * 7 }, scale: .relative) }
            })
        #expect(sheet.method == .plane && !sheet.isMetric)
        let plane = try #require(sheet.plane)
        #expect(plane.model.angle(to: Self.ground) < 1e-5)
    }
}
