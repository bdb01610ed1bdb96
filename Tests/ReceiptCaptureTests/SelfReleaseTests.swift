import Captures
import DepthGeometry
import Diagnostics
import DrawnReceipts
import Foundation
import ImageFiles
import Imaging
import ReceiptCapture
import ReceiptFlattening
import SheetGuidance
import Synchronization
import TestSupport
import Testing

/// A controller that takes the photograph by itself once the sheet has been seen well for a moment, on recordings.
@Suite struct SelfReleaseTests {
    /// What a camera sees, frame after frame, ten a second, and which frames were asked for.
    private final class Frames: CaptureSource {
        enum View { case nothing, receipt, dark }

        let views: [View]
        private let receipt: Capture
        private let asked = Mutex<[Int]>([])

        init(_ views: [View]) throws {
            self.views = views
            receipt = try DrawnReceipt.capture()
        }

        var frameCount: Int { views.count }
        var indices: [Int] { asked.withLock(\.self) }

        func frame(at index: Int) -> CaptureFrame {
            asked.withLock { $0.append(index) }
            var capture = receipt
            switch views[index] {
            case .receipt: break
            case .nothing:
                capture.image = SelfReleaseTests.nothing(receipt.image.size)
                capture.depth = nil
            case .dark:
                capture.image = receipt.image.map {
                    RGB(red: $0.red / 8, green: $0.green / 8, blue: $0.blue / 8)
                }
            }
            return CaptureFrame(capture: capture, timestamp: 50 + Double(index) / 10)
        }
    }

    private static func nothing(_ size: PixelSize) -> RGBImage {
        RGBImage(
            width: size.width, height: size.height, filledWith: RGB(red: 120, green: 120, blue: 120))
    }

    /// Ready after two calm frames, and the photograph three tenths of a second later. The drawn receipt is small.
    private static var configuration: ReceiptCaptureController.Configuration {
        var configuration = ReceiptCaptureController.Configuration()
        configuration.capturesWhenReady = true
        configuration.readySeconds = 0.3
        configuration.guidance.calmFrames = 2
        configuration.guidance.leastExtent = 0.1
        configuration.guidance.leastSharpness = 0.05
        configuration.guidance.greatestTilt = 1.2
        return configuration
    }

    /// The advice of the frames that were watched up to the end of the capture, and the names of all states.
    private func story(
        of states: AsyncStream<ReceiptCaptureState>
    ) async -> (advice: [ReceiptGuidance.Advice], names: [String]) {
        var advice: [ReceiptGuidance.Advice] = []
        var names: [String] = []
        for await state in states {
            names.append(state.name)
            if case .watching(let guidance) = state { advice.append(guidance.advice) }
            if ["finished", "failed", "cancelled"].contains(state.name) { break }
        }
        return (advice, names)
    }

    @Test func thePhotographIsTakenOnceTheSheetHasBeenSeenWellForAMoment() async throws {
        let frames = try Frames(
            Array(repeating: .nothing, count: 5) + Array(repeating: .receipt, count: 20))
        let controller = ReceiptCaptureController(
            cameras: [RecordedCamera(frames, choice: .playing)], configuration: Self.configuration)
        let states = controller.states
        let receipt = try await controller.captureReceiptWithDepth()
        let (advice, names) = await story(of: states)
        #expect(advice.prefix(5).allSatisfy { $0 == .noSheet })
        // Three tenths of a second lie between four frames.
        #expect(advice.suffix(4).allSatisfy { $0 == .ready })
        #expect(advice.dropLast(4).allSatisfy { $0 != .ready })
        #expect(advice.count < frames.frameCount, "the recording went on")
        // The frame that was seen last is the one that is taken.
        #expect(frames.indices == Array(0..<advice.count) + [advice.count - 1])
        #expect(receipt.outline != nil)
        #expect(names.first == "idle" && names.dropFirst().first == "preparing")
        #expect(names.dropFirst(2).prefix(advice.count).allSatisfy { $0 == "watching" })
        #expect(names.dropFirst(2 + advice.count).first == "capturing")
    }

