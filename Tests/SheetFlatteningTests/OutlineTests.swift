import Foundation
import Imaging
import Testing

@testable import SheetFlattening

@Suite("Sheet outline")
struct OutlineTests {
    @Test("Corners of a sheet on a dark table are found to half a pixel")
    func corners() throws {
        let scene = OutlineScene()
        let outline = try #require(SheetOutline.find(in: scene.image()).outline)
        let corners = try #require(outline.corners)
        // Noise of 3 levels on a step of 130 moves a fitted side by hundredths of a pixel; the corner adds the parabola's
        // continuation over the rounded stretch.
        for expected in scene.corners {
            let error = corners.map { distance($0, expected) }.min() ?? .infinity
            #expect(error < 0.5, "corner \(expected) of \(corners)")
        }
        #expect(abs(outline.area / scene.area - 1) < 0.005)
        #expect(!outline.touchesBorder)
        #expect(outline.confidence > 0.8)
    }

    @Test("Nothing is found on an empty table")
    func emptyTable() {
        var scene = OutlineScene()
        scene.paper = scene.table
        scene.hasText = false
        #expect(SheetOutline.find(in: scene.image()).outline == nil)
    }
}
