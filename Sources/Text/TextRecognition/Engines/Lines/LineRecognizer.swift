import Diagnostics

/// Reads the signs of one line of print.
protocol LineRecognizer: Sendable {
    /// What determines its results: the version of a library, or of its weights.
    var version: String { get }

    /// Reads the signs in an image of one line.
    /// - Parameter picture: rows of `LinePicture.height` pixels, columns a multiple of `LinePicture.stepWidth`.
    func signs(in picture: LinePicture) throws(FlatteningError) -> [DecodedSign]
}
