import DepthGeometry
import Diagnostics
import DrawnReceipts
import Foundation
import ReceiptCapture
import ReceiptFlattening
import SyntheticCaptures
import Testing

/// The capture controller with cameras that do as they are told.
@Suite struct CaptureControllerTests {
    // MARK: States

    @Test func statesComeInOrderAndEachObserverSeesThemAll() async throws {
        let controller = ReceiptCaptureController(cameras: [ScriptedCamera()])
        let (first, second) = (controller.states, controller.states)
        #expect(controller.state.name == "idle")
        #expect(!controller.isDepthCaptureAvailable)
        let receipt = try await controller.captureReceiptWithDepth()
        #expect(receipt.report.method == .unchanged)
        let expected = [
            "idle", "preparing", "capturing", "outline", "surface", "print", "upright", "resampling",
            "finished",
        ]
        #expect(await first.names() == expected)
        #expect(await second.names() == expected)
        // Who comes late sees what is.
        #expect(await controller.states.names() == ["finished"])
    }

    @Test func fractionsNeverFallAndStayBelowOneUntilTheEnd() async throws {
        let controller = ReceiptCaptureController(cameras: [ScriptedCamera()])
        let states = controller.states
        _ = try await controller.captureReceiptWithDepth()
        var fractions: [Double] = []
        for await state in states {
            if case .processing(_, let fraction) = state { fractions.append(fraction) }
            if case .finished = state { break }
        }
        #expect(fractions == [0, 0.2, 0.4, 0.6, 0.8])
    }

    @Test func aStreamEndsWithItsController() async {
        var controller: ReceiptCaptureController? = ReceiptCaptureController(cameras: [])
        let states = controller?.states
        controller = nil
        var count = 0
        if let states { for await _ in states { count += 1 } }
        #expect(count == 1)
    }

    // MARK: Cameras

