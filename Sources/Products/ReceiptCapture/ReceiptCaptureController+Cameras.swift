import ReceiptFlattening
import DepthGeometry
import Diagnostics
import Captures
import Imaging

extension ReceiptCaptureController {
    /// Returns the frame of the best camera that can be prepared.
    func delivered(
        announcing: Bool, by take: (any ReceiptCamera) async throws -> CaptureFrame
    ) async throws(ReceiptCaptureError) -> CaptureFrame {
        guard !cameras.isEmpty else { throw .cameraUnavailable }
        guard !announcing || !configuration.requiresDepth || isDepthCaptureAvailable else {
            throw .depthCapabilityUnavailable
        }
        var passedOver: [String] = []
        var firstFailure: ReceiptCaptureError?
        for camera in cameras where !announcing || !configuration.requiresDepth || camera.deliversDepth {
            try checkCancellation()
            do {
                try await camera.prepare()
            } catch {
                let failure = try Self.failure(error) { .sessionConfigurationFailed(underlying: $0) }
                // A denied permission holds for the other cameras too.
                if case .permissionDenied = failure { throw failure }
                firstFailure = firstFailure ?? failure
                passedOver.append(
                    "the \(camera.kind.rawValue) camera was passed over: \(Self.words(of: failure))")
                continue
            }
            let outcome: Result<CaptureFrame, any Error>
            do { outcome = .success(try await take(camera)) } catch { outcome = .failure(error) }
            // Before any computation: a running camera costs power.
            await camera.stop()
            try checkCancellation()
            switch outcome {
            case .success(var frame):
                frame.capture.warnings += passedOver
                return frame
            case .failure(let error):
                throw try Self.failure(error) { .captureFailed(underlying: $0) }
            }
        }
        throw firstFailure ?? .cameraUnavailable
    }

    /// Throws `.userCancelled` if the surrounding task is cancelled.
    func checkCancellation() throws(ReceiptCaptureError) {
        if Task.isCancelled { throw .userCancelled }
    }

    /// Converts a camera's error.
    private static func failure(
        _ error: any Error, otherwise wrap: (any Error) -> ReceiptCaptureError
    ) throws(ReceiptCaptureError) -> ReceiptCaptureError {
        if Task.isCancelled || error is CancellationError || (error as? FlatteningError)?.code == .cancelled {
            throw .userCancelled
        }
        return error as? ReceiptCaptureError ?? wrap(error)
    }

    private static func words(of error: ReceiptCaptureError) -> String {
        error.failureReason ?? error.errorDescription ?? "\(error)"
    }
}
