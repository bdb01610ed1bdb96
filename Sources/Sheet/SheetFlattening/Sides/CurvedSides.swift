package import Diagnostics
package import DepthGeometry
import Imaging

/// The shape of a curled sheet from its outline alone: a general cylinder seen through the camera.
///
/// Paper that curls along one direction keeps its ends straight and parallel, so its four corners are those of a plane
/// rectangle; their image positions and the camera determine that plane (`RectanglePose`). Each curved side lies in the plane
/// that stands on its chord, so each of its pixels gives a height in closed form (`SideProfile`), and both sides must show the
/// same profile. This is tested: each stretch of the profile is predicted from the other side and the neighbouring stretches,
/// and the prediction must explain most of the sides' bend. One side may curl more than the other, as sheets on tables do, but
/// both must have one shape.
///
/// Known failures: rulings oblique to the sides, and crumples, whose sides disagree (refused); a sheet whose sides both pass
/// below the camera's centre, which look straight however much it curls (taken for flat).
package struct CurvedSides: Sendable {
    /// The cylinder, in units in which the rectangle of the corners is `length` long.
    package let surface: SheetSurface
    /// The share of the sides' bend (mean square, in the image) that was predicted on left-out stretches, 0 to 1.
    package let explained: Double

    /// Assumed length, in metres, of the longer side of the corners' rectangle, since an image has no scale: with A4's length,
    /// the unrolling's 2 mm grid resolves creases.
    static let length = 0.3
    /// Readings along a side: closer ones share the same tracked edge points.
    static let readingCount = 256
    /// Number of stretches that are left out alternately, on one side and then on the other.
    static let stretchCount = 16
    /// Cells of the profile.
    static let cellCount = 100
    /// The smoothing lengths to choose from, as shares of the profile: from an eighth, an even bend, to a sixty-fourth, which
    /// still rounds a crease over a tenth of the sheet. Shorter ones follow the teeth of a tear bar.
    static let smoothingLengths = [1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64]
    /// Sides that bend less than this share of their length (root mean square) count as straight: a lens bows a straight line
    /// this much, and a cut wanders this much.
    static let leastBend = 0.005
    /// Least share of the bend that must be predicted: half would mean a curve that only one side has.
    static let leastExplained = 2.0 / 3
    /// Least share of the bend that must have one shape. Torn ends of a flat sheet have only their smoothness in common and
    /// easily reach 2/3; 0.95 corresponds to a correlation of 0.9 between curves of equal size.
    static let leastLikeness = 0.95

    /// Creates the cylinder from the pair of opposite sides that bend alike.
    /// - Parameters:
    ///   - sides: the sides from corner to corner, clockwise as seen, in ideal pixels, the first one from the pose's first
    ///     corner to its second.
    ///   - pose: the position of the corners' rectangle.
    ///   - intrinsics: the photograph's camera, without distortion.
    /// - Throws: `badInput`, with the reason, if no cylinder explains the sides.
    /// - Complexity: O(vertices).
    package init(
        sides: [[SIMD2<Double>]], pose: RectanglePose, intrinsics: CameraIntrinsics
    ) throws(FlatteningError) {
        precondition(sides.count == 4, "a rectangle has four sides")
        let scale = Self.length / max(pose.width, pose.height)
        let corners = pose.corners.map { $0 * scale }
        let plane = Plane(normal: pose.plane.normal, offset: pose.plane.offset * scale)
        let upright = SidePair(
            sides: (sides[3].reversed(), sides[1]),
            chords: ((corners[0], corners[3]), (corners[1], corners[2])), plane: plane,
            intrinsics: intrinsics)
        let level = SidePair(
            sides: (sides[0], sides[2].reversed()),
            chords: ((corners[0], corners[1]), (corners[3], corners[2])), plane: plane,
            intrinsics: intrinsics)
        let pairs = [upright, level].filter { $0.bend > Self.leastBend }
        guard !pairs.isEmpty else { throw Self.refusal("the sheet's sides are straight") }
        var best: (pair: SidePair, prediction: SidePair.Prediction)?
        for pair in pairs {
            let prediction = try pair.prediction()
            if best.map({ prediction.gain > $0.prediction.gain }) ?? true { best = (pair, prediction) }
        }
        guard let best, best.prediction.share >= Self.leastExplained else {
            let share = max(0, best?.prediction.share ?? 0)
            throw Self.refusal(
                "opposite sides bend differently: together they predict \(Self.percent(share)) of their bend")
        }
        let smoothingLength = best.prediction.smoothingLength
        let likeness = try best.pair.likeness(smoothingLength: smoothingLength)
        guard likeness >= Self.leastLikeness else {
            throw Self.refusal(
                "opposite sides have different shapes: \(Self.percent(likeness)) of their bend is one shape")
        }
        explained = best.prediction.share
        surface = .cylinder(try best.pair.cylinder(smoothingLength: smoothingLength))
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    private static func refusal(_ reason: String) -> FlatteningError {
        FlatteningError(.badInput, reason, stage: .surface)
    }
}
