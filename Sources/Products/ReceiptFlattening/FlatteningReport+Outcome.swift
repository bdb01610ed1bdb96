extension FlatteningReport {
    /// Whether depth shaped the result: the sheet was unrolled from a surface fitted to depth readings.
    package var usedDepth: Bool { method.usesDepth }

    /// Whether the picture was joined from several photographs: then no single photograph holds the sources of its pixels.
    package var isJoined: Bool { stitch != nil }

    /// Whether a sheet was found, or its corners were given, and flattened. False for the whole photograph, and for a plane
    /// that may be the table.
    package var foundSheet: Bool {
        (outline != nil || isJoined) && method != .unchanged && method != .angle
    }

    /// Whether text was read. False if none was asked for, if there is none, and if what was read is a guess: a mean
    /// confidence below 0.5.
    package var hasText: Bool {
        text.map { $0.lines > 0 && $0.confidence >= Self.leastTextConfidence } ?? false
    }

    /// The least mean confidence of words that counts as text; below it, specks and folds were taken for letters.
    private static let leastTextConfidence = 0.5
}
