/// The vector products that the standard library's SIMD types lack.
extension SIMD3 where Scalar == Double {
    /// The dot product.
    @inline(__always)
    package func dot(_ other: SIMD3<Double>) -> Double { x * other.x + y * other.y + z * other.z }

    /// The cross product: the vector at right angles to both, right-handed.
    package func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// Euclidean length.
    package var length: Double { dot(self).squareRoot() }

    /// The same direction with length 1; not finite for the zero vector.
    package var normalized: SIMD3<Double> { self / length }

    /// Whether no part is NaN or infinite.
    package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

    /// The same vector, read from single precision.
    @inline(__always)
    package init(_ vector: SIMD3<Float>) { self.init(Double(vector.x), Double(vector.y), Double(vector.z)) }
}

extension SIMD3 where Scalar == Float {
    /// The same vector, rounded to single precision.
    package init(_ vector: SIMD3<Double>) { self.init(Float(vector.x), Float(vector.y), Float(vector.z)) }
}

extension SIMD2 where Scalar == Double {
    /// The dot product.
    @inlinable package func dot(_ other: SIMD2<Double>) -> Double { x * other.x + y * other.y }

    /// The z component of the cross product: positive if `other` lies clockwise of this vector in an image.
    @inlinable package func cross(_ other: SIMD2<Double>) -> Double { x * other.y - y * other.x }

    /// Euclidean length.
    @inlinable package var length: Double { dot(self).squareRoot() }

    /// Whether no part is NaN or infinite.
    @inlinable package var isFinite: Bool { x.isFinite && y.isFinite }
}
