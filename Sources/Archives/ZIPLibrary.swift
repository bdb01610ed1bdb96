internal import CLibZip
internal import Imaging

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
        var refusals: [String] = []
        for fileName in fileNames {
            guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else {
                refusals.append(dlerror().map { String(cString: $0) } ?? fileName)
                continue
            }
            var found: ZIPLibrary?
            let missing = withUnsafeTemporaryAllocation(of: CZipFunctions.self, capacity: 1) { table in
                guard let slot = table.baseAddress else { return "memory" }
                if let name = czip_find_functions(handle, slot) { return String(cString: name) }
                found = ZIPLibrary(functions: slot.pointee)
                return ""
            }
            if let found { return found }
            refusals.append("\(fileName) has no function \(missing)")
        }
        throw FlatteningError(
            .missingDependency, "libzip, which opens archives, cannot be loaded", stage: "archive",
            detail: refusals.joined(separator: "; "),
            advice:
                "Unpack the archive first, or install libzip: apt-get install libzip4, or brew install libzip"
        )
    }
}
