/// A rectangle on a page, in pixels between edges: `left` and `top` belong to it, `right` and `bottom` do not.
///
/// These are edge coordinates: a one-pixel page is the box 0, 0, 1, 1. The pixel centres used by `SamplingMap` lie half a
/// pixel further up and left; `corners` gives the box in those coordinates.
public struct Box: Codable, Hashable, Sendable {
    /// Left edge in pixels.
    public var left: Double
    /// Top edge in pixels.
    public var top: Double
    /// Right edge in pixels, at least `left`.
    public var right: Double
    /// Bottom edge in pixels, at least `top`.
    public var bottom: Double

    /// A box from its edges.
    public init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    /// Extent along x in pixels.
    public var width: Double { right - left }
    /// Extent along y in pixels.
    public var height: Double { bottom - top }
    /// Half-way between left and right edge.
    package var centerX: Double { (left + right) / 2 }
    /// Half-way between top and bottom edge.
    package var centerY: Double { (top + bottom) / 2 }

    /// The smallest box around both.
    package func union(_ other: Box) -> Box {
        Box(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    /// Whether all edges are finite.
    package var isFinite: Bool { left.isFinite && top.isFinite && right.isFinite && bottom.isFinite }

    /// Whether the boxes overlap.
    package func touches(_ other: Box) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    /// The smallest box around all boxes; nil for none.
    package static func enclosing(_ boxes: some Sequence<Box>) -> Box? {
        boxes.reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// The smallest box around points in pixel-centre coordinates.
    /// - Precondition: there is at least one.
    package init(around points: [SIMD2<Double>]) {
        precondition(!points.isEmpty, "a box is around something")
        let least = points.reduce(points[0]) { SIMD2(min($0.x, $1.x), min($0.y, $1.y)) }
        let most = points.reduce(points[0]) { SIMD2(max($0.x, $1.x), max($0.y, $1.y)) }
        self.init(left: least.x + 0.5, top: least.y + 0.5, right: most.x + 0.5, bottom: most.y + 0.5)
    }

    /// The four corners in pixel-centre coordinates: top left, top right, bottom right, bottom left.
    public var corners: [SIMD2<Double>] {
        [
            SIMD2(left - 0.5, top - 0.5), SIMD2(right - 0.5, top - 0.5),
            SIMD2(right - 0.5, bottom - 0.5), SIMD2(left - 0.5, bottom - 0.5),
        ]
    }

    /// The corners in the image that the page was resampled from, for example the photograph; NaN where the map has no
    /// source.
    /// - Parameter map: maps the page's pixels to the other image's.
    public func corners(through map: SamplingMap) -> [SIMD2<Double>] {
        corners.map(map.source(of:))
    }

    /// The same rectangle in millimetres from the page's top left corner.
    package func inMillimeters(pixelsPerMillimeter: Double) -> Box {
        Box(
            left: left / pixelsPerMillimeter, top: top / pixelsPerMillimeter,
            right: right / pixelsPerMillimeter,
            bottom: bottom / pixelsPerMillimeter)
    }
}
