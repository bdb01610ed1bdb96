/// `normal` as three numbers, `offset`.
extension Plane: Codable {
    private enum CodingKeys: String, CodingKey { case normal, offset }

    /// A plane from its normal and offset.
    /// - Throws: `DecodingError` for a missing key and for a normal that is not of length 1.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let normal = try values.decode(SIMD3<Double>.self, forKey: .normal)
        let offset = try values.decode(Double.self, forKey: .offset)
        // A normal that we wrote has length 1 up to rounding; any other is not from us.
        guard abs((normal * normal).sum() - 1) < 1e-9, offset.isFinite else {
            throw DecodingError.dataCorruptedError(
                forKey: .normal, in: values, debugDescription: "a normal is of length 1, an offset finite")
        }
        self.init(normal: normal, offset: offset)
    }

    /// Writes normal and offset.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(normal, forKey: .normal)
        try values.encode(offset, forKey: .offset)
    }
}
