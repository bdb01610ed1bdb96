import DepthGeometry
import SheetGuidance

/// The surface that items in view are bound to: a sheet's plane, or, if no sheet shows four corners, the view itself, which
/// moves with the camera.
struct TrackedSurface: Sendable {
    enum Identity: Hashable, Sendable {
        case sheet(Int)
        case view(Int)
    }

    let identity: Identity
    /// The sides of a sheet's rectangle: its first lengths in the image, so that distances are about pixels. For the view,
    /// one pixel of the image.
    let size: SIMD2<Double>
    /// Maps the surface to the frame's image.
    private(set) var toImage: Homography
    /// How far the image has moved since the first frame, in its pixels.
    private(set) var path: SIMD2<Double>
    /// The sheet's corners in the frame's image; nil if not all four are seen.
    private(set) var corners: [SIMD2<Double>]?

    /// Creates a sheet's plane; nil if the sheet does not show four corners.
    /// - Parameter before: the same sheet in an earlier frame.
    init?(_ sheet: ReceiptGuidance.FollowedSheet, path: SIMD2<Double>, since before: TrackedSurface? = nil) {
        guard let corners = sheet.corners, corners.count == 4 else { return nil }
        func length(_ one: Int, _ other: Int) -> Double { (corners[one] - corners[other]).length }
        let size =
            before?.identity == .sheet(sheet.id)
            ? before?.size : SIMD2(length(0, 1) + length(3, 2), length(1, 2) + length(0, 3)) / 2
        guard let size else { return nil }
        let rectangle = [SIMD2(0, 0), SIMD2(size.x, 0), size, SIMD2(0, size.y)]
        guard let map = try? Homography(mapping: rectangle, onto: corners), map.determinant != 0 else {
            return nil
        }
        (identity, self.size, toImage, self.path) = (.sheet(sheet.id), size, map, path)
        self.corners = corners
    }

    /// Creates the view as it is now.
    init(view id: Int, path: SIMD2<Double>) {
        (identity, size, toImage, self.path) = (.view(id), SIMD2(1, 1), .identity, path)
    }

    /// Whether the surface is the view.
    var isView: Bool { if case .view = identity { true } else { false } }

    /// The sheet's number; nil for the view.
    var sheetID: Int? { if case .sheet(let id) = identity { id } else { nil } }

    /// Moves with the image while its own corners are not seen.
    mutating func drift(to path: SIMD2<Double>) {
        let step = path - self.path
        toImage = toImage.moved(by: step)
        self.path = path
        corners = nil
    }

    /// Returns a map from this surface's frame image to another surface; nil if the two are different sheets.
    ///
    /// Within one sheet the map goes through its plane; otherwise through the image and its movement.
    func map(onto other: TrackedSurface) -> ((_ imagePlace: SIMD2<Double>) -> SIMD2<Double>)? {
        if identity == other.identity {
            let (inverse, scale) = (toImage.inverse, other.size / size)
            return { inverse($0) * scale }
        }
        guard isView || other.isView else { return nil }
        let (inverse, step) = (other.toImage.inverse, other.path - path)
        return { inverse($0 + step) }
    }
}

extension Homography {
    /// Returns the same map followed by a translation.
    fileprivate func moved(by step: SIMD2<Double>) -> Homography {
        Homography(rows: rows.0 + step.x * rows.2, rows.1 + step.y * rows.2, rows.2)
    }
}
