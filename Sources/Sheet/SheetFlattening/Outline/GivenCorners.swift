package import Diagnostics
package import Imaging

extension SheetOutline {
    /// How far outside the image a given corner may lie, as a share of the image's longer side. A sheet that runs a little off
    /// the image has corners there; a point further away is a mistake or belongs to another image.
    private static let greatestOvershoot = 0.1

    /// Creates an outline from corners named by the caller.
    /// - Throws: `.badInput` unless there are four corners, convex in their order, and on the image or close to it.
    package init(givenCorners corners: [SIMD2<Double>], imageSize: PixelSize) throws(FlatteningError) {
        func refusal(_ message: String, allowed: String) -> FlatteningError {
            FlatteningError(
                .badInput, message, stage: .corners,
                seen: corners.map { "\($0.x),\($0.y)" }.joined(separator: " "), allowed: allowed)
        }
        guard corners.count == 4 else {
            throw refusal("a sheet has four corners", allowed: "four points")
        }
        let overshoot = Self.greatestOvershoot * Double(max(imageSize.width, imageSize.height))
        let isNear = corners.allSatisfy {
            $0.x >= -overshoot && $0.x <= Double(imageSize.width) + overshoot
                && $0.y >= -overshoot && $0.y <= Double(imageSize.height) + overshoot
        }
        guard isNear else {
            throw refusal(
                "a corner lies far outside the picture",
                allowed:
                    "pixels of the upright photograph, \(imageSize), and up to \(Int(overshoot)) around it")
        }
        guard let outline = SheetOutline(corners: corners, imageSize: imageSize) else {
            throw refusal(
                "these corners enclose no sheet", allowed: "a convex shape, its corners in order around it")
        }
        self = outline
    }
}
