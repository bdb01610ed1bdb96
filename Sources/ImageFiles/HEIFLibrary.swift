import CHEIF
import Imaging
import RuntimeLibraries

/// libheif's functions, from the library found at run time. Opened once for the process and never closed.
struct HEIFLibrary: @unchecked Sendable {
    // Plain C function pointers, written once before any other thread sees them.
    let functions: CHEIFFunctions

    /// The library, loaded with the first call.
    static func load() throws(FlatteningError) -> HEIFLibrary { try loaded.get() }

    #if canImport(Darwin)
        static let fileNames = [
            "libheif.1.dylib", "/opt/homebrew/lib/libheif.1.dylib", "/usr/local/lib/libheif.1.dylib",
        ]
    #else
        static let fileNames = ["libheif.so.1"]
    #endif

    private static let loaded = Result { () throws(FlatteningError) in try open(anyOf: fileNames) }

    /// Opens the first of several libraries that can be opened.
    /// - Throws: `.missingDependency` if there is none, or if it is not a libheif that has what is needed.
    static func open(anyOf fileNames: [String]) throws(FlatteningError) -> HEIFLibrary {
        do {
            return HEIFLibrary(
                functions: try RuntimeLibrary(anyOf: fileNames, fill: cheif_find_functions).functions)
        } catch {
            throw FlatteningError(
                .missingDependency, "libheif, which reads HEIC, cannot be loaded", stage: "heic",
                allowed: "libheif 1.9",
                detail: error.description,
                advice:
                    "Install it: apt-get install libheif1, or brew install libheif; or convert the picture: "
                    + "heif-convert in.heic out.jpg")
        }
    }
}
