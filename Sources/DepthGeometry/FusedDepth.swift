import Foundation
public import Imaging

/// The depth of several frames of one still scene, brought together in the first one's camera.
public struct FusedDepth: Sendable {
    /// A frame beside the reference.
    public struct Frame: Sendable {
        /// Its depth, metric.
        public var depth: DepthMap
        /// Its camera at the depth map's size.
        public var camera: Camera
        /// From the reference camera's frame to this one's.
        public var transform: RigidTransform

        /// A frame from its parts.
        public init(depth: DepthMap, camera: Camera, transform: RigidTransform) {
            self.depth = depth
            self.camera = camera
            self.transform = transform
        }
    }

    /// The mean of the readings that agree; no reading where the reference frame has none, or where most frames disagree.
    public let depth: DepthMap
    /// How many readings make up each mean; 0 where there is none.
    public let counts: Raster<Int32>
    /// Standard deviation of the readings of each mean in metres; NaN where there are fewer than two.
    public let spread: Raster<Float>
    /// For each frame beside the reference, how far its readings lie from the result: the median of |difference| as a
    /// share of the distance; nil if it shows nothing of what the reference shows.
    public let departures: [Double?]

    /// Brings frames together.
    ///
    /// For each of the reference's rays each frame is asked at which distance it meets that frame's surface (two steps of
    /// a fixed point, as the motion is small); the mean is taken of what lies within three robust deviations of the
    /// median (1.4826 times the median absolute deviation), if that is more than half. Nothing is drawn into a grid, so that slopes stay slopes.
    /// - Parameters:
    ///   - reference: the frame whose rays are kept.
    ///   - camera: its camera, at the map's size.
    ///   - frames: the others.
    /// - Precondition: all maps are metric.
    /// - Complexity: O(pixels · frames).
    public init(reference: DepthMap, camera: Camera, frames: [Frame]) {
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
                let median = Self.median(readings.map(\.depth))
                let deviation = max(
                    1.4826 * Self.median(readings.map { abs($0.depth - median) }),
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
        self.departures = departures.map { $0.isEmpty ? nil : Self.median($0) }
    }

    /// As a share of the distance: files round to a millimetre, and where half the readings round alike their deviation
    /// of 0 would throw the others out.
    private static let leastDeviation = 0.001

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

extension FusedDepth.Frame {
    /// At which depth of the reference its ray meets this frame's surface; nil where that is not seen.
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

    /// The depth between four readings, linear along both axes; nil at an edge, where it would be the depth of nothing.
    private func interpolated(_ pixel: SIMD2<Double>) -> Double? {
        guard depth.width >= 2, depth.height >= 2, pixel.x >= 0, pixel.y >= 0,
            pixel.x <= Double(depth.width - 1),
            pixel.y <= Double(depth.height - 1)
        else { return nil }
        let (x, y) = (min(Int(pixel.x), depth.width - 2), min(Int(pixel.y), depth.height - 2))
        let (u, v) = (pixel.x - Double(x), pixel.y - Double(y))
        let four = SIMD4(
            Double(depth[x: x, y: y]), Double(depth[x: x + 1, y: y]), Double(depth[x: x, y: y + 1]),
            Double(depth[x: x + 1, y: y + 1]))
        let value = (four * SIMD4((1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v)).sum()
        // A surface seen at 80 degrees rises by 5.7 pixels' breadth from pixel to pixel; steeper is an edge.
        let breadth = value / min(camera.intrinsics.fx, camera.intrinsics.fy)
        guard value > 0, four.max() - four.min() <= 2 * 5.7 * breadth else { return nil }
        return value
    }
}
