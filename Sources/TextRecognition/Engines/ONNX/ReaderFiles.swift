import LocalFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where the learned reader's library and model lie, as `make reader` puts them: among the user's data.
package enum ReaderFiles {
    /// The folder; nil where the user has none for data.
    package static var folder: String? { UserFolders.data.map { $0 + "/receipt-flattening/reader" } }

    /// The model that is read with where none is named; nil if it is not there.
    package static var model: String? {
        folder.map { $0 + "/line.onnx" }.flatMap { isThere($0) ? $0 : nil }
    }

    /// What ONNX Runtime's library is called there.
    static var libraries: [String] {
        #if canImport(Darwin)
            let name = "libonnxruntime.dylib"
        #else
            let name = "libonnxruntime.so"
        #endif
        return folder.map { ["\($0)/\(name)"] } ?? []
    }

    /// Those of them that are there.
    static var installedLibraries: [String] { libraries.filter(isThere) }

    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }
}
