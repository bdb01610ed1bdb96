import Foundation

/// A bent sheet in space: maps each place of the flat sheet to its position above the table.
///
/// Flat coordinates: u to the right along the printed lines, v down the sheet, metres, (0, 0) at the upper left corner.
/// Table frame: x right, y down the sheet, z *into* the table, metres; the table is the plane z = 0 and whatever lies
/// on it has z <= 0. So a camera straight above, unturned, has the table frame's axes.
/// The sheet's lowest point touches the table, and the middle of the flat sheet lies near the origin.
public struct PaperSurface: Sendable {
    /// The flat sheet's width in metres.
    public let width: Double
    /// The flat sheet's height in metres.
    public let height: Double

    private enum Form: Sendable {
        case cylinder(ProfileCurve)
        case cone(apexDistance: Double, sine: Double, cosine: Double, side: Double)
        case net(CrumpledNet)
    }

    private let form: Form
    /// The unit vector perpendicular to the rulings, in flat coordinates.
    private let across: SIMD2<Double>
    /// Cosine and sine of the turn about the rulings that makes both ends equally high.
    private let levelling: SIMD2<Double>
    /// The translation that puts the lowest point on the table and the middle above the origin.
    private let offset: SIMD3<Double>

    /// Creates the surface of a sheet of `width` x `height` metres bent to `shape`.
    ///
    /// O(width / 0.1 mm) for cylinders, some 10^6 steps for `.crumple`.
    public init(shape: SheetShape, width: Double, height: Double) {
        precondition(width > 0 && height > 0, "a sheet has a size")
        self.width = width
        self.height = height
        let direction: Double
        switch shape {
        case .plane, .crumple: direction = .pi / 2
        case .curl(_, let angle), .roll(_, _, _, _, _, let angle), .wave(_, _, _, let angle),
            .fold(_, _, let angle), .cone(_, _, let angle):
            direction = angle
        }
        let across = SIMD2(cos(direction), sin(direction))
        // The sheet's largest extent perpendicular to the rulings, from its centre.
        let reach = (abs(across.x) * width + abs(across.y) * height) / 2
        let form = Self.form(of: shape, reach: reach, width: width, height: height)

        var levelling = SIMD2(1.0, 0.0)
        if case .cylinder(let profile) = form, shape.isLevelled {
            let from = profile.point(at: -reach)
            let to = profile.point(at: reach)
            let angle = atan2(to.height - from.height, to.along - from.along)
            levelling = SIMD2(cos(angle), -sin(angle))
        }
        self.form = form
        self.across = across
        self.levelling = levelling

        // Finds the lowest point to a few micrometres: a net of 2 mm is fine enough for bends of centimetres. The middle, on
        // which curls rest, is one of its nodes.
        let columns = 2 * max(Int(width / 0.004), 1)
        let rows = 2 * max(Int(height / 0.004), 1)
        var lowest = -Double.infinity
        for row in 0...rows {
            for column in 0...columns {
                let u = width * (Double(column) / Double(columns) - 0.5)
                let v = height * (Double(row) / Double(rows) - 0.5)
                lowest = max(
                    lowest, Self.place(u, v, form: form, across: across, levelling: levelling).z)
            }
        }
        let middle = Self.place(0, 0, form: form, across: across, levelling: levelling)
        offset = SIMD3(-middle.x, -middle.y, -lowest)
    }

    private static func form(of shape: SheetShape, reach: Double, width: Double, height: Double) -> Form {
        switch shape {
        case .plane:
            return .cylinder(ProfileCurve(halfLength: reach) { _ in 0 })
        case .curl(let curvature, _):
            return .cylinder(ProfileCurve(halfLength: reach) { curvature * $0 })
        case .roll(let curvature, let start, let transition, let nearEnd, let farEnd, _):
            func turned(_ length: Double) -> Double {
                let x = (length - start) / transition
                if x <= 0 { return 0 }
                // The integral of the quintic smooth step, which equals x - 1/2 for x of 1 and more.
                let grown = x < 1 ? x * x * x * x * (2.5 + x * (x - 3)) : x - 0.5
                return curvature * transition * grown
            }
            return .cylinder(
                ProfileCurve(halfLength: reach) { t in
                    if t >= 0 { return farEnd ? turned(t) : 0 }
                    return nearEnd ? -turned(-t) : 0
                })
        case .wave(let slope, let wavelength, let phase, _):
            return .cylinder(
                ProfileCurve(halfLength: reach) { slope * sin(2 * .pi * $0 / wavelength + phase) })
        case .fold(let creases, let creaseWidth, _):
            return .cylinder(
                ProfileCurve(halfLength: reach) { t in
                    creases.reduce(0) { angle, crease in
                        angle + crease.angle * (smoothStep((t - crease.position) / creaseWidth + 0.5) - 0.5)
                    }
                })
        case .cone(let apexDistance, let curvature, _):
            precondition(curvature != 0 && apexDistance > 0, "a cone bends, and has its apex off the centre")
            // Perpendicular to a ruling, at r from the apex, a cone of half angle b has the curvature 1 / (r tan b).
            let halfAngle = atan(1 / (apexDistance * abs(curvature)))
            return .cone(
                apexDistance: apexDistance, sine: sin(halfAngle), cosine: cos(halfAngle),
                side: curvature > 0 ? 1 : -1)
        case .crumple(let slope, let ridgeCount, let seed):
            return .net(
                CrumpledNet(width: width, height: height, slope: slope, ridgeCount: ridgeCount, seed: seed))
        }
    }

