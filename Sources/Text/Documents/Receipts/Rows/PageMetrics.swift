import Imaging
import TextRecognition

/// The measures for a row's place: the extent of the print and its usual size.
struct PageMetrics {
    let bounds: Box
    /// Median height of the rows, in pixels.
    let usualHeight: Double
    /// Median distance of a row from the row above, middle to middle, in pixels.
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
