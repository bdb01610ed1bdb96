import Imaging

/// One character (or ligature) as an engine read it.
struct ReadSymbol: Equatable, Sendable {
    var text: String
    /// 0 to 1.
    var confidence: Double
    /// In pixels of the image that was read.
    var box: Box
}

/// Characters that an engine groups as a word.
struct ReadWord: Equatable, Sendable {
    /// From left to right, at least one.
    var symbols: [ReadSymbol]
    /// 0 to 1.
    var confidence: Double
    /// In pixels of the image that was read.
    var box: Box

    var text: String { symbols.map(\.text).joined() }
}
