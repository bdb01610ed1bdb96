/// For each pixel of an output picture, where in the input picture it comes from.
///
/// Sheets are smooth on the scale of a few pixels, so the map is stored at the nodes of a coarse grid and interpolated
/// bilinearly between them: node (i, j) belongs to output pixel (i · spacing, j · spacing). With `spacing` 1 the map is
/// dense. Both pictures use pixel-centre coordinates: the centre of the top-left pixel is (0, 0). NaN at a node means
/// that the cells around it have no source.
public struct SamplingMap: Equatable, Sendable {
    /// The output picture's size.
    public let outputSize: PixelSize
    /// Distance between neighbouring nodes in output pixels, at least 1.
    public let spacing: Int
    /// Source positions (x, y) in input pixels. Large enough that the last node lies at or past the last output pixel.
    public let nodes: Raster<SIMD2<Float>>

    /// How many nodes a map of `outputSize` needs at `spacing`.
    public static func nodeSize(outputSize: PixelSize, spacing: Int) -> PixelSize {
        func count(_ length: Int) -> Int { (max(length, 1) - 1 + spacing - 1) / spacing + 1 }
        return PixelSize(width: count(outputSize.width), height: count(outputSize.height))
    }

    /// A map from its nodes.
    /// - Precondition: `nodes.size == nodeSize(outputSize:spacing:)`.
    public init(outputSize: PixelSize, spacing: Int, nodes: Raster<SIMD2<Float>>) {
        precondition(spacing >= 1, "nodes are at least one pixel apart")
        precondition(
            nodes.size == Self.nodeSize(outputSize: outputSize, spacing: spacing), "wrong node count")
        self.outputSize = outputSize
        self.spacing = spacing
        self.nodes = nodes
    }

    /// A map made by asking `source` for the position of each node. O(nodes).
    /// - Parameter source: takes a position in the output picture (which may lie up to `spacing` pixels past its right
    ///   and lower rim) and returns the input position, NaN for none.
    public init(
        outputSize: PixelSize, spacing: Int, source: (SIMD2<Double>) throws -> SIMD2<Double>
    ) rethrows {
        let size = Self.nodeSize(outputSize: outputSize, spacing: spacing)
        var positions: [SIMD2<Float>] = []
        positions.reserveCapacity(size.pixelCount)
        for j in 0..<size.height {
            for i in 0..<size.width {
                let position = try source(SIMD2(Double(i * spacing), Double(j * spacing)))
                positions.append(SIMD2(Float(position.x), Float(position.y)))
            }
        }
        self.init(
            outputSize: outputSize, spacing: spacing,
            nodes: Raster(width: size.width, height: size.height, elements: positions))
    }

    /// The input position of an output position (pixel-centre coordinates), NaN where there is none. O(1).
    public func source(of point: SIMD2<Double>) -> SIMD2<Double> {
        let scaled = point / Double(spacing)
        let i = min(max(Int(scaled.x.rounded(.down)), 0), max(nodes.width - 2, 0))
        let j = min(max(Int(scaled.y.rounded(.down)), 0), max(nodes.height - 2, 0))
        let s = scaled.x - Double(i)
        let t = scaled.y - Double(j)
        let nextI = min(i + 1, nodes.width - 1)
        let nextJ = min(j + 1, nodes.height - 1)
        let top = Self.mix(nodes[x: i, y: j], nodes[x: nextI, y: j], s)
        let bottom = Self.mix(nodes[x: i, y: nextJ], nodes[x: nextI, y: nextJ], s)
        return top + (bottom - top) * t
    }

    private static func mix(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ weight: Double) -> SIMD2<Double> {
        let from = SIMD2<Double>(Double(a.x), Double(a.y))
        let to = SIMD2<Double>(Double(b.x), Double(b.y))
        // A node that does not count must not spoil a pixel that lies on its neighbour.
        return weight == 0 ? from : from + (to - from) * weight
    }
}
