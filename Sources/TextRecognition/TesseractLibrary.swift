import CTesseract
import Imaging
import RuntimeLibraries

/// tesseract's functions, from the library found at run time. Opened once for the process and never closed: its thread
/// pool and its static state would not survive that.
struct TesseractLibrary: @unchecked Sendable {
    // Plain C function pointers, written once before any other thread sees them.
    let functions: CTesseractFunctions

    /// The version that was loaded, for example "5.3.0".
    var version: String { functions.TessVersion().map(String.init(cString:)) ?? "unknown" }

    /// The library, loaded with the first call.
    static func load() throws(FlatteningError) -> TesseractLibrary { try loaded.get() }

    #if canImport(Darwin)
        // A program started from the Finder or an IDE does not search Homebrew's folders by itself.
        static let fileNames = [
            "libtesseract.5.dylib", "/opt/homebrew/lib/libtesseract.5.dylib",
            "/usr/local/lib/libtesseract.5.dylib",
        ]
    #else
        static let fileNames = ["libtesseract.so.5"]
    #endif

    private static let loaded = LoadedOnce(lasts: { (error: FlatteningError) in error.code != .shortage }
    ) {
        () throws(FlatteningError) in try open(anyOf: fileNames)
    }

    /// Opens the first of several libraries that can be opened.
    /// - Throws: `.missingDependency` if there is none, or if it is not a tesseract that has what is needed;
    ///   `.shortage` where memory or descriptors are short.
    static func open(anyOf fileNames: [String]) throws(FlatteningError) -> TesseractLibrary {
        do {
            return TesseractLibrary(
                functions: try RuntimeLibrary(
                    anyOf: fileNames, fill: ctesseract_find_functions,
                    unsuitable: { functions in
                        // The header's enumerations and their meanings are those of 5.
                        let version = functions.TessVersion().map(String.init(cString:)) ?? "unknown"
                        return version.hasPrefix("5.") ? nil : "is version \(version), not 5"
                    }
                ).functions)
        } catch {
            throw error.error(
                library: "tesseract, which reads the text,", stage: "text", allowed: "tesseract 5",
                advice: "Install tesseract: apt-get install libtesseract5 tesseract-ocr-eng, "
                    + "or brew install tesseract")
        }
    }
}
