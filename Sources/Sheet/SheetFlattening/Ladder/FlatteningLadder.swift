package import Diagnostics
package import DepthGeometry
import Platform
import Imaging
import RobustStatistics

/// The ladder of flattening steps, from depth down to the unchanged photograph. The first step that works is taken; the refused
/// ones are reported.
///
/// Every step ends in the same form, an `Unrolling` of some surface: a surface fitted to depth; the cylinder or plane that the
/// sheet's sides or corners and the focal length determine up to its distance; or the image plane. So the later stages do not
/// depend on the step that was taken.
package struct FlatteningLadder {
    package let capture: Capture
    package let search: SheetSearch
    package let options: SheetFlattener.Options
    /// Whether a sheet that does not show four corners is flattened by the extreme points of its outline.
    private let takesExtremeCorners: Bool

    /// Fewest readings on the sheet that a surface fit needs: fewer say too little about noise.
    private static let leastReadings = 200
    /// Greatest rms of the readings around the surface, divided by its distance, at which depth is still used. The worst
    /// sensors in use, time-of-flight cameras at arm's length, scatter by 1 to 2 %.
    private static let greatestScatter = 0.04
    /// Error of the sheet's right angles, in radians, at which its corners get no trust.
    private static let greatestSkew = 20 * Double.pi / 180
    /// If no sheet was found, a dominant plane replaces it only if it explains at least this share of all readings.
    private static let leastPlaneShare = 0.5

    /// Creates a ladder for one capture whose sheet search is done.
    /// - Parameter takesExtremeCorners: whether a sheet that does not show four corners (for example one cut by the image
    ///   border) is flattened by the extreme points of its outline.
    package init(
        capture: Capture, search: SheetSearch, options: SheetFlattener.Options,
        takesExtremeCorners: Bool = true
    ) {
        self.takesExtremeCorners = takesExtremeCorners
        self.capture = capture
        self.search = search
        self.options = options
    }

    /// Takes the first step that works.
    package func climb() throws(FlatteningError) -> UnrolledSheet {
        var refused: [RefusedStep] = []
        do throws(Unsuitable) {
            return try fromDepth()
        } catch {
            refused.append(.init(step: "depth", reason: error.reason))
        }
        if case .scan(let outline) = search {
            return try asPhotographed(.scan, confidence: outline.confidence, refused: refused)
        }
        do throws(Unsuitable) {
            return try fromOutline(refused: refused)
        } catch {
            refused.append(.init(step: "corners", reason: error.reason))
        }
        return try asPhotographed(.unchanged, confidence: 0, refused: refused)
    }

    /// Straightens a sheet that the ladder made by its print. The curve that sides show is refused where the rows come out
    /// clearly straighter on the plane of the corners; where the second try fails, the first stands.
    ///
    /// On the plane, a sheet that curls along its rows comes out too short, so the curve stays where both are alike. Costs a
    /// second print stage, some 80 ms, for sheets with such a curve.
    /// - Returns: as `UnrolledSheet.straightenedByPrint`.
    package func straightened(
        _ sheet: UnrolledSheet
    ) throws(FlatteningError) -> (sheet: UnrolledSheet, preview: PreviewPage) {
        let curved = try sheet.straightenedByPrint(on: capture.image, options: options)
        guard sheet.method == .edges, let unevenness = curved.sheet.print?.unevenness,
            let plain = try? fromOutline(refused: sheet.refused, takesCurvedSides: false),
            var plane = try? plain.straightenedByPrint(on: capture.image, options: options),
            let other = plane.sheet.print?.unevenness
        else { return curved }
        guard
            Self.isClearlyStraighter(
                other * plane.preview.density, than: unevenness * curved.preview.density)
        else { return curved }
        plane.sheet.showsCurve = true
        plane.sheet.refused.append(
            .init(step: "edges", reason: "printed rows are straighter without the curve that the sides show"))
        return plane
    }

    /// Whether rows are clearly straighter than others, by their unevenness in pixels of the small image.
    static func isClearlyStraighter(_ unevenness: Double, than other: Double) -> Bool {
        max(unevenness, PrintedLineStraightening.pixelResolution) < clearlyStraighter * other
    }

    /// Share of the rows' unevenness on a curve that the plane must stay below. Of 37 photographs of receipts with such a curve
    /// 14 have .5 to .84, and there it bends heads or columns; nearer to 1 neither is seen to be better. What single pixels cannot
    /// show does not count.
    private static let clearlyStraighter = 0.85

    /// Why a step cannot be taken. This is not an error of the capture: the next step is tried.
    private struct Unsuitable: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }

        init(_ error: any Error) {
            reason =
                (error as? Unsuitable)?.reason ?? (error as? FlatteningError)?.message ?? "\(error)"
        }
    }

    // MARK: Depth

    private func fromDepth() throws(Unsuitable) -> UnrolledSheet {
        guard options.usesDepth else { throw Unsuitable("depth was not to be used") }
        guard let stored = capture.depth else {
            throw Unsuitable(capture.depthRefusal ?? "the capture has no depth map")
        }
        let (intrinsics, origin) = pinhole
        guard stored.validFraction > 0 else { throw Unsuitable("the depth map has no valid reading") }
        let depth = stored.scale == .metric ? stored : stored.atReadingDistance()

        // In pixels of the photograph; `region` is the same without the lens's distortion.
        let photographed =
            if let outline = search.outline { outline.polygon } else {
                try dominantPlaneRegion(of: depth, intrinsics: intrinsics)
            }
        let camera = Camera(intrinsics: intrinsics, distortion: capture.distortion)
        let region = photographed.map(camera.ideal)
        let readings = SurfaceReadings(depth: depth, intrinsics: intrinsics, outline: photographed)
            .correctingSlowError(in: depth, around: photographed)
            .movingPixels(camera.ideal)
        guard readings.count >= Self.leastReadings else {
            throw Unsuitable(
                "only \(readings.count) depth readings lie on the sheet; \(Self.leastReadings) are needed")
        }
        do {
            let points = zip(readings.pixels, readings.depths).map {
                SIMD3<Float>(intrinsics.unproject($0, depth: $1))
            }
            // Tells whether the readings determine a plane at all, and which of them agree on it.
            let start = try Plane.fit(to: points)
            // Without a sheet, the region is that of a plane; objects standing on it must not bend the surface.
            let method = search.outline == nil && options.method == .auto ? .plane : options.method
            // With an assumed angle of view, even the sides of a flat sheet do not meet at right angles.
            let sides = capture.intrinsics == nil ? [] : search.outline?.seenSides ?? []
            let fit = try SurfaceFit.fit(
                readings, intrinsics: intrinsics, outline: region, sides: sides.map { $0.map(camera.ideal) },
                method: method)
            // Not the distance of the plane itself, which can be anything, even negative, if the plane runs past the camera.
            let distance = readings.depths.reduce(0, +) / Double(readings.count)
            let scatter = fit.residual / 1000 / distance
            guard scatter <= Self.greatestScatter else {
                throw Unsuitable(
                    "the readings scatter around the best surface by \(percent(scatter)) of its distance; more than "
                        + "\(percent(Self.greatestScatter)) is noise, or no one sheet")
            }
            let unrolling = try fit.unrolled()
            // With an assumed angle of view, the lengths of the sides are arbitrary.
            let isMetric = depth.scale == .metric && capture.intrinsics != nil
            let known = UnrolledSheet.DepthFit(
                surface: fit, plane: start.judged(by: fit.surface.basePlane, points: points),
                distance: distance)
            return UnrolledSheet(
                method: .init(fit.surface.method),
                confidence: (search.outline?.confidence ?? start.inlierFraction / 2)
                    * (1 - scatter / Self.greatestScatter),
                refused: fit.refused.map { .init(step: $0.method.rawValue, reason: $0.reason) },
                unrolling: unrolling, frame: try frame(of: region, on: unrolling, isMetric: isMetric),
                region: region, camera: camera, scale: isMetric ? .metric(known) : .relative(known),
                outline: search.outline, intrinsicsOrigin: origin)
        } catch {
            throw Unsuitable(error)
        }
    }

    /// For a capture without a found sheet: the part of the image on the plane that most readings share.
    private func dominantPlaneRegion(
        of depth: DepthMap, intrinsics: CameraIntrinsics
    ) throws(Unsuitable) -> [SIMD2<Double>] {
        let cloud = PointCloud(unprojecting: depth, intrinsics: intrinsics, distortion: capture.distortion)
        let noSheet = searchFailure ?? "no sheet was found"
        guard cloud.count >= Self.leastReadings, let fit = try? Plane.fit(to: cloud.positions) else {
            throw Unsuitable("\(noSheet), and its readings determine no plane")
        }
        guard fit.inlierFraction >= Self.leastPlaneShare else {
            throw Unsuitable(
                "\(noSheet), and no plane explains most of the depth readings: the best explains "
                    + percent(fit.inlierFraction))
        }
        let scale = SIMD2(
            Double(intrinsics.imageSize.width) / Double(depth.width),
            Double(intrinsics.imageSize.height) / Double(depth.height))
        let pixels = zip(cloud.pixelIndices, fit.inliers).compactMap { index, isInlier in
            isInlier
                ? (SIMD2(Double(Int(index) % depth.width), Double(Int(index) / depth.width)) + 0.5) * scale
                    - 0.5
                : nil
        }
        return Polygon(pixels).hull.vertices
    }

    // MARK: Edges and corners

    /// Flattens by the cylinder that the sheet's curved sides show, if wanted, or else by the plane of its four corners.
    private func fromOutline(
        refused: [RefusedStep], takesCurvedSides: Bool = true
    ) throws(Unsuitable) -> UnrolledSheet {
        guard let found = search.outline else { throw Unsuitable(searchFailure ?? "no sheet was found") }
        let takesExtremes = takesExtremeCorners && found.confidence >= SheetOutline.sureConfidence
        let outline = takesExtremes ? found.withExtremeCorners : found
        guard let sides = outline.sides else { throw Unsuitable("the sheet does not show four corners") }
        let areCornersSeen = found.sides != nil
        let (intrinsics, origin) = pinhole
        let camera = Camera(intrinsics: intrinsics, distortion: capture.distortion)
        let region = outline.polygon.map(camera.ideal)
        let idealSides = sides.map { $0.map(camera.ideal) }
        let corners = idealSides.map { $0[0] }
        let quadrilateral = Quadrilateral(
            topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
        let posed = quadrilateral.pose(intrinsics: intrinsics)
        guard posed != nil || !areCornersSeen else {
            throw Unsuitable("no rectangle in front of the camera has such corners")
        }
        let trustOfPose = posed.map { max(0, 1 - $0.skew / Self.greatestSkew) } ?? 0
        // The distance is unknown; any value will do, since no metric result is claimed.
        func sheet(
            _ method: FlatteningMethod, _ surface: SheetSurface, trust: Double,
            refused: [RefusedStep]
        ) throws(Unsuitable) -> UnrolledSheet {
            do {
                let unrolling = try Unrolling(of: surface, intrinsics: intrinsics, outline: region)
                return UnrolledSheet(
                    method: method,
                    confidence: outline.confidence * trust,
                    refused: refused, unrolling: unrolling,
                    frame: try frame(of: region, on: unrolling, isMetric: false), region: region,
                    camera: camera, scale: .relative(nil), outline: outline, intrinsicsOrigin: origin)
            } catch {
                throw Unsuitable(error)
            }
        }
        var refused = refused
        guard areCornersSeen, let pose = posed else {
            // An image border that cuts a sheet is not square to its sides. If such corners make no rectangle, the sheet is
            // assumed to face the camera; its sides and rows correct the rest.
            let trust = Self.trustOfExtremes * max(trustOfPose, Self.leastTrustOfPose)
            let plane = trustOfPose >= Self.leastTrustOfPose ? posed?.plane : nil
            return try sheet(.corners, .plane(plane ?? Self.facing), trust: trust, refused: refused)
        }
        if takesCurvedSides {
            do {
                let curved = try CurvedSides(sides: idealSides, pose: pose, intrinsics: intrinsics)
                let bent = try sheet(
                    .edges, curved.surface, trust: curved.explained * trustOfPose, refused: refused)
                let plane = try Unrolling(of: .plane(pose.plane), intrinsics: intrinsics, outline: region)
                let unevenness = bent.unrolling.unevenness(against: plane, within: region) ?? .infinity
                if let reason = Self.reason(againstUnevenness: unevenness) { throw Unsuitable(reason) }
                return bent
            } catch {
                refused.append(.init(step: "edges", reason: Unsuitable(error).reason))
            }
        }
        return try sheet(.corners, .plane(pose.plane), trust: trustOfPose, refused: refused)
    }

    /// Returns why a curve of the sides that flattens the sheet this unevenly is not undone; nil if it may be.
    static func reason(againstUnevenness unevenness: Double) -> String? {
        guard !(unevenness <= greatestUnevenness) else { return nil }
        let factor = unevenness.isFinite ? "\((unevenness * 10).rounded() / 10)" : "any size"
        return
            "the curve that the sides show would stretch some print more than other by a factor of \(factor); paper all of "
            + "which is seen reaches \(greatestUnevenness) at most"
    }

    /// Greatest unevenness of a curve that is undone. Cylinders of any radius and tilt that are seen whole reach 2.8. Of 144
    /// photographs, one has more, 5.6, and there letters appear twice; correct results reach 1.7.
    private static let greatestUnevenness = 3.0

    /// Trust in corners that are only extreme points of an outline, relative to corners that are seen; and the least trust in a
    /// rectangle's pose at which it is used with them: half of `greatestSkew`.
    private static let trustOfExtremes = 0.8
    private static let leastTrustOfPose = 0.5
    /// The plane one focal length in front of the camera, facing it squarely.
    private static let facing = Plane(normal: SIMD3(0, 0, -1), offset: 1)

    // MARK: The picture itself

    /// Returns the unchanged photograph, as the plane one focal length in front of a camera that faces it squarely. A drawn
    /// page has its own scale.
    private func asPhotographed(
        _ method: FlatteningMethod, confidence: Double, refused: [RefusedStep]
    ) throws(FlatteningError) -> UnrolledSheet {
        let size = capture.image.size
        let drawn = method == .scan ? capture.page?.drawn : nil
        let focal = drawn?.pixelsPerMeter ?? Double(max(size.width, size.height))
        let facing = CameraIntrinsics(fx: focal, fy: focal, cx: 0, cy: 0, imageSize: size)
        let region = SheetOutline.wholePicture(size).polygon
        let unrolling = try Unrolling(
            of: .plane(Self.facing), intrinsics: facing, outline: region)
        guard let corner = unrolling.flatPosition(ofPixel: SIMD2(-0.5, -0.5)) else {
            throw FlatteningError(
                .internalInconsistency, "the picture's own plane does not carry the picture", stage: .framing
            )
        }
        return UnrolledSheet(
            method: method, confidence: confidence, refused: refused, unrolling: unrolling,
            frame: PageFrame(origin: corner, size: SIMD2(Double(size.width), Double(size.height)) / focal),
            region: region, camera: Camera(intrinsics: facing),
            scale: drawn == nil ? .pixels : .stated,
            outline: search.outline, intrinsicsOrigin: nil)
    }

    // MARK: Shared

    /// The camera, and where its parameters come from; assumed if nothing is known about it.
    private var pinhole: (intrinsics: CameraIntrinsics, origin: String) {
        if let known = capture.intrinsics { return (known, capture.metadata.intrinsicsOrigin.description) }
        let assumed = CameraIntrinsics.assumed(imageSize: capture.image.size)
        let degrees = (assumed.fieldOfView * 180 / .pi).rounded()
        return (assumed, "assumed: a view angle of \(Int(degrees)) degrees")
    }

    private func frame(
        of region: [SIMD2<Double>], on unrolling: Unrolling, isMetric: Bool
    ) throws(Unsuitable) -> PageFrame {
        let flat = region.compactMap(unrolling.flatPosition(ofPixel:))
        guard flat.count == region.count else {
            throw Unsuitable("the surface does not carry the whole sheet")
        }
        guard let bare = PageFrame(enclosing: flat, margin: 0) else {
            throw Unsuitable("the sheet has no area")
        }
        // Without a scale, the margin is the same share of the sheet's width as on a receipt of the usual width of 80 mm.
        let unit = isMetric ? 0.001 : min(bare.size.x, bare.size.y) / UnrolledSheet.usualWidth
        guard let frame = PageFrame(enclosing: flat, margin: options.marginAroundSheet * unit) else {
            throw Unsuitable("the sheet has no area")
        }
        return frame
    }

    private var searchFailure: String? {
        if case .notFound(let reason) = search { reason.description } else { nil }
    }

    private func percent(_ share: Double) -> String {
        "\((share * 1000).rounded() / 10) %"
    }
}

extension DepthMap {
    /// Distance from which receipts are photographed, in metres: later limits in millimetres are meant for it.
    private static let readingDistance: Float = 0.3

    /// Scales a map of unknown unit so that its median is the distance from which receipts are photographed. What is later
    /// judged in millimetres (noise, curvature) then does not depend on the map's unit.
    fileprivate func atReadingDistance() -> DepthMap {
        let readings = values.elements.filter { !$0.isNaN }
        guard !readings.isEmpty else { return self }
        let factor = Self.readingDistance / readings.upperMedian()
        return mapReadings { _, _, depth in depth * factor }
    }
}
