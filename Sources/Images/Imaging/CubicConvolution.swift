/// Keys' cubic convolution with a = -1/2 (IEEE Trans. ASSP 29(6), 1981).
package enum CubicConvolution {
    /// The weight of a sample at a distance, in samples; 0 from a distance of two.
    @inlinable
    package static func weight(at distance: Float) -> Float {
        let t = abs(distance)
        if t < 1 { return (1.5 * t - 2.5) * t * t + 1 }
        if t < 2 { return ((-0.5 * t + 2.5) * t - 4) * t + 2 }
        return 0
    }
}
