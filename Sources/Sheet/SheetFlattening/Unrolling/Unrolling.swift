public import Diagnostics
public import DepthGeometry
import Platform
package import Imaging

/// A flattened sheet: the mapping between the photograph and the flat sheet, in both directions.
///
/// The sheet is sampled on a regular grid over the photograph, a little larger than the outline. Each vertex has a position in
/// the photograph (pixels) and on the flat sheet (metres, seen from the camera's side, not mirrored). A plane is unrolled
/// exactly, by intersecting rays; for other surfaces, positions between the vertices are interpolated.
public struct Unrolling: Sendable {
    /// How lengths, areas and angles on the flat sheet differ from those on the surface; 0 for a perfect unrolling.
    package struct Distortion: Equatable, Sendable {
        /// Root mean square and largest absolute value over the sheet.
        package struct Measure: Equatable, Sendable {
            /// Root mean square.
            package let rms: Double
            /// Largest absolute value.
            package let maximum: Double

            init(_ values: [Double]) {
                let sum = values.reduce(0) { $0 + $1 * $1 }
                rms = values.isEmpty ? 0 : (sum / Double(values.count)).squareRoot()
                maximum = values.reduce(0) { max($0, abs($1)) }
            }
        }

        /// Flat length of the grid's edges over their length on the surface, minus 1.
        package let length: Measure
        /// Flat area of the grid's cells over their area on the surface, minus 1.
        package let area: Measure
        /// Change of the angle between the grid's directions, in radians.
        package let angle: Measure
    }

    /// Number of vertices along the photograph's x.
    public let columns: Int
    /// Number of vertices along the photograph's y.
    public let rows: Int
    /// Photograph position of the first vertex, in pixels.
    package let gridOrigin: SIMD2<Double>
    /// Distance between neighbouring vertices, in photograph pixels.
    package let gridStep: SIMD2<Double>
    /// Flat position of each vertex in metres, row after row.
    package let flatPositions: [SIMD2<Double>]
    /// The distortion by unrolling, inside the outline.
    package let distortion: Distortion
    /// For a plane, the exact mapping between photograph and flat sheet.
    let exact: PlaneProjection?

    /// Photograph position of each vertex in pixels, row after row.
    public var photographPositions: [SIMD2<Double>] {
        (0..<columns * rows).map { gridOrigin + gridStep * SIMD2(Double($0 % columns), Double($0 / columns)) }
    }

    /// Flattens a surface over an outline and a little beyond it.
    /// - Parameters:
    ///   - surface: the surface, as from `SurfaceFit`.
    ///   - intrinsics: the photograph's camera.
    ///   - outline: the sheet in photograph pixels, at least 3 vertices.
    /// - Throws: `badInput` if the surface cannot be seen all over the outline (a plane seen edge on, for instance).
    public init(
        of surface: SheetSurface, intrinsics: CameraIntrinsics, outline: [SIMD2<Double>]
    ) throws(FlatteningError) {
        let grid = try SheetGrid(over: outline, of: surface, intrinsics: intrinsics)
        switch surface {
        case .plane(let plane):
            let projection = PlaneProjection(plane: plane, intrinsics: intrinsics, center: grid.center)
            exact = projection
            flatPositions = grid.points.map { projection.frame.coordinates(of: $0) }
        case .cylinder(let cylinder):
            exact = nil
            flatPositions = (0..<grid.points.count).map { index in
                guard !grid.points[index].z.isNaN else { return SIMD2(.nan, .nan) }
                let parameters = cylinder.parameters(of: grid.points[index])
                return cylinder.flatPosition(t: parameters.t, s: parameters.s)
            }
        case .freeform:
            exact = nil
            // Seen from the camera, the plane under the relief is within the slope angle of the sheet everywhere, so it is a
            // good first guess.
            let frame = PlaneFrame(on: surface.basePlane, origin: grid.center)
            flatPositions = try RigidRelaxation(grid).relax(
                from: grid.points.map { frame.coordinates(of: $0) }, sweeps: 40, tolerance: 2e-6)
        }
        columns = grid.columns
        rows = grid.rows
        gridOrigin = grid.origin
        gridStep = grid.step
        distortion = grid.distortion(of: flatPositions)
    }

