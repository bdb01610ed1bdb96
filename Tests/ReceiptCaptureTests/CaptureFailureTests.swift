import DepthGeometry
import Diagnostics
import DrawnReceipts
import Foundation
import ImageFiles
import LocalFiles
import ReceiptCapture
import ReceiptFlattening
import TestSupport
import Testing

/// What a capture controller fails with, and what it saves.
@Suite struct CaptureFailureTests {
    // MARK: Errors

    @Test func eachFailureHasItsCaseAndKeepsWhatWasThrown() async {
        guard case .cameraUnavailable = await ReceiptCaptureController(cameras: []).captureError() else {
            Issue.record("not cameraUnavailable")
            return
        }
        let preparing = ReceiptCaptureController(cameras: [ScriptedCamera(preparing: { throw Refusal() })])
        guard case .sessionConfigurationFailed(let first) = await preparing.captureError() else {
            Issue.record("not sessionConfigurationFailed")
            return
        }
        #expect(first is Refusal)
        let log = CallLog()
        let capturing = ReceiptCaptureController(cameras: [
            ScriptedCamera(log: log, capturing: { throw Refusal() })
        ])
        guard case .captureFailed(let second) = await capturing.captureError() else {
            Issue.record("not captureFailed")
            return
        }
        #expect(second is Refusal)
        #expect(await log.calls.last == "stop wideCamera", "a camera that was started is stopped")
        guard case .failed(.captureFailed) = capturing.state else {
            Issue.record("the state is \(capturing.state)")
            return
        }
        var configuration = ReceiptCaptureController.Configuration()
        configuration.flattening.marginMillimeters = -1
        let processing = ReceiptCaptureController(cameras: [ScriptedCamera()], configuration: configuration)
        guard case .processingFailed(let third) = await processing.captureError() else {
            Issue.record("not processingFailed")
            return
        }
        #expect((third as? FlatteningError)?.code == .badInput)
    }

    @Test func missingDepthIsAnErrorOnlyWhereDepthIsRequired() async throws {
        #expect(
            await ReceiptCaptureController(cameras: [ScriptedCamera(deliversDepth: true)]).captureError()
                == nil)
        var configuration = ReceiptCaptureController.Configuration()
        configuration.requiresDepth = true
        let without = ReceiptCaptureController(cameras: [ScriptedCamera()], configuration: configuration)
        guard case .depthCapabilityUnavailable = await without.captureError() else {
            Issue.record("not depthCapabilityUnavailable")
            return
        }
        let broken = ReceiptCaptureController(
            cameras: [ScriptedCamera(deliversDepth: true)], configuration: configuration)
        guard case .insufficientDepthData(let reason) = await broken.captureError() else {
            Issue.record("not insufficientDepthData")
            return
        }
        #expect(reason != nil)
        // A single reading is depth, but describes no sheet: the ladder refuses it.
        var sparse = try DrawnReceipt.capture()
        sparse.depth = sparse.depth?.mapReadings { x, y, z in x == 320 && y == 240 ? z : .nan }
        let refused = ReceiptCaptureController(
            cameras: [
                ScriptedCamera(deliversDepth: true, capturing: { [sparse] in CaptureFrame(capture: sparse) })
            ],
            configuration: configuration)
        guard case .insufficientDepthData(let refusal) = await refused.captureError() else {
            Issue.record("not insufficientDepthData")
            return
        }
        #expect((refusal as? FlatteningError)?.message.contains("readings") ?? false)
    }

    @Test func eachErrorSpeaksForItselfAndUnlikeTheOthers() {
        let below = FlatteningError(.fileAccess, "the disk is full")
        let errors: [ReceiptCaptureError] = [
            .cameraUnavailable, .depthCapabilityUnavailable, .captureFailed(underlying: below),
            .insufficientDepthData(underlying: below), .processingFailed(underlying: below), .userCancelled,
            .sessionConfigurationFailed(underlying: below), .permissionDenied,
            .exportFailed(underlying: below), .captureUnderWay, .nothingCaptured,
        ]
        let descriptions = errors.compactMap(\.errorDescription)
        let suggestions = errors.compactMap(\.recoverySuggestion)
        #expect(Set(descriptions).count == errors.count && descriptions.allSatisfy { !$0.isEmpty })
        #expect(Set(suggestions).count == errors.count && suggestions.allSatisfy { !$0.isEmpty })
        #expect(errors.map(\.localizedDescription) == descriptions)
        let withReason = errors.filter { $0.failureReason != nil }
        #expect(withReason.count == 5)
        #expect(
            withReason.allSatisfy {
                $0.failureReason == "the disk is full" && $0.underlying as? FlatteningError == below
            })
    }

    // MARK: Saving

    @Test func theLastPictureIsSavedInTheFormatOfItsName() async throws {
        let folder = try ScratchFolder()
        var configuration = ReceiptCaptureController.Configuration()
        configuration.outputFormat = .tiff
        let controller = ReceiptCaptureController(cameras: [ScriptedCamera()], configuration: configuration)
        do throws(ReceiptCaptureError) {
            _ = try controller.saveLastProcessedImage(to: folder.url.appending(path: "early.png"))
            Issue.record("nothing has been captured")
        } catch {
            guard case .nothingCaptured = error else {
                Issue.record("not nothingCaptured: \(error)")
                return
            }
        }
        let receipt = try await controller.captureReceiptWithDepth()
        let png = try controller.saveLastProcessedImage(to: folder.url.appending(path: "flat.png"))
        let plain = try controller.saveLastProcessedImage(to: folder.url.appending(path: "flat"))
        #expect(plain.lastPathComponent == "flat.tif")
        for url in [png, plain] {
            let image = try ColorPicture.decode(try InputFile.read(path: url.path)).image
            #expect(image == receipt.picture.render(), "PNG and TIFF lose nothing")
        }
    }

    @Test func whatCannotBeSavedIsAnExportFailureAndLeavesNothing() async throws {
        let folder = try ScratchFolder()
        let controller = ReceiptCaptureController(cameras: [ScriptedCamera()])
        _ = try await controller.captureReceiptWithDepth()
        let web = try #require(URL(string: "https://example.org/flat.png"))
        let bad = [
            folder.url.appending(path: "missing/flat.png"), folder.url.appending(path: "flat.gif"), web,
        ]
        for url in bad {
            do {
                try controller.saveLastProcessedImage(to: url)
                Issue.record("\(url) was written")
            } catch {
                guard case .exportFailed(let below) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(below as? FlatteningError != nil)
            }
        }
        #expect(try folder.contents.isEmpty)
    }
}
