import DepthGeometry
import ReceiptFlattening
import Diagnostics
public import Foundation
import Imaging

/// Why a receipt could not be captured, processed or saved.
///
/// `localizedDescription` says what happened, `failureReason` why, `recoverySuggestion` what a person can do.
public enum ReceiptCaptureError: Error, Sendable {
    /// There is no camera, or not the one that the configuration requires.
    case cameraUnavailable
    /// The configuration requires depth, and no permitted camera delivers it.
    case depthCapabilityUnavailable
    /// The controller is busy with another capture or preview, which continues.
    case captureUnderWay
    /// The camera did not deliver an image.
    case captureFailed(underlying: (any Error)?)
    /// The configuration requires depth, and the delivered depth does not describe the sheet.
    case insufficientDepthData(underlying: (any Error)?)
    /// The photograph was taken but could not be flattened or read.
    case processingFailed(underlying: (any Error)?)
    /// The person or the surrounding task cancelled.
    case userCancelled
    /// The camera could not be prepared.
    case sessionConfigurationFailed(underlying: (any Error)?)
    /// The app has no permission to use the camera.
    case permissionDenied
    /// Nothing has been captured that could be saved.
    case nothingCaptured
    /// The image could not be written.
    case exportFailed(underlying: (any Error)?)

    /// The underlying error, unchanged; nil if there is none.
    public var underlying: (any Error)? {
        switch self {
        case .captureFailed(let error), .insufficientDepthData(let error), .processingFailed(let error),
            .sessionConfigurationFailed(let error), .exportFailed(let error):
            error
        case .cameraUnavailable, .depthCapabilityUnavailable, .captureUnderWay, .userCancelled,
            .permissionDenied, .nothingCaptured:
            nil
        }
    }
}

extension ReceiptCaptureError {
    /// The case's name, which is its key in `CaptureWords`.
    var name: String {
        switch self {
        case .cameraUnavailable: "cameraUnavailable"
        case .depthCapabilityUnavailable: "depthCapabilityUnavailable"
        case .captureUnderWay: "captureUnderWay"
        case .captureFailed: "captureFailed"
        case .insufficientDepthData: "insufficientDepthData"
        case .processingFailed: "processingFailed"
        case .userCancelled: "userCancelled"
        case .sessionConfigurationFailed: "sessionConfigurationFailed"
        case .permissionDenied: "permissionDenied"
        case .nothingCaptured: "nothingCaptured"
        case .exportFailed: "exportFailed"
        }
    }

    /// All names.
    static let names = [
        ReceiptCaptureError.cameraUnavailable, .depthCapabilityUnavailable, .captureUnderWay,
        .captureFailed(underlying: nil), .insufficientDepthData(underlying: nil),
        .processingFailed(underlying: nil), .userCancelled, .sessionConfigurationFailed(underlying: nil),
        .permissionDenied, .nothingCaptured, .exportFailed(underlying: nil),
    ].map(\.name)
}

extension ReceiptCaptureError: LocalizedError {
    /// A sentence in English on what happened; for other languages see `CaptureWords`.
    public var errorDescription: String? { CaptureWords.english.description(of: self) }

    /// The message of the underlying error; nil if there is none.
    public var failureReason: String? {
        underlying.map { ($0 as? FlatteningError)?.description ?? $0.localizedDescription }
    }

    /// A sentence in English on what a person can do.
    public var recoverySuggestion: String? { CaptureWords.english.recoverySuggestion(for: self) }
}
