package import DepthGeometry
import Imaging

/// The outcome of the ladder: some surface, unrolled, and what is known about it.
package struct UnrolledSheet {
    /// What depth tells about the sheet. Lengths are in the unit of the flat coordinates if that is not a metre.
    package struct DepthFit: Sendable {
        /// The fitted surface.
        package let surface: SurfaceFit
        /// The plane that the surface is or is based on, and how well the readings agree with it.
        package let plane: RobustFit<Plane>
        /// Mean distance of the readings on the sheet, along the optical axis.
        package let distance: Double
    }

    /// The unit of the flat coordinates.
    package enum Scale: Sendable {
        /// A metre, measured by depth.
        case metric(DepthFit)
        /// Nothing known: shape alone, from depth without a unit, or from the outline (nil).
        case relative(DepthFit?)
        /// The photograph's longer side: the photograph is shown unchanged.
        case pixels
        /// A metre, stated by the document that the page belongs to.
        case stated
    }

    /// The step that was taken.
    package var method: FlatteningMethod
    /// The step's confidence in its own result, 0 to 1.
    package var confidence: Double
    /// Steps that were not taken.
    package var refused: [RefusedStep]
    /// The flattened surface.
    package var unrolling: Unrolling
    /// The rectangle of the flat sheet that is to be shown, level with the sheet's edges.
    package var frame: PageFrame
    /// The part of the photograph to show, in ideal pixels: the sheet's outline, or the whole frame if no sheet was found.
    package let region: [SIMD2<Double>]
    /// The camera that took the photograph; the unrolling uses its ideal pixels.
    package let camera: Camera
    /// The unit of the flat coordinates, with what depth tells if there was any.
    package let scale: Scale
    /// The sheet's outline, if it was found.
    package let outline: SheetOutline?
    /// Where the camera parameters in use came from.
    package let intrinsicsOrigin: String?
    /// What the printed lines contributed, if there were any.
    package var print: PrintedLines?
    /// What the sheet's sides contributed, if they were squared to a rectangle.
    package var rectangle: SquaredSides?
    /// Whether the sheet's sides show a curve that its print refused.
    package var showsCurve = false
    /// How the print was stretched before it was evened out; nil if it was not evened out.
    package var stretch: PrintStretch?

    /// The result of squaring the sheet's sides to a rectangle.
    package struct SquaredSides: Sendable {
        /// Whether the image border cuts the sheet off at its top, right, bottom and left side, in the orientation of the
        /// frame.
        package var cut: [Bool]
        /// The greatest distance of the sides from the rectangle's before, as a share of its shorter side.
        package var greatestMove: Double

        /// Returns the same after turning the image clockwise by quarter turns: the left side becomes the top.
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

    /// Whether this is a drawn page of a document: flat, level and of known size.
    package var isStated: Bool { if case .stated = scale { true } else { false } }

    /// What depth tells about the sheet; nil if it was not used.
    package var depthFit: DepthFit? {
        switch scale {
        case .metric(let fit): fit
        case .relative(let fit): fit
        case .pixels, .stated: nil
        }
    }

    /// The plane that the surface is or is based on, if depth was used.
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
