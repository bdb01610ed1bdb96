import Imaging
import PrintDetection

// Maps places on the drawn page back to the page.

extension RowRendering {
    /// Returns where a drawn box of a strip lies on the page.
    func source(of box: Box, in strip: Strip) -> Box {
        let left = pageEdge(of: box.left, in: strip)
        let right = pageEdge(of: box.right, in: strip)
        let height = Double(strip.bottom - strip.top)
        let level = strip.middle(at: (left + right) / 2)
        return Box(
            left: left, top: level + (box.top - Double(strip.top) - height / 2) / strip.scale, right: right,
            bottom: level + (box.bottom - Double(strip.top) - height / 2) / strip.scale)
    }

    /// Returns the page's column, in edge coordinates, for a drawn column counted from the strip's left edge.
    func column(at x: Double, in strip: Strip) -> Double { pageEdge(of: x + Double(strip.left), in: strip) }

    private func pageEdge(of x: Double, in strip: Strip) -> Double {
        guard let last = strip.columns.last, !strip.columns.isEmpty else { return 0 }
        // The edge before drawn column k lies between the centres of k - 1 and k.
        let position = x - Double(strip.left) - 0.5
        let k = Int(position.rounded(.down))
        if k < 0 { return strip.columns[0] + 0.5 }
        if k + 1 >= strip.columns.count { return last + 0.5 }
        let t = position - Double(k)
        return strip.columns[k] + (strip.columns[k + 1] - strip.columns[k]) * t + 0.5
    }
}
