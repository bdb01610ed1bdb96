import Platform
package import Diagnostics
import Documents
import ImageFiles
package import Imaging
package import ReceiptFlattening

/// What was found, drawn over the photograph: the sheet's contour, the grid that was unrolled, rows of text, and
/// fields.
package struct SheetOverlay: Sendable {
    /// Lines of one kind.
    package struct Layer: Sendable {
        /// What the lines show: "contour", "grid", "rows", "fields".
        package let name: String
        /// The lines' colour.
        package let color: RGB
        /// The lines in the photograph's pixels, with pixel centres on whole numbers.
        package let lines: [[SIMD2<Double>]]
    }

    /// The layers in the order of drawing.
    package let layers: [Layer]
    private let photograph: RGBImage

    /// Number of grid lines along the flat image's longer side, margin included: on a receipt of 200 mm they are 8 mm
    /// apart.
    private static let gridLines = 25
    /// Number of points on a grid line: more than the map has nodes along most receipts.
    private static let pointsOfLine = 100

    /// Collects what was found on a photograph.
    /// - Complexity: O(lines).
    package init(of receipt: FlattenedReceipt, photograph: RGBImage) {
        self.photograph = photograph
        let map = receipt.map
        let size = SIMD2(Double(receipt.picture.size.width), Double(receipt.picture.size.height))
        let step = max(size.x, size.y) / Double(Self.gridLines)
        func line(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> [[SIMD2<Double>]] {
            let points = (0...Self.pointsOfLine).map { index in
                map.source(of: from + (to - from) * Double(index) / Double(Self.pointsOfLine) - 0.5)
            }
            // Points that are not seen split a line.
            return points.split { !($0.x.isFinite && $0.y.isFinite) }.map(Array.init).filter { $0.count > 1 }
        }
        func closed(_ polygon: [[Double]]?) -> [SIMD2<Double>]? {
            guard let polygon, polygon.count > 2, polygon.allSatisfy({ $0.count == 2 }) else { return nil }
            return (polygon + [polygon[0]]).map { SIMD2($0[0], $0[1]) }
        }
        var grid: [[SIMD2<Double>]] = []
        for x in stride(from: 0, through: size.x, by: step) { grid += line(SIMD2(x, 0), SIMD2(x, size.y)) }
        for y in stride(from: 0, through: size.y, by: step) { grid += line(SIMD2(0, y), SIMD2(size.x, y)) }
        let rows = (receipt.text?.blocks ?? []).flatMap(\.lines).flatMap { row in
            // Along the foot of the row, as curved as the paper.
            line(SIMD2(row.box.left, row.box.bottom), SIMD2(row.box.right, row.box.bottom))
        }
        let fields = receipt.report.fields.map { fields in
            let printed = ReceiptFieldName.allCases.filter { !$0.isConcluded }
            return (printed.compactMap { fields[$0]?.polygon } + fields.items.map(\.polygon))
                .compactMap { closed($0.photograph) }
        }
        layers = [
            Layer(name: "grid", color: RGB(red: 70, green: 160, blue: 235), lines: grid),
            Layer(name: "rows", color: RGB(red: 150, green: 80, blue: 200), lines: rows),
            Layer(name: "fields", color: RGB(red: 225, green: 95, blue: 0), lines: fields ?? []),
            Layer(
                name: "contour", color: RGB(red: 20, green: 175, blue: 75),
                lines: closed(receipt.report.outline).map { [$0] } ?? []),
        ]
    }

    /// The photograph's longer side as a multiple of a line's width: two screen pixels in most viewers.
    private static let linesOfSide = 600.0
    /// Width of the lines, in the photograph's pixels.
    private var lineWidth: Double {
        max(1, Double(max(photograph.width, photograph.height)) / Self.linesOfSide)
    }

    /// Returns the photograph with the lines drawn into its pixels. O(pixels).
    package func render() -> RGBImage {
        var image = photograph
        for layer in layers {
            // The grid stays in the background.
            let width = layer.name == "grid" ? lineWidth / 2 : lineWidth
            for line in layer.lines { image.draw(line, color: layer.color, width: width) }
        }
        return image
    }

    /// Returns the photograph as a JPEG inside an SVG, with the lines in groups of their own.
    /// - Throws: as JPEG encoding does.
    package func svg() throws(FlatteningError) -> String {
        let jpeg = try ImageWriter.jpeg(photograph, pixelsPerMeter: nil)
        let (width, height) = (photograph.width, photograph.height)
        func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        let groups = layers.map { layer in
            let color = layer.color
            let lines = layer.lines.map { line in
                "<polyline points=\"\(line.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " "))\"/>"
            }
            let width = layer.name == "grid" ? lineWidth / 2 : lineWidth
            return """
                <g id="\(layer.name)" fill="none" stroke="rgb(\(color.red),\(color.green),\(color.blue))" \
                stroke-width="\(number(width))"><title>\(layer.name)</title>
                \(lines.joined(separator: "\n"))
                </g>
                """
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="-0.5 -0.5 \(width) \
            \(height)">
            <image x="-0.5" y="-0.5" width="\(width)" height="\(height)" href="\(Markup.dataURI(jpeg, type: "image/jpeg"))"/>
            \(groups.joined(separator: "\n"))
            </svg>

            """
    }
}
