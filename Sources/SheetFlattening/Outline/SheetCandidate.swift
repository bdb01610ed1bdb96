import Foundation

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
        var inner = 0
        for (point, normal) in zip(line.points, normals) where !picture.isOnRim(point) {
            let inside = field.color(at: point - normal * picture.stepReach)
            let outside = field.color(at: point + normal * picture.stepReach)
            let step = inside - outside
            let size = Double((step * step).sum().squareRoot())
            let light = Double(0.299 * step.x + 0.587 * step.y + 0.114 * step.z)
            edge += min(size / picture.clearStep, 1)
            brighter += min(max(light / (0.4 * picture.clearStep), -1), 1)
            inner += 1
        }
        guard inner > line.count / 8 else { return nil }
        rimShare = 1 - Double(inner) / Double(line.count)
        edgeSupport = edge / Double(inner)
        let light = brighter / Double(inner)
        let roundness = min(hull.perimeter / line.perimeter, 1)

        // Each factor lies between 0 and 1. Shape counts most: tables hold many bright things, few are convex.
        let size = 1 - exp(-share / 0.04)
        score =
            edgeSupport * (1 - 0.5 * rimShare) * pow(solidity, 3) * roundness * size * (0.6 + 0.4 * light)
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
        steps.sort()
        let usual = steps.isEmpty ? 0 : Double(steps[steps.count / 2])
        clearStep = min(max(3 * usual, 10), 40)
    }

    /// Whether a position lies at the picture's rim, where nothing can be said about an edge.
    func isOnRim(_ point: SIMD2<Double>) -> Bool {
        let margin = 1.5
        return point.x < margin || point.y < margin || point.x > Double(field.width) - 1 - margin
            || point.y > Double(field.height) - 1 - margin
    }
}
