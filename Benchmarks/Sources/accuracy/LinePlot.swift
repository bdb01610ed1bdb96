import Foundation

/// Sweeps side by side as an SVG: error in millimetres on a logarithmic scale.
enum LinePlot {
    private static let panel = SIMD2(420.0, 300.0)
    private static let margin = (left: 60.0, right: 20.0, top: 36.0, bottom: 46.0)
    private static let lines = [("ours", "#b2182b"), ("PCA plane", "#2166ac")]

    static func svg(_ panels: [(sweep: Sweep, points: [Sweep.Point])]) -> String {
        let errors = panels.flatMap { $0.points.flatMap { [$0.ours, $0.plane] } }.filter {
            $0 > 0 && $0.isFinite
        }
        let decades = (
            low: log10(errors.min() ?? 0.01).rounded(.down), high: log10(errors.max() ?? 10).rounded(.up)
        )
        let bodies = panels.enumerated().map { index, panel in
            "<g transform=\"translate(\(Double(index) * Self.panel.x) 0)\">\(body(panel.sweep, panel.points, decades))</g>"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(panel.x) * panels.count)" height="\(Int(panel.y))" \
            font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            \(bodies.joined(separator: "\n"))
            </svg>

            """
    }

    private static func body(
        _ sweep: Sweep, _ points: [Sweep.Point], _ decades: (low: Double, high: Double)
    ) -> String {
        let (width, height) = (
            panel.x - margin.left - margin.right, panel.y - margin.top - margin.bottom
        )
        let most = max(sweep.values.max() ?? 1, 1e-9)
        func x(_ value: Double) -> Double { margin.left + value / most * width }
        func y(_ error: Double) -> Double {
            margin.top + (decades.high - log10(error)) / max(decades.high - decades.low, 1) * height
        }
        var parts = [
            text(sweep.title, at: SIMD2(margin.left + 16, 22), anchor: "start", weight: "bold"),
            text(sweep.axis, at: SIMD2(margin.left + width / 2, panel.y - 10)),
            text("error, mm", at: SIMD2(4, margin.top - 10), anchor: "start"),
        ]
        for decade in Int(decades.low)...Int(decades.high) {
            let error = pow(10, Double(decade))
            parts.append(
                "<path d=\"M\(margin.left) \(y(error))h\(width)\" stroke=\"#ddd\"/>"
                    + text("\(error.formatted())", at: SIMD2(margin.left - 6, y(error) + 4), anchor: "end"))
        }
        for value in sweep.values {
            parts.append(text("\(value.formatted())", at: SIMD2(x(value), panel.y - margin.bottom + 16)))
        }
        for (index, (name, color)) in lines.enumerated() {
            let shown = points.map { ($0.value, index == 0 ? $0.ours : $0.plane) }
                .filter { $0.1 > 0 && $0.1.isFinite }
            let path = shown.enumerated().map { "\($0 == 0 ? "M" : "L")\(x($1.0)) \(y($1.1))" }.joined()
            parts.append("<path d=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
            parts += shown.map { "<circle cx=\"\(x($0.0))\" cy=\"\(y($0.1))\" r=\"3\" fill=\"\(color)\"/>" }
            parts.append(
                text(
                    name, at: SIMD2(panel.x - margin.right - 4, margin.top + 14 + 16 * Double(index)),
                    anchor: "end",
                    color: color))
        }
        return parts.joined(separator: "\n")
    }

    private static func text(
        _ text: String, at place: SIMD2<Double>, anchor: String = "middle", weight: String = "normal",
        color: String = "#222"
    ) -> String {
        "<text x=\"\(place.x)\" y=\"\(place.y)\" text-anchor=\"\(anchor)\" font-weight=\"\(weight)\" fill=\"\(color)\">\(text)</text>"
    }
}
