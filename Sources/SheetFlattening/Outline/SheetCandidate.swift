import Foundation
import RobustStatistics

/// One region of a small picture that may be the sheet, with how much it looks like one.
struct SheetCandidate: Sendable {
    /// What a candidate was cut from.
    enum Source: Sendable {
        case brightness
        case colour
        case edges
        case height
    }

    var contour: Contour
    var source: Source
    /// How much it looks like a sheet, 0 to 1.
    var score: Double
    /// How clear the colour's step across the edge is where that lies inside the picture, 0 to 1.
    var edgeSupport: Double
    /// Share of its length that lies on the picture's rim.
    var rimShare: Double
    /// Area over the area of the convex hull.
    var solidity: Double
    /// Area over that of the picture.
    var areaShare: Double

    /// Rates a region; nil where it cannot be a sheet. O(length log length).
    init?(_ outline: Contour, source: Source, in picture: SmallPicture) {
        guard outline.count > 24 else { return nil }
        let field = picture.field
        let share = outline.signedArea / Double(field.width * field.height)
        guard share > 0.012 else { return nil }
        let hull = outline.hull
        let solidity = outline.signedArea / max(hull.signedArea, 1)
        guard solidity > 0.6 else { return nil }

        let line = outline.smoothed(sigma: 2).resampled(count: min(300, max(60, outline.count / 3)))
        let normals = line.normals(reach: 2)
        var edge = 0.0
        var brighter = 0.0
        var unrest = 0.0
        var inner = 0
        for (point, normal) in zip(line.points, normals) where !picture.isOnRim(point) {
            let inside = field.color(at: point - normal * picture.stepReach)
            let outside = field.color(at: point + normal * picture.stepReach)
            let step = inside - outside
            let size = Double((step * step).sum().squareRoot()) * picture.sharpness(at: point, across: normal)
            unrest += picture.unrest(at: point - normal * 4) + picture.unrest(at: point - normal * 5.5)
            let light = Double(0.299 * step.x + 0.587 * step.y + 0.114 * step.z)
            edge += min(size / picture.clearStep, 1)
            brighter += min(max(light / (0.4 * picture.clearStep), -1), 1)
            inner += 1
        }
        guard inner > line.count / 8 else { return nil }
        rimShare = 1 - Double(inner) / Double(line.count)
        edgeSupport = edge / Double(inner)
        let light = brighter / Double(inner)
        let calm = 1 - unrest / Double(2 * inner)
        let roundness = min(hull.perimeter / line.perimeter, 1)

        // Each factor lies between 0 and 1. Shape counts most: tables hold many bright things, few are convex.
        let size = 1 - exp(-share / 0.04)
        score =
            edgeSupport * calm * (1 - 0.5 * rimShare) * pow(solidity, 3) * roundness * size
            * (0.6 + 0.4 * light)
        contour = outline
        self.source = source
        self.solidity = solidity
        areaShare = share
    }
}

/// The small picture in which candidates are looked for, with what is asked of it again and again.
struct SmallPicture: Sendable {
    /// Its colours, slightly blurred.
    let field: ColorField
    /// For each of its pixels how much the photograph's brightness varies within it; print varies much.
    let detail: [Float]
    /// For each of its pixels the photograph's greatest brightness within it: paper without its print.
    let blank: [Float]
    /// How much brightness or tint change around each pixel, print left out, relative to how bright it is there.
    let change: (size: [Float], gradient: [SIMD2<Float>])
    /// The change that is as clear as it needs to be.
    let clearChange: Float
    /// How far to either side of an edge the colours are compared, in pixels.
    let stepReach: Double
    /// The step of colour that is as clear as it needs to be, in levels over three channels.
    let clearStep: Double

    /// - Parameters:
    ///   - field: the colours.
    ///   - least: the least brightness within each pixel.
    ///   - greatest: the greatest brightness within each pixel.
    init(field: ColorField, least: [Float], greatest: [Float]) {
        self.field = field
        detail = zip(least, greatest).map { $1 - $0 }
        blank = greatest
        change = Self.change(blank: greatest, field: field)
        // Three times what is usual is clear, and 10 % of the brightness is on any table.
        let usualChange = change.size.upperMedian()
        clearChange = min(max(3 * usualChange, 0.03), 0.1)
        let reach = max(2.5, 0.015 * Double(min(field.width, field.height)))
        stepReach = reach
        // What steps are usual in this picture: on a plain table a faint edge is clear, on a motley one it is not.
        var steps: [Float] = []
        let across = Int(2 * reach)
        for y in stride(from: 0, to: field.height, by: 3) {
            for x in stride(from: 0, to: field.width - across, by: 3) {
                let change = field.colors[y * field.width + x + across] - field.colors[y * field.width + x]
                steps.append((change * change).sum().squareRoot())
            }
        }
        let usual = Double(steps.upperMedian())
        clearStep = min(max(3 * usual, 10), 40)
    }

