import Diagnostics
import Imaging

/// `fx`, `fy`, `cx`, `cy`, `width`, `height`: the keys of a capture folder's `capture.json`.
extension CameraIntrinsics: Codable {
    private enum CodingKeys: String, CodingKey { case fx, fy, cx, cy, width, height }

    /// Intrinsics from their six numbers.
    /// - Throws: `DecodingError` for a missing key and for numbers that no camera has; the underlying error of the latter
    ///   comes from `init(validatingFx:fy:cx:cy:imageSize:)`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let size = PixelSize(
            width: try values.decode(Int.self, forKey: .width),
            height: try values.decode(Int.self, forKey: .height))
        let (fx, fy) = (
            try values.decode(Double.self, forKey: .fx), try values.decode(Double.self, forKey: .fy)
        )
        let (cx, cy) = (
            try values.decode(Double.self, forKey: .cx), try values.decode(Double.self, forKey: .cy)
        )
        do throws(FlatteningError) {
            try self.init(validatingFx: fx, fy: fy, cx: cx, cy: cy, imageSize: size)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: error.description,
                    underlyingError: error
                ))
        }
    }

    /// Writes the six numbers.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(fx, forKey: .fx)
        try values.encode(fy, forKey: .fy)
        try values.encode(cx, forKey: .cx)
        try values.encode(cy, forKey: .cy)
        try values.encode(imageSize.width, forKey: .width)
        try values.encode(imageSize.height, forKey: .height)
    }
}
