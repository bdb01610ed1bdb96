public import Diagnostics
public import Platform
public import LocalFiles

extension Recording {
    /// Recognises what a file or folder holds and reads what describes its frames, but no picture.
    /// - Throws: `.badInput` for a URL that names no file, and as `open(_:limits:)`.
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
