import Captures
public import DepthGeometry
public import Imaging

extension Capture {
    /// A capture from what a camera delivers as its sensor lies, all of it turned upright together.
    /// - Parameters:
    ///   - image: the picture as stored.
    ///   - depth: what was measured of the same field of view, at any resolution, as stored.
    ///   - intrinsics: the camera of the picture as stored, stated for pictures of any size with the same field of view.
    ///   - distortion: the lens for pixels of `image` as stored.
    ///   - orientation: how the picture must be turned to stand upright.
    public init(
        stored image: RGBImage, depth: DepthMap? = nil, intrinsics: CameraIntrinsics? = nil,
        distortion: LensDistortion? = nil, orientation: ImageOrientation
    ) {
        self.init(
            image: image.oriented(by: orientation), depth: depth?.oriented(by: orientation),
            intrinsics: intrinsics?.scaled(to: image.size).rotated(orientation),
            distortion: distortion?.rotated(orientation, in: image.size))
        metadata.storedSize = image.size
        metadata.orientation = orientation
        metadata.depthOrientation = depth.map { _ in orientation }
    }
}
