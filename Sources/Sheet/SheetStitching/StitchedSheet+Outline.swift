import Imaging

extension StitchedSheet {
    /// Pixels between the rows in which the sheet's sides are searched.
    private static let rowStep = 8
    /// Pixels between the places of a row that are tried first. A narrower piece of the sheet is a tongue of its outline.
    private static let columnStep = 16
    /// Bisections of that distance that locate a side to a quarter of a pixel.
    private static let halvings = 6

    /// The sheet's outline in the joined image, in pixel-centre coordinates, clockwise: one point a side in every eighth row,
    /// and in the first and last row that show the sheet.
    ///
    /// Nil if fewer than two of these rows show the sheet. O(image height · image width / 128).
    package var outline: [SIMD2<Double>]? {
        let rows = Array(stride(from: 0, to: picture.height, by: Self.rowStep)).filter {
            sides(at: $0) != nil
        }
        guard let first = rows.first, let last = rows.last, last > first else { return nil }
        // The ends lie less than a step beyond.
        let top = (max(first - Self.rowStep, 0)..<first).first { sides(at: $0) != nil } ?? first
        let bottom =
            (last + 1..<min(last + Self.rowStep, picture.height)).last { sides(at: $0) != nil } ?? last
        let found = ([top] + rows + [bottom]).compactMap(sides(at:))
        return found.map(\.left).reversed() + found.map(\.right)
    }

    /// Where the sheet begins and ends in a row; nil if the row does not show it.
    private func sides(at row: Int) -> (left: SIMD2<Double>, right: SIMD2<Double>)? {
        func isOn(_ x: Double) -> Bool { isOnSheet(SIMD2(x, Double(row))) }
        let columns = stride(from: 0, to: picture.width, by: Self.columnStep).map(Double.init)
        guard let first = columns.first(where: isOn), let last = columns.last(where: isOn) else { return nil }
        func side(from on: Double, _ direction: Double) -> SIMD2<Double> {
            var (on, off) = (on, on + direction * Double(Self.columnStep))
            for _ in 0..<Self.halvings {
                let middle = (on + off) / 2
                if isOn(middle) { on = middle } else { off = middle }
            }
            let x = min(max((on + off) / 2, -0.5), Double(picture.width) - 0.5)
            return SIMD2(x, Double(row))
        }
        return (side(from: first, -1), side(from: last, 1))
    }
}
