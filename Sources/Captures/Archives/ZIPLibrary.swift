import Diagnostics
internal import CLibZip
import RuntimeLibraries

/// libzip, loaded at run time.
enum ZIPLibrary {
    static let shared = unsafe RuntimeLibrary<CZipFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(linux: ["libzip.so.5", "libzip.so.4"], darwin: ["libzip.5.dylib"]),
        functions: FunctionNames(czip_function_names()),
        purpose: "libzip, which opens archives,", stage: .archive,
        advice: "Unpack the archive first, or install libzip: "
            + "apt-get install libzip5 (libzip4 on Debian 12, libzip4t64 on Ubuntu 24.04), "
            + "or brew install libzip")
}
