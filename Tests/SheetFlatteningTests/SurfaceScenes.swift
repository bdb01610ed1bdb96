import DepthGeometry
import Foundation
import Imaging
import RobustStatistics

@testable import SheetFlattening

/// Sheets of known shape in front of a camera, sampled by casting rays at them.
struct SurfaceScene: Sendable {
    /// Where the sheet's flat point (u, v) lies in space, metres in and out.
    let point: @Sendable (Double, Double) -> SIMD3<Double>
    /// Width and height of the sheet in metres.
    let size: SIMD2<Double>
    /// A phone's camera at a tenth of its resolution: the geometry is the same, debug builds are slow.
    let camera = CameraIntrinsics(
        fx: 330, fy: 330, cx: 201.3, cy: 150.2, imageSize: PixelSize(width: 403, height: 302))

    /// A sheet bent over a cylinder of a given radius, rulings turned by an angle on the sheet, seen obliquely.
    static func cylinder(radius: Double, angle: Double, width: Double = 0.06, height: Double = 0.09)
        -> SurfaceScene
    {
        SurfaceScene(
            point: { u, v in
                let along = (u * cos(angle) + v * sin(angle))
                let across = (v * cos(angle) - u * sin(angle))
                let bent = SIMD2(radius * sin(across / radius), radius * (1 - cos(across / radius)))
                return pose(
                    SIMD3(
                        along * cos(angle) - bent.x * sin(angle), along * sin(angle) + bent.x * cos(angle),
                        bent.y))
            }, size: SIMD2(width, height))
    }

    /// A sheet wound on a circular cone whose apex lies outside it: the polar angle on the sheet shrinks by `sine`, the
    /// sine of the cone's half angle, seen from the apex.
    static func cone(
        halfAngleSine sine: Double, apexDistance: Double, width: Double = 0.06, height: Double = 0.09
    )
        -> SurfaceScene
    {
        SurfaceScene(
            point: { u, v in
                let flat = SIMD2(u, v + apexDistance)
                let radius = (flat * flat).sum().squareRoot()
                let turn = atan2(flat.x, flat.y) / sine
                let cosine = (1 - sine * sine).squareRoot()
                // The cone's axis is tilted so that the middle ruling runs along y.
                let ring = SIMD3(radius * sine * sin(turn), radius * cosine, radius * sine * (1 - cos(turn)))
                let lean = SIMD2(cosine, sine)
                let depthOfMiddle = radius * sine
                let y = ring.y * lean.x + (depthOfMiddle - ring.z) * lean.y
                let z = ring.y * lean.y - (depthOfMiddle - ring.z) * lean.x
                return pose(SIMD3(ring.x, y - apexDistance, -z))
            }, size: SIMD2(width, height))
    }

    /// Flat.
    static let plane = SurfaceScene(point: { u, v in pose(SIMD3(u, v, 0)) }, size: SIMD2(0.06, 0.09))

    /// Turns the sheet a little and puts it 0.25 m in front of the camera.
    static func pose(_ p: SIMD3<Double>) -> SIMD3<Double> {
        let (c, s) = (cos(0.25), sin(0.25))
        let (d, t) = (cos(-0.2), sin(-0.2))
        let q = SIMD3(p.x, c * p.y - s * p.z, s * p.y + c * p.z)
        return SIMD3(d * q.x + t * q.z, q.y, -t * q.x + d * q.z) + SIMD3(0.004, -0.003, 0.25)
    }

    func pixel(_ u: Double, _ v: Double) -> SIMD2<Double> { camera.project(point(u, v)) }

    /// The sheet's rim in the picture.
    var outline: [SIMD2<Double>] {
        let (w, h) = (size.x / 2, size.y / 2)
        let steps = (0..<30).map { Double($0) / 30 }
        return steps.map { pixel(-w + 2 * w * $0, -h) } + steps.map { pixel(w, -h + 2 * h * $0) }
            + steps.map { pixel(w - 2 * w * $0, h) } + steps.map { pixel(-w, h - 2 * h * $0) }
    }

