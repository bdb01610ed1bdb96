import Foundation

/// The shadow of a straight edge between the lamp and the table: a window frame, the photographer's arm.
///
/// The width of its blurred border is the lamp's angular size times the edge's height above the shaded surface.
public struct CastShadow: Sendable, Equatable {
    /// A point of the table on the shadow's border, in metres of the table frame.
    public var place: SIMD2<Double>
    /// The direction towards the shaded side, as an angle on the table from x towards y, in radians.
    public var direction: Double
    /// The height of the edge above the table in metres, higher than the whole sheet.
    public var height: Double

    /// Creates a shadow; by default one of a hand 10 cm above the table.
    public init(place: SIMD2<Double>, direction: Double, height: Double = 0.1) {
        precondition(height > 0, "what throws the shadow stands over the table")
        self.place = place
        self.direction = direction
        self.height = height
    }

    /// Whether a point is in shadow for light from one point of the lamp's disc.
    /// - Parameters:
    ///   - direction: from the point to that part of the disc, a unit vector of the table frame.
    ///   - lamp: from the point to the disc's centre, likewise.
    func covers(_ point: SIMD3<Double>, from direction: SIMD3<Double>, lamp: SIMD3<Double>) -> Bool {
        func shift(_ ray: SIMD3<Double>, by rise: Double) -> SIMD2<Double> {
            SIMD2(ray.x, ray.y) * (rise / -ray.z)
        }
        // Compares where the ray passes the height of the edge with where the lamp's central ray to the border does.
        let ahead =
            SIMD2(point.x, point.y) + shift(direction, by: height + point.z)
            - place - shift(lamp, by: height)
        return ahead.x * cos(self.direction) + ahead.y * sin(self.direction) > 0
    }
}
