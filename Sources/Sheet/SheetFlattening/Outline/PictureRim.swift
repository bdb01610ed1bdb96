import Imaging

/// The border of an image. An outline that runs along it marks the end of the image, not of the sheet.
struct PictureRim {
    private let size: PixelSize
    /// Width of the border, in pixels.
    private let width: Double

    /// Border width as a share of the image's longer side, and the least width in pixels. The network's cells are three to ten
    /// pixels of a photograph; tracked edges stop three pixels before the image ends.
    private static let share = 0.003
    private static let leastWidth = 3.0

    /// Creates the border of an image of the given size.
    init(of size: PixelSize) {
        self.size = size
        width = max(Self.leastWidth, Self.share * Double(max(size.width, size.height)))
    }

    /// Whether a point lies on the border or outside the image.
    func contains(_ point: SIMD2<Double>) -> Bool { containsX(point.x) || containsY(point.y) }

    /// Whether most of a line, by length, lies on the border.
    func runs(along line: [SIMD2<Double>]) -> Bool {
        var (length, onRim) = (0.0, 0.0)
        for (a, b) in zip(line, line.dropFirst()) {
            length += distance(a, b)
            if contains(a), contains(b) { onRim += distance(a, b) }
        }
        return onRim > Self.leastShare * length
    }

    /// Share of a line on the border above which it counts as border, not as a sheet's side.
    static let leastShare = 0.5

    /// Whether a column lies on the border or outside the image.
    func containsX(_ x: Double) -> Bool { x < width || x > Double(size.width - 1) - width }

    /// Whether a row lies on the border or outside the image.
    func containsY(_ y: Double) -> Bool { y < width || y > Double(size.height - 1) - width }
}