    /// The sheet's four sides in the picture, corner to corner.
    var sides: [[SIMD2<Double>]] {
        let rim = outline
        return (0..<4).map { side in (0...30).map { rim[(30 * side + $0) % rim.count] } }
    }

    /// What a depth camera with pixels twice as large reads on the sheet, with nearly normal noise of a deviation in metres
    /// at 0.3 m that grows with z².
    func readings(noise: Double, seed: UInt64) -> SurfaceReadings {
        var generator = SplitMix64(seed: seed)
        var pixels: [SIMD2<Double>] = []
        var depths: [Double] = []
        let region = PolygonRegion(
            polygon: outline.map { ($0 + 0.5) / 2 - 0.5 }, rimWidth: 1, width: 201, height: 151)
        for y in region.rows {
            var flat = SIMD2(
                0.0, (Double(y - region.rows.lowerBound) / Double(region.rows.count) - 0.5) * size.y)
            for x in region.columns where region.contains(x: x, y: y) {
                let pixel = (SIMD2(Double(x), Double(y)) + 0.5) * 2 - 0.5
                flat = flatPoint(seenAt: pixel, near: flat)
                let draws = (0..<3).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &generator)
                }
                let z = point(flat.x, flat.y).z
                pixels.append(pixel)
                depths.append(z + draws * noise * (z / 0.3) * (z / 0.3))
            }
        }
        return SurfaceReadings(pixels: pixels, depths: depths, depthPixelSize: SIMD2(2, 2))
    }

    /// The sheet's own coordinates of what a pixel sees, by Newton's method with differences of 10 micrometres.
    private func flatPoint(seenAt wanted: SIMD2<Double>, near start: SIMD2<Double>) -> SIMD2<Double> {
        var flat = start
        for _ in 0..<20 {
            let here = pixel(flat.x, flat.y)
            let error = wanted - here
            if (error * error).sum() < 1e-16 { break }
            let alongU = (pixel(flat.x + 1e-5, flat.y) - here) / 1e-5
            let alongV = (pixel(flat.x, flat.y + 1e-5) - here) / 1e-5
            let determinant = alongU.x * alongV.y - alongU.y * alongV.x
            flat.x += (error.x * alongV.y - error.y * alongV.x) / determinant
            flat.y += (alongU.x * error.y - alongU.y * error.x) / determinant
        }
        return flat
    }

    /// Root mean square distance in metres between an unrolling's flat positions and the sheet's own, after the best
    /// rotation and shift, and the scale that would fit best. Without depth there is no scale, and the best is taken.
    func error(of unrolling: Unrolling, isMetric: Bool = true) -> (rms: Double, scale: Double) {
        var found: [SIMD2<Double>] = []
        var wanted: [SIMD2<Double>] = []
        for j in 0...18 {
            for i in 0...12 {
                let flat = SIMD2((Double(i) / 12 - 0.5) * size.x, (Double(j) / 18 - 0.5) * size.y) * 0.98
                guard let position = unrolling.flatPosition(ofPixel: pixel(flat.x, flat.y)) else { continue }
                found.append(position)
                wanted.append(flat)
            }
        }
        guard found.count > 200 else { return (.infinity, .infinity) }
        let n = Double(found.count)
        let (cf, ct) = (found.reduce(.zero, +) / n, wanted.reduce(.zero, +) / n)
        var (dot, cross, ff, tt) = (0.0, 0.0, 0.0, 0.0)
        for (f, t) in zip(found, wanted) {
            let (p, q) = (f - cf, t - ct)
            dot += (p * q).sum()
            cross += p.x * q.y - p.y * q.x
            ff += (p * p).sum()
            tt += (q * q).sum()
        }
        let agreement = (dot * dot + cross * cross).squareRoot()
        let squares = isMetric ? ff + tt - 2 * agreement : tt - agreement * agreement / ff
        return (max(0, squares / n).squareRoot(), agreement / ff)
    }
}
