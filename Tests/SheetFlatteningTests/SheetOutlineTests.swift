import Foundation
import Imaging
import SheetFlattening
import Testing

@Suite struct SheetOutlineTests {
    private static let size = PixelSize(width: 320, height: 300)

    @Test("Stored, an outline comes back as it was: with corners, curved, and without any")
    func storing() throws {
        let corners = [SIMD2(60.25, 30), SIMD2(240.1, 30), SIMD2(240, 270), SIMD2(60, 270.5)]
        let straight = try #require(SheetOutline(corners: corners, imageSize: Self.size))
        let curved = SheetOutline(
            imageSize: Self.size,
            polygon: [
                SIMD2(60.1, 30), SIMD2(150, 35.7), SIMD2(240, 30), SIMD2(240, 270), SIMD2(150, 275.2),
                SIMD2(60, 270),
            ],
            cornerIndices: [0, 2, 3, 5], confidence: 0.7, borderShare: 0.1)
        for outline in [straight, curved, .wholePicture(Self.size)] {
            let stored = try JSONEncoder().encode(outline)
            let back = try JSONDecoder().decode(SheetOutline.self, from: stored)
            #expect(back == outline)
            #expect(back.corners == outline.corners && back.sides == outline.sides)
        }
    }
}
