/// A rotation followed by a shift, from a frame a to a frame b.
///
/// Transforms point x from a to b as: x_in_b = R x_in_a + t. As a camera's pose, a is the camera's frame (x right, y down,
/// z forward, metres) and b the world's.
public struct RigidTransform: Equatable, Sendable {
    /// Where a's x axis points in b: the first column of R.
    public let xAxis: SIMD3<Double>
    /// Where a's y axis points in b: the second column of R.
    public let yAxis: SIMD3<Double>
    /// Where a's z axis points in b: the third column of R.
    public let zAxis: SIMD3<Double>
    /// Where a's origin lies in b, in metres.
    public let translation: SIMD3<Double>

    /// The transform that moves nothing.
    package static let identity = RigidTransform(
        xAxis: SIMD3(1, 0, 0), yAxis: SIMD3(0, 1, 0), zAxis: SIMD3(0, 0, 1), translation: .zero)

    init(
        xAxis: SIMD3<Double>, yAxis: SIMD3<Double>, zAxis: SIMD3<Double>, translation: SIMD3<Double>
    ) {
        self.xAxis = xAxis
        self.yAxis = yAxis
        self.zAxis = zAxis
        self.translation = translation
    }

    /// A transform from its matrix.
    /// - Parameters:
    ///   - translation: in metres.
    ///   - rotation: nine numbers, row by row.
    /// - Returns: nil unless `rotation` has nine finite numbers that form a rotation without stretching or mirroring:
    ///   columns of length 1, at right angles within 0.01. This allows for files that round to three digits; a flipped sign
    ///   is off by 2.
    package init?(rotation: [Double], translation: SIMD3<Double>) {
        guard rotation.count == 9,
            (rotation + [translation.x, translation.y, translation.z]).allSatisfy(\.isFinite)
        else { return nil }
        func column(_ index: Int) -> SIMD3<Double> {
            SIMD3(rotation[index], rotation[3 + index], rotation[6 + index])
        }
        let (x, y, z) = (column(0), column(1), column(2))
        func product(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
        let normal = SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
        let off = [
            product(x, x) - 1, product(y, y) - 1, product(x, y), product(normal, z) - 1,
        ]
        guard off.allSatisfy({ abs($0) < 0.01 }) else { return nil }
        self.init(xAxis: x, yAxis: y, zAxis: z, translation: translation)
    }

    /// A transform from a quaternion (x, y, z, w) of any length but zero (Hamilton's convention, as in ROS and ARKit).
    package init?(quaternion: SIMD4<Double>, translation: SIMD3<Double>) {
        let length = (quaternion * quaternion).sum().squareRoot()
        guard length.isFinite, length > 1e-6 else { return nil }
        let (x, y, z, w) = (
            quaternion.x / length, quaternion.y / length, quaternion.z / length, quaternion.w / length
        )
        self.init(
            rotation: [
                1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
                2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
            ], translation: translation)
    }

    /// Converts a camera pose from x right, y up, z backward (OpenGL, ARKit) to our x right, y down, z forward.
    package var turnedFromOpenGL: RigidTransform {
        RigidTransform(xAxis: xAxis, yAxis: -yAxis, zAxis: -zAxis, translation: translation)
    }

    /// Maps a point of frame a into frame b.
    public func apply(_ point: SIMD3<Double>) -> SIMD3<Double> {
        xAxis * point.x + yAxis * point.y + zAxis * point.z + translation
    }
}

extension RigidTransform {
    /// A transform from the first three rows of its 4 x 4 matrix; nil if they are no such rows; see
    /// ``init(rotation:translation:)``.
    package init?(rows: [[Double]]) {
        guard rows.count == 3, rows.allSatisfy({ $0.count == 4 }) else { return nil }
        self.init(
            rotation: rows.flatMap { $0.prefix(3) },
            translation: SIMD3(rows[0][3], rows[1][3], rows[2][3]))
    }
}
