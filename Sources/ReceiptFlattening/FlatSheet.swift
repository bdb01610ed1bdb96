internal import DepthGeometry
internal import Imaging
internal import SheetFlattening

/// The outcome of the ladder: some surface, unrolled, and what is known about it.
struct FlatSheet {
    /// Which step was taken.
    var method: FlatteningReport.Method
    /// How sure that step is of itself, 0 to 1.
    var confidence: Double
    /// Steps that were not taken.
    var refused: [FlatteningReport.Refusal]
    /// The surface made flat.
    var unrolling: Unrolling
    /// The rectangle of the flat sheet that is to be shown, level with the sheet's edges.
    var frame: FlatFrame
    /// What of the photograph is to be shown, in ideal pixels: the sheet's outline, or the whole frame if none was found.
    var region: [SIMD2<Double>]
    /// The camera that took the photograph: the unrolling is made in its ideal pixels.
    var camera: Camera
    /// Whether flat coordinates are metres; otherwise they are in units of nothing known.
    var isMetric: Bool
    /// The plane through the readings, if there were any.
    var plane: RobustFit<Plane>?
    /// The fitted surface, if there was one.
    var fit: SurfaceFit?
    /// The sheet's outline, if it was found.
    var outline: SheetOutline?
    /// Where the camera parameters came from that were used.
    var intrinsicsOrigin: String?
    /// What the printed lines added, if there were any.
    var print: PrintedLines?
    /// Mean distance of the readings on the sheet, along the optical axis in the unit of the flat coordinates, if there were
    /// any.
    var distance: Double?
}

extension FlatteningReport.Method {
    /// The method's name for a surface fitted to depth.
    init(_ surface: SurfaceMethod) {
        switch surface {
        case .plane, .auto: self = .plane
        case .cylinder: self = .cylinder
        case .freeform: self = .freeform
        }
    }
}
