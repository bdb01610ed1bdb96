import Imaging
import Testing

@Suite struct SamplingMapTests {
    static let affine: @Sendable (SIMD2<Double>) -> SIMD2<Double> = {
        SIMD2(0.75 * $0.x - 0.25 * $0.y + 3, 0.5 * $0.x + 1.25 * $0.y - 2)
    }

    @Test("An affine map is the same everywhere whatever its spacing", arguments: [1, 2, 7, 16])
    func affineMapsAreExact(spacing: Int) {
        let size = PixelSize(width: 37, height: 23)
        let map = SamplingMap(outputSize: size, spacing: spacing, source: Self.affine)
        for y in 0..<size.height {
            let row = Self.row(y, of: map)
            for x in 0..<size.width {
                let point = SIMD2(Double(x), Double(y))
                let expected = Self.affine(point)
                // Sums of quarters below 2^10: exact in Float at the nodes, one rounding of 2^-18 between them.
                let tolerance = 1e-5
                #expect(abs(map.source(of: point).x - expected.x) < tolerance)
                #expect(abs(map.source(of: point).y - expected.y) < tolerance)
                #expect(abs(Double(row[x].x) - expected.x) < tolerance)
                #expect(abs(Double(row[x].y) - expected.y) < tolerance)
            }
        }
    }

    @Test("The identity is the identity bit for bit", arguments: [1, 3, 10, 16])
    func identity(spacing: Int) {
        let map = SamplingMap(outputSize: PixelSize(width: 50, height: 41), spacing: spacing) { $0 }
        for y in 0..<41 {
            #expect(Self.row(y, of: map) == (0..<50).map { SIMD2(Float($0), Float(y)) })
        }
    }

    @Test("A node without a source takes only the pixels between it and its neighbours")
    func missingNodes() {
        var nodes = Raster<SIMD2<Float>>(width: 4, height: 3, filledWith: SIMD2(1, 1))
        nodes[x: 1, y: 1] = SIMD2(.nan, .nan)
        let map = SamplingMap(outputSize: PixelSize(width: 13, height: 9), spacing: 4, nodes: nodes)
        for y in 0..<9 {
            let row = Self.row(y, of: map)
            for x in 0..<13 {
                let missing = abs(x - 4) < 4 && abs(y - 4) < 4
                #expect(row[x].x.isNaN == missing, "\(x), \(y)")
                #expect(map.source(of: SIMD2(Double(x), Double(y))).x.isNaN == missing, "\(x), \(y)")
            }
        }
    }

    @Test("Sizes down to a single pixel have rows", arguments: [1, 2, 16])
    func tinyMaps(spacing: Int) {
        for (width, height) in [(1, 1), (1, 5), (5, 1), (17, 16), (16, 17)] {
            let map = SamplingMap(outputSize: PixelSize(width: width, height: height), spacing: spacing) {
                $0
            }
            let last = Self.row(height - 1, of: map)
            #expect(last.last == SIMD2(Float(width - 1), Float(height - 1)))
        }
    }

    static func row(_ y: Int, of map: SamplingMap) -> [SIMD2<Float>] {
        [SIMD2<Float>](unsafeUninitializedCapacity: map.outputSize.width) { buffer, count in
            map.writeRow(y, into: UnsafeMutableBufferPointer(rebasing: buffer[..<map.outputSize.width]))
            count = map.outputSize.width
        }
    }
}
