#if canImport(Darwin)
    internal import Dispatch
#endif

/// The number of threads that work on one image.
///
/// Results do not depend on it: rows are distributed over threads, but no sum is split among them.
public enum Threading: Equatable, Sendable {
    /// As many as the processor has cores.
    case allCores
    /// The caller's own thread only.
    case single
}

/// Calls `body` for disjoint bands that together make up `rows`, on all cores or in order on this thread.
///
/// Bands are smaller than a core's share, so that one delayed core does not delay the others. Bands write their output through
/// `DisjointRows`.
@usableFromInline
package func forEachBand(
    of rows: Range<Int>, threading: Threading, minimumRows: Int = 16,
    _ body: @Sendable (Range<Int>) -> Void
) {
    guard !rows.isEmpty else { return }
    let height = max(minimumRows, 1)
    let count = (rows.count + height - 1) / height
    guard threading == .allCores, count > 1 else { return body(rows) }
    let perform: @Sendable (Int) -> Void = { index in
        let start = rows.lowerBound + index * height
        body(start..<min(start + height, rows.upperBound))
    }
    #if canImport(Darwin)
        DispatchQueue.concurrentPerform(iterations: count, execute: perform)
    #else
        LoopHelpers.shared.run(iterations: count, perform)
    #endif
}

/// Returns the results of independent computations, run on all cores, in the order of their inputs.
/// - Throws: the error of the first input that fails, after all have ended.
@inlinable
package func concurrentMap<Input: Sendable, Output: Sendable, Failure: Error>(
    _ inputs: [Input], _ compute: @Sendable (Input) throws(Failure) -> Output
) throws(Failure) -> [Output] {
    let count = inputs.count
    let results = unsafe [Result<Output, Failure>](unsafeUninitializedCapacity: count) {
        memory, initialized in
        let results = unsafe DisjointRows(memory, rowLength: 1)
        forEachBand(of: 0..<count, threading: .allCores, minimumRows: 1) { indices in
            for index in indices {
                let result = Result { () throws(Failure) in try compute(inputs[index]) }
                unsafe results[index].initializeElement(at: 0, to: result)
            }
        }
        initialized = count
    }
    var outputs: [Output] = []
    outputs.reserveCapacity(count)
    for result in results { outputs.append(try result.get()) }
    return outputs
}

/// Returns the results of two independent computations, run in parallel.
package func together<First: Sendable, Second: Sendable>(
    _ first: @Sendable () -> First, _ second: @Sendable () -> Second
) -> (First, Second) {
    let results = concurrentMap([true, false]) { isFirst in
        isFirst ? OneOfTwo.first(first()) : OneOfTwo.second(second())
    }
    guard case .first(let one) = results[0], case .second(let other) = results[1] else {
        preconditionFailure("results come in the order of what they are of")
    }
    return (one, other)
}

private enum OneOfTwo<First: Sendable, Second: Sendable>: Sendable {
    case first(First)
    case second(Second)
}
