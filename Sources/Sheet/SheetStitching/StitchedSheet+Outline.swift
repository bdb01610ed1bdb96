import Imaging

extension StitchedSheet {
    /// Pixels between the rows in which the sheet's sides are searched.
    private static let rowStep = 8
    /// Pixels between the places of a row that are tried first. A narrower piece of the sheet is a tongue of its outline.
    private static let columnStep = 16
    /// Bisections of that distance that locate a side to a quarter of a pixel.
    private static let halvings = 6

    /// The sheet's outline in the joined image, in pixel-centre coordinates, clockwise: one point a side in every eighth row.
    /// Nil if fewer than two of these rows show the sheet. O(image height · image width / 128).
    package var outline: [SIMD2<Double>]? {
        var sides: [(left: SIMD2<Double>, right: SIMD2<Double>)] = []
        let last = picture.height - 1
        for row in stride(from: 0, to: last, by: Self.rowStep) + [last] {
            func isOn(_ x: Double) -> Bool { isOnSheet(SIMD2(x, Double(row))) }
            let columns = stride(from: 0, to: picture.width, by: Self.columnStep).map(Double.init).filter(
                isOn)
            guard let first = columns.first, let end = columns.last else { continue }
            func side(from on: Double, _ direction: Double) -> SIMD2<Double> {
                var (on, off) = (on, on + direction * Double(Self.columnStep))
                for _ in 0..<Self.halvings {
                    let middle = (on + off) / 2
                    if isOn(middle) { on = middle } else { off = middle }
                }
                let x = min(max((on + off) / 2, -0.5), Double(picture.width) - 0.5)
                return SIMD2(x, Double(row))
            }
            sides.append((side(from: first, -1), side(from: end, 1)))
        }
        guard sides.count > 1 else { return nil }
        return sides.map(\.left).reversed() + sides.map(\.right)
    }
}
