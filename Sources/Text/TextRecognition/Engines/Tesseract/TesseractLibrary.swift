import Diagnostics
import CTesseract
import Imaging
import RuntimeLibraries

/// tesseract, found at run time.
enum TesseractLibrary {
    static let shared = RuntimeLibrary<CTesseractFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(linux: ["libtesseract.so.5"], darwin: ["libtesseract.5.dylib"]),
        functions: FunctionNames(ctesseract_function_names(), optional: ctesseract_optional_function_names()),
        purpose: "tesseract, which reads the text,", stage: .text, allowed: "tesseract 5",
        advice: "Install tesseract: apt-get install libtesseract5 tesseract-ocr-eng, "
            + "or brew install tesseract"
    ) { tesseract in
        // Otherwise tesseract reports odd boxes on the caller's standard error.
        _ = tesseract.setMsgSeverity?(severityOfNone)
        // The header's enumerations and their meanings are those of version 5.
        let version = version(tesseract)
        return version.hasPrefix("5.") ? nil : "is version \(version), not 5"
    }

    /// Leptonica's severity above those of all messages: L_SEVERITY_NONE.
    private static let severityOfNone: Int32 = 6

    /// tesseract's version, such as "5.3.0".
    static func version(_ tesseract: CTesseractFunctions) -> String {
        tesseract.TessVersion().map(String.init(cString:)) ?? "unknown"
    }
}
