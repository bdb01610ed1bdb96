import DepthGeometry
import Diagnostics
import Documents
import Imaging
import ReceiptFlattening
import SheetGuidance
import SyntheticCaptures
import Testing
import TextTestSupport

@testable import ReceiptCapture

/// Frames that are read by the package's own readers.
@Suite struct FrameReaderTests {
    private static let size = PixelSize(width: 640, height: 480)

    private func changes(
        _ images: [RGBImage], flattening: ReceiptFlattener.Options,
        options: ItemTrackingOptions = ItemTrackingOptions()
    ) async throws -> [ItemChanges] {
        var options = options
        options.waitsForReadings = true
        let frames = AsyncStream { continuation in
            for (index, image) in images.enumerated() {
                continuation.yield(
                    CaptureFrame(capture: Capture(image: image), timestamp: Double(index) / 15))
            }
            continuation.finish()
        }
        var all: [ItemChanges] = []
        for try await changes in frames.recognizedItems(flattening: flattening, options: options) {
            all.append(changes)
        }
        return all
    }

    /// A box without a sheet on it, on which a code stands at this place.
    private func box(code digits: String, left: Int, top: Int) -> RGBImage {
        var gray = GrayImage(width: Self.size.width, height: Self.size.height, filledWith: 205)
        DrawnEAN.draw(digits, on: &gray, left: left, top: top, module: 2, height: 90)
        return gray.map { RGB(red: $0, green: $0, blue: $0) }
    }

    @Test func aCodeWithoutASheetIsFollowedFromTheFirstFrameOn() async throws {
        var flattening = ReceiptFlattener.Options()
        flattening.finds = [.codes]
        let images = (0..<8).map { box(code: "4006381333931", left: 150 + 9 * $0, top: 120 + 5 * $0) }
        let all = try await changes(images, flattening: flattening)
        for (index, frame) in all.enumerated() {
            #expect(frame.items.map(\.id) == [1], "frame \(index)")
            let item = try #require(frame.items.first)
            #expect(item.content.text == "4006381333931" && item.content.kind == .code)
            // zbar tells where its scans crossed the bars: their outer edges, to a bar or two.
            let middle = item.corners.reduce(.zero, +) / 4
            let truth = SIMD2(150 + 9 * Double(index) + 95, 120 + 5 * Double(index) + 45)
            #expect((middle - truth).length < 8, "frame \(index): \(middle)")
        }
    }

    @Test func codesOfOtherSymbologiesAndOutsideTheRegionAreNotFollowed() async throws {
        var flattening = ReceiptFlattener.Options()
        flattening.finds = [.codes]
        let image = box(code: "4006381333931", left: 150, top: 120)
        var options = ItemTrackingOptions()
        options.symbologies = [.qr]
        #expect(try await changes([image], flattening: flattening, options: options)[0].items.isEmpty)
        options.symbologies = [.ean13]
        #expect(try await changes([image], flattening: flattening, options: options)[0].items.count == 1)
        options.regionOfInterest = Box(left: 0, top: 0, right: 640, bottom: 100)
        #expect(try await changes([image], flattening: flattening, options: options)[0].items.isEmpty)
    }

    /// A part of a receipt as when one moves nearer: paper all over the picture.
    @Test("A page nearer than the picture is read; seed 1923")
    func aPageNearerThanThePictureIsRead() async throws {
        var generator = SeededGenerator(seed: 1923)
        let document = ReceiptDocument.generated(paper: .narrow, itemCount: 4, using: &generator)
        let scene = SyntheticScene(
            document: document, shape: .plane, table: .dark,
            camera: CameraIntrinsics(fx: 530, fy: 530, cx: 319.5, cy: 239.5, imageSize: Self.size),
            pose: CameraPose(distance: 0.05, offset: SIMD2(0, 0.01)), seed: 1923, quality: .draft)
        let image = try scene.render(sensor: .structuredLight).image
        var flattening = ReceiptFlattener.Options()
        flattening.language = "eng"
        var options = ItemTrackingOptions()
        options.follows = [.line, .item]
        let all = try await changes([image, image, image], flattening: flattening, options: options)
        let last = try #require(all.last)
        #expect(last.guidance.sheet?.corners == nil)
        let lines = last.items.filter { $0.content.kind == .line }
        #expect(lines.count >= 3, "\(last.items.map(\.content.text))")
        #expect(all[1].added.count == last.items.count && last.removed.isEmpty)
        // Places are those of the frame: its picture is the one that was read.
        #expect(
            last.items.allSatisfy { item in
                item.corners.allSatisfy { (-20...660).contains($0.x) && (-20...500).contains($0.y) }
            })
    }

    @Test func withoutAWishItemsAreFollowedAndWithOneJustThat() {
        func kinds(_ finds: Set<SheetContent>, _ follows: Set<TrackedItem.Kind> = []) -> Set<TrackedItem.Kind>
        {
            var (flattening, options) = (ReceiptFlattener.Options(), ItemTrackingOptions())
            (flattening.finds, options.follows) = (finds, follows)
            return FrameReader(flattening: flattening, options: options).ways.reduce(into: []) {
                $0.formUnion($1.sought)
            }
        }
        #expect(kinds([]) == [.item] && kinds([.kind]) == [.item])
        #expect(kinds([.codes]) == [.code] && kinds([.items, .codes]) == [.item, .code])
        #expect(kinds([.faces], [.field, .line]) == [.face, .field, .line])
    }
}
