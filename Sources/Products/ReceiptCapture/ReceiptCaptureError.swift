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
    /// The controller is busy with another capture or preview, which goes on.
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

extension ReceiptCaptureError: LocalizedError {
    /// What happened, in a sentence.
    public var errorDescription: String? {
        switch self {
        case .cameraUnavailable: "No suitable camera is available."
        case .depthCapabilityUnavailable: "No camera that may be used measures depth."
        case .captureUnderWay: "Another capture is under way."
        case .captureFailed: "The picture could not be taken."
        case .insufficientDepthData: "The depth that was measured does not describe the receipt."
        case .processingFailed: "The receipt could not be made flat."
        case .userCancelled: "The capture was cancelled."
        case .sessionConfigurationFailed: "The camera could not be made ready."
        case .permissionDenied: "The camera may not be used."
        case .nothingCaptured: "No receipt has been captured yet."
        case .exportFailed: "The picture could not be saved."
        }
    }

    /// The words of the error below; nil where there is none.
    public var failureReason: String? {
        underlying.map { ($0 as? FlatteningError)?.description ?? $0.localizedDescription }
    }

    /// What a person can do.
    public var recoverySuggestion: String? {
        switch self {
        case .cameraUnavailable: "Connect a camera, or allow another source in the configuration."
        case .depthCapabilityUnavailable:
            "Use a device with a depth camera, or turn requiresDepth off: a receipt is flattened without depth too."
        case .captureUnderWay: "Wait for its end, or cancel it."
        case .captureFailed: "Hold the camera still and take the picture again."
        case .insufficientDepthData:
            "Hold the camera 20 to 40 centimetres above the receipt, out of direct sunlight, and try again."
        case .processingFailed:
            "Take the picture again with the whole receipt in view, on a plain background."
        case .userCancelled: "Start again when you are ready."
        case .sessionConfigurationFailed: "Close other programs that use the camera and try again."
        case .permissionDenied: "Allow this program to use the camera in the system's privacy settings."
        case .nothingCaptured: "Capture a receipt first."
        case .exportFailed:
            "Choose a folder that can be written to, with enough space, and a name that ends in .png, .jpg or .tif."
        }
    }
}
