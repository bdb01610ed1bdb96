import Imaging

/// The rim of a picture, along which a sheet is cut off: an outline that runs there is the picture's end, not the sheet's.
struct PictureRim {
    private let size: PixelSize
    /// How far it reaches into the picture, in pixels.
    private let width: Double

    /// Its width as a share of the picture's longer side, and in pixels at least. The network's cells are three to ten pixels
    /// of a photograph; tracked edges stop three pixels before its end.
    private static let share = 0.003
    private static let leastWidth = 3.0

    /// The rim of a picture of a size.
    init(of size: PixelSize) {
        self.size = size
        width = max(Self.leastWidth, Self.share * Double(max(size.width, size.height)))
    }

    /// Whether a point lies on the rim or outside the picture.
    func contains(_ point: SIMD2<Double>) -> Bool { containsX(point.x) || containsY(point.y) }

    /// Whether most of a line does, by its length.
    func runs(along line: [SIMD2<Double>]) -> Bool {
        var (length, onRim) = (0.0, 0.0)
        for (a, b) in zip(line, line.dropFirst()) {
            length += distance(a, b)
            if contains(a), contains(b) { onRim += distance(a, b) }
        }
        return onRim > Self.leastShare * length
    }

    /// The share of a line on the rim from which on it is the rim, and not a sheet's side.
    static let leastShare = 0.5

    /// Whether a column does.
    func containsX(_ x: Double) -> Bool { x < width || x > Double(size.width - 1) - width }

    /// Whether a row does.
    func containsY(_ y: Double) -> Bool { y < width || y > Double(size.height - 1) - width }
}
