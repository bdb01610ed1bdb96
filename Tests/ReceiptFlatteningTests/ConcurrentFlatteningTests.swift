import DrawnReceipts
import Foundation
import Imaging
import ReceiptFlattening
import Testing

/// One flattener may serve many tasks at once; `make sanitize` runs this under the thread sanitizer.
@Suite struct ConcurrentFlatteningTests {
    // Nine flattenings take a minute of an unoptimised build.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["SANITIZE"] != nil, "make sanitize runs it"))
    func eightAtOnceGiveWhatEachGivesAlone() async throws {
        let capture = try DrawnReceipt.capture()
        let flattener = ReceiptFlattener()
        let alone = try await flattener.flatten(capture).picture.render()
        let images = try await withThrowingTaskGroup(of: RGBImage.self) { group in
            for _ in 0..<8 { group.addTask { try await flattener.flatten(capture).picture.render() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(images.count == 8)
        #expect(images.allSatisfy { $0 == alone })
    }
}
