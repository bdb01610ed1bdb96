import Diagnostics
import COpenEXR
import Imaging
import RuntimeLibraries

/// OpenEXRCore, found at run time.
enum EXRLibrary {
    static let shared = RuntimeLibrary<COpenEXRFunctions, FlatteningError>(
        anyOf: fileNames(minors: minors), functions: FunctionNames(copenexr_function_names()),
        purpose: "OpenEXR, which decodes the depth map,", stage: .exr,
        allowed: "OpenEXR \(allowed)",
        advice: "Install it (apt-get install libopenexr-3-1-30: Debian 12 and 13, Ubuntu 24.04), "
            + "or save the map as float TIFF or NPY"
    ) { exr in
        let version = version(exr)
        return minors.contains(version.minor) ? nil : "is version \(version.text), not \(allowed)"
    }

    /// The minor versions whose structures have the layout of the headers that this was built with. From 3.3 on the
    /// decoding pipeline states its size; before, all of its fields lie where they lay in 3.1.
    private static let minors = minors(laidOutAs: Int(COPENEXR_HEADER_MINOR))

    static func minors(laidOutAs minor: Int) -> [Int] { minor < 3 ? [1, 2] : Array(3...max(4, minor)) }

    /// "3.1 or 3.2".
    private static var allowed: String { minors.map { "3.\($0)" }.joined(separator: " or ") }

    /// OpenEXR puts its minor version into the library names, followed by a number that rises with it: 30 for 3.1.
    private static func fileNames(minors: [Int]) -> [String] {
        LibraryFiles.named(
            linux: minors.map { "libOpenEXRCore-3_\($0).so.\(29 + $0)" } + ["libOpenEXRCore.so"],
            darwin: minors.map { "libOpenEXRCore-3_\($0).\(29 + $0).dylib" } + ["libOpenEXRCore.dylib"])
    }

    /// The library's version, such as "3.1.5", and its minor number; -1 if the major version is not 3.
    static func version(_ exr: COpenEXRFunctions) -> (text: String, minor: Int) {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        var extra: UnsafePointer<CChar>?
        exr.exr_get_library_version(&major, &minor, &patch, &extra)
        return ("\(major).\(minor).\(patch)", major == 3 ? Int(minor) : -1)
    }
}
