import Platform

/// The transfer curve of sRGB (IEC 61966-2-1): light and its encoded value, both 0 to 1.
package enum SRGBCurve {
    /// The value below which the curve is a straight line, and the corresponding light.
    private static let linearEnd = 0.04045
    private static let linearEndLight = 0.0031308
    /// The slope of that line.
    private static let slope = 12.92
    /// Above that, the curve is a power of the value shifted by an offset.
    private static let offset = 0.055
    private static let exponent = 2.4

    /// Converts an encoded value to light.
    package static func light(of value: Double) -> Double {
        value <= linearEnd ? value / slope : pow((value + offset) / (1 + offset), exponent)
    }

    /// Converts light to an encoded value.
    package static func value(of light: Double) -> Double {
        light <= linearEndLight ? slope * light : (1 + offset) * pow(light, 1 / exponent) - offset
    }
}
