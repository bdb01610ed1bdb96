import DepthGeometry
import Diagnostics
import Imaging
import SheetFlattening
import Testing

@Suite struct GivenCornersTests {
    private static let imageSize = PixelSize(width: 320, height: 300)

    @Test func aCornerMayLieALittleOutside() throws {
        let corners = [SIMD2(-20.0, -10), SIMD2(240, 30), SIMD2(240, 270), SIMD2(60, 270)]
        let outline = try SheetOutline(givenCorners: corners, imageSize: Self.imageSize)
        let found = try #require(outline.corners)
        for corner in corners { #expect(found.contains(corner), "\(corner)") }
    }

    @Test(
        "What encloses no sheet of this picture is refused with what is allowed",
        arguments: [
            [SIMD2(60.0, 30), SIMD2(240, 30), SIMD2(240, 270)],
            [SIMD2(60.0, 30), SIMD2(240, 270), SIMD2(240, 30), SIMD2(60, 270)],
            [SIMD2(60.0, 30), SIMD2(240, 30), SIMD2(100, 60), SIMD2(60, 270)],
            [SIMD2(60.0, 30), SIMD2(240, 30), SIMD2(420, 30), SIMD2(60, 270)],
            [SIMD2(60.0, 30), SIMD2(60, 30), SIMD2(60, 30), SIMD2(60, 30)],
            [SIMD2(60.0, 30), SIMD2(.nan, 30), SIMD2(240, 270), SIMD2(60, 270)],
        ])
    func refused(corners: [SIMD2<Double>]) throws {
        let error = try #require(throws: FlatteningError.self) {
            try SheetOutline(givenCorners: corners, imageSize: Self.imageSize)
        }
        #expect(error.code == .badInput && error.stage == .corners && error.allowed != nil)
    }

    /// A white sheet of 180 x 240 pixels on a white table: nothing to find.
    private static let blank = RGBImage(
        width: imageSize.width, height: imageSize.height,
        filledWith: RGB(red: 230, green: 230, blue: 230))
    private static let sheet = [SIMD2(60.0, 30), SIMD2(240.0, 30), SIMD2(240.0, 270), SIMD2(60.0, 270)]

    private func flatten(corners: [SIMD2<Double>]?) throws -> FlattenedSheet {
        var options = SheetFlattener.Options()
        options.corners = corners
        options.marginMillimeters = 0
        return try SheetFlattener(options: options).flatten(Capture(image: Self.blank))
    }

    @Test("The corners given become the flat picture's, from any of them and either way round")
    func rectangle() throws {
        #expect(try flatten(corners: nil).method == .unchanged)
        let orders = (0..<4).flatMap { first in
            let turned = Array(Self.sheet[first...] + Self.sheet[..<first])
            return [turned, turned.reversed()]
        }
        for corners in orders {
            let sheet = try flatten(corners: corners)
            #expect(sheet.method == .corners)
            // A rectangle seen straight on keeps its proportions whatever the focal length; whole pixels round them.
            let size = sheet.picture.size
            let proportion =
                Double(max(size.width, size.height)) / Double(min(size.width, size.height))
            #expect(abs(proportion - 240.0 / 180) < 0.01)
            let middle = sheet.picture.map.source(
                of: SIMD2(Double(size.width - 1) / 2, Double(size.height - 1) / 2))
            let off = middle - SIMD2(150, 150)
            #expect(abs(off.x) < 1 && abs(off.y) < 1)
        }
    }
}
