import DepthGeometry
import Diagnostics
import Imaging
import Testing

@Suite struct ConfidenceMapTests {
    private func raster(_ values: [UInt8]) -> Raster<UInt8> {
        Raster(width: values.count, height: 1, elements: values)
    }

    @Test("Levels of 0/1/2 and of 0/127/255 mean the same")
    func scales() throws {
        let levels = try ConfidenceMap(stored: raster([0, 1, 2, 2]))
        let bytes = try ConfidenceMap(stored: raster([0, 127, 255, 254]))
        #expect(levels == bytes)
        #expect(levels[x: 1, y: 0] == .medium)
        #expect(levels.fraction(atLeast: .medium) == 0.75)
        #expect(try ConfidenceMap(stored: raster([0, 255])).levels.elements == [0, 2])
        #expect(try ConfidenceMap(stored: raster([0, 0])).fraction(atLeast: .medium) == 0)
    }

    @Test("A scale that nobody uses is refused", arguments: [3, 100, 126] as [UInt8])
    func unknown(largest: UInt8) {
        #expect(throws: FlatteningError.self) { try ConfidenceMap(stored: raster([0, 1, largest])) }
    }

    @Test("Readings below a level are masked, also by a map of another size")
    func masking() throws {
        let depth = DepthMap(readings: Raster<Float>(width: 4, height: 2, filledWith: 0.5))
        let confidence = try ConfidenceMap(
            stored: Raster(width: 2, height: 1, elements: [0, 2]))
        let masked = depth.masked(by: confidence)
        for y in 0..<2 {
            #expect((0..<4).map { masked[x: $0, y: y].isNaN } == [true, true, false, false])
        }
        let turned = confidence.oriented(by: .right)
        #expect(turned.size == PixelSize(width: 1, height: 2))
        #expect(turned[x: 0, y: 1] == .high)
    }
}
