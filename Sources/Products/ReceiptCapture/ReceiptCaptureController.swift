import DepthGeometry
import Diagnostics
import Parallelism
public import ReceiptFlattening
import SheetGuidance
import Captures
import Imaging
internal import Synchronization

/// Takes a photograph of a receipt with the best available camera, flattens it, and reports what it is doing.
///
/// ```swift
/// let controller = ReceiptCaptureController(cameras: [try RecordedCamera(contentsOf: URL(filePath: "receipt-folder"))])
/// let receipt = try await controller.captureReceiptWithDepth()
/// try controller.saveLastProcessedImage(to: URL(filePath: "flat.png"))
/// ```
///
/// How the parts fit together:
/// - ``ReceiptCamera`` delivers images, with depth if it has any; ``RecordedCamera`` plays a recording instead.
/// - ``Configuration`` says which camera is used and how its images are flattened and read.
/// - ``ReceiptCaptureState`` tells what the controller is doing, ``ReceiptCaptureError`` why a capture failed.
/// - ``CapturePreview`` shows what the camera sees and how to hold it; with ``Configuration/capturesWhenReady`` the
///   photograph is taken automatically once the view is good.
///
/// The caller supplies the cameras: an app wraps its own, a server a recording (see the article Cameras and guidance). The
/// best camera that can be prepared is used; one that cannot is skipped, and the report's warnings say so. Poor or missing
/// depth reduces accuracy but does not fail, unless the configuration requires depth.
///
/// Only one capture or preview runs at a time; a second one started meanwhile fails with `.captureUnderWay` and does not
/// disturb the first. All members may be used from any thread.
public final class ReceiptCaptureController: Sendable {
    /// The options the caller chose.
    public let configuration: Configuration
    /// The permitted cameras, in order of preference.
    let cameras: [any ReceiptCamera]
    let board = StateBoard()
    private let store = Mutex(Store())

    private struct Store {
        var isBusy = false
        var lastReceipt: FlattenedReceipt?
        var guidance: GuidanceTracker?
    }

    /// Creates a controller; it does nothing until a capture or preview is requested.
    /// - Parameters:
    ///   - cameras: all permitted cameras, in any order; see ``Configuration/PreferredSource-swift.enum``.
    ///   - configuration: which camera to use and how to flatten its captures.
    public init(cameras: [any ReceiptCamera], configuration: Configuration = Configuration()) {
        self.configuration = configuration
        self.cameras = configuration.ranked(cameras)
    }

    /// Whether any permitted camera can deliver depth.
    public var isDepthCaptureAvailable: Bool { cameras.contains(where: \.deliversDepth) }

    /// The current state.
    public var state: ReceiptCaptureState { board.current }

    /// The current state, then every change.
    ///
    /// Each observer has its own stream, which ends with the controller and spans several captures.
    public var states: AsyncStream<ReceiptCaptureState> { board.observe() }

    /// The last captured receipt; nil before the first.
    public var lastReceipt: FlattenedReceipt? { store.withLock(\.lastReceipt) }

    // MARK: Capturing

    /// Takes a photograph, flattens it and, if a language is set, reads it.
    ///
    /// With ``Configuration/capturesWhenReady`` it first watches the camera's previews, in the state `watching`, until
    /// guidance has said `ready` for long enough.
    /// - Returns: the receipt, which is also kept for `saveLastProcessedImage(to:)`.
    /// - Throws: `.userCancelled` if the surrounding task is cancelled; otherwise the error of the camera, of the flattening,
    ///   or of missing depth.
    public func captureReceiptWithDepth() async throws(ReceiptCaptureError) -> FlattenedReceipt {
        try begin()
        board.post(.preparing)
        let outcome: Result<FlattenedReceipt, ReceiptCaptureError>
        do throws(ReceiptCaptureError) {
            let frame = try await delivered(announcing: true, by: photograph)
            try checkDepth(of: frame.capture)
            outcome = .success(try await flattened(frame.capture))
        } catch {
            outcome = .failure(error)
        }
        // In one step, so that a new capture's states always follow the last state of this one.
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

    /// Takes a photograph and flattens it; `completion` is called once, on any thread.
    /// - Returns: a handle that cancels the capture; releasing the handle does not.
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

    /// Takes a small image and draws depth and the sheet's outline over it, with guidance for the person.
    ///
    /// Successive previews track the sheet. Nothing is flattened, and `state` does not change.
    /// - Throws: as `captureReceiptWithDepth()`, except for missing depth: the preview then shows the image alone.
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

    /// Takes a preview; `completion` is called once, on any thread.
    /// - Returns: a handle that cancels it.
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
        guard isFree else { throw .captureUnderWay }
    }

    private func checkDepth(of capture: Capture) throws(ReceiptCaptureError) {
        guard configuration.requiresDepth, (capture.depth?.validFraction ?? 0) == 0 else { return }
        throw .insufficientDepthData(
            underlying: FlatteningError(
                .badInput, capture.depthRefusal ?? "the capture has no depth",
                file: capture.metadata.imageName,
                stage: .depth))
    }

    private func flattened(_ capture: Capture) async throws(ReceiptCaptureError) -> FlattenedReceipt {
        // A capture has one image, and its text is read in a separate step.
        let others: Set<ReceiptFlattener.Stage> =
            configuration.flattening.finds.isEmpty ? [.text, .stitching, .finding] : [.text, .stitching]
        let stages = ReceiptFlattener.Stage.allCases.filter { !others.contains($0) }
        let receipt: FlattenedReceipt
        do throws(FlatteningError) {
            receipt = try await ReceiptFlattener(options: configuration.flattening).flatten(capture) {
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
                    .badInput, refusal.reason, file: capture.metadata.imageName, stage: .depth))
        }
        return receipt
    }
}
