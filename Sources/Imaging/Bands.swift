internal import Dispatch
internal import Synchronization

/// How many threads work on one picture.
///
/// Results do not depend on it: rows are shared out, never sums.
public enum Threading: Equatable, Sendable {
    /// As many as the processor has cores.
    case allCores
    /// The caller's own thread only.
    case single
}

/// Calls `body` for disjoint bands of rows that together make `rows`, on all cores or in order on this thread.
///
/// Bands are smaller than a core's share, so that a core which was held up does not hold up the others.
package func forEachBand(
    of rows: Range<Int>, threading: Threading, minimumRows: Int = 16,
    _ body: @Sendable (Range<Int>) -> Void
) {
    guard !rows.isEmpty else { return }
    let height = max(minimumRows, 1)
    let count = (rows.count + height - 1) / height
    guard threading == .allCores, count > 1 else { return body(rows) }
    DispatchQueue.concurrentPerform(iterations: count) { index in
        let start = rows.lowerBound + index * height
        body(start..<min(start + height, rows.upperBound))
    }
}

/// The results of computations that do not need each other, on all cores, in the order of their inputs.
/// - Throws: the error of the first input that has one, after all have ended.
package func concurrentMap<Input: Sendable, Output: Sendable, Failure: Error>(
    _ inputs: [Input], _ compute: @Sendable (Input) throws(Failure) -> Output
) throws(Failure) -> [Output] {
    let results = Mutex([Result<Output, Failure>?](repeating: nil, count: inputs.count))
    DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
        let result = Result { () throws(Failure) in try compute(inputs[index]) }
        results.withLock { $0[index] = result }
    }
    var outputs: [Output] = []
    for result in results.withLock({ $0 }) {
        guard let result else { continue }
        outputs.append(try result.get())
    }
    return outputs
}
