extension Array {
    /// `withUnsafeBytes` whose body throws errors of one type: the standard library's makes them `any Error`.
    package func withTypedBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { (elements) throws(Failure) in
            try unsafe body(UnsafeRawBufferPointer(elements))
        }
    }
}
