import Diagnostics
package import DepthGeometry
import Platform
package import Imaging

// Applies the intrinsics that a file states to the actual image: scales them to its size and turns them with it.

extension CameraIntrinsics {
    /// Creates an image's camera from its lens's 35 mm equivalent focal length, with the principal point in the middle.
    ///
    /// The equivalent lens sees the same angle along the diagonal of 36 mm x 24 mm film (CIPA DCG-001), so f = f35 · diagonal
    /// / 43.27 mm. Phones crop and stabilise, so errors of 5 % are common.
    /// - Parameter focalLengthIn35mmFilm: in millimetres; the result is nil unless it lies between 4 and 2000.
    package init?(focalLengthIn35mmFilm millimeters: Double, imageSize: PixelSize) {
        guard millimeters >= 4, millimeters <= 2000, imageSize.width > 0, imageSize.height > 0 else {
            return nil
        }
        let width = Double(imageSize.width)
        let height = Double(imageSize.height)
        let filmDiagonal = (36.0 * 36 + 24 * 24).squareRoot()
        let focal = millimeters * (width * width + height * height).squareRoot() / filmDiagonal
        self.init(fx: focal, fy: focal, cx: (width - 1) / 2, cy: (height - 1) / 2, imageSize: imageSize)
    }
}

extension IntrinsicsDocument {
    /// Returns the camera of the upright image.
    ///
    /// Intrinsics stated for another size are scaled if the aspect ratio agrees. If the stored image is landscape and becomes
    /// portrait when turned upright, intrinsics stated for the portrait size are used unchanged. Without a stated size, the
    /// principal point decides: it lies near the middle of one of the two.
    /// - Parameters:
    ///   - stored: the image's size as stored.
    ///   - orientation: the turn that makes the image upright.
    /// - Throws: `.badInput` if the aspect ratios disagree or a value is impossible for this image.
    func camera(
        of stored: PixelSize, orientation: ImageOrientation, warnings: inout [String]
    ) throws(FlatteningError) -> Camera {
        warnings.append(contentsOf: notes)
        let arrangement: Arrangement
        let stated: PixelSize
        if let size {
            guard let found = Arrangement.of(size, picture: stored, orientation: orientation) else {
                throw FlatteningError(
                    .badInput, "the intrinsics contradict the picture", stage: .intrinsics,
                    seen: "intrinsics for \(size)", allowed: "\(stored) or the same shape at another size",
                    advice: "Give the intrinsics of this very picture, or none")
            }
            arrangement = found
            stated = size
        } else {
            arrangement = arrangementByPrincipalPoint(of: stored, orientation: orientation)
            stated = arrangement == .asStored ? stored : orientation.size(turning: stored)
            if form != Self.givenForm && !isOfThePicture {
                warnings.append("the intrinsics state no picture size; \(stated) is assumed")
            }
        }
        try checkRange(in: stated)
        let pinhole = CameraIntrinsics(fx: fx, fy: fy, cx: cx, cy: cy, imageSize: stated)
        var camera = Camera(
            intrinsics: pinhole, distortion: try distortion?.lens(of: pinhole, warnings: &warnings))
        let wanted = arrangement == .asStored ? stored : orientation.size(turning: stored)
        if stated != wanted {
            camera = camera.scaled(to: wanted)
            warnings.append(
                "the intrinsics are stated for \(stated) and were scaled to the picture's \(wanted)")
        }
        if arrangement == .upright && orientation != .up {
            warnings.append("the intrinsics are stated for the upright picture and were not turned with it")
        }
        return camera.rotated(arrangement.turn(orientation))
    }

    private func arrangementByPrincipalPoint(
        of stored: PixelSize, orientation: ImageOrientation
    ) -> Arrangement {
        guard orientation.swapsAxes else { return .asStored }
        func distance(_ size: PixelSize) -> Double {
            abs(cx / Double(size.width) - 0.5) + abs(cy / Double(size.height) - 0.5)
        }
        return distance(stored) <= distance(orientation.size(turning: stored)) ? .asStored : .upright
    }
}

extension DistortionDocument {
    /// Returns the lens of a camera.
    /// - Throws: `.badInput` for an impossible table.
    func lens(
        of camera: CameraIntrinsics, warnings: inout [String]
    ) throws(FlatteningError) -> LensDistortion {
        let principalPoint = SIMD2(camera.cx, camera.cy)
        switch self {
        case .brownConrady(let k1, let k2, let p1, let p2, let k3):
            return .brownConrady(BrownConrady(k1: k1, k2: k2, p1: p1, p2: p2, k3: k3))
        case .inverseBrownConrady(let k1, let k2, let p1, let p2, let k3):
            // The radial part is a table from the photograph to the ideal image. With a thousand steps, linear interpolation
            // is accurate to 1e-6 of a radius.
            let steps = 1024
            let far = SIMD2(
                max(camera.cx + 0.5, Double(camera.imageSize.width) - 0.5 - camera.cx),
                max(camera.cy + 0.5, Double(camera.imageSize.height) - 0.5 - camera.cy))
            let focal = (camera.fx * camera.fy).squareRoot()
            let radius = (far * far).sum().squareRoot() / focal
            let tangential = 3 * max(abs(p1), abs(p2)) * radius * radius * focal
            if tangential > 0.5 {
                warnings.append(
                    "the tangential part of the inverse Brown-Conrady distortion is ignored: up to "
                        + NumberText.fixed(tangential, 1) + " pixels in the corners")
            }
            let table = (0...steps).map { step in
                let square = pow(radius * Double(step) / Double(steps), 2)
                return square * (k1 + square * (k2 + square * k3))
            }
            return .radialTable(
                try RadialDistortionTable(
                    magnifications: table, direction: .undistorting, center: principalPoint,
                    imageSize: camera.imageSize))
        case .radialTable(let table, let inverse, let center):
            return .radialTable(
                try RadialDistortionTable(
                    magnifications: table.isEmpty ? inverse : table,
                    direction: table.isEmpty ? .undistorting : .distorting, center: center ?? principalPoint,
                    imageSize: camera.imageSize))
        }
    }
}
