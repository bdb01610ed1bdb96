import Diagnostics
import CHEIF
import Imaging
import RuntimeLibraries

/// libheif, found at run time.
enum HEIFLibrary {
    static let shared = RuntimeLibrary<CHEIFFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(linux: ["libheif.so.1"], darwin: ["libheif.1.dylib"]),
        functions: FunctionNames(cheif_function_names(), optional: cheif_optional_function_names()),
        purpose: "libheif, which reads HEIC,", stage: .heic, allowed: "libheif 1.9 and newer 1.x",
        advice: "Install it: apt-get install libheif1, or brew install libheif; or convert the picture: "
            + "heif-convert in.heic out.jpg"
    ) { heif in
        // One byte each: major, minor, maintenance.
        let version = heif.heif_get_version_number()
        return version >> 24 == 1 ? nil : "is version \(version >> 24), not 1"
    }
}
