internal import Platform

/// The environment that programs are started with: what they need of ours, and no more. Secrets are commonly kept there.
package enum ProcessEnvironment {
    /// Names of variables that language, dates, libraries and measuring tools look at.
    private static let names: Set<String> = [
        "LANG", "LANGUAGE", "TZ", "SOURCE_DATE_EPOCH", "TMPDIR", "TESSDATA_PREFIX", "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "GLIBC_TUNABLES",
        "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
        "LLVM_PROFILE_FILE",
    ]
    private static let beginnings = ["LC_", "LIBHEIF_", "OPENBLAS_", "OMP_", "GOMP_", "MALLOC_"]

    /// The variables of an environment that a program of ours needs.
    package static func scrubbed(_ environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in names.contains(name) || beginnings.contains { name.hasPrefix($0) } }
    }

    /// The absolute folders among the parts of a search path. An empty or relative part would mean the folder that one
    /// happens to stand in.
    package static func absoluteFolders(_ searchPath: String?) -> [String] {
        (searchPath ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }
}
