import ReceiptFlattening
import SyntheticCaptures

/// Which cells of a photograph show a sheet: on one grid whatever the photograph's size, so that an outline that was found,
/// a border that was marked and a sheet that was drawn can be held against each other.
struct SheetMask {
    /// Cells across the photograph and down.
    private static let side = 500
    /// Row after row from the top.
    private let cells: [Bool]

    /// What a border encloses (even-odd rule). What lies outside the photograph is left out. O(cells + rows · vertices).
    /// - Parameter border: vertices in fractions of the photograph's width and height.
    init(border: [SIMD2<Double>]) {
        var cells = Array(repeating: false, count: Self.side * Self.side)
        let edges = Array(zip(border, border.dropFirst() + border.prefix(1)))
        for row in 0..<Self.side {
            let y = Self.middle(of: row)
            let crossings = edges.compactMap { a, b in Self.crossing(of: a, b, at: y) }.sorted()
            for entry in stride(from: 0, to: crossings.count - 1, by: 2) {
                for column in crossings[entry]..<crossings[entry + 1] {
                    cells[row * Self.side + column] = true
                }
            }
        }
        self.cells = cells
    }

    /// What an outline encloses.
    init(outline: SheetOutline) {
        let size = SIMD2(Double(outline.imageSize.width), Double(outline.imageSize.height))
        // The first pixel's centre is (0, 0), and half a pixel lies before it.
        self.init(border: outline.polygon.map { ($0 + 0.5) / size })
    }

    /// What a drawn capture shows of the sheet's printed side. O(pixels of the photograph).
    init(printedSideIn capture: SyntheticCapture) {
        let places = capture.flatMillimeters()
        cells = (0..<Self.side).flatMap { row -> [Bool] in
            let y = Int(Self.middle(of: row) * Double(places.height))
            return (0..<Self.side).map { column in
                !places[x: Int(Self.middle(of: column) * Double(places.width)), y: y].x.isNaN
            }
        }
    }

    /// Intersection over union, 0 to 1; 0 where both are empty.
    func overlap(with other: SheetMask) -> Double {
        var (both, either) = (0, 0)
        for (here, there) in zip(cells, other.cells) {
            if here && there { both += 1 }
            if here || there { either += 1 }
        }
        return either > 0 ? Double(both) / Double(either) : 0
    }

    private static func middle(of cell: Int) -> Double { (Double(cell) + 0.5) / Double(side) }

    /// The first cell of a row whose middle does not lie before the edge from `a` to `b`, `side` if there is none; nil if
    /// the edge does not cross the row's middle line.
    private static func crossing(of a: SIMD2<Double>, _ b: SIMD2<Double>, at y: Double) -> Int? {
        guard (a.y <= y) != (b.y <= y) else { return nil }
        let x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
        return Int(min(max((x * Double(side) - 0.5).rounded(.up), 0), Double(side)))
    }
}
