public import ReceiptFlattening
public import SheetGuidance

/// What a capture controller is doing.
public enum ReceiptCaptureState: Sendable {
    /// No capture has started yet.
    case idle
    /// A camera is being chosen and prepared.
    case preparing
    /// The camera's previews are watched until the sheet is seen well enough; holds the guidance for the last preview. Only
    /// with ``ReceiptCaptureController/Configuration/capturesWhenReady``.
    case watching(ReceiptGuidance)
    /// The photograph is being taken.
    case capturing
    /// The photograph is being flattened: the current stage, and the share of stages that are done, 0 to below 1.
    case processing(stage: ReceiptFlattener.Stage, fraction: Double)
    /// The flat image is being read: progress from 0 to 1.
    case reading(fraction: Double)
    /// The receipt is ready.
    case finished
    /// The capture failed.
    case failed(ReceiptCaptureError)
    /// The capture was cancelled.
    case cancelled

    /// Whether a capture is under way.
    public var isBusy: Bool {
        switch self {
        case .preparing, .watching, .capturing, .processing, .reading: true
        case .idle, .finished, .failed, .cancelled: false
        }
    }
}
