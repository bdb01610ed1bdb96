import Platform

extension RigidTransform {
    /// A turn by |v| radians about the axis v, then a shift in metres (Rodrigues' formula).
    package init(rotationVector v: SIMD3<Double>, translation: SIMD3<Double>) {
        let angle = v.length
        // Below 1e-8 the second-order term is lost in double precision.
        let (a, b) =
            angle > 1e-8 ? (sin(angle) / angle, (1 - cos(angle)) / (angle * angle)) : (1, 0.5)
        func turned(_ axis: SIMD3<Double>) -> SIMD3<Double> {
            let across = v.cross(axis)
            return axis + a * across + b * v.cross(across)
        }
        self.init(
            xAxis: turned(SIMD3(1, 0, 0)), yAxis: turned(SIMD3(0, 1, 0)), zAxis: turned(SIMD3(0, 0, 1)),
            translation: translation)
    }

    /// The inverse transform, from b to a: x_in_a = Rᵀ (x_in_b - t).
    package var inverse: RigidTransform {
        RigidTransform(
            xAxis: SIMD3(xAxis.x, yAxis.x, zAxis.x), yAxis: SIMD3(xAxis.y, yAxis.y, zAxis.y),
            zAxis: SIMD3(xAxis.z, yAxis.z, zAxis.z),
            translation: -SIMD3(
                xAxis.dot(translation), yAxis.dot(translation), zAxis.dot(translation)))
    }

    /// This transform after another one: from the other's a to this one's b.
    package func after(_ first: RigidTransform) -> RigidTransform {
        RigidTransform(
            xAxis: rotate(first.xAxis), yAxis: rotate(first.yAxis), zAxis: rotate(first.zAxis),
            translation: apply(first.translation))
    }

    /// Turns a direction of frame a into frame b.
    package func rotate(_ direction: SIMD3<Double>) -> SIMD3<Double> {
        xAxis * direction.x + yAxis * direction.y + zAxis * direction.z
    }
}
