import CTIFF
import Diagnostics
import RuntimeLibraries
import ScalarText

/// libtiff, found at run time.
enum TIFFLibrary {
    static let shared = RuntimeLibrary<CTIFFFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(linux: ["libtiff.so.6"], darwin: ["libtiff.6.dylib", "libtiff.dylib"]),
        functions: FunctionNames(ctiff_function_names(), optional: ctiff_optional_function_names()),
        purpose: "libtiff, which reads and writes TIFF and fax,", stage: .tiff,
        allowed: "libtiff 4.5 and newer",
        advice: "Install it: apt-get install libtiff6, or brew install libtiff")

    /// "4.5.0" of "LIBTIFF, Version 4.5.0\nCopyright ...".
    static func version(_ tiff: CTIFFFunctions) -> String {
        let words = tiff.TIFFGetVersion().map { String(cString: $0) } ?? ""
        let line = words.split(atScalar: "\n").first ?? ""
        return line.split(atScalar: " ").last.map(String.init) ?? "unknown"
    }
}
