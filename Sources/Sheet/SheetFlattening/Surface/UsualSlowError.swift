/// The slowly varying error that depth cameras have as a rule, for sheets with no table around them that would show it.
///
/// A file does not say what camera it is from, but two kinds of error are told apart by the map: time-of-flight maps of
/// phones are small, filled in from few readings, and err alike at any distance; triangulating cameras (stereo, structured
/// light) give large maps and err in proportion to z².
struct UsualSlowError {
    /// Standard deviation on a flat sheet, in metres.
    let deviation: Double
    /// What of it passes for a sheet's shape, in metres. A small map's error varies too slowly to look like paper: it shifts
    /// and tilts a receipt rather than bend it, so that true gentle curls would be lost for it.
    let inShape: Double

    /// Of triangulating cameras, in metres at 1 m: flat sheets before a RealSense D4xx leave 1.8 mm at 0.53 m and 4.6 mm at
    /// 1.18 m, random errors included; structured light is better, which nothing in the map tells.
    private static let triangulatedAtMeter = 0.0035
    /// Of a phone's time-of-flight map, in metres, at the distances of receipts: where it is 2 mm over the whole picture,
    /// drawn flat receipts leave 0.5 to 0.8 mm about their plane, which itself is off.
    private static let coarse = 0.001
    /// The most readings that such a map has: those of ARKit have 256 x 192.
    private static let mostCoarseReadings = 256.0 * 192

    /// What is usual at a depth in metres, for a map of a size in pixels, but never more than a limit in metres.
    ///
    /// A map without a unit is judged alike, at the distance that it is put at: depth that was estimated from the photograph
    /// errs more than any camera's.
    init(atDepth z: Double, mapSize: SIMD2<Double>, atMost limit: Double = .infinity) {
        inShape = min(Self.triangulatedAtMeter * z * z, limit)
        // Sizes that were computed from pixels' sizes are off by rounding.
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
