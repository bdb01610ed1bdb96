/// Floating-point numbers of 16 and 24 bits, as stored in TIFF, NPY and weights files.
package enum SmallFloat {
    /// IEEE 754 binary16, exactly. (Swift's own Float16 does not exist on every platform.)
    package static func float(half bits: UInt16) -> Float {
        float(
            sign: UInt32(bits >> 15), exponent: UInt32(bits >> 10 & 0x1F),
            fraction: UInt32(bits & 0x3FF) << 13, bias: 15)
    }

    /// TIFF's 24 bits (Adobe Photoshop TIFF Technical Note 3): 1 sign, 7 exponent and 16 fraction bits; exactly.
    package static func float(bits24 bits: UInt32) -> Float {
        float(sign: bits >> 23 & 1, exponent: bits >> 16 & 0x7F, fraction: (bits & 0xFFFF) << 7, bias: 63)
    }

    /// - Parameter fraction: shifted to the 23 bits of a `Float`.
    private static func float(sign: UInt32, exponent: UInt32, fraction: UInt32, bias: Int) -> Float {
        let infinite = UInt32(2 * bias + 1)
        if exponent == 0 {
            // Denormal: fraction · 2^(1 - bias), which is a normal Float.
            let value =
                Float(fraction) / Float(1 << 23) * Float(sign: .plus, exponent: 1 - bias, significand: 1)
            return sign == 1 ? -value : value
        }
        let wide = exponent == infinite ? 255 : UInt32(Int(exponent) - bias + 127)
        return Float(bitPattern: sign << 31 | wide << 23 | fraction)
    }
}
