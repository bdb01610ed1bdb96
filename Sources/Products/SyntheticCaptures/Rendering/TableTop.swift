import Foundation

/// The table for ray casting: endless, or limited, in front of a room with objects at all distances.
struct TableTop: Sendable {
    let material: TableMaterial
    /// Half of the table's width and height around the table frame's origin, in metres; nil for an endless table.
    let halfSize: SIMD2<Double>?

    /// How far the room's objects lie below the table, in metres, and their width as seen at the least of these distances:
    /// chosen so that no plane goes through them.
    private static let roomDepth = 0.4..<1.6
    private static let thingSize = 0.15
    /// The factor on the material's linear brightness for the room: it lies in the table's shade.
    private static let roomShade: Float = 0.35

    /// The point where a ray hits the table or the room.
    struct Hit {
        /// The ray's length to the hit, in lengths of its direction.
        let length: Double
        /// The place in the table frame, in metres.
        let x: Double
        let y: Double
        let isRoom: Bool
    }

    /// Returns where a ray from `eye` hits the table or the room; nil beyond the horizon.
    @inline(__always)
    func hit(from eye: SIMD3<Double>, along direction: SIMD3<Double>) -> Hit? {
        guard direction.z > 1e-3 else { return nil }
        let length = -eye.z / direction.z
        let (x, y) = (eye.x + length * direction.x, eye.y + length * direction.y)
        guard let halfSize, abs(x) > halfSize.x || abs(y) > halfSize.y else {
            return Hit(length: length, x: x, y: y, isRoom: false)
        }
        func place(_ depth: Double) -> SIMD3<Double> {
            let length = (depth - eye.z) / direction.z
            return SIMD3(eye.x + length * direction.x, eye.y + length * direction.y, length)
        }
        let near = place(Self.roomDepth.lowerBound)
        let (i, j) = (
            Int64((near.x / Self.thingSize).rounded(.down)), Int64((near.y / Self.thingSize).rounded(.down))
        )
        let thing = UInt64(bitPattern: i &* 7919 &+ j)
        let depth =
            Self.roomDepth.lowerBound
            + (Self.roomDepth.upperBound - Self.roomDepth.lowerBound)
            * Double(NoiseHash.uniform(0xF100, thing))
        let far = place(depth)
        return Hit(length: far.z, x: far.x, y: far.y, isRoom: true)
    }

    /// Returns the linear colour of the table or room at a hit, in the light there.
    func color(of hit: Hit, seed: UInt64) -> SIMD3<Float> {
        hit.isRoom ? reflectance(of: hit, seed: seed) * Self.roomShade : reflectance(of: hit, seed: seed)
    }

    /// Returns the reflected shares of red, green and blue.
    private func reflectance(of hit: Hit, seed: UInt64) -> SIMD3<Float> {
        material.color(x: hit.x, y: hit.y, seed: hit.isRoom ? NoiseHash.mix(seed) : seed)
    }

    /// Weights of red, green and blue in the brightness, rounded from ITU-R BT.601.
    private static let luminanceShares = SIMD3<Float>(0.3, 0.6, 0.1)

    /// Returns the share of light reflected where a ray hits the table or the room; 1 beyond the horizon. Shade does not
    /// matter, because depth cameras bring their own light.
    func luminance(from eye: SIMD3<Double>, along direction: SIMD3<Double>, seed: UInt64) -> Float {
        guard let hit = hit(from: eye, along: direction) else { return 1 }
        return (reflectance(of: hit, seed: seed) * Self.luminanceShares).sum()
    }
}
