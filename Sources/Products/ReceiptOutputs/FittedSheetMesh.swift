package import DepthGeometry
import Imaging
package import ReceiptFlattening

/// The fitted sheet as a grid of points, each with its place on the flat image.
///
/// Vertices are evenly spaced on the flat image, margin included. Points are in the camera's frame, in metres: x right,
/// y down, z forward.
public struct FittedSheetMesh: Sendable {
    /// The greatest number of vertices of a mesh.
    package struct Detail: Sendable {
        /// Vertices along the longer side.
        var longSide: Int

        /// For files: 2 mm apart on a receipt of 400 mm.
        package static let file = Detail(longSide: 200)
        /// For a page: some 100 kB of numbers.
        package static let page = Detail(longSide: 96)
    }

    /// Number of vertices along the flat image's width and height.
    package let columns: Int
    package let rows: Int
    /// The surface point of each vertex, row after row; nil where the photograph does not show the sheet.
    package let points: [SIMD3<Double>?]
    /// The flat image's size in millimetres.
    package let millimeters: SIMD2<Double>
    /// How far the depth reading lies in front of the surface at each vertex, in millimetres; nil where there is none.
    package let residuals: [Double?]

    /// Builds the mesh of the sheet that a receipt was unrolled from; nil where depth gave neither shape nor scale.
    /// - Complexity: O(vertices).
    package init?(of receipt: FlattenedReceipt, in capture: Capture, detail: Detail = .file) {
        guard let surface = receipt.surface, let pixelsPerMeter = receipt.pixelsPerMeter,
            let intrinsics = capture.intrinsics
        else { return nil }
        let camera = Camera(intrinsics: intrinsics, distortion: capture.distortion)
        let size = receipt.picture.size
        let longest = Double(max(size.width, size.height))
        // At least two cells each way; with fewer, nothing could bend.
        func count(_ length: Int) -> Int {
            max(3, Int((Double(detail.longSide) * Double(length) / longest).rounded()))
        }
        columns = count(size.width)
        rows = count(size.height)
        millimeters = SIMD2(Double(size.width), Double(size.height)) / pixelsPerMeter * 1000
        // Around the sheet, the depth readings show the table.
        let isOnSheet = capture.depth.flatMap { depth in receipt.outline?.mask(size: depth.size) }
        var points: [SIMD3<Double>?] = []
        var residuals: [Double?] = []
        for row in 0..<rows {
            for column in 0..<columns {
                // Vertices of the rim lie on the rim of the image: half a pixel outside the outer pixels' centres.
                let place =
                    SIMD2(
                        Double(column) / Double(columns - 1) * Double(size.width),
                        Double(row) / Double(rows - 1) * Double(size.height)) - 0.5
                let seen = receipt.map.source(of: place)
                let point =
                    seen.x.isFinite && seen.y.isFinite
                    ? surface.point(seenAt: camera.ideal(seen), intrinsics: intrinsics) : nil
                points.append(point)
                residuals.append(
                    point.flatMap { point in
                        capture.depth?.reading(at: seen, of: capture.image.size, where: isOnSheet)
                            .map { (point.z - $0) * 1000 }
                    })
            }
        }
        self.points = points
        self.residuals = residuals
        // A file without triangles is no mesh, least of all in GLB.
        guard !triangles.isEmpty else { return nil }
    }

    /// Returns the place of a vertex on the flat image, 0 to 1 from its top left corner.
    package func texture(_ index: Int) -> SIMD2<Double> {
        SIMD2(
            Double(index % columns) / Double(columns - 1), Double(index / columns) / Double(rows - 1))
    }

    /// Triangles of three vertices each, counterclockwise for the camera. Cells that are not wholly visible are left
    /// out.
    package var triangles: [SIMD3<Int>] {
        var triangles: [SIMD3<Int>] = []
        for row in 0..<rows - 1 {
            for column in 0..<columns - 1 {
                let a = row * columns + column
                let (b, c, d) = (a + 1, a + columns, a + columns + 1)
                guard [a, b, c, d].allSatisfy({ points[$0] != nil }) else { continue }
                triangles += [SIMD3(a, c, b), SIMD3(b, c, d)]
            }
        }
        return triangles
    }
}

extension DepthMap {
    /// Returns the depth reading nearest to a pixel of a photograph of another size; nil where there is none.
    /// - Parameter counts: which readings count; nil for all.
    fileprivate func reading(
        at pixel: SIMD2<Double>, of size: PixelSize, where counts: Raster<Bool>?
    ) -> Double? {
        let x = ((pixel.x + 0.5) * Double(width) / Double(size.width)).rounded(.down)
        let y = ((pixel.y + 0.5) * Double(height) / Double(size.height)).rounded(.down)
        guard x >= 0, y >= 0, x < Double(width), y < Double(height),
            counts?[x: Int(x), y: Int(y)] ?? true
        else { return nil }
        let reading = self[x: Int(x), y: Int(y)]
        return reading.isNaN ? nil : Double(reading)
    }
}
