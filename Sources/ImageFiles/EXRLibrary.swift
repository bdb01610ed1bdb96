import COpenEXR
import Imaging
import RuntimeLibraries

/// OpenEXRCore, from the library found at run time. Opened once for the process and never closed.
enum EXRLibrary {
    /// Its version, such as "3.1.5"; loads the library with the first call.
    /// - Throws: as `open`.
    static func load() throws(FlatteningError) -> String { try loaded.get() }

    // The layout of its structures is that of one minor version, which is part of its name.
    #if canImport(Darwin)
        static let fileNames = [
            "libOpenEXRCore-3_1.30.dylib", "/opt/homebrew/lib/libOpenEXRCore-3_1.30.dylib",
            "/usr/local/lib/libOpenEXRCore-3_1.30.dylib",
        ]
    #else
        static let fileNames = ["libOpenEXRCore-3_1.so.30"]
    #endif

    private static let loaded = LoadedOnce(lasts: { (error: FlatteningError) in error.code != .shortage }
    ) {
        () throws(FlatteningError) in try open(anyOf: fileNames)
    }

    /// Opens the first of several libraries that can be opened.
    /// - Throws: `.missingDependency` if there is none, or if it is no OpenEXR 3.1; `.shortage` where memory or
    ///   descriptors are short.
    static func open(anyOf fileNames: [String]) throws(FlatteningError) -> String {
        do {
            let library = try RuntimeLibrary(
                anyOf: fileNames, fill: copenexr_find_functions,
                unsuitable: { functions in
                    let version = version(functions)
                    return version.hasPrefix("3.1.") ? nil : "is version \(version), not 3.1"
                })
            return version(library.functions)
        } catch {
            throw error.error(
                library: "OpenEXR, which decodes the depth map,", stage: "exr", allowed: "OpenEXR 3.1",
                advice: "Install it (apt-get install libopenexr-3-1-30: Debian 12 and 13, Ubuntu 24.04), "
                    + "or save the map as float TIFF or NPY")
        }
    }

    private static func version(_ functions: COpenEXRFunctions) -> String {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        var extra: UnsafePointer<CChar>?
        functions.exr_get_library_version(&major, &minor, &patch, &extra)
        return "\(major).\(minor).\(patch)"
    }
}
