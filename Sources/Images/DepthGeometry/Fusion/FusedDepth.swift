import Platform
package import Imaging
import RobustStatistics

/// The depth of several frames of one still scene, fused in the first frame's camera.
package struct FusedDepth: Sendable {
    /// A frame beside the reference.
    package struct Frame: Sendable {
        /// Its depth, metric.
        package var depth: DepthMap
        /// Its camera at the depth map's size.
        package var camera: Camera
        /// From the reference camera's frame to this one's.
        package var transform: RigidTransform

        /// A frame from its parts.
        package init(depth: DepthMap, camera: Camera, transform: RigidTransform) {
            self.depth = depth
            self.camera = camera
            self.transform = transform
        }
    }

    /// The mean of the readings that agree; no reading where the reference frame has none, or where most frames disagree.
    package let depth: DepthMap
    /// How many readings make up each mean; 0 where there is none.
    package let counts: Raster<Int32>
    /// Standard deviation of the readings of each mean in metres; NaN where there are fewer than two.
    package let spread: Raster<Float>
    /// For each frame beside the reference, how far its readings lie from the result: the median of |difference| as a share
    /// of the distance; nil if it shows nothing that the reference shows.
    package let departures: [Double?]

    /// Fuses the frames.
    ///
    /// For each ray of the reference, finds the distance at which the ray meets each frame's surface (two fixed-point steps
    /// suffice, as the motion is small). Takes the mean of the readings within three robust deviations of the median
    /// (1.4826 times the median absolute deviation), if they are more than half. Nothing is drawn into a grid, so slopes
    /// are preserved.
    /// - Parameters:
    ///   - reference: the frame whose rays are kept.
    ///   - camera: its camera, at the map's size.
    ///   - frames: the other frames.
    /// - Precondition: all maps are metric.
    /// - Complexity: O(pixels · frames).
    package init(reference: DepthMap, camera: Camera, frames: [Frame]) {
        precondition(camera.intrinsics.imageSize == reference.size, "a map's camera has the map's size")
        precondition(
            reference.scale == .metric && frames.allSatisfy { $0.depth.scale == .metric },
            "only metres can be brought together")
        let (width, height) = (reference.width, reference.height)
        var fused = Raster<Float>(width: width, height: height, filledWith: .nan)
        var counts = Raster<Int32>(width: width, height: height, filledWith: 0)
        var spread = Raster<Float>(width: width, height: height, filledWith: .nan)
        var departures = [[Double]](repeating: [], count: frames.count)
        let inverses = frames.map(\.transform.inverse)
        var readings: [(frame: Int, depth: Double)] = []
        for y in 0..<height {
            for x in 0..<width {
                let own = Double(reference[x: x, y: y])
                guard own > 0 else { continue }
                let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
                guard ray.isFinite else { continue }
                readings.removeAll(keepingCapacity: true)
                readings.append((-1, own))
                for (index, frame) in frames.enumerated() {
                    if let depth = frame.depth(along: ray, near: own, inverse: inverses[index]) {
                        readings.append((index, depth))
                    }
                }
                let median = readings.map(\.depth).midpointMedian()
                let deviation = max(
                    RobustScale.medianToDeviation * readings.map { abs($0.depth - median) }.midpointMedian(),
                    Self.leastDeviation * median)
                let agreeing = readings.filter { abs($0.depth - median) <= 3 * deviation }
                guard 2 * agreeing.count > readings.count else { continue }
                let count = Double(agreeing.count)
                let mean = agreeing.reduce(0) { $0 + $1.depth } / count
                fused[x: x, y: y] = Float(mean)
                counts[x: x, y: y] = Int32(agreeing.count)
                if agreeing.count > 1 {
                    let squares = agreeing.reduce(0) { $0 + ($1.depth - mean) * ($1.depth - mean) }
                    spread[x: x, y: y] = Float((squares / (count - 1)).squareRoot())
                }
                for reading in readings where reading.frame >= 0 {
                    departures[reading.frame].append(abs(reading.depth - mean) / mean)
                }
            }
        }
        depth = DepthMap(readings: fused)
        self.counts = counts
        self.spread = spread
        self.departures = departures.map { $0.isEmpty ? nil : $0.midpointMedian() }
    }

    /// Smallest deviation, as a share of the distance. Files round to a millimetre; if half the readings round to the same
    /// value, their deviation of 0 would reject the others.
    private static let leastDeviation = 0.001
}

extension FusedDepth.Frame {
    /// Steepest surface slope, as depth change per pixel in units of a pixel's width on the surface: tan 80 degrees, beyond
    /// which no sheet is visible. A steeper change is an edge.
    private static let steepest = 5.7

    /// The depth in the reference's frame at which its ray meets this frame's surface; nil if the frame does not show it.
    fileprivate func depth(
        along ray: SIMD3<Double>, near start: Double, inverse: RigidTransform
    ) -> Double? {
        var z = start
        for _ in 0..<2 {
            let point = transform.apply(ray * z)
            guard point.z > 0 else { return nil }
            let pixel = camera.project(point)
            guard let reading = interpolated(pixel) else { return nil }
            z = inverse.apply(point / point.z * reading).z
            guard z > 0 else { return nil }
        }
        return z
    }

    /// Depth interpolated bilinearly between four readings; nil at an edge, where the interpolated depth would lie on no
    /// surface.
    private func interpolated(_ pixel: SIMD2<Double>) -> Double? {
        guard depth.width >= 2, depth.height >= 2,
            let cell = BilinearCell(inside: pixel, columns: depth.width, rows: depth.height)
        else { return nil }
        let (u, v) = (cell.across, cell.down)
        let (above, below) = (cell.index, cell.index + cell.below)
        let readings = depth.values.elements
        let four = SIMD4(
            Double(readings[above]), Double(readings[above + cell.right]), Double(readings[below]),
            Double(readings[below + cell.right]))
        let value = (four * SIMD4((1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v)).sum()
        let breadth = value / min(camera.intrinsics.fx, camera.intrinsics.fy)
        guard value > 0, four.max() - four.min() <= 2 * Self.steepest * breadth else { return nil }
        return value
    }
}
