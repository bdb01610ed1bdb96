import Imaging
import TextRecognition

/// What a row's place is measured by: the print's extent and its usual size.
struct PageMetrics {
    let bounds: Box
    /// Half of the rows are higher, in pixels.
    let usualHeight: Double
    /// Half of the rows are further from the row above, middle to middle, in pixels.
    let usualPitch: Double

    init(_ boxes: [Box]) {
        bounds = Box.enclosing(boxes) ?? Box(left: 0, top: 0, right: 1, bottom: 1)
        usualHeight = max(Self.middle(boxes.map(\.height)), 1)
        usualPitch = max(Self.middle(zip(boxes, boxes.dropFirst()).map { $1.centerY - $0.centerY }), 1)
    }

    private static func middle(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[(values.count - 1) / 2]
    }
}
