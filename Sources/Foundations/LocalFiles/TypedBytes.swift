extension Array {
    /// `withUnsafeBytes` for a body with typed errors; the standard library's version turns them into `any Error`.
    package func withTypedBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { (elements) throws(Failure) in
            try unsafe body(UnsafeRawBufferPointer(elements))
        }
    }
}
