import DepthGeometry
import Foundation
import ReceiptFlattening
import SyntheticCaptures
import Testing

@Suite("Flat pages before depth cameras that err, no table around them")
struct PagesWithoutTableTests {
    private func flattened(
        _ sensor: DepthSensor, distance: Double, seed: UInt64, givesCorners: Bool = false
    ) throws -> FlattenedReceipt {
        var generator = SeededGenerator(seed: seed)
        var scene = SyntheticScene.page(.letter, distance: distance, reach: 0, using: &generator)
        scene.quality = .draft
        let drawn = try scene.render(sensor: sensor)
        var options = ReceiptFlattener.Options()
        if givesCorners {
            let (w, h) = (drawn.surface.width, drawn.surface.height)
            let corners = [(0, 0), (w, 0), (w, h), (0, h)]
            options.corners = corners.map { drawn.photographPosition(u: $0.0, v: $0.1) }
        }
        return try ReceiptFlattener(options: options).flatten(
            Capture(image: drawn.image, depth: drawn.depth, intrinsics: drawn.intrinsics))
    }

    @Test(
        "They come out flat, and true to size within 1 %",
        arguments: [(DepthSensor.stereo, 0.53), (.stereo, 1.18), (.timeOfFlight, 0.66)])
    func size(sensor: DepthSensor, distance: Double) throws {
        let receipt = try flattened(sensor, distance: distance, seed: 31)
        #expect(receipt.report.method == .plane)
        #expect(receipt.report.surface?.slowErrorMm == nil)
        #expect(try #require(receipt.report.surface?.assumedSlowErrorMm) > 0.9)
        let size = try #require(receipt.report.sizeMm)
        // The margin of 1.5 mm is shown on each side; which side is longer the turn does not change.
        let (short, long) = (min(size.width, size.height) - 3, max(size.width, size.height) - 3)
        #expect(abs(short / 215.9 - 1) < 0.01, "\(short) mm")
        #expect(abs(long / 279.4 - 1) < 0.01, "\(long) mm")
    }

    @Test(
        "Where the sides are not seen but given, the usual slow error keeps them flat",
        arguments: [0.53, 0.85])
    func givenCorners(distance: Double) throws {
        let receipt = try flattened(.stereo, distance: distance, seed: 32, givesCorners: true)
        #expect(receipt.report.method == .plane, "\(receipt.report.refused)")
    }
}
