internal import CLibZip
internal import Imaging
internal import RuntimeLibraries

/// libzip's functions, from the library found at run time; opened once for the process.
struct ZIPLibrary: @unchecked Sendable {
    // Plain C function pointers, written once before any other thread sees them.
    let functions: CZipFunctions

    /// The library, loaded with the first call.
    /// - Throws: as `open`.
    static func load() throws(FlatteningError) -> ZIPLibrary { try loaded.get() }

    #if canImport(Darwin)
        private static let fileNames = [
            "libzip.5.dylib", "/opt/homebrew/lib/libzip.5.dylib", "/usr/local/lib/libzip.5.dylib",
        ]
    #else
        private static let fileNames = ["libzip.so.5", "libzip.so.4"]
    #endif

    private static let loaded = LoadedOnce(lasts: { (error: FlatteningError) in error.code != .shortage }
    ) {
        () throws(FlatteningError) in try open(anyOf: fileNames)
    }

    /// Opens the first of several libraries that can be opened.
    /// - Throws: `.missingDependency` if there is none that has what is needed, `.shortage` where memory or
    ///   descriptors are short.
    static func open(anyOf fileNames: [String]) throws(FlatteningError) -> ZIPLibrary {
        do {
            return ZIPLibrary(
                functions: try RuntimeLibrary(anyOf: fileNames, fill: czip_find_functions).functions)
        } catch {
            throw error.error(
                library: "libzip, which opens archives,", stage: "archive",
                advice: "Unpack the archive first, or install libzip: "
                    + "apt-get install libzip5 (libzip4 on Debian 12, libzip4t64 on Ubuntu 24.04), "
                    + "or brew install libzip")
        }
    }
}
