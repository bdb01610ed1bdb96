import CLAPACKE
import Foundation
import RuntimeLibraries

extension LAPACK {
    /// LAPACKE's functions, loaded with the first call.
    /// - Throws: `libraryMissing`.
    static var functions: CLAPACKEFunctions {
        get throws(LinearAlgebraError) { try loaded.get().functions }
    }

    /// Loads LAPACK now, for callers whose later steps must not take its absence for a property of their data.
    /// - Throws: `libraryMissing`.
    package static func load() throws(LinearAlgebraError) { _ = try functions }

    #if canImport(Darwin)
        private static let fileNames = [
            "liblapacke.3.dylib", "/opt/homebrew/opt/lapack/lib/liblapacke.3.dylib",
            "/usr/local/opt/lapack/lib/liblapacke.3.dylib",
        ]
    #else
        private static let fileNames = ["liblapacke.so.3"]
    #endif

    private static let loaded = Result { () throws(LinearAlgebraError) in try open(anyOf: fileNames) }

    /// Opens the first of several libraries that can be opened.
    /// - Throws: `libraryMissing`.
    static func open(
        anyOf fileNames: [String]
    ) throws(LinearAlgebraError) -> RuntimeLibrary<CLAPACKEFunctions> {
        do {
            let library = try RuntimeLibrary(anyOf: fileNames, fill: clapacke_find_functions)
            limitThreads(of: library.functions)
            return library
        } catch {
            throw .libraryMissing(detail: error.description)
        }
    }

    /// One thread: the systems here are small, and OpenBLAS's pool costs more than it brings.
    ///
    /// OpenBLAS keeps one setting for the whole process, so `OPENBLAS_NUM_THREADS` or `OMP_NUM_THREADS` in the
    /// environment, where somebody has chosen otherwise, is left in charge. With another BLAS there is nothing to set.
    private static func limitThreads(of functions: CLAPACKEFunctions) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["OPENBLAS_NUM_THREADS"] == nil, environment["OMP_NUM_THREADS"] == nil else {
            return
        }
        functions.openblas_set_num_threads?(1)
    }
}
