import DepthGeometry
import DrawnReceipts
import ReceiptCapture
import ReceiptFlattening

/// A camera of any kind and behaviour.
struct ScriptedCamera: ReceiptCamera {
    var kind: ReceiptCameraKind = .wideCamera
    var deliversDepth = false
    var log = CallLog()
    var preparing: @Sendable () async throws -> Void = {}
    var capturing: @Sendable () async throws -> CaptureFrame = {
        CaptureFrame(capture: Capture(image: DrawnReceipt.grayPicture))
    }

    func prepare() async throws {
        await log.note("prepare \(kind.rawValue)")
        try await preparing()
    }

    func capture() async throws -> CaptureFrame {
        await log.note("capture \(kind.rawValue)")
        return try await capturing()
    }

    func stop() async { await log.note("stop \(kind.rawValue)") }
}

/// What was called, in order.
actor CallLog {
    private(set) var calls: [String] = []
    func note(_ call: String) { calls.append(call) }
}

struct Refusal: Error {}

extension ReceiptCaptureState {
    /// The state in a word.
    var name: String {
        switch self {
        case .idle: "idle"
        case .preparing: "preparing"
        case .watching: "watching"
        case .capturing: "capturing"
        case .processing(let stage, _): stage.rawValue
        case .reading: "reading"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}

extension AsyncStream<ReceiptCaptureState> {
    /// The names of the states up to the end of the first capture.
    func names() async -> [String] {
        var seen: [String] = []
        for await state in self {
            seen.append(state.name)
            if ["finished", "failed", "cancelled"].contains(state.name) { break }
        }
        return seen
    }
}

extension ReceiptCaptureController {
    /// The error that a capture ends with, nil if it ends with a receipt.
    func captureError() async -> ReceiptCaptureError? {
        do {
            _ = try await captureReceiptWithDepth()
            return nil
        } catch { return error }
    }
}