    /// The same sheet with its flat positions corrected.
    ///
    /// A plane, which needs no grid otherwise, gets one over everything that the frame shows.
    /// - Parameters:
    ///   - frame: the part of the flat sheet to show.
    ///   - move: maps a flat position to its corrected one.
    package func moved(
        showing frame: PageFrame, by move: (SIMD2<Double>) -> SIMD2<Double>
    ) -> Unrolling {
        guard let exact else {
            return Unrolling(
                columns: columns, rows: rows, gridOrigin: gridOrigin, gridStep: gridStep,
                flatPositions: flatPositions.map { $0.isFinite ? move($0) : $0 }, distortion: distortion)
        }
        let shown = (0...16).flatMap { i in
            (0...16).compactMap { j in
                exact.pixel(
                    ofFlat: frame.flatPosition(at: frame.size * SIMD2(Double(i), Double(j)) / 16))
            }
        }
        var (low, high) = (gridOrigin, gridOrigin + gridStep * SIMD2(Double(columns - 1), Double(rows - 1)))
        for pixel in shown {
            low = pointwiseMin(low, pixel)
            high = pointwiseMax(high, pixel)
        }
        // Points that move into the frame from just outside must be visible too.
        let rim = (high - low) * Self.rimShare
        (low, high) = (low - rim, high + rim)
        let size = SIMD2(
            Double(Self.planeCells), (Double(Self.planeCells) * (high.y - low.y) / (high.x - low.x)))
        let cells = (columns: Int(size.x), rows: max(8, min(Int(size.y), 8 * Self.planeCells)))
        let step = (high - low) / SIMD2(Double(cells.columns), Double(cells.rows))
        var positions: [SIMD2<Double>] = []
        positions.reserveCapacity((cells.columns + 1) * (cells.rows + 1))
        for row in 0...cells.rows {
            for column in 0...cells.columns {
                let pixel = low + step * SIMD2(Double(column), Double(row))
                positions.append(exact.flatPosition(ofPixel: pixel).map(move) ?? SIMD2(.nan, .nan))
            }
        }
        return Unrolling(
            columns: cells.columns + 1, rows: cells.rows + 1, gridOrigin: low, gridStep: step,
            flatPositions: positions, distortion: distortion)
    }

    /// Cells across a plane that gets a grid: between vertices, a phone's perspective is then straight to within a hundredth of
    /// a cell.
    private static let planeCells = 128
    /// How far such a grid extends past what is shown, as a share of its size.
    private static let rimShare = 0.05
    /// How far a map is extended past the grid's contents, in metres on the flat sheet: as far as the grid extends past the
    /// outline, so that empty nodes there are filled.
    private static let continuation = SheetGrid.margin

    private init(
        columns: Int, rows: Int, gridOrigin: SIMD2<Double>, gridStep: SIMD2<Double>,
        flatPositions: [SIMD2<Double>], distortion: Distortion
    ) {
        self.columns = columns
        self.rows = rows
        self.gridOrigin = gridOrigin
        self.gridStep = gridStep
        self.flatPositions = flatPositions
        self.distortion = distortion
        exact = nil
    }

    /// Where a photograph pixel lies on the flat sheet, in metres; nil outside the grid. O(1).
    public func flatPosition(ofPixel pixel: SIMD2<Double>) -> SIMD2<Double>? {
        if let exact { return exact.flatPosition(ofPixel: pixel) }
        let scaled = (pixel - gridOrigin) / gridStep
        guard let cell = BilinearCell(inside: scaled, columns: columns, rows: rows) else { return nil }
        let flat = cell.weighted { flatPositions[$0] }
        return flat.isFinite ? flat : nil
    }

    /// Returns the map from an image of the flat sheet back to the photograph.
    ///
    /// Output pixel p (centre coordinates) shows the flat position that lies (p + 0.5) / pixelsPerMeter from the frame's
    /// corner. Past the grid the map is extended smoothly for a few millimetres; beyond that it is NaN. O(vertices + nodes).
    /// - Parameters:
    ///   - frame: the part of the flat sheet.
    ///   - pixelsPerMeter: the image's density, greater than 0.
    ///   - spacing: distance between the map's nodes in output pixels, at least 1.
    package func samplingMap(frame: PageFrame, pixelsPerMeter: Double, spacing: Int) -> SamplingMap {
        precondition(pixelsPerMeter > 0 && pixelsPerMeter.isFinite, "a density is greater than 0")
        precondition(spacing >= 1, "nodes are at least one pixel apart")
        let size = frame.pictureSize(density: pixelsPerMeter)
        if let exact {
            return SamplingMap(outputSize: size, spacing: spacing) { pixel in
                let flat = frame.flatPosition(at: (pixel + 0.5) / pixelsPerMeter)
                return exact.pixel(ofFlat: flat) ?? SIMD2(.nan, .nan)
            }
        }
        let nodeSize = SamplingMap.nodeSize(outputSize: size, spacing: spacing)
        let nodes = flatPositions.map {
            (frame.offset(of: $0) * pixelsPerMeter - 0.5) / Double(spacing)
        }
        var inverse = GridInverse(width: nodeSize.width, height: nodeSize.height)
        inverse.rasterise(nodes, columns: columns, origin: gridOrigin, step: gridStep)
        inverse.extrapolate(rings: Int((Self.continuation * pixelsPerMeter / Double(spacing)).rounded(.up)))
        return SamplingMap(outputSize: size, spacing: spacing, nodes: inverse.positions)
    }
}
