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

    private static let loaded = LoadedOnce(lasts: { (error: FlatteningError) in error.code != .shortage }
    ) {
        () throws(FlatteningError) in try open(anyOf: fileNames)
    }

    /// Opens the first of several libraries that can be opened.
    /// - Throws: `.missingDependency` if there is none, or if it is not a libheif that has what is needed; `.shortage`
    ///   where memory or descriptors are short.
    static func open(anyOf fileNames: [String]) throws(FlatteningError) -> HEIFLibrary {
        do {
            return HEIFLibrary(
                functions: try RuntimeLibrary(
                    anyOf: fileNames, fill: cheif_find_functions,
                    unsuitable: { functions in
                        // One byte each: major, minor, maintenance.
                        let version = functions.heif_get_version_number()
                        return version >> 24 == 1 ? nil : "is version \(version >> 24), not 1"
                    }
                ).functions)
        } catch {
            throw error.error(
                library: "libheif, which reads HEIC,", stage: "heic", allowed: "libheif 1.9 and newer 1.x",
                advice:
                    "Install it: apt-get install libheif1, or brew install libheif; or convert the picture: "
                    + "heif-convert in.heic out.jpg")
        }
    }
}