    /// The small picture made from a larger one, of which its pixels keep the extremes.
    ///
    /// - Parameters:
    ///   - small: the small picture.
    ///   - larger: the picture that it was reduced from.
    init(_ small: ReducedPicture, reducedFrom larger: ReducedPicture) {
        let extremes = larger.image.lumaExtremes(small.factor / larger.factor)
        self.init(
            field: ColorField(small.image, smoothing: true), least: extremes.least,
            greatest: extremes.greatest)
    }

    /// The changes of brightness and of tint over two pixels; where both change, the greater.
    private static func change(
        blank: [Float], field: ColorField
    ) -> (size: [Float], gradient: [SIMD2<Float>]) {
        let width = field.width
        let height = field.height
        // Brightness averaged over 3 x 3 pixels against noise, as the colours are.
        let light = ColorField.averaged(
            blank.map { SIMD4($0, 0, 0, 0) }, width: width, height: height)
        // Shares of red and blue; where it is dark they are noise and count less.
        let looks = field.colors.indices.map { index -> SIMD4<Float> in
            let color = field.colors[index]
            return SIMD4(light[index].x, color.x, color.z, color.sum() + 60)
        }
        var size = [Float](repeating: 0, count: width * height)
        var gradient = [SIMD2<Float>](repeating: .zero, count: width * height)
        for y in 0..<height {
            let above = y > 0 ? -width : 0
            let below = y + 1 < height ? width : 0
            for x in 0..<width {
                let i = y * width + x
                let left = looks[x > 0 ? i - 1 : i]
                let right = looks[x + 1 < width ? i + 1 : i]
                let up = looks[i + above]
                let down = looks[i + below]
                let lightChange = SIMD2(right.x - left.x, down.x - up.x) / (looks[i].x + 20)
                let redChange = 2 * SIMD2(right.y / right.w - left.y / left.w, down.y / down.w - up.y / up.w)
                let blueChange = 2 * SIMD2(right.z / right.w - left.z / left.w, down.z / down.w - up.z / up.w)
                for change in [lightChange, redChange, blueChange] {
                    let length = (change * change).sum().squareRoot()
                    if length > size[i] {
                        size[i] = length
                        gradient[i] = change
                    }
                }
            }
        }
        return (size, gradient)
    }

    /// How restless the picture is at a position, 0 to 1; print does not count.
    func unrest(at point: SIMD2<Double>) -> Double {
        let x = Int(point.x.rounded())
        let y = Int(point.y.rounded())
        guard x >= 0, y >= 0, x < field.width, y < field.height else { return 0 }
        return Double(min(change.size[y * field.width + x] / clearChange, 1))
    }

    /// How sharply the colour changes near a place of a contour, 0 to 1: paper ends within a pixel, patches of light and
    /// shadows of distant things fade over many.
    func sharpness(at point: SIMD2<Double>, across normal: SIMD2<Double>) -> Double {
        func step(_ from: Double, _ to: Double) -> Double {
            let change = field.color(at: point + normal * from) - field.color(at: point + normal * to)
            return Double((change * change).sum().squareRoot())
        }
        // Contours lie up to two pixels beside the edge.
        let near = max(step(-1, 1), step(-2.5, -0.5), step(0.5, 2.5))
        let whole = max(step(-4, 4), near)
        guard whole > 0 else { return 0 }
        // An edge blurred over 3 pixels changes by two thirds within two pixels; a ramp over 8 pixels by a quarter.
        return min(max((near / whole - 0.25) / (0.55 - 0.25), 0), 1)
    }

    /// Whether a position lies at the picture's rim, where nothing can be said about an edge.
    func isOnRim(_ point: SIMD2<Double>) -> Bool {
        let margin = 1.5
        return point.x < margin || point.y < margin || point.x > Double(field.width) - 1 - margin
            || point.y > Double(field.height) - 1 - margin
    }
}
