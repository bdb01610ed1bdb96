/// For each pixel of an output image, the position in the input image that it comes from.
///
/// Sheets are smooth on the scale of a few pixels, so the map is stored at the nodes of a coarse grid and interpolated
/// bilinearly between them: node (i, j) belongs to output pixel (i · spacing, j · spacing). With `spacing` 1 the map is
/// dense. Both images use pixel-centre coordinates: the centre of the top-left pixel is (0, 0). NaN at a node means that
/// the cells around it have no source.
public struct SamplingMap: Equatable, Sendable {
    /// The output image's size.
    public let outputSize: PixelSize
    /// Distance between neighbouring nodes in output pixels, at least 1.
    package let spacing: Int
    /// Source positions (x, y) in input pixels. There are enough nodes that the last one lies at or past the last output
    /// pixel.
    public let nodes: Raster<SIMD2<Float>>

    /// How many nodes a map of `outputSize` needs at `spacing`.
    package static func nodeSize(outputSize: PixelSize, spacing: Int) -> PixelSize {
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

    /// Creates a map by calling `source` for the position of each node. O(nodes).
    /// - Parameters:
    ///   - outputSize: the output image's size.
    ///   - spacing: distance between nodes in output pixels, at least 1.
    ///   - source: takes a position in the output image (which may lie up to `spacing` pixels past its right and bottom
    ///     edges) and returns the input position, NaN for none.
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
        let cell = BilinearCell(
            continuing: point / Double(spacing), columns: nodes.width, rows: nodes.height)
        func node(_ index: Int) -> SIMD2<Double> {
            SIMD2(Double(nodes.elements[index].x), Double(nodes.elements[index].y))
        }
        let top = Self.mix(node(cell.index), node(cell.index + cell.right), cell.across)
        let bottom = Self.mix(
            node(cell.index + cell.below), node(cell.index + cell.below + cell.right), cell.across)
        return Self.mix(top, bottom, cell.down)
    }

    /// Writes the input positions of one output row, one after the other; NaN where there is no source.
    ///
    /// Interpolates as ``source(of:)``, in single precision and without the cost of finding each pixel's cell. Code that
    /// writes a dense map to a file calls it row by row and never holds the whole map. O(width).
    /// - Parameters:
    ///   - y: the output row.
    ///   - row: `outputSize.width` positions (x, y) in input pixels.
    /// - Precondition: `0 <= y < outputSize.height` and `row.count == outputSize.width`.
    package func writeRow(_ y: Int, into row: UnsafeMutableBufferPointer<SIMD2<Float>>) {
        precondition(y >= 0 && y < outputSize.height, "row \(y) is outside the map")
        precondition(row.count == outputSize.width, "a row of the map has \(outputSize.width) positions")
        let j = min(y / spacing, max(nodes.height - 2, 0))
        let down = y - j * spacing
        let columns = nodes.width
        let divisor = Float(spacing)
        nodes.elements.withUnsafeBufferPointer { nodes in
            func onRow(_ i: Int) -> SIMD2<Float> {
                let top = nodes[j * columns + i]
                // A node without a source must not spoil a pixel that lies exactly on its neighbour.
                if down == 0 { return top }
                let bottom = nodes[(j + 1) * columns + i]
                return down == spacing ? bottom : top + (bottom - top) / divisor * Float(down)
            }
            var left = onRow(0)
            for i in 0..<columns {
                let start = i * spacing
                let end = min(start + spacing, row.count)
                guard start < end else { break }
                let right = i + 1 < columns ? onRow(i + 1) : left
                let step = (right - left) / divisor
                row[start] = left
                for x in (start + 1)..<max(end, start + 1) {
                    row[x] = left + step * Float(x - start)
                }
                left = right
            }
        }
    }

    private static func mix(_ from: SIMD2<Double>, _ to: SIMD2<Double>, _ weight: Double) -> SIMD2<Double> {
        // A node without a source must not spoil a pixel that lies exactly on its neighbour.
        if weight == 0 { return from }
        return weight == 1 ? to : from + (to - from) * weight
    }
}
