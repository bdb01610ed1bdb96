import Diagnostics
import Imaging

extension FlatteningError {
    /// What the failure of a C codec says: `code`, unless its own words are about memory.
    ///
    /// libpng, libjpeg and libtiff have no other way to say that an allocation failed than the words of their errors. Words
    /// about a limit of memory are about the file: a limit that this package has set was passed.
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

    /// That a codec could not have the memory that it asked for.
    static func shortOfMemory(file: String? = nil, stage: FlatteningError.Stage, words: String? = nil)
        -> FlatteningError
    {
        FlatteningError(
            .shortage, "memory is short", file: file, stage: stage, detail: words,
            advice: "Allow more (ulimit -v), or run fewer at once")
    }
}
