public import Diagnostics
public import DepthGeometry
import Platform
import Imaging

/// A surface fitted to the readings on the sheet, with facts about the fit.
public struct SurfaceFit: Sendable {
    /// A kind of surface that was considered and not taken.
    package struct Refusal: Equatable, Sendable {
        /// The kind.
        package let method: SurfaceMethod
        /// Why, in one sentence without a full stop.
        package let reason: String
    }

    /// Limits and thresholds of the fit.
    public struct Options: Equatable, Sendable {
        /// Fewest readings that a fit accepts, at least 16. Default 64.
        package var leastReadings = 64
        /// Least improvement with which a richer kind of surface must predict left-out readings, in standard deviations of
        /// chance, at least 0. Default 3: chance exceeds it once in some hundred flat sheets.
        package var leastSignificance = 3.0
        /// Least movement of points on the flat sheet by a richer kind of surface, root mean square in metres; smaller
        /// differences cannot be seen. Default 0.00005.
        package var leastDisplacement = 0.00005
        /// Least addition to the shape by a richer kind of surface, root mean square in depth, in standard deviations of the
        /// sensor's slow error, at least 0. Default 2: smaller ones come from the sensor more often than once in twenty sheets.
        package var leastShapeOfSlowError = 2.0
        /// Value of `SideEvidence.explained` below which the sheet is flat; -1 if all of the shift that a richer kind of
        /// surface gives the sheet's sides makes them crooked. Default -0.9: drawn flat receipts and pages before LiDAR, stereo
        /// and time-of-flight cameras reach -0.95 and less; a folded one whose free form was wrong reached -0.81.
        package var flatBySides = -0.9
        /// The same, below which a bent surface that the sides proved is kept. Default -0.25: on drawn curls, folds, rolls and
        /// waves before a LiDAR, false free forms over true cylinders reach -0.43 and less.
        package var leastExplainedBySides = -0.25
        /// The same, above which the sides prove the shape, however small it is relative to the sensor's slow error. Default
        /// 0.5: halfway between a shape that the sides do not show and one that they show.
        package var provenBySides = 0.5
        /// Largest slow error that counts, as a share of the distance: a less flat table tells about itself, not about the
        /// sensor. Default 0.005: a phone's LiDAR is accurate to a centimetre at two metres.
        package var largestSlowError = 0.005

        /// The defaults.
        public init() {}

        func validate() {
            precondition(leastReadings >= 16, "a fit needs at least 16 readings")
            precondition(leastSignificance >= 0, "a significance is at least 0")
            precondition(leastDisplacement >= 0, "a displacement is at least 0")
            precondition(
                [flatBySides, leastExplainedBySides, provenBySides].allSatisfy { -1...1 ~= $0 },
                "a share of evidence is -1 to 1")
            precondition(leastShapeOfSlowError >= 0 && largestSlowError >= 0, "an error is at least 0")
        }
    }

    /// The fitted surface.
    public let surface: SheetSurface
    /// Root mean square distance in depth, in millimetres, between the surface and the readings averaged over cells of about a
    /// millimetre, without the wildest ones. Readings are taken after the correction of `correctedBySides`.
    public let residual: Double
    /// Standard deviation of one reading's random error in depth as estimated from the data, in millimetres.
    package let noise: Double
    /// Standard deviation of the sensor's slowly varying error at the sheet's distance, in millimetres, measured on the table
    /// around the sheet; nil if no table is seen.
    package let slowError: Double?
    /// The same if no table is seen: the part of such sensors' usual error that passes for shape (`UsualSlowError.inShape`);
    /// nil if `slowError` is known.
    package let assumedSlowError: Double?
    /// Root mean square over the sheet, in millimetres, of the change that the sheet's sides made to the readings before the
    /// surface was fitted; nil if they made none.
    package let correctedBySides: Double?
    /// The largest curvature (95th percentile over the sheet, each a mean over 5 to 10 mm) in 1/mm; 0 for a plane.
    package let maximumCurvature: Double
    /// Kinds that were considered and not taken, in the order of consideration.
    package let refused: [Refusal]
    /// Prediction error on left-out blocks of readings, in millimetres, for each kind that was tried.
    package let heldOutErrors: [SurfaceMethod: Double]

    /// The flattened surface, if choosing the surface required it.
    private let unrolling: Unrolling?
    private let intrinsics: CameraIntrinsics
    private let outline: [SIMD2<Double>]

    /// The surface, flattened over the outline of the fit; reused if choosing the surface already computed it.
    /// - Throws: as `Unrolling.init`.
    package func unrolled() throws(FlatteningError) -> Unrolling {
        if let unrolling { return unrolling }
        return try Unrolling(of: surface, intrinsics: intrinsics, outline: outline)
    }

    /// Fits a surface to the readings on a sheet.
    ///
    /// With `.auto` the kinds are tried in order: plane, cylinder, free form; see `SurfaceLadder`. O(readings).
    /// - Parameters:
    ///   - readings: at least `options.leastReadings` of them.
    ///   - intrinsics: the photograph's camera.
    ///   - outline: the sheet in photograph pixels.
    ///   - sides: the sheet's sides in the photograph, polylines from corner to corner in its pixels; empty if unknown.
    ///   - method: `.auto` for the simplest kind that the readings support.
    ///   - options: limits and thresholds.
    /// - Throws: `badInput` for too few readings or readings that determine no surface in front of the camera.
    public static func fit(
        _ readings: SurfaceReadings, intrinsics: CameraIntrinsics, outline: [SIMD2<Double>],
        sides: [[SIMD2<Double>]] = [], method: SurfaceMethod = .auto, options: Options = Options()
    ) throws(FlatteningError) -> SurfaceFit {
        options.validate()
        guard readings.count >= options.leastReadings else {
            throw FlatteningError(
                .badInput, "too few depth readings on the sheet", stage: .surface, seen: "\(readings.count)",
                allowed: "at least \(options.leastReadings)")
        }
        let samples = SheetSamples(of: readings, intrinsics: intrinsics)
        let plane = try InverseDepthPlane.fit(
            rays: samples.rays, inverseDepths: samples.inverseDepths, prior: samples.weights)
        let usual = UsualSlowError(
            atDepth: samples.depth,
            mapSize: SIMD2(Double(intrinsics.imageSize.width), Double(intrinsics.imageSize.height))
                / readings.depthPixelSize,
            atMost: options.largestSlowError * samples.depth)
        let ladder = SurfaceLadder(
            samples: samples, plane: plane,
            slowError: readings.slowError.map {
                min($0 * samples.depth, options.largestSlowError) * samples.depth
            },
            usualSlowError: usual,
            intrinsics: intrinsics, outline: outline, sides: sides, options: options)
        let step =
            switch method {
            case .auto: try ladder.climb()
            case .plane: ladder.planeStep()
            case .cylinder: try ladder.cylinderStep(isTested: false)
            case .freeform: try ladder.freeformStep(isTested: false)
            }
        let millimeters = 1000.0
        return SurfaceFit(
            surface: step.surface, residual: step.residual * millimeters,
            noise: samples.readingNoise * millimeters,
            slowError: readings.slowError.map { $0 * samples.depth * samples.depth * millimeters },
            assumedSlowError: readings.slowError == nil ? usual.inShape * millimeters : nil,
            correctedBySides: step.correctedBySides.map { $0 * millimeters },
            maximumCurvature: step.curvature / millimeters, refused: step.refused,
            heldOutErrors: step.heldOutErrors.mapValues { $0 * millimeters }, unrolling: step.unrolling,
            intrinsics: intrinsics, outline: outline)
    }
}
