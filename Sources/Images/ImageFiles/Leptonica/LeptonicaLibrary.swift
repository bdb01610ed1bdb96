import CLeptonica
import Diagnostics
import RuntimeLibraries

/// Leptonica, found at run time: it is installed with tesseract.
enum LeptonicaLibrary {
    static let shared = RuntimeLibrary<CLeptonicaFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(
            linux: ["liblept.so.5", "libleptonica.so.6"], darwin: ["libleptonica.6.dylib"]),
        functions: FunctionNames(cleptonica_function_names()),
        purpose: "Leptonica, which reads WebP, GIF, BMP and JPEG 2000,", stage: .format,
        allowed: "Leptonica 1.79 and newer",
        advice:
            "Install it: apt-get install libtesseract5, or brew install leptonica; or convert the picture: "
            + "magick in.webp out.png"
    ) { leptonica in
        // Otherwise Leptonica would print errors about a file to the caller's standard error.
        _ = leptonica.setMsgSeverity(Int32(L_SEVERITY_NONE))
        return nil
    }
}
