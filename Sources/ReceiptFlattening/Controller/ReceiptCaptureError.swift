public import Foundation
internal import Imaging

/// Why a receipt could not be captured, processed or saved.
///
/// `localizedDescription` says what happened, `failureReason` in whose words, `recoverySuggestion` what a person can do.
public enum ReceiptCaptureError: Error, Sendable {
    /// There is no camera, or not the one that the configuration asks for.
    case cameraUnavailable
    /// The configuration requires depth, and no camera that may be used delivers it.
    case depthCapabilityUnavailable
    /// The camera did not deliver a picture.
    case captureFailed(underlying: (any Error)?)
    /// The configuration requires depth, and what the camera delivered of it does not describe the sheet.
    case insufficientDepthData(underlying: (any Error)?)
    /// The picture was taken but could not be made flat or read.
    case processingFailed(underlying: (any Error)?)
    /// The person, or the task around it, gave up.
    case userCancelled
    /// The camera could not be made ready.
    case sessionConfigurationFailed(underlying: (any Error)?)
    /// The camera may not be used.
    case permissionDenied
    /// The picture could not be written.
    case exportFailed(underlying: (any Error)?)

    /// The error below, as it was thrown; nil where this one is the first.
    public var underlying: (any Error)? {
        switch self {
        case .captureFailed(let error), .insufficientDepthData(let error), .processingFailed(let error),
            .sessionConfigurationFailed(let error), .exportFailed(let error):
            error
        case .cameraUnavailable, .depthCapabilityUnavailable, .userCancelled, .permissionDenied: nil
        }
    }
}

extension ReceiptCaptureError: LocalizedError {
    /// What happened, in a sentence.
    public var errorDescription: String? {
        switch self {
        case .cameraUnavailable: "No suitable camera is available."
        case .depthCapabilityUnavailable: "No camera that may be used measures depth."
        case .captureFailed: "The picture could not be taken."
        case .insufficientDepthData: "The depth that was measured does not describe the receipt."
        case .processingFailed: "The receipt could not be made flat."
        case .userCancelled: "The capture was cancelled."
        case .sessionConfigurationFailed: "The camera could not be made ready."
        case .permissionDenied: "The camera may not be used."
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
        case .captureFailed: "Hold the camera still and take the picture again."
        case .insufficientDepthData:
            "Hold the camera 20 to 40 centimetres above the receipt, out of direct sunlight, and try again."
        case .processingFailed:
            "Take the picture again with the whole receipt in view, on a plain background."
        case .userCancelled: "Start again when you are ready."
        case .sessionConfigurationFailed: "Close other programs that use the camera and try again."
        case .permissionDenied: "Allow this program to use the camera in the system's privacy settings."
        case .exportFailed:
            "Choose a folder that can be written to, with enough space, and a name that ends in .png, .jpg or .tif."
        }
    }
}
