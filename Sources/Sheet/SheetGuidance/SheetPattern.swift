import DepthGeometry
import Imaging

/// A coarse, rectified image of a sheet: enough to distinguish it from another sheet in the same place.
struct SheetPattern: Sendable {
    /// Cells along either axis.
    private static let count = 32
    /// The neighbourhood that each cell is compared with, in cells to either side: light varies more slowly, print faster.
    private static let reach = 3
    /// Cells along the edge that may show the table, because of the outline's error.
    private static let rim = 2

    /// Each cell's brightness minus that of its neighbourhood, row by row.
    private let values: [Double]
    /// The root mean square of `values`, in grey levels; about 1 for a blank sheet.
    let contrast: Double

    /// - Parameters:
    ///   - luma: the image, with pixels about the size of a cell.
    ///   - corners: in pixels of `luma`, clockwise from the corner at which the pattern begins.
    init?(_ luma: GrayImage, corners: [SIMD2<Double>]) {
        guard corners.count == 4 else { return nil }
        let count = Self.count
        let quadrilateral = Quadrilateral(
            topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
        guard let place = try? quadrilateral.homography(width: Double(count), height: Double(count)) else {
            return nil
        }
        let cells = (0..<count * count).map { index in
            luma.bilinear(at: place(SIMD2(Double(index % count) + 0.5, Double(index / count) + 0.5)))
        }
        var values: [Double] = []
        for y in Self.rim..<count - Self.rim {
            for x in Self.rim..<count - Self.rim {
                var sum = 0.0
                var weight = 0.0
                for row in max(y - Self.reach, 0)...min(y + Self.reach, count - 1) {
                    for column in max(x - Self.reach, 0)...min(x + Self.reach, count - 1) {
                        sum += cells[row * count + column]
                        weight += 1
                    }
                }
                values.append(cells[y * count + x] - sum / weight)
            }
        }
        self.values = values
        contrast = (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    }

    /// The correlation of two patterns, -1 to 1; nil if one has too little contrast to stand out from noise.
    func likeness(to other: SheetPattern) -> Double? {
        guard min(contrast, other.contrast) > 2 else { return nil }
        let product = zip(values, other.values).reduce(0) { $0 + $1.0 * $1.1 } / Double(values.count)
        return product / (contrast * other.contrast)
    }
}
