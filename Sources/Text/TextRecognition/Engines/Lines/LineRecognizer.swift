import Diagnostics

/// What reads the signs of one line of print.
protocol LineRecognizer: Sendable {
    /// What makes it read alike: a library's version, or that of its weights.
    var version: String { get }

    /// What is read in a picture of one line.
    /// - Parameter picture: rows of `LinePicture.height` pixels, columns a multiple of `LinePicture.stepWidth`.
    func signs(in picture: LinePicture) throws(FlatteningError) -> [DecodedSign]
}
