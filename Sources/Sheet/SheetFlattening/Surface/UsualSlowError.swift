/// The usual slowly varying error of depth cameras, for sheets without a table around them that would show it.
///
/// A file does not name its camera, but the map distinguishes two kinds of error. Time-of-flight maps of phones are small,
/// filled in from few readings, and have the same error at any distance. Triangulating cameras (stereo, structured light) give
/// large maps with an error proportional to z².
struct UsualSlowError {
    /// Standard deviation on a flat sheet, in metres.
    let deviation: Double
    /// The part of it that passes for a sheet's shape, in metres. A small map's error varies too slowly to look like paper: it
    /// shifts and tilts a receipt rather than bending it, and counting it would reject true gentle curls.
    let inShape: Double

    /// Error of triangulating cameras, in metres at 1 m: flat sheets before a RealSense D4xx leave 1.8 mm at 0.53 m and 4.6 mm
    /// at 1.18 m, random errors included; structured light is better, but nothing in the map shows it.
    private static let triangulatedAtMeter = 0.0035
    /// Error of a phone's time-of-flight map, in metres, at the distances of receipts: with an error of 2 mm over the whole
    /// image, drawn flat receipts leave 0.5 to 0.8 mm about their plane, which is itself off.
    private static let coarse = 0.001
    /// Most readings of such a map: ARKit's have 256 x 192.
    private static let mostCoarseReadings = 256.0 * 192

    /// The usual error at a depth in metres, for a map of a size in pixels, limited to `limit` metres.
    ///
    /// A map without a unit is treated in the same way, at its assumed distance: depth estimated from the photograph has a
    /// greater error than any camera's.
    init(atDepth z: Double, mapSize: SIMD2<Double>, atMost limit: Double = .infinity) {
        inShape = min(Self.triangulatedAtMeter * z * z, limit)
        // Map sizes computed from pixel sizes are off by rounding.
        let isCoarse = mapSize.x * mapSize.y < Self.mostCoarseReadings + 0.5
        deviation = isCoarse ? min(max(Self.coarse, inShape), limit) : inShape
    }

    init(deviation: Double, inShape: Double) {
        self.deviation = deviation
        self.inShape = inShape
    }

    /// No error at all.
    static let none = UsualSlowError(deviation: 0, inShape: 0)
}
