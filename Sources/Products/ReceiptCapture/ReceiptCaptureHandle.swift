/// A capture or preview that was started with a completion handler.
public struct ReceiptCaptureHandle: Sendable {
    private let task: Task<Void, Never>

    init<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(ReceiptCaptureError) -> Value,
        completion: @escaping @Sendable (Result<Value, ReceiptCaptureError>) -> Void
    ) {
        task = Task {
            let result: Result<Value, ReceiptCaptureError>
            do throws(ReceiptCaptureError) { result = .success(try await work()) } catch {
                result = .failure(error)
            }
            completion(result)
        }
    }

    /// Cancels the work; the completion handler receives `.userCancelled`, unless the work is already done.
    public func cancel() { task.cancel() }
}
