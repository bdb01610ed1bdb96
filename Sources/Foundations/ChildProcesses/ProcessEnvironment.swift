internal import Platform

/// The environment for started programs: what they need of ours, and no more. Environments often hold secrets.
package enum ProcessEnvironment {
    /// Names of variables that affect language, dates, libraries and instrumentation.
    private static let names: Set<String> = [
        "LANG", "LANGUAGE", "TZ", "SOURCE_DATE_EPOCH", "TMPDIR", "TESSDATA_PREFIX", "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "GLIBC_TUNABLES",
        "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
        "LLVM_PROFILE_FILE",
    ]
    private static let beginnings = ["LC_", "LIBHEIF_", "OPENBLAS_", "OMP_", "GOMP_", "MALLOC_"]

    /// Returns the variables of an environment that our programs need.
    package static func scrubbed(_ environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in names.contains(name) || beginnings.contains { name.hasPrefix($0) } }
    }

    /// Returns the absolute folders of a search path. An empty or relative part would mean the current folder.
    package static func absoluteFolders(_ searchPath: String?) -> [String] {
        (searchPath ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }
}
