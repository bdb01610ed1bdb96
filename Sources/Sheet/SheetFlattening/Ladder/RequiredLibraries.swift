package import Diagnostics
import Imaging
import LinearAlgebra
import RuntimeLibraries

/// What no capture can be flattened without.
package enum RequiredLibraries {
    /// Loads LAPACK, so that its absence is told as such: a step of the ladder would take a solver that fails for depth
    /// that does not suffice.
    /// - Throws: `.missingDependency`; `.shortage` where memory or descriptors are short.
    package static func load() throws(FlatteningError) {
        do {
            try LAPACK.load()
        } catch .memoryShort(let detail) {
            throw .shortage(of: name, stage: .surface, detail: detail)
        } catch {
            throw FlatteningError(
                .missingDependency, "\(name) cannot be loaded", stage: .surface,
                allowed: "LAPACKE 3", detail: error.description,
                advice: "Install it: apt-get install liblapacke libopenblas0, or brew install lapack")
        }
    }

    /// Does the work that LAPACK is needed for. A step of the ladder takes a solver that fails for data that do not suffice;
    /// where it failed for want of memory the result would be another one, so there is none.
    /// - Throws: what `work` throws; `.shortage` if memory was short for a solver meanwhile, also for one that another thread
    ///   of this process had called.
    package static func withoutShortage<Value>(
        _ work: () throws(FlatteningError) -> Value
    ) throws(FlatteningError) -> Value {
        let before = LAPACK.shortageCount
        let value = try work()
        guard LAPACK.shortageCount == before else {
            throw FlatteningError(
                .shortage, "memory is short for fitting planes and surfaces", stage: .surface,
                advice: "Allow more (ulimit -v), or run fewer at once")
        }
        return value
    }

    private static let name = "LAPACK, which fits planes and surfaces,"
}
