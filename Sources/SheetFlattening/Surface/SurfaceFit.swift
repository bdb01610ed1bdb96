public import DepthGeometry
import Foundation
public import Imaging

/// A surface fitted to the readings on the sheet, and what there is to know about the fit.
public struct SurfaceFit: Sendable {
    /// A kind of surface that was considered and not taken.
    public struct Refusal: Equatable, Sendable {
        /// The kind.
        public let method: SurfaceMethod
        /// Why, in one sentence without a full stop.
        public let reason: String
    }

    /// How the fit goes about it.
    public struct Options: Equatable, Sendable {
        /// Fewest readings that a fit accepts, at least 16. Default 64.
        public var leastReadings = 64

        /// The defaults.
        public init() {}

        func validate() {
            precondition(leastReadings >= 16, "a fit needs at least 16 readings")
        }
    }

    /// The fitted surface.
    public let surface: SheetSurface
    /// Root mean square distance in depth between readings and surface, robustly weighted, in millimetres.
    public let residual: Double
    /// Standard deviation of one reading's depth as estimated from the data, at the sheet's distance, in millimetres.
    public let noise: Double
    /// The largest curvature (95th percentile over the sheet) in 1/mm; 0 for a plane.
    public let maximumCurvature: Double
    /// Kinds that were considered and not taken, in the order of consideration.
    public let refused: [Refusal]
    /// Error of prediction on left-out readings in millimetres, for each kind that was tried.
    public let heldOutErrors: [SurfaceMethod: Double]

    /// Fits a surface to the readings on a sheet.
    /// - Parameters:
    ///   - readings: at least `options.leastReadings` of them.
    ///   - intrinsics: the photograph's camera.
    ///   - outline: the sheet in photograph pixels.
    ///   - method: `.auto` for the simplest kind that the readings support.
    /// - Throws: `badInput` for too few readings or readings that determine no surface in front of the camera.
    public static func fit(
        _ readings: SurfaceReadings, intrinsics: CameraIntrinsics, outline: [SIMD2<Double>],
        method: SurfaceMethod = .auto, options: Options = Options()
    ) throws(FlatteningError) -> SurfaceFit {
        options.validate()
        guard readings.count >= options.leastReadings else {
            throw FlatteningError(
                .badInput, "too few depth readings on the sheet", stage: "surface", seen: "\(readings.count)",
                allowed: "at least \(options.leastReadings)")
        }
        let plane = try InverseDepthPlane.fit(to: readings, intrinsics: intrinsics)
        let depth = readings.depths.median()
        return SurfaceFit(
            surface: .plane(plane.plane), residual: plane.rms * depth * depth * 1000,
            noise: plane.scale * depth * depth * 1000, maximumCurvature: 0, refused: [], heldOutErrors: [:])
    }
}
