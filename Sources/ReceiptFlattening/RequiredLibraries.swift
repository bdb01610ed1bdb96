import Imaging
import LinearAlgebra
import RuntimeLibraries

/// What no capture can be flattened without.
enum RequiredLibraries {
    /// Loads LAPACK, so that its absence is told as such: a step of the ladder would take a solver that fails for depth
    /// that does not suffice.
    /// - Throws: `.missingDependency`; `.limitExceeded` where memory or descriptors are short.
    static func load() throws(FlatteningError) {
        do {
            try LAPACK.load()
        } catch .memoryShort(let detail) {
            throw .shortage(of: name, stage: "surface", detail: detail)
        } catch {
            throw FlatteningError(
                .missingDependency, "\(name) cannot be loaded", stage: "surface",
                allowed: "LAPACKE 3", detail: error.description,
                advice: "Install it: apt-get install liblapacke libopenblas0, or brew install lapack")
        }
    }

    private static let name = "LAPACK, which fits planes and surfaces,"
}
