extension FlatteningReport {
    /// Whether depth shaped the result: it was unrolled from a surface fitted to depth readings.
    package var usedDepth: Bool { method.usesDepth }

    /// Whether a sheet was found, or its corners were given, and made flat: not the whole photograph, nor a plane that may be
    /// the table.
    package var foundSheet: Bool {
        (outline != nil || stitch != nil) && method != .unchanged && method != .angle
    }

    /// Whether text was read. False where none was asked for, where there is none, and where what was read is a guess: a mean
    /// confidence below 0.5.
    package var hasText: Bool {
        text.map { $0.lines > 0 && $0.confidence >= Self.leastTextConfidence } ?? false
    }

    /// The mean confidence of words below which they are specks and folds taken for letters.
    private static let leastTextConfidence = 0.5
}
