internal import Captures
internal import Imaging
internal import Synchronization

/// Takes a picture of a receipt with whatever camera there is, makes it flat, and says at each moment what it is doing.
///
/// ```swift
/// let controller = ReceiptCaptureController(cameras: [try RecordedCamera(opening: "receipt-folder")])
/// let receipt = try await controller.captureReceiptWithDepth()
/// try controller.saveLastProcessedImage(to: URL(filePath: "flat.png"))
/// ```
///
/// Cameras are handed in: an app wraps its own (see <doc:AppleApps>), a server a recording. The best one that can be made ready is
/// used; one that cannot is passed over, and the report's warnings say so. Poor or missing depth costs a step of <doc:TheLadder>, not
/// the receipt, unless the configuration requires depth.
///
/// One capture or preview runs at a time; another one that is asked for meanwhile fails with `.captureFailed` and disturbs
/// nothing. All members may be used from any thread.
public final class ReceiptCaptureController: Sendable {
    /// What the caller chose.
    public let configuration: Configuration
    /// The cameras that may be used, the first choice first.
    let cameras: [any ReceiptCamera]
    let board = StateBoard()
    private let store = Mutex(Store())

    private struct Store {
        var isBusy = false
        var lastReceipt: FlattenedReceipt?
        var guidance: GuidanceTracker?
    }

    /// A controller that does nothing until it is asked to.
    /// - Parameters:
    ///   - cameras: all that may be used, in any order; see ``Configuration/PreferredSource-swift.enum``.
    ///   - configuration: which camera is used and how its captures are flattened.
    public init(cameras: [any ReceiptCamera], configuration: Configuration = Configuration()) {
        self.configuration = configuration
        self.cameras = configuration.ranked(cameras)
    }

    /// Whether a camera that may be used may deliver depth.
    public var isDepthCaptureAvailable: Bool { cameras.contains(where: \.deliversDepth) }

    /// What the controller is doing now.
    public var state: ReceiptCaptureState { board.current }

    /// What the controller is doing, the current state first and then each change, none left out.
    ///
    /// Each observer has a stream of its own, which ends with the controller. Several captures follow each other in one stream.
    public var states: AsyncStream<ReceiptCaptureState> { board.observe() }

    /// The last receipt that was captured, kept until the next one; nil before the first.
    public var lastReceipt: FlattenedReceipt? { store.withLock(\.lastReceipt) }

    // MARK: Capturing

    /// Takes a picture, makes it flat and, if a language is given, reads it.
    /// - Returns: the receipt, which is also kept for `saveLastProcessedImage(to:)`.
    /// - Throws: `.userCancelled` once the surrounding task is cancelled; else what the camera, the flattening or the lack of depth
    ///   comes to.
    public func captureReceiptWithDepth() async throws(ReceiptCaptureError) -> FlattenedReceipt {
        try begin()
        board.post(.preparing)
        let outcome: Result<FlattenedReceipt, ReceiptCaptureError>
        do throws(ReceiptCaptureError) {
            let frame = try await delivered(announcing: true) { camera in try await camera.capture() }
            try checkDepth(of: frame.capture)
            outcome = .success(try await flattened(frame.capture))
        } catch {
            outcome = .failure(error)
        }
        // In one step: whoever sees the end may begin anew, and sees its own states only after this one's.
        store.withLock { store in
            store.isBusy = false
            switch outcome {
            case .success(let receipt):
                store.lastReceipt = receipt
                board.post(.finished)
            case .failure(.userCancelled): board.post(.cancelled)
            case .failure(let error): board.post(.failed(error))
            }
        }
        return try outcome.get()
    }

