import COnnxRuntime
import Diagnostics
import Imaging
import RuntimeLibraries

/// ONNX Runtime, found at run time: among the user's data, where `make reader` puts it, or where the loader looks.
enum OnnxLibrary {
    static let shared = RuntimeLibrary<COnnxRuntimeFunctions, FlatteningError>(
        anyOf: ReaderFiles.libraries
            + LibraryFiles.named(
                linux: ["libonnxruntime.so.1", "libonnxruntime.so.1.21", "libonnxruntime.so"],
                darwin: ["libonnxruntime.dylib"]),
        functions: FunctionNames(conn_function_names()),
        purpose: "ONNX Runtime, which reads the text,", stage: .text, allowed: "ONNX Runtime 1.11 or newer",
        advice: "Install it and its model by make reader, or read with tesseract: --reader tesseract",
        unsuitable: { runtime in
            conn_version(runtime.OrtGetApiBase()) == nil ? "is older than 1.11" : nil
        }, permit: ReaderFiles.permitLibraries)

    /// Whether the library is installed.
    /// - Throws: `.shortage` where that cannot be determined, `.fileAccess` for a library that others can write.
    static func isThere() throws(FlatteningError) -> Bool {
        do {
            _ = try shared.load()
            return true
        } catch {
            guard error.code == .missingDependency else { throw error }
            return false
        }
    }

    /// Its version, such as "1.21.0".
    static func version(_ runtime: COnnxRuntimeFunctions) -> String {
        conn_version(runtime.OrtGetApiBase()).map(String.init(cString:)) ?? "unknown"
    }
}