    @Test func aBreakStartsTheMomentAnew() async throws {
        // Five frames are enough for `ready`, but not for three tenths of a second of it.
        let frames = try Frames(
            Array(repeating: .receipt, count: 5) + [.dark] + Array(repeating: .receipt, count: 15))
        let controller = ReceiptCaptureController(
            cameras: [RecordedCamera(frames, choice: .playing)], configuration: Self.configuration)
        let states = controller.states
        _ = try await controller.captureReceiptWithDepth()
        let advice = await story(of: states).advice
        #expect(advice.prefix(5).contains(.ready) && advice[5] != .ready)
        #expect(advice.count > 6 && advice.suffix(4).allSatisfy { $0 == .ready })
        #expect(advice.dropFirst(6).dropLast(4).allSatisfy { $0 != .ready })
    }

    @Test func aRecordingOnDiskReleasesAsACameraDoes() async throws {
        let folder = try ScratchFolder()
        let drawn = try DrawnReceipt.capture()
        let camera = try #require(drawn.intrinsics)
        try ImageWriter.write(drawn.image, to: folder.path("receipt.png"))
        try ImageWriter.write(Self.nothing(drawn.image.size), to: folder.path("nothing.png"))
        // 1000 units of a fifth of a millimetre, big-endian.
        try Data("P5 3 4 65535\n".utf8 + (0..<12).flatMap { _ in [0x03, 0xE8] as [UInt8] })
            .write(to: URL(filePath: folder.path("map.pgm")))
        // One picture may be listed many times: a still camera.
        let names = Array(repeating: "nothing.png", count: 4) + Array(repeating: "receipt.png", count: 12)
        try folder.write(
            names.enumerated().map { "\(Double($0) / 10) \($1) \(Double($0) / 10) map.pgm" }
                .joined(separator: "\n"), as: "associations.txt")
        try folder.write("\(camera.fx) \(camera.fy) \(camera.cx) \(camera.cy)", as: "calibration.txt")
        let recording = try Recording(contentsOf: folder.url)
        #expect(recording.frameCount == names.count)
        var configuration = Self.configuration
        configuration.flattening.usesDepth = false
        let controller = ReceiptCaptureController(
            cameras: [RecordedCamera(recording, choice: .playing)], configuration: configuration)
        let states = controller.states
        let receipt = try await controller.captureReceiptWithDepth()
        let advice = await story(of: states).advice
        #expect(advice.prefix(4).allSatisfy { $0 == .noSheet })
        #expect(advice.suffix(4).allSatisfy { $0 == .ready })
        #expect(receipt.outline != nil)
    }

    @Test func aRecordingThatShowsNoSheetEndsInAnErrorAndCanBePlayedAgain() async throws {
        let frames = try Frames(Array(repeating: .nothing, count: 3))
        let controller = ReceiptCaptureController(
            cameras: [RecordedCamera(frames, choice: .playing)], configuration: Self.configuration)
        for round in 1...2 {
            guard case .captureFailed(let error) = await controller.captureError() else {
                Issue.record("not captureFailed")
                return
            }
            #expect((error as? FlatteningError)?.message.contains("ended before") == true)
            #expect(frames.indices == Array(repeating: [0, 1, 2], count: round).flatMap(\.self))
        }
        #expect(controller.state.name == "failed")
    }

    @Test func watchingEndsWhenItIsCancelledAndTheCameraIsStopped() async {
        let log = CallLog()
        let controller = ReceiptCaptureController(
            cameras: [ScriptedCamera(log: log)], configuration: Self.configuration)
        let states = controller.states
        let task = Task { await controller.captureError() }
        for await state in states { if case .watching = state { break } }
        #expect(controller.state.isBusy)
        task.cancel()
        guard case .userCancelled = await task.value else {
            Issue.record("not userCancelled")
            return
        }
        #expect(controller.state.name == "cancelled")
        #expect(await log.calls.last == "stop wideCamera")
    }

    @Test func withoutTheOptionNothingIsWatched() async throws {
        let frames = try Frames([.receipt, .receipt])
        var configuration = Self.configuration
        configuration.capturesWhenReady = ReceiptCaptureController.Configuration().capturesWhenReady
        let controller = ReceiptCaptureController(
            cameras: [RecordedCamera(frames, choice: .playing)], configuration: configuration)
        let states = controller.states
        _ = try await controller.captureReceiptWithDepth()
        #expect(await story(of: states).advice.isEmpty)
        #expect(frames.indices == [0])
    }
}
