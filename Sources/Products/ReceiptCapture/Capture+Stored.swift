import Captures
public import DepthGeometry
public import Imaging

extension Capture {
    /// Creates a capture from what a camera delivers in its sensor's orientation, and turns all of it upright together.
    /// - Parameters:
    ///   - image: the image as stored.
    ///   - depth: the depth of the same field of view, at any resolution, as stored.
    ///   - intrinsics: the camera of the image as stored, stated for any image size with the same field of view.
    ///   - distortion: the lens distortion, for pixels of `image` as stored.
    ///   - orientation: the turn that makes the image upright.
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
