import Foundation

/// The table as rays meet it: endless, or an island in front of a room where things stand at all distances.
struct TableTop: Sendable {
    let material: TableMaterial
    /// Half of the table's width and height around the table frame's origin, in metres; nil for a table without end.
    let halfSize: SIMD2<Double>?

    /// How far the room's things lie below the table, in metres, and how broad they are, seen at the nearest of these
    /// distances: no plane goes through them.
    private static let roomDepth = 0.4..<1.6
    private static let thingSize = 0.15
    /// The room's linear brightness beside the material's: it lies in the table's shade.
    private static let roomShade: Float = 0.35

    /// Where a ray meets table or room.
    struct Hit {
        /// In lengths of the ray's direction.
        let length: Double
        /// The place in the table frame, in metres.
        let x: Double
        let y: Double
        let isRoom: Bool
    }

    /// Where a ray from `eye` meets table or room; nil past the horizon.
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

    /// The linear colour where a ray meets table or room, in the light there.
    func color(of hit: Hit, seed: UInt64) -> SIMD3<Float> {
        hit.isRoom ? reflectance(of: hit, seed: seed) * Self.roomShade : reflectance(of: hit, seed: seed)
    }

    /// The shares of red, green and blue that come back.
    private func reflectance(of hit: Hit, seed: UInt64) -> SIMD3<Float> {
        material.color(x: hit.x, y: hit.y, seed: hit.isRoom ? NoiseHash.mix(seed) : seed)
    }

    /// What red, green and blue count for brightness, rounded from ITU-R BT.601.
    private static let luminanceShares = SIMD3<Float>(0.3, 0.6, 0.1)

    /// The share of light that comes back from where a ray meets table or room; 1 past the horizon. Shade does not matter:
    /// depth cameras bring their own light.
    func luminance(from eye: SIMD3<Double>, along direction: SIMD3<Double>, seed: UInt64) -> Float {
        guard let hit = hit(from: eye, along: direction) else { return 1 }
        return (reflectance(of: hit, seed: seed) * Self.luminanceShares).sum()
    }
}
