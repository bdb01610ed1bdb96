import DepthGeometry
import Diagnostics
import Parallelism
import SheetGuidance

extension ReceiptCaptureController {
    /// Takes a photograph with a prepared camera: at once, or when the sheet is seen well enough.
    func photograph(by camera: any ReceiptCamera) async throws -> CaptureFrame {
        if configuration.capturesWhenReady { try await watch(camera) }
        board.post(.capturing)
        return try await camera.capture()
    }

    /// Watches a prepared camera's previews until guidance has said `ready` for long enough.
    private func watch(_ camera: any ReceiptCamera) async throws {
        var tracker = GuidanceTracker(options: configuration.guidance)
        var moment = ReadyMoment(
            seconds: configuration.readySeconds, assumedInterval: configuration.guidance.assumedInterval)
        while true {
            try checkCancellation()
            let frame = try await camera.preview()
            let before = tracker
            let (guidance, after) = await computeDetached { _ in
                var tracker = before
                let guidance = tracker.guide(frame)
                return (guidance, tracker)
            }
            tracker = after
            board.post(.watching(guidance))
            if moment.hasCome(with: guidance) { return }
        }
    }
}
