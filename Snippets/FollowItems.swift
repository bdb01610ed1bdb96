// Follows what can be acted on (links, numbers, dates, prices) through the frames of a recording, as on a camera's screen.
import Foundation
import ReceiptCapture
import ReceiptFlattening

let camera = try RecordedCamera(
    contentsOf: URL(filePath: CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured"))
var reading = ReceiptFlattener.Options()
reading.language = "eng"
var tracking = ItemTrackingOptions()
// A recording can wait until a frame is read; of one frame the first reading has to do.
tracking.waitsForReadings = true
tracking.leastReadings = 1
for try await changes in camera.source.frames.recognizedItems(flattening: reading, options: tracking) {
    for case (let id, .item(let found)) in changes.added.map({ ($0.id, $0.content) }) {
        print("+ \(id) \(found.kind): \(found.value)")
    }
    for item in changes.removed { print("- \(item.id)") }
}
