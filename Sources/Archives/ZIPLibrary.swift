internal import CLibZip
internal import Imaging
internal import RuntimeLibraries

/// libzip's functions, from the library found at run time; opened once for the process.
struct ZIPLibrary: @unchecked Sendable {
    // Plain C function pointers, written once before any other thread sees them.
    let functions: CZipFunctions

    /// The library, loaded with the first call.
    /// - Throws: `.missingDependency` if it is not installed.
    static func load() throws(FlatteningError) -> ZIPLibrary { try loaded.get() }

    #if canImport(Darwin)
        private static let fileNames = [
            "libzip.5.dylib", "/opt/homebrew/lib/libzip.5.dylib", "/usr/local/lib/libzip.5.dylib",
        ]
    #else
        private static let fileNames = ["libzip.so.5", "libzip.so.4"]
    #endif

    private static let loaded = Result { () throws(FlatteningError) in try open(anyOf: fileNames) }

    static func open(anyOf fileNames: [String]) throws(FlatteningError) -> ZIPLibrary {
        do {
            return ZIPLibrary(
                functions: try RuntimeLibrary(anyOf: fileNames, fill: czip_find_functions).functions)
        } catch {
            throw FlatteningError(
                .missingDependency, "libzip, which opens archives, cannot be loaded", stage: "archive",
                detail: error.description,
                advice:
                    "Unpack the archive first, or install libzip: apt-get install libzip4, or brew install libzip"
            )
        }
    }
}