    @Test func theBestCameraIsChosenAndTheNextOneStandsIn() async throws {
        let log = CallLog()
        let wide = ScriptedCamera(kind: .wideCamera, log: log)
        let dual = ScriptedCamera(kind: .dualCamera, deliversDepth: true, log: log)
        let lidar = ScriptedCamera(
            kind: .lidar, deliversDepth: true, log: log, preparing: { throw Refusal() })
        let controller = ReceiptCaptureController(cameras: [wide, dual, lidar])
        #expect(controller.isDepthCaptureAvailable)
        let receipt = try await controller.captureReceiptWithDepth()
        #expect(
            await log.calls == [
                "prepare lidar", "prepare dualCamera", "capture dualCamera", "stop dualCamera",
            ])
        // What was passed over is not passed over in silence.
        #expect(receipt.report.warnings.contains { $0.contains("lidar") })
    }

    @Test(
        "Each preference has its order",
        arguments: [
            (
                ReceiptCaptureController.Configuration.PreferredSource.lidarIfAvailable,
                ReceiptCameraKind.lidar
            ),
            (.dualCameraIfAvailable, .dualCamera), (.bestAvailable, .structuredLight),
            (.specific(.wideCamera), .wideCamera),
        ])
    func preference(
        source: ReceiptCaptureController.Configuration.PreferredSource, kind: ReceiptCameraKind
    ) async throws {
        let log = CallLog()
        let kinds: [ReceiptCameraKind] = [.wideCamera, .dualCamera, .lidar, .structuredLight, .recording]
        var configuration = ReceiptCaptureController.Configuration()
        configuration.preferredSource = source
        let controller = ReceiptCaptureController(
            cameras: kinds.map { ScriptedCamera(kind: $0, deliversDepth: $0 != .wideCamera, log: log) },
            configuration: configuration)
        _ = try await controller.captureReceiptWithDepth()
        #expect(await log.calls.first == "prepare \(kind.rawValue)")
    }

    @Test func aForbiddenCameraIsNotReplacedByAnother() async {
        let log = CallLog()
        let controller = ReceiptCaptureController(cameras: [
            ScriptedCamera(kind: .lidar, log: log, preparing: { throw ReceiptCaptureError.permissionDenied }),
            ScriptedCamera(kind: .wideCamera, log: log),
        ])
        guard case .permissionDenied = await controller.captureError() else {
            Issue.record("not permissionDenied")
            return
        }
        #expect(await log.calls == ["prepare lidar"])
    }

    // MARK: Cancelling

    @Test func aCancelledTaskIsCancelledByItsPersonWhateverTheCameraThrows() async {
        let log = CallLog()
        let controller = ReceiptCaptureController(cameras: [
            ScriptedCamera(
                log: log,
                capturing: {
                    try? await Task.sleep(for: .seconds(60))
                    throw Refusal()
                })
        ])
        let states = controller.states
        let task = Task { await controller.captureError() }
        for await state in states { if case .capturing = state { break } }
        task.cancel()
        guard case .userCancelled = await task.value else {
            Issue.record("not userCancelled")
            return
        }
        guard case .cancelled = controller.state else {
            Issue.record("the state is \(controller.state)")
            return
        }
        #expect(await log.calls.last == "stop wideCamera")
        #expect(controller.lastReceipt == nil)
    }

    @Test func cancellingWhileItComputesEndsTheComputing() async throws {
        let capture = try DrawnReceipt.capture()
        let controller = ReceiptCaptureController(cameras: [
            ScriptedCamera(capturing: { CaptureFrame(capture: capture) })
        ])
        let task = Task { await controller.captureError() }
        // On a thread of its own: tasks may have to wait for each other longer than the computing takes.
        DispatchQueue.global().async {
            while true {
                if case .processing = controller.state { break }
                usleep(1000)
            }
            task.cancel()
        }
        guard case .userCancelled = await task.value else {
            Issue.record("not userCancelled")
            return
        }
        #expect(controller.state.name == "cancelled")
    }

    @Test func theHandleCancelsAndCompletionIsCalledOnce() async {
        let controller = ReceiptCaptureController(cameras: [
            ScriptedCamera(capturing: {
                try await Task.sleep(for: .seconds(60))
                return CaptureFrame(capture: Capture(image: DrawnReceipt.grayPicture))
            })
        ])
        let (results, continuation) = AsyncStream.makeStream(
            of: Result<FlattenedReceipt, ReceiptCaptureError>.self)
        let states = controller.states
        let handle = controller.captureReceiptWithDepth { continuation.yield($0) }
        for await state in states { if case .capturing = state { break } }
        handle.cancel()
        handle.cancel()
        for await state in controller.states { if case .cancelled = state { break } }
        // Long enough for a second call, were there one: the first comes within microseconds of the state.
        try? await Task.sleep(for: .milliseconds(200))
        continuation.finish()
        var count = 0
        for await result in results {
            count += 1
            guard case .failure(.userCancelled) = result else {
                Issue.record("not cancelled")
                return
            }
        }
        #expect(count == 1)
    }

    @Test func completionHandsOverTheReceiptOnce() async {
        let controller = ReceiptCaptureController(cameras: [ScriptedCamera()])
        let result = await withCheckedContinuation { continuation in
            // A checked continuation ends the program if it is resumed twice.
            controller.captureReceiptWithDepth { continuation.resume(returning: $0) }
        }
        #expect((try? result.get())?.picture.render() == DrawnReceipt.grayPicture)
        #expect(controller.lastReceipt?.picture.render() == DrawnReceipt.grayPicture)
    }

    @Test func whoSeesTheEndMayBeginAnew() async throws {
        let controller = ReceiptCaptureController(cameras: [])
        let states = controller.states
        async let first = controller.captureError()
        var endings = 0
        for await state in states {
            guard case .failed = state else { continue }
            endings += 1
            // At the very moment: the capture that has ended must not stand in the way.
            guard case .cameraUnavailable = await controller.captureError() else {
                Issue.record("not cameraUnavailable")
                break
            }
            if endings == 20 { break }
        }
        #expect(endings == 20)
        _ = await first
    }

    @Test func aSecondCaptureMeanwhileIsRefusedAndDisturbsNothing() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let controller = ReceiptCaptureController(cameras: [
            ScriptedCamera(capturing: {
                for await _ in gate { break }
                return CaptureFrame(capture: Capture(image: DrawnReceipt.grayPicture))
            })
        ])
        let states = controller.states
        async let first = controller.captureReceiptWithDepth()
        for await state in states { if case .capturing = state { break } }
        guard case .captureUnderWay = await controller.captureError() else {
            Issue.record("not captureUnderWay")
            return
        }
        #expect(controller.state.isBusy)
        opener.yield()
        #expect(try await first.report.method == .unchanged)
    }
}
