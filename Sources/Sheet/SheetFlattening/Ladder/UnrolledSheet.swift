package import DepthGeometry
import Imaging

/// The outcome of the ladder: some surface, unrolled, and what is known about it.
package struct UnrolledSheet {
    /// What depth says of the sheet; lengths in the unit of the flat coordinates where that is not a metre.
    package struct DepthFit: Sendable {
        /// The fitted surface.
        package let surface: SurfaceFit
        /// The plane that the surface is or stands on, and how the readings agree with it.
        package let plane: RobustFit<Plane>
        /// Mean distance of the readings on the sheet, along the optical axis.
        package let distance: Double
    }

    /// What a unit of the flat coordinates is.
    package enum Scale: Sendable {
        /// A metre, as depth tells.
        case metric(DepthFit)
        /// Nothing known: shape alone, from depth without a unit, or from the outline (nil).
        case relative(DepthFit?)
        /// The photograph's longer side: it is shown as it is.
        case pixels
        /// A metre, as the document says whose page this is.
        case stated
    }

    /// Which step was taken.
    package var method: FlatteningMethod
    /// How sure that step is of itself, 0 to 1.
    package var confidence: Double
    /// Steps that were not taken.
    package var refused: [RefusedStep]
    /// The surface made flat.
    package var unrolling: Unrolling
    /// The rectangle of the flat sheet that is to be shown, level with the sheet's edges.
    package var frame: PageFrame
    /// What of the photograph is to be shown, in ideal pixels: the sheet's outline, or the whole frame if none was found.
    package let region: [SIMD2<Double>]
    /// The camera that took the photograph: the unrolling is made in its ideal pixels.
    package let camera: Camera
    /// What a unit of the flat coordinates is, with what depth says if there was any.
    package let scale: Scale
    /// The sheet's outline, if it was found.
    package let outline: SheetOutline?
    /// Where the camera parameters came from that were used.
    package let intrinsicsOrigin: String?
    /// What the printed lines added, if there were any.
    package var print: PrintedLines?
    /// What the sheet's sides added, if they were made those of a rectangle.
    package var rectangle: SquaredSides?
    /// How its print was stretched before it was made even; nil where it was not.
    package var stretch: PrintStretch?

    /// What making the sheet's sides those of a rectangle came to.
    package struct SquaredSides: Sendable {
        /// Whether the picture's rim cuts the sheet off at its upper, right, lower and left side, as the frame stands.
        package var cut: [Bool]
        /// How far the sides moved at most, as a share of the rectangle's shorter side.
        package var greatestMove: Double

        /// The same seen after turning the picture clockwise by quarter turns: what was left is up then.
        package func turned(clockwiseQuarters: Int) -> SquaredSides {
            var turned = self
            turned.cut = cut.indices.map { cut[($0 - clockwiseQuarters % 4 + 4) % 4] }
            return turned
        }
    }
}

extension UnrolledSheet {
    /// Whether flat coordinates are metres.
    package var isMetric: Bool {
        switch scale {
        case .metric, .stated: true
        case .relative, .pixels: false
        }
    }

    /// Whether it is a document's page that is drawn: flat, level and of known size.
    package var isStated: Bool { if case .stated = scale { true } else { false } }

    /// What depth says of the sheet; nil where it was not used.
    package var depthFit: DepthFit? {
        switch scale {
        case .metric(let fit): fit
        case .relative(let fit): fit
        case .pixels, .stated: nil
        }
    }

    /// The plane that the surface is or stands on, if depth told it.
    package var plane: RobustFit<Plane>? { depthFit?.plane }

    /// The surface fitted to depth, if there was any.
    package var fit: SurfaceFit? { depthFit?.surface }

    /// Mean distance of the readings on the sheet, if there were any.
    package var distance: Double? { depthFit?.distance }
}

extension FlatteningMethod {
    /// The method's name for a surface fitted to depth.
    package init(_ surface: SurfaceMethod) {
        switch surface {
        case .plane, .auto: self = .plane
        case .cylinder: self = .cylinder
        case .freeform: self = .freeform
        }
    }
}