    /// Returns the position of the place (u, v) of the flat sheet, in the table frame, in metres. O(1).
    /// Beyond the sheet's edge the surface continues.
    public func point(u: Double, v: Double) -> SIMD3<Double> {
        Self.place(u - width / 2, v - height / 2, form: form, across: across, levelling: levelling) + offset
    }

    private static func place(
        _ u: Double, _ v: Double, form: Form, across: SIMD2<Double>, levelling: SIMD2<Double>
    ) -> SIMD3<Double> {
        // Perpendicular to the rulings (t) and along them (s).
        let t = u * across.x + v * across.y
        let s = v * across.x - u * across.y
        let x: Double
        let y: Double
        let up: Double
        switch form {
        case .cylinder(let profile):
            let point = profile.point(at: t)
            x = point.along * levelling.x - point.height * levelling.y
            up = point.along * levelling.y + point.height * levelling.x
            y = s
        case .cone(let apexDistance, let sine, let cosine, let side):
            // Polar coordinates about the apex are preserved; the angle between rulings about the axis is larger by 1 / sine.
            let radius = ((s + apexDistance) * (s + apexDistance) + t * t).squareRoot()
            let turn = atan2(t, s + apexDistance) / sine
            y = radius * (sine * sine * cos(turn) + cosine * cosine) - apexDistance
            x = radius * sine * sin(turn)
            up = side * radius * sine * cosine * (1 - cos(turn))
        case .net(let net):
            return net.point(u: u, v: v)
        }
        return SIMD3(x * across.x - y * across.y, x * across.y + y * across.x, -up)
    }

    /// Returns the surface's unit normal on the printed side, which points away from the table where the sheet lies flat.
    /// O(1).
    public func normal(u: Double, v: Double) -> SIMD3<Double> {
        let step = 2e-5
        let alongU = point(u: u + step, v: v) - point(u: u - step, v: v)
        let alongV = point(u: u, v: v + step) - point(u: u, v: v - step)
        // u x v points into the table.
        let cross = SIMD3(
            alongV.y * alongU.z - alongV.z * alongU.y, alongV.z * alongU.x - alongV.x * alongU.z,
            alongV.x * alongU.y - alongV.y * alongU.x)
        return cross / (cross * cross).sum().squareRoot()
    }

    /// Measures the surface's deviation from an isometry: relative changes of length over a net of short edges.
    ///
    /// Edges of `edge` metres along u, v and both diagonals, every `spacing` metres.
    public func stretch(edge: Double = 0.0002, spacing: Double = 0.002) -> Stretch {
        var sum = 0.0
        var worst = 0.0
        var count = 0
        let columns = max(Int((width - edge) / spacing), 1)
        let rows = max(Int((height - edge) / spacing), 1)
        let diagonal = edge / 2.0.squareRoot()
        for row in 0...rows {
            for column in 0...columns {
                let u = (width - edge) * Double(column) / Double(columns)
                let v = (height - edge) * Double(row) / Double(rows)
                let edges: [(SIMD2<Double>, SIMD2<Double>)] = [
                    (SIMD2(u, v), SIMD2(u + edge, v)), (SIMD2(u, v), SIMD2(u, v + edge)),
                    (SIMD2(u, v), SIMD2(u + diagonal, v + diagonal)),
                    (SIMD2(u, v + diagonal), SIMD2(u + diagonal, v)),
                ]
                for (from, to) in edges {
                    let across = point(u: to.x, v: to.y) - point(u: from.x, v: from.y)
                    let change = (across * across).sum().squareRoot() / edge - 1
                    sum += change * change
                    worst = max(worst, abs(change))
                    count += 1
                }
            }
        }
        return Stretch(rms: (sum / Double(count)).squareRoot(), worst: worst)
    }

    /// Relative changes of length: 0.001 is one part in a thousand.
    public struct Stretch: Sendable {
        /// Root mean square over all edges.
        public let rms: Double
        /// Largest absolute value.
        public let worst: Double
    }
}

extension SheetShape {
    /// Whether the sheet is turned until both ends are equally high, because it has no flat part to rest on.
    fileprivate var isLevelled: Bool {
        switch self {
        case .wave, .fold: return true
        case .plane, .curl, .roll, .cone, .crumple: return false
        }
    }
}
