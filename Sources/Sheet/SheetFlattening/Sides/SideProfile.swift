import DepthGeometry
import Platform

/// The height of a sheet's curved side above the chord between its ends, from an image alone.
///
/// A cylinder's side lies in the plane that stands on its chord at right angles to the base, so the ray of each pixel of the
/// side meets that plane in one point, which gives its position t along the chord and its height. If the camera's centre lies
/// in that plane, the side looks straight however it curves; `gain` tells how much of the height each reading shows.
struct SideProfile: Sendable {
    /// One point of the side.
    struct Reading: Sendable {
        /// Place along the frame's y-axis.
        var t: Double
        /// Height above the plane, towards the camera.
        var height: Double
        /// Pixels by which the side moves sideways in the image per unit of height.
        var gain: Double

        /// Distance in the image between the side and its position at another height, in pixels.
        func deviation(from height: Double) -> Double { gain * (self.height - height) }
    }

    /// Readings at equal distances along the side in the image, from its first end to its last.
    let readings: [Reading]

    /// How far past its chord's ends a side may bulge, as a share of the chord: points farther away belong to something else.
    private static let overhang = 0.1

    /// - Parameters:
    ///   - side: the side in the image, as a polyline of ideal pixels.
    ///   - first: the first end of the side in the camera frame.
    ///   - last: the other end of the side.
    ///   - frame: a frame on the plane through both ends whose y-axis runs along the profile.
    ///   - count: how many readings to take.
    init(
        _ side: [SIMD2<Double>], first: SIMD3<Double>, last: SIMD3<Double>, frame: PlaneFrame,
        intrinsics: CameraIntrinsics, count: Int
    ) {
        let chord = (last - first).normalized
        let normal = frame.normal
        let across = chord.cross(normal)
        let span = (last - first).length
        readings = Self.resampled(side, count: count).compactMap { pixel in
            let ray = intrinsics.ray(through: pixel)
            let depth = first.dot(across) / ray.dot(across)
            guard depth > 0, depth.isFinite else { return nil }
            let point = ray * depth
            let height = (point - first).dot(normal)
            let place = (point - first).dot(chord)
            // Paper never rises above its chord by more than a half circle; greater heights come from rays that graze the
            // side's plane.
            guard abs(height) < span / 2, place > -Self.overhang * span,
                place < (1 + Self.overhang) * span
            else { return nil }
            let raised = intrinsics.motion(of: point, along: normal)
            let advanced = intrinsics.motion(of: point, along: chord)
            return Reading(
                t: (point - frame.origin).dot(frame.yAxis), height: height,
                gain: abs(raised.cross(advanced)) / advanced.length)
        }
    }

    /// Places points at equal distances along an open polyline, without its ends.
    private static func resampled(_ line: [SIMD2<Double>], count: Int) -> [SIMD2<Double>] {
        let lengths = zip(line, line.dropFirst()).map { ($1 - $0).length }
        let spacing = lengths.reduce(0, +) / Double(count)
        var result: [SIMD2<Double>] = []
        var passed = 0.0
        for (index, length) in lengths.enumerated() {
            while result.count < count {
                let offset = (Double(result.count) + 0.5) * spacing - passed
                guard offset <= length else { break }
                result.append(line[index] + (line[index + 1] - line[index]) * (offset / length))
            }
            passed += length
        }
        return result
    }
}

extension CameraIntrinsics {
    /// The motion of a point in the image, in pixels per unit that the point moves along a direction.
    fileprivate func motion(of point: SIMD3<Double>, along direction: SIMD3<Double>) -> SIMD2<Double> {
        SIMD2(
            fx * (direction.x - point.x / point.z * direction.z),
            fy * (direction.y - point.y / point.z * direction.z)) / point.z
    }
}
