import Foundation

/// The material of the table.
public enum TableMaterial: String, CaseIterable, Sendable {
    /// Dark lacquer with a little dust.
    case dark
    /// Planks with a grain.
    case wood
    /// Woven cloth.
    case cloth
    /// Cloth woven in red and white squares.
    case checked
    /// Speckled stone.
    case stone
    /// Light plastic laminate.
    case bright
    /// White, nearly as white as the paper.
    case white

    /// The mean reflectance, 0 to 1.
    public var reflectance: Double {
        let color = base
        return Double(0.3 * color.x + 0.6 * color.y + 0.1 * color.z)
    }

    /// Linear red, green and blue.
    var base: SIMD3<Float> {
        switch self {
        case .dark: return SIMD3(0.045, 0.045, 0.05)
        case .wood: return SIMD3(0.30, 0.17, 0.085)
        case .cloth: return SIMD3(0.09, 0.13, 0.24)
        case .checked: return (Self.whiteThread + Self.redThread) / 2
        case .stone: return SIMD3(0.20, 0.20, 0.21)
        case .bright: return SIMD3(0.58, 0.56, 0.50)
        case .white: return SIMD3(0.74, 0.74, 0.73)
        }
    }

    private static let whiteThread = SIMD3<Float>(0.72, 0.71, 0.68)
    private static let redThread = SIMD3<Float>(0.42, 0.05, 0.06)

    /// Returns the linear colour at a place of the table, in metres of the table frame.
    @inline(__always)
    func color(x: Double, y: Double, seed: UInt64) -> SIMD3<Float> {
        let u = Float(x)
        let v = Float(y)
        let brightness: Float
        switch self {
        case .dark:
            brightness =
                0.85 + 0.2 * GradientNoise.value(u * 90, v * 90, seed) + 0.1
                * GradientNoise.value(u * 700, v * 700, seed &+ 1)
        case .wood:
            // Rings of a log cut lengthwise: stretched, distorted noise.
            let warp = GradientNoise.value(u * 4, v * 18, seed)
            let rings = v * 120 + 5 * warp
            let ring = abs(2 * (rings - rings.rounded(.down)) - 1)
            let grain = GradientNoise.value(u * 60, v * 1400, seed &+ 1)
            let plank = (v / 0.11).rounded(.down)
            let tint = NoiseHash.uniform(seed, UInt64(bitPattern: Int64(plank)))
            let seam: Float = abs(v / 0.11 - plank) < 0.006 ? 0.45 : 1
            brightness = (0.6 + 0.22 * ring + 0.3 * grain + 0.25 * tint) * seam
        case .cloth:
            // Threads of 1.1 mm crossing over and under each other.
            let thread: Float = 2 * .pi / 0.0022
            let weave = sin(u * thread) * sin(v * thread)
            brightness =
                0.8 + 0.16 * weave + 0.25 * GradientNoise.value(u * 60, v * 60, seed)
                + 0.3 * (GradientNoise.value(u * 800, v * 800, seed &+ 1) - 0.5)
        case .checked:
            // Bands of 9 mm of red and white threads in both directions: white squares, red ones, and mixed ones between.
            func isRed(_ x: Float) -> Bool { x / 0.018 - (x / 0.018).rounded(.down) < 0.5 }
            let red: Float = (isRed(u) ? 0.5 : 0) + (isRed(v) ? 0.5 : 0)
            let weave = 0.92 + 0.16 * (GradientNoise.value(u * 1200, v * 1200, seed) - 0.5)
            return (Self.whiteThread * (1 - red) + Self.redThread * red) * weave
        case .stone:
            // The grids are turned against each other, so that they do not show.
            let coarse = GradientNoise.value(u * 40, v * 40, seed)
            let middle = GradientNoise.value(u * 130 + v * 75, v * 130 - u * 75, seed &+ 1)
            let fine = GradientNoise.value(u * 520 - v * 610, v * 520 + u * 610, seed &+ 2)
            let grain = GradientNoise.value(u * 1500 + v * 700, v * 1500 - u * 700, seed &+ 3)
            brightness = 0.5 + 0.3 * coarse + 0.3 * middle + 0.35 * (fine - 0.3) + 0.35 * (grain - 0.5)
        case .bright:
            brightness =
                0.92 + 0.08 * GradientNoise.value(u * 25, v * 25, seed)
                + 0.05 * GradientNoise.value(u * 500, v * 500, seed &+ 1)
        case .white:
            brightness = 0.96 + 0.04 * GradientNoise.value(u * 12, v * 12, seed)
        }
        return base * max(brightness, 0.05)
    }
}

/// Smooth random values over the plane.
enum GradientNoise {
    /// Returns 0 to 1, mean 0.5, with features about one unit wide (value noise on a lattice, smoothly interpolated).
    @inline(__always)
    static func value(_ x: Float, _ y: Float, _ seed: UInt64) -> Float {
        let column = x.rounded(.down)
        let row = y.rounded(.down)
        let s = x - column
        let t = y - row
        let i = Int64(column)
        let j = Int64(row)
        let a = lattice(i, j, seed)
        let b = lattice(i &+ 1, j, seed)
        let c = lattice(i, j &+ 1, seed)
        let d = lattice(i &+ 1, j &+ 1, seed)
        let across = s * s * (3 - 2 * s)
        let down = t * t * (3 - 2 * t)
        let top = a + (b - a) * across
        let bottom = c + (d - c) * across
        return top + (bottom - top) * down
    }

    @inline(__always)
    private static func lattice(_ i: Int64, _ j: Int64, _ seed: UInt64) -> Float {
        let place =
            UInt64(bitPattern: i) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: j) &* 0xC2B2_AE3D_27D4_EB4F
        return Float(NoiseHash.mix(place &+ seed) >> 40) * 0x1p-24
    }
}
