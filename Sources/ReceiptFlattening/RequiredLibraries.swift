import Imaging
import LinearAlgebra

/// What no capture can be flattened without.
enum RequiredLibraries {
    /// Loads LAPACK, so that its absence is told as such: a step of the ladder would take a solver that fails for depth
    /// that does not suffice.
    /// - Throws: `.missingDependency`.
    static func load() throws(FlatteningError) {
        do {
            try LAPACK.load()
        } catch {
            throw FlatteningError(
                .missingDependency, "LAPACK, which fits planes and surfaces, cannot be loaded",
                stage: "surface",
                allowed: "LAPACKE 3", detail: error.description,
                advice: "Install it: apt-get install liblapacke libopenblas0, or brew install lapack")
        }
    }
}
