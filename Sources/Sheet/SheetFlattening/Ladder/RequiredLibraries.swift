package import Diagnostics
import Imaging
import LinearAlgebra
import RuntimeLibraries

/// The libraries that every flattening needs.
package enum RequiredLibraries {
    /// Loads LAPACK, so that its absence is reported as such. Otherwise a step of the ladder would treat a failing solver as a
    /// sign of insufficient depth data.
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

    /// Does work that needs LAPACK. The ladder treats a failing solver as a sign of insufficient data; if the solver failed for
    /// lack of memory, the ladder would return a different result, so this function throws instead.
    /// - Throws: what `work` throws; `.shortage` if memory was short for a solver meanwhile, including a solver called by
    ///   another thread of this process.
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
