import Diagnostics
import Imaging

extension FlatteningError {
    /// The error for a failure of a C codec: `code`, unless the codec's own message is about memory.
    ///
    /// libpng, libjpeg and libtiff report a failed allocation only by the words of their error messages. A message about a
    /// memory limit concerns the file: it exceeded a limit that this package has set.
    static func codec(
        _ code: Code, _ message: String, file: String? = nil, stage: FlatteningError.Stage, words: String?
    ) -> FlatteningError {
        let said = words?.lowercased() ?? ""
        let isShort =
            ["out of memory", "insufficient memory", "memory allocation fail", "no space for"].contains {
                said.contains($0)
            }
            && !said.contains("limit")
        return isShort
            ? .shortOfMemory(file: file, stage: stage, words: words)
            : FlatteningError(code, message, file: file, stage: stage, detail: words)
    }

    /// The error for a codec that could not get the memory that it asked for.
    static func shortOfMemory(file: String? = nil, stage: FlatteningError.Stage, words: String? = nil)
        -> FlatteningError
    {
        FlatteningError(
            .shortage, "memory is short", file: file, stage: stage, detail: words,
            advice: "Allow more (ulimit -v), or run fewer at once")
    }
}
