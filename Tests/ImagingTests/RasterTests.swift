import Foundation
import Imaging
import RobustStatistics
import Testing

@Suite struct RasterTests {
    @Test("Elements are stored row after row")
    func order() {
        let raster = Raster(width: 3, height: 2, elements: [10, 11, 12, 20, 21, 22])
        #expect(raster[x: 2, y: 0] == 12)
        #expect(raster[x: 0, y: 1] == 20)
        #expect(raster.map { $0 + 1 }.elements == [11, 12, 13, 21, 22, 23])
    }

    @Test("Red, green and blue lie side by side in memory")
    func bytes() {
        let image = RGBImage(width: 2, height: 1, elements: [RGB(red: 1, green: 2, blue: 3), .white])
        #expect(MemoryLayout<RGB>.stride == 3)
        #expect(image.withBytes { Array($0) } == [1, 2, 3, 255, 255, 255])
    }

    @Test("Stored, a size is its width and height, and comes back as it was")
    func storingASize() throws {
        let size = PixelSize(width: 4032, height: 3024)
        let stored = try JSONEncoder().encode(size)
        #expect(
            try JSONDecoder().decode([String: Int].self, from: stored) == ["width": 4032, "height": 3024])
        #expect(try JSONDecoder().decode(PixelSize.self, from: stored) == size)
    }

    @Test("Luma is BT.601's within rounding, and exact on greys")
    func luma() {
        for level in 0...255 {
            let byte = UInt8(level)
            #expect(RGB(red: byte, green: byte, blue: byte).luma == byte)
        }
        var generator = SplitMix64(seed: 1)
        for _ in 0..<200 {
            let color = RGB(
                red: .random(in: 0...255, using: &generator), green: .random(in: 0...255, using: &generator),
                blue: .random(in: 0...255, using: &generator))
            let exact = 0.299 * Double(color.red) + 0.587 * Double(color.green) + 0.114 * Double(color.blue)
            // Half a level from rounding and 255 · 3 / 2^17 from the weights' own.
            #expect(abs(Double(color.luma) - exact) < 0.51, "\(color), seed 1")
        }
    }

    /// Where a pixel of the upright picture is stored, written out from EXIF's table ("the 0th row is at the visual
    /// top, the 0th column on the left-hand side" and so on), independently of the turning.
    static func stored(_ x: Int, _ y: Int, width: Int, height: Int, tag: Int) -> (Int, Int) {
        switch tag {
        case 1: return (x, y)
        case 2: return (width - 1 - x, y)
        case 3: return (width - 1 - x, height - 1 - y)
        case 4: return (x, height - 1 - y)
        case 5: return (y, x)
        case 6: return (y, height - 1 - x)
        case 7: return (width - 1 - y, height - 1 - x)
        default: return (width - 1 - y, x)
        }
    }

    @Test("All eight orientations follow EXIF's table", arguments: ImageOrientation.allCases)
    func orientations(orientation: ImageOrientation) {
        for (width, height) in [(5, 3), (1, 4), (4, 1), (1, 1)] {
            let raster = Raster(width: width, height: height) { x, y in y * width + x }
            let upright = raster.oriented(by: orientation)
            let swaps = orientation.rawValue >= 5
            #expect(upright.size == PixelSize(width: swaps ? height : width, height: swaps ? width : height))
            for y in 0..<upright.height {
                for x in 0..<upright.width {
                    let from = Self.stored(x, y, width: width, height: height, tag: orientation.rawValue)
                    #expect(upright[x: x, y: y] == raster[x: from.0, y: from.1])
                    let point = orientation.turn(SIMD2(Double(from.0), Double(from.1)), in: raster.size)
                    #expect(point == SIMD2(Double(x), Double(y)))
                }
            }
            #expect(upright.oriented(by: orientation.inverse) == raster)
        }
    }

    @Test("An empty raster can be turned")
    func empty() {
        let turned = Raster<Int>(width: 0, height: 4, elements: []).oriented(by: .right)
        #expect(turned.size == PixelSize(width: 4, height: 0))
    }
}

@Suite struct DepthMapTests {
    @Test("Whatever is no distance becomes no reading")
    func invalid() {
        let readings = Raster<Float>(
            width: 7, height: 1, elements: [0, -1, .nan, .infinity, -.infinity, 2, .leastNonzeroMagnitude])
        let depth = DepthMap(readings: readings, metersPerUnit: 0.5)
        #expect(depth.values.elements.map { $0.isNaN } == [true, true, true, true, true, false, true])
        #expect(depth[x: 5, y: 0] == 1)
        #expect(depth.validFraction == 1.0 / 7)
    }

    @Test("Sixteen-bit readings take their unit")
    func units() {
        let depth = DepthMap(
            raw: Raster(width: 3, height: 1, elements: [0, 1000, 65535]), metersPerUnit: 0.001)
        #expect(depth[x: 0, y: 0].isNaN)
        // One rounding of the product to Float.
        #expect(abs(depth[x: 1, y: 0] - 1) < 1e-6)
        #expect(abs(depth[x: 2, y: 0] - 65.535) < 1e-5)
    }

    @Test("Disparity is one over depth, and relative stays relative")
    func disparity() {
        let source = Raster<Float>(width: 4, height: 1, elements: [2, 0, -3, .nan])
        let depth = DepthMap(disparity: source, scale: .relative)
        #expect(depth[x: 0, y: 0] == 0.5)
        #expect(depth.values.elements.dropFirst().allSatisfy { $0.isNaN })
        #expect(depth.scale == .relative)
        #expect(depth.oriented(by: .right).scale == .relative)
    }

    @Test("Masks and transformations take readings away, never make them")
    func masks() {
        let depth = DepthMap(readings: Raster(width: 2, height: 2, elements: [1, 2, 3, .nan]))
        let masked = depth.masked(by: Raster(width: 2, height: 2, elements: [true, false, true, true]))
        #expect(masked.values.elements.map { $0.isNaN } == [false, true, false, true])
        let shifted = depth.mapReadings { x, _, z in z - Float(x) * 2 }
        #expect(shifted.values.elements.map { $0.isNaN } == [false, true, false, true])
        #expect(DepthMap(readings: Raster(width: 0, height: 0, elements: [])).validFraction == 0)
    }
}
