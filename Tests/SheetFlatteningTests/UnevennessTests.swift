import DepthGeometry
import Imaging
import Platform
import Testing

@testable import SheetFlattening

/// How unevenly a sheet is laid flat, against the plane of its corners.
@Suite struct UnevennessTests {
    private static let camera = CameraIntrinsics(
        fx: 600, fy: 600, cx: 319.5, cy: 239.5, imageSize: PixelSize(width: 640, height: 480))
    private static let outline = [SIMD2(120.0, 60), SIMD2(520, 60), SIMD2(520, 420), SIMD2(120, 420)]

    private static func plane() throws -> Unrolling {
        try Unrolling(
            of: .plane(Plane(normal: SIMD3(0, 0, -1), offset: 0.4)), intrinsics: camera, outline: outline)
    }

    @Test func aPlaneIsEvenAgainstItself() throws {
        let plane = try Self.plane()
        let unevenness = try #require(plane.unevenness(against: plane, within: Self.outline))
        #expect(abs(unevenness - 1) < 1e-9)
    }

    @Test(arguments: [1.5, 4.0])
    func aPartThatIsStretchedShowsByItsFactor(factor: Double) throws {
        let plane = try Self.plane()
        let flat = Self.outline.compactMap(plane.flatPosition(ofPixel:))
        let frame = try #require(PageFrame(enclosing: flat, margin: 0))
        let middle = flat.map(\.x).reduce(0, +) / 4
        let stretched = plane.moved(showing: frame) { place in
            SIMD2(place.x > middle ? middle + (place.x - middle) * factor : place.x, place.y)
        }
        let unevenness = try #require(stretched.unevenness(against: plane, within: Self.outline))
        // Within a cell of the grid that carries the move, at its one kink.
        #expect(abs(unevenness - factor) < 0.01 * factor, "\(unevenness)")
    }
}
