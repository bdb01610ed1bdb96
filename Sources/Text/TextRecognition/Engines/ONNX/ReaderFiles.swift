package import Diagnostics
import LocalFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where the learned reader's library and model lie: among the user's data, where `make reader` puts them. The library
/// runs as code, and a model is a kind of code, so neither is used where others can change it.
package enum ReaderFiles {
    /// The folder; nil where the user has no folder for data.
    package static var folder: String? { UserFolders.data.map { $0 + "/receipt-flattening/reader" } }

    /// The model to read with where none is named; nil if it is not there.
    /// - Throws: `.fileAccess` for a model that others can write.
    package static func model() throws(FlatteningError) -> String? {
        guard let model = folder.map({ $0 + "/line.onnx" }), isThere(model) else { return nil }
        try refuseOthers(model, called: "the reader's model")
        return model
    }

    /// The path of ONNX Runtime's library in that folder.
    static var libraries: [String] {
        #if canImport(Darwin)
            let name = "libonnxruntime.dylib"
        #else
            let name = "libonnxruntime.so"
        #endif
        return folder.map { ["\($0)/\(name)"] } ?? []
    }

    /// Those of `libraries` that exist.
    static var installedLibraries: [String] { libraries.filter(isThere) }

    /// Refuses libraries that others can write.
    @Sendable static func permitLibraries() throws(FlatteningError) {
        for library in installedLibraries {
            try refuseOthers(library, called: "the reader's library")
        }
    }

    private static func refuseOthers(_ path: String, called name: String) throws(FlatteningError) {
        try FileWriters.refuseOthers(
            path, called: name, stage: .text, otherwise: "read with tesseract: --reader tesseract")
    }

    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }
}
