import Imaging

/// Whether a map, or a camera's size, is in the image's stored orientation or already upright.
///
/// Cameras store pixels as the sensor reads them and let EXIF turn the image. Some export depth and intrinsics in the
/// sensor's orientation, others already turned. The sizes tell which, unless the image is square or turned by 180 degrees:
/// then everything is assumed to be in the image's stored orientation.
enum Arrangement: Equatable {
    /// In the image's stored orientation, to be turned with it.
    case asStored
    /// In the orientation of the upright image, already turned.
    case upright

    /// Returns the arrangement of a map of `size`; nil if its shape is neither the stored image's nor the upright one's.
    static func of(_ size: PixelSize, picture stored: PixelSize, orientation: ImageOrientation)
        -> Arrangement?
    {
        if haveSameShape(size, stored) { return .asStored }
        if haveSameShape(size, orientation.size(turning: stored)) { return .upright }
        return nil
    }

    /// Returns the turn that makes data of this arrangement upright.
    func turn(_ orientation: ImageOrientation) -> ImageOrientation {
        self == .asStored ? orientation : .up
    }

    /// The greatest difference in side length between images of one shape, as a share of the side: far less than the step to
    /// the next common aspect ratio (4 : 3 to 3 : 2 is 12 %).
    private static let sideTolerance = 0.01

    /// Whether two sizes have the same aspect ratio, within one pixel of the smaller (maps of odd sizes are rounded) or
    /// within `sideTolerance`.
    static func haveSameShape(_ size: PixelSize, _ other: PixelSize) -> Bool {
        let (small, large) = size.pixelCount <= other.pixelCount ? (size, other) : (other, size)
        guard large.height > 0, large.width > 0 else { return false }
        let width = Double(large.width) / Double(large.height) * Double(small.height)
        let height = Double(large.height) / Double(large.width) * Double(small.width)
        return abs(width - Double(small.width)) <= max(1, sideTolerance * Double(small.width))
            && abs(height - Double(small.height)) <= max(1, sideTolerance * Double(small.height))
    }
}
