import Imaging

/// `fx`, `fy`, `cx`, `cy`, `width`, `height`: the keys of a capture folder's `capture.json`.
extension CameraIntrinsics: Codable {
    private enum CodingKeys: String, CodingKey { case fx, fy, cx, cy, width, height }

    /// Intrinsics from their six numbers.
    /// - Throws: `DecodingError` for a missing key, and for numbers that no camera has.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let numbers = try [CodingKeys.fx, .fy, .cx, .cy].map { try values.decode(Double.self, forKey: $0) }
        let width = try values.decode(Int.self, forKey: .width)
        let height = try values.decode(Int.self, forKey: .height)
        guard numbers.allSatisfy(\.isFinite), numbers[0] > 0, numbers[1] > 0, width > 0, height > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .fx, in: values,
                debugDescription:
                    "focal lengths and sizes are finite and greater than 0, the principal point finite")
        }
        self.init(
            fx: numbers[0], fy: numbers[1], cx: numbers[2], cy: numbers[3],
            imageSize: PixelSize(width: width, height: height))
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
