import Imaging

/// A flat part's print at its own density: brightness without changes as wide as a shadow, and 0 off the sheet.
struct PartTexture {
    /// Pixels per unit.
    let density: Double
    /// Brightness minus the mean around it, 0 to ± 255; 0 off the sheet.
    let relief: Raster<Float>
    /// Whether the sheet is shown, for each cell of `cell` pixels a side.
    private let cells: Raster<Bool>

    /// Side of a cell in pixels: a millimetre at the finest density.
    private static let cell = 4
    /// Half the side of the square over which the mean is taken, in units: wider than a letter, narrower than changes
    /// of light.
    private static let reach = 3.0

    /// The print of a part. O(pixels).
    init(of part: FlatPart, density: Double) {
        self.density = density
        let size = PixelSize(
            width: max(1, Int((part.size.x * density).rounded())),
            height: max(1, Int((part.size.y * density).rounded())))
        let map = SamplingMap(outputSize: size, spacing: Self.cell) { part.source(of: ($0 + 0.5) / density) }
        let nodes = map.nodes.map { node in part.shows(SIMD2<Double>(node)) }
        let cells = Raster(
            width: max(nodes.width - 1, 1), height: max(nodes.height - 1, 1),
            elements: (0..<max(nodes.height - 1, 1)).flatMap { y in
                (0..<max(nodes.width - 1, 1)).map { x in
                    let (right, below) = (min(x + 1, nodes.width - 1), min(y + 1, nodes.height - 1))
                    return nodes[x: x, y: y] && nodes[x: right, y: y] && nodes[x: x, y: below]
                        && nodes[x: right, y: below]
                }
            })
        self.cells = cells
        let gray = part.photograph.resampledGray(through: map)
        relief = Self.relief(of: gray, reach: Int(Self.reach * density)) { x, y in
            cells[x: min(x / Self.cell, cells.width - 1), y: min(y / Self.cell, cells.height - 1)]
        }
    }

    /// Middles of the cells that show the sheet, in units.
    var sheetPlaces: [SIMD2<Double>] {
        let side = Double(Self.cell)
        return (0..<cells.height).flatMap { y in
            (0..<cells.width).filter { cells[x: $0, y: y] }.map { x in
                (SIMD2(Double(x), Double(y)) + 0.5) * side / density
            }
        }
    }

    /// Whether a rectangle of pixels shows nothing but the sheet.
    func isSheet(x: Int, y: Int, width: Int, height: Int) -> Bool {
        guard x >= 0, y >= 0, x + width <= relief.width, y + height <= relief.height else { return false }
        for row in y / Self.cell...(y + height - 1) / Self.cell {
            for column in x / Self.cell...(x + width - 1) / Self.cell
            where !cells[x: min(column, cells.width - 1), y: min(row, cells.height - 1)] { return false }
        }
        return true
    }

    /// Returns brightness minus its mean over the sheet's pixels in the square around. O(pixels), by sums over
    /// rectangles.
    private static func relief(
        of gray: GrayImage, reach: Int, isSheet: (Int, Int) -> Bool
    ) -> Raster<Float> {
        let (width, height) = (gray.width, gray.height)
        let stride = width + 1
        var sums = [Int](repeating: 0, count: stride * (height + 1))
        var counts = sums
        for y in 0..<height {
            var (sum, count) = (0, 0)
            for x in 0..<width {
                if isSheet(x, y) {
                    sum += Int(gray.elements[y * width + x])
                    count += 1
                }
                let here = (y + 1) * stride + x + 1
                sums[here] = sums[here - stride] + sum
                counts[here] = counts[here - stride] + count
            }
        }
        return unsafe Raster(width: width, height: height) { relief in
            for y in 0..<height {
                let (top, bottom) = (max(y - reach, 0) * stride, min(y + reach + 1, height) * stride)
                for x in 0..<width {
                    var value: Float = 0
                    if isSheet(x, y) {
                        let (left, right) = (max(x - reach, 0), min(x + reach + 1, width))
                        func total(_ table: [Int]) -> Int {
                            table[bottom + right] - table[bottom + left] - table[top + right]
                                + table[top + left]
                        }
                        value =
                            Float(gray.elements[y * width + x]) - Float(total(sums)) / Float(total(counts))
                    }
                    unsafe relief.initializeElement(at: y * width + x, to: value)
                }
            }
        }
    }
}

/// The sum of products of two runs of numbers, in an order that does not depend on the processor.
@inline(__always)
func dot(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int) -> Float {
    var sums = SIMD8<Float>.zero
    var index = 0
    while index + 8 <= count {
        let left = unsafe UnsafeRawPointer(a + index).loadUnaligned(as: SIMD8<Float>.self)
        let right = unsafe UnsafeRawPointer(b + index).loadUnaligned(as: SIMD8<Float>.self)
        sums += left * right
        index += 8
    }
    var sum = sums.sum()
    while index < count {
        unsafe sum += a[index] * b[index]
        index += 1
    }
    return sum
}