    /// Takes a picture and makes it flat; `completion` is called once, on a thread of the system's choice.
    /// - Returns: a handle that cancels; whoever does not need it lets it go, and the capture goes on.
    @discardableResult
    public func captureReceiptWithDepth(
        completion: @escaping @Sendable (Result<FlattenedReceipt, ReceiptCaptureError>) -> Void
    ) -> ReceiptCaptureHandle {
        ReceiptCaptureHandle { () async throws(ReceiptCaptureError) in
            try await self.captureReceiptWithDepth()
        } completion: {
            completion($0)
        }
    }

    // MARK: Previewing

    /// Takes a small picture and shows over it what the depth camera sees, the sheet's outline, and what to do next.
    ///
    /// Previews that follow each other follow the sheet too. Nothing is flattened, and `state` does not change.
    /// - Throws: as `captureReceiptWithDepth()`, but never for want of depth: the preview then shows the picture alone.
    public func capturePreviewWithDepthVisualization() async throws(ReceiptCaptureError) -> CapturePreview {
        try begin()
        defer { store.withLock { $0.isBusy = false } }
        let frame = try await delivered(announcing: false) { camera in try await camera.preview() }
        let before = store.withLock(\.guidance) ?? GuidanceTracker(options: configuration.guidance)
        let result: CapturePreview
        do throws(FlatteningError) {
            let (preview, after) = try await computeDetached { _ throws(FlatteningError) in
                var tracker = before
                let guidance = tracker.guide(frame)
                return (CapturePreview(of: frame.capture, guidance: guidance), tracker)
            }
            store.withLock { $0.guidance = after }
            result = preview
        } catch {
            throw .processingFailed(underlying: error)
        }
        try checkCancellation()
        return result
    }

    /// Takes a preview; `completion` is called once, on a thread of the system's choice.
    /// - Returns: a handle that cancels.
    @discardableResult
    public func capturePreviewWithDepthVisualization(
        completion: @escaping @Sendable (Result<CapturePreview, ReceiptCaptureError>) -> Void
    ) -> ReceiptCaptureHandle {
        ReceiptCaptureHandle { () async throws(ReceiptCaptureError) in
            try await self.capturePreviewWithDepthVisualization()
        } completion: {
            completion($0)
        }
    }

    // MARK: Steps

    func begin() throws(ReceiptCaptureError) {
        let isFree = store.withLock { store in
            defer { store.isBusy = true }
            return !store.isBusy
        }
        guard isFree else {
            throw .captureFailed(
                underlying: FlatteningError(
                    .badInput, "another capture is under way", stage: "capture",
                    advice: "Wait for its end, or cancel it")
            )
        }
    }

    private func checkDepth(of capture: Capture) throws(ReceiptCaptureError) {
        guard configuration.requiresDepth, (capture.depth?.validFraction ?? 0) == 0 else { return }
        throw .insufficientDepthData(
            underlying: FlatteningError(
                .badInput, capture.depthRefusal ?? "the capture has no depth",
                file: capture.metadata.imageName,
                stage: "depth"))
    }

    private func flattened(_ capture: Capture) async throws(ReceiptCaptureError) -> FlattenedReceipt {
        let stages = ReceiptFlattener.Stage.allCases.filter { $0 != .text }
        let receipt: FlattenedReceipt
        do throws(FlatteningError) {
            receipt = try await ReceiptFlattener(options: configuration.flattening).flattened(capture) {
                [board] stage in
                board.post(
                    stages.firstIndex(of: stage).map {
                        .processing(stage: stage, fraction: Double($0) / Double(stages.count))
                    } ?? .reading(fraction: 0))
            } onReading: { [board] fraction in
                board.post(.reading(fraction: fraction))
            }
        } catch {
            if error.code == .cancelled { throw .userCancelled }
            throw .processingFailed(underlying: error)
        }
        if configuration.requiresDepth,
            let refusal = receipt.report.refused.first(where: { $0.step == "depth" })
        {
            throw .insufficientDepthData(
                underlying: FlatteningError(
                    .badInput, refusal.reason, file: capture.metadata.imageName, stage: "depth"))
        }
        return receipt
    }
}
