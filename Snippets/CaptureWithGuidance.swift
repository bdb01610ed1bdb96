// Stands a recording in for a camera: guidance for its frames, a preview, a capture with its states, the picture saved.
import Foundation
import ReceiptCapture
import ReceiptFlattening
import SheetGuidance

let camera = try RecordedCamera(
    contentsOf: URL(filePath: CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured"))
for try await guidance in camera.source.frames.receiptGuidance() {
    print(guidance.sheet?.id ?? 0, guidance.advice)
}

let controller = ReceiptCaptureController(cameras: [camera])
let preview = try await controller.capturePreviewWithDepthVisualization()
try preview.image.write(to: URL(filePath: "preview.png"))

let states = controller.states
let receipt = try await controller.captureReceiptWithDepth()
for await state in states {
    print(state)
    if case .finished = state { break }
}
print(receipt.report.method, receipt.report.dpi ?? 0)
try controller.saveLastProcessedImage(to: URL(filePath: "captured.png"))
