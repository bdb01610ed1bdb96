import Imaging
import Parallelism

/// The joined image while parts are painted into it.
struct Canvas {
    private(set) var picture: RGBImage
    private let area: SheetArea

    /// Half the width over which one part fades into the next, in units: a seam runs over blank paper.
    private static let feather = 0.4
    /// Distance between nodes of the sampling maps in pixels, as for single pages.
    private static let nodeSpacing = 8

    init(_ area: SheetArea) {
        self.area = area
        picture = RGBImage(width: area.size.width, height: area.size.height, filledWith: .white)
    }

    /// Paints all that a part shows below a seam, since the next part may show less of the margin beside the sheet.
    /// O(pixels painted).
    mutating func paint(
        _ placed: PlacedPart, gain: SIMD3<Double>, below upper: Seam?, filter: ResamplingFilter
    ) {
        let heights = placed.heights
        let top = max(heights.lowerBound, (upper?.range.lowerBound ?? -.infinity) - Self.feather)
        let first = min(max(Int((top - area.origin.y) * area.density), 0), area.size.height)
        let last = min(
            max(Int(((heights.upperBound - area.origin.y) * area.density).rounded(.up)), first),
            area.size.height)
        guard first < last else { return }
        let rows = area.rows(first..<last)
        let map = placed.map(of: rows, spacing: Self.nodeSpacing)
        let part = placed.part.photograph.resampled(through: map, filter: filter)
        let limit = SIMD2(Float(placed.part.photograph.width), Float(placed.part.photograph.height)) - 0.5
        let tables = (0..<3).map { channel in
            (0...255).map { UInt8(min(max((Double($0) * gain[channel]).rounded(), 0), 255)) }
        }
        let seam = (0..<area.size.width).map { x in
            upper.map {
                ($0.height(at: (Double(x) + 0.5) / area.density) - area.origin.y) * area.density - 0.5
            }
                ?? -.infinity
        }
        let ramp = 2 * Self.feather * area.density
        let width = area.size.width
        var sources = [SIMD2<Float>](repeating: .zero, count: width)
        for row in 0..<rows.size.height {
            unsafe sources.withUnsafeMutableBufferPointer { unsafe map.writeRow(row, into: $0) }
            let y = row + first
            for x in 0..<width {
                let source = sources[x]
                guard source.x >= -0.5, source.y >= -0.5, source.x < limit.x, source.y < limit.y else {
                    continue
                }
                let share = upper == nil ? 1 : min(max((Double(y) - seam[x]) / ramp + 0.5, 0), 1)
                guard share > 0 else { continue }
                let pixel = part.elements[row * width + x]
                let lit = RGB(
                    red: tables[0][Int(pixel.red)], green: tables[1][Int(pixel.green)],
                    blue: tables[2][Int(pixel.blue)])
                let index = y * width + x
                picture.elements[index] = share == 1 ? lit : picture.elements[index].mixed(with: lit, share)
            }
        }
    }
}

extension RGB {
    /// Returns this pixel mixed with a share of another.
    fileprivate func mixed(with other: RGB, _ share: Double) -> RGB {
        func mix(_ one: UInt8, _ other: UInt8) -> UInt8 {
            UInt8((Double(one) + (Double(other) - Double(one)) * share).rounded())
        }
        return RGB(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
