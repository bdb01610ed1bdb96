import Synchronization

/// A value that is loaded on first use and kept, as is a permanent failure. After a temporary failure, the next use tries again.
package final class LoadedOnce<Value: Sendable, Failure: Error>: Sendable {
    private let kept = Mutex<Result<Value, Failure>?>(nil)
    private let load: @Sendable () throws(Failure) -> Value
    private let lasts: @Sendable (Failure) -> Bool

    /// - Parameters:
    ///   - lasts: whether a failure is permanent.
    ///   - load: called on first use, on one thread at a time.
    package init(
        lasts: @escaping @Sendable (Failure) -> Bool, load: @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.lasts = lasts
        self.load = load
    }

    /// Returns the value; loads it if necessary.
    package func get() throws(Failure) -> Value {
        let result = kept.withLock { kept -> Result<Value, Failure> in
            if let kept { return kept }
            let result = Result { () throws(Failure) in try load() }
            switch result {
            case .success: kept = result
            case .failure(let failure): if lasts(failure) { kept = result }
            }
            return result
        }
        return try result.get()
    }
}
