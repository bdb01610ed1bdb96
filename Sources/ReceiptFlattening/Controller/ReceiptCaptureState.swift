/// What a capture controller is doing.
public enum ReceiptCaptureState: Sendable {
    /// Nothing yet.
    case idle
    /// A camera is being chosen and made ready.
    case preparing
    /// The picture is being taken.
    case capturing
    /// The picture is being made flat: the stage that has begun, and the share of these stages that is behind, 0 to below 1.
    case processing(stage: ReceiptFlattener.Stage, fraction: Double)
    /// The flat picture is being read: the share of its rows that has been read, never falling, 1 at the end.
    case reading(fraction: Double)
    /// The receipt is there.
    case finished
    /// It came to nothing.
    case failed(ReceiptCaptureError)
    /// It was given up.
    case cancelled

    /// Whether a capture is under way.
    public var isBusy: Bool {
        switch self {
        case .preparing, .capturing, .processing, .reading: true
        case .idle, .finished, .failed, .cancelled: false
        }
    }
}
