import Imaging

/// Whether a map or a camera's size is in the picture's stored orientation or already upright.
///
/// Cameras store pixels as the sensor reads them and let EXIF turn the picture; some export depth and intrinsics as the
/// sensor has them, others already turned. Sizes tell which, unless the picture is square or turned by 180 degrees: then
/// everything is taken to lie as the picture is stored.
enum Arrangement: Equatable {
    /// As the picture is stored: to be turned with it.
    case asStored
    /// As the upright picture: turned already.
    case upright

    /// The arrangement of a map of `size`, nil if its shape is neither the stored picture's nor the upright one's.
    static func of(_ size: PixelSize, picture stored: PixelSize, orientation: ImageOrientation)
        -> Arrangement?
    {
        if haveSameShape(size, stored) { return .asStored }
        if haveSameShape(size, orientation.size(turning: stored)) { return .upright }
        return nil
    }

    /// The turn that brings something of this arrangement upright.
    func turn(_ orientation: ImageOrientation) -> ImageOrientation {
        self == .asStored ? orientation : .up
    }

    /// By how much of a side two pictures of one shape may differ: far less than to the next ratio in use (4 : 3 to 3 : 2 is
    /// 12 %).
    private static let sideTolerance = 0.01

    /// Whether two sizes have the same ratio of sides within one pixel of the smaller, as maps of odd sizes are rounded, or
    /// `sideTolerance`.
    static func haveSameShape(_ size: PixelSize, _ other: PixelSize) -> Bool {
        let (small, large) = size.pixelCount <= other.pixelCount ? (size, other) : (other, size)
        guard large.height > 0, large.width > 0 else { return false }
        let width = Double(large.width) / Double(large.height) * Double(small.height)
        let height = Double(large.height) / Double(large.width) * Double(small.width)
        return abs(width - Double(small.width)) <= max(1, sideTolerance * Double(small.width))
            && abs(height - Double(small.height)) <= max(1, sideTolerance * Double(small.height))
    }
}
