public import Diagnostics
public import Platform
public import LocalFiles

extension Recording {
    /// Recognises the content of a file or folder and reads the description of its frames, but no image.
    /// - Throws: `.badInput` for a URL that is not a file's, and the errors of `open(_:limits:)`.
    /// - Complexity: O(files).
    public init(
        contentsOf url: URL, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) {
        self = try Self.open(try url.filePath(), limits: limits)
    }
}

extension URL {
    /// The path of a file URL.
    /// - Throws: `.badInput` for any other URL.
    package func filePath() throws(FlatteningError) -> String {
        guard isFileURL else {
            throw FlatteningError(
                .badInput, "this URL names no file", stage: .read, seen: absoluteString, allowed: "file URLs"
            )
        }
        return path(percentEncoded: false)
    }
}
