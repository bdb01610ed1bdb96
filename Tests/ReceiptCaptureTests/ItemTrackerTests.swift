import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import Synchronization
import Testing

@testable import Documents
@testable import ReceiptCapture
@testable import SheetGuidance
@testable import SheetFlattening

@Suite struct ItemTrackerTests {
    private static let corners = [SIMD2(100.0, 50.0), SIMD2(300, 50), SIMD2(300, 450), SIMD2(100, 450)]

    /// Guidance that sees a sheet moved by so much; nil for none.
    private func guidance(id: Int = 1, moved: SIMD2<Double>? = .zero, hasCorners: Bool = true) throws
        -> ReceiptGuidance
    {
        let sheet = try moved.map { moved in
            let corners = Self.corners.map { $0 + moved }
            return ReceiptGuidance.FollowedSheet(
                id: id,
                outline: try #require(
                    SheetOutline(corners: corners, imageSize: PixelSize(width: 640, height: 480))),
                corners: hasCorners ? corners : nil)
        }
        return ReceiptGuidance(
            sheet: sheet,
            quality: .init(
                sharpness: 1, brightness: 1, glare: 0, tilt: nil, distance: nil, extent: 1, motion: 0,
                wholeness: 1),
            advice: .ready, timestamp: nil)
    }

    /// A reading of values in rows of 20 pixels, 40 apart, on the sheet of that guidance; nil leaves a row out.
    private func reading(_ guidance: ReceiptGuidance, _ values: [String?], confidence: Double = 0.9) throws
        -> FrameReading
    {
        let sheet = try #require(guidance.sheet)
        let origin = sheet.outline.polygon[0]
        return FrameReading(
            surface: try #require(TrackedSurface(sheet, path: .zero)), sought: [.item],
            found: values.enumerated().compactMap { row, value in
                value.map { value in
                    let (left, top) = (origin.x + 20, origin.y + 20 + 40 * Double(row))
                    return .init(
                        content: .item(
                            RecognizedItem(
                                kind: .phone, value: value, printed: value, confidence: confidence,
                                box: Box(left: 0, top: 0, right: 1, bottom: 1))),
                        corners: [
                            SIMD2(left, top), SIMD2(left + 120, top), SIMD2(left + 120, top + 20),
                            SIMD2(left, top + 20),
                        ])
                }
            })
    }

    @Test func anItemIsShownFromItsSecondReadingOn() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        let guidance = try guidance()
        #expect(tracker.advance(to: guidance, reading: try reading(guidance, ["1", "2"])).items.isEmpty)
        let changes = tracker.advance(to: guidance, reading: try reading(guidance, ["1", nil, "3"]))
        #expect(changes.added.map(\.content.text) == ["1"])
        #expect(changes.items.map(\.id) == [1])
        #expect(changes.updated.isEmpty && changes.removed.isEmpty)
        let next = tracker.advance(to: guidance, reading: try reading(guidance, ["1", "2", "3"]))
        #expect(next.items.map(\.content.text) == ["1", "2", "3"])
        #expect(next.added.map(\.content.text) == ["2", "3"])
    }

    @Test func placesThatAreGoneDoNotPileUp() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        let guidance = try guidance()
        // Each value stands in a row of its own, is read twice, and never again.
        for row in 0..<(ItemTracker.mostGone + 50) {
            let values = [String?](repeating: nil, count: row) + ["\(row)"]
            for _ in 0..<2 { _ = tracker.advance(to: guidance, reading: try reading(guidance, values)) }
        }
        for _ in 0..<5 { _ = tracker.advance(to: guidance, reading: try reading(guidance, [])) }
        #expect(tracker.places.count == ItemTracker.mostGone)
    }

    @Test func itemsMoveWithTheSheetBetweenReadings() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        let first = try guidance()
        for _ in 0..<2 { _ = tracker.advance(to: first, reading: try reading(first, ["1"])) }
        let moved = tracker.advance(to: try guidance(moved: SIMD2(30, -7)), reading: nil)
        #expect(moved.updated.map(\.id) == [1])
        // The homography of a rectangle that is only moved is exact but for rounding.
        #expect((moved.items[0].corners[0] - SIMD2(150, 63)).length < 1e-6)
        // A reading of the first frame ends only now.
        let late = tracker.advance(to: try guidance(moved: SIMD2(31, -7)), reading: try reading(first, ["1"]))
        #expect(late.items.map(\.id) == [1])
        #expect((late.items[0].corners[0] - SIMD2(151, 63)).length < 1e-6)
        let still = tracker.advance(to: try guidance(moved: SIMD2(31.2, -7)), reading: nil)
        #expect(still.updated.isEmpty && still.items == late.items)
    }

    /// Corners that are found elsewhere on the sheet shift its whole print: here by a row.
    @Test func itemsKeepTheirIdentifiersWhereTheirSheetsCornersAreFoundElsewhere() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        let guidance = try guidance()
        let values = ["1", "2", "3", "4"]
        for _ in 0..<2 { _ = tracker.advance(to: guidance, reading: try reading(guidance, values)) }
        let below = try reading(self.guidance(moved: SIMD2(0, 40)), values)
        let sheet = try #require(guidance.sheet)
        let shifted = FrameReading(
            surface: try #require(TrackedSurface(sheet, path: .zero)), sought: [.item], found: below.found)
        let changes = tracker.advance(to: guidance, reading: shifted)
        #expect(changes.items.map(\.content.text) == values && changes.items.map(\.id) == [1, 2, 3, 4])
        #expect(changes.added.isEmpty && changes.removed.isEmpty)
    }

    @Test func mostReadingsDecideTheTextAndThePlaceTheIdentifier() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        let guidance = try guidance()
        var seen: [String] = []
        var ids: Set<Int> = []
        for value in ["17", "11", "11", "17", "11", "77", "11"] {
            let changes = tracker.advance(to: guidance, reading: try reading(guidance, [value, "other"]))
            if let value = changes.items.first?.content.text { seen.append(value) }
            ids.formUnion(changes.items.map(\.id))
        }
        // Of equals the one stays that is shown.
        #expect(seen == ["17", "11", "11", "11", "11", "11"])
        #expect(ids == [1, 2])
    }

    @Test func anItemThatReadingsKeepMissingIsGone() throws {
        var options = ItemTrackingOptions()
        options.missedReadings = 3
        var tracker = ItemTracker(options: options)
        let guidance = try guidance()
        for _ in 0..<2 { _ = tracker.advance(to: guidance, reading: try reading(guidance, ["1", "2"])) }
        for _ in 0..<2 {
            #expect(tracker.advance(to: guidance, reading: try reading(guidance, ["1"])).items.count == 2)
            // Frames that are not read miss nothing.
            #expect(tracker.advance(to: guidance, reading: nil).items.count == 2)
        }
        let last = tracker.advance(to: guidance, reading: try reading(guidance, ["1"]))
        #expect(last.removed.map(\.content.text) == ["2"] && last.items.map(\.content.text) == ["1"])
        // Read again, it is the one that it was.
        let again = tracker.advance(to: guidance, reading: try reading(guidance, ["1", "2"]))
        #expect(again.added.map(\.id) == last.removed.map(\.id))
    }

    @Test func anotherSheetHasOtherItemsAndALostOneKeepsThemForAMoment() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        let guidance = try guidance()
        for _ in 0..<2 { _ = tracker.advance(to: guidance, reading: try reading(guidance, ["1"])) }
        let lost = try self.guidance(moved: nil)
        for _ in 0..<5 { #expect(tracker.advance(to: lost, reading: nil).items.map(\.id) == [1]) }
        let cut = try self.guidance(hasCorners: false)
        #expect(tracker.advance(to: cut, reading: nil).items.map(\.id) == [1])
        for _ in 0..<5 { #expect(tracker.advance(to: lost, reading: nil).items.map(\.id) == [1]) }
        #expect(tracker.advance(to: lost, reading: nil).removed.map(\.id) == [1])
        for _ in 0..<2 { _ = tracker.advance(to: guidance, reading: try reading(guidance, ["1"])) }
        let other = try self.guidance(id: 2)
        // A reading of the sheet before is none of this one.
        let changed = tracker.advance(to: other, reading: try reading(guidance, ["1"]))
        #expect(changed.removed.map(\.id) == [2] && changed.items.isEmpty)
    }

    @Test func aSheetThatIsFoundAgainUnderAnotherIdentifierHasItsItemsAgain() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        let values = ["1", "2", "3"]
        let first = try guidance()
        for _ in 0..<2 { _ = tracker.advance(to: first, reading: try reading(first, values)) }
        let again = try guidance(id: 2, moved: SIMD2(5, 5))
        #expect(tracker.advance(to: again, reading: nil).removed.map(\.id) == [1, 2, 3])
        // A reading in which little is right decides nothing; the next one does.
        _ = tracker.advance(to: again, reading: try reading(again, ["7", "7", "3"]))
        let found = tracker.advance(to: again, reading: try reading(again, ["1", "7", "3"]))
        #expect(found.added.map(\.id) == [1, 2, 3] && found.items.map(\.content.text) == values)
        // The receipt of another day has less in common.
        let other = try guidance(id: 3)
        for _ in 0..<2 { _ = tracker.advance(to: other, reading: try reading(other, ["1", "8", "9"])) }
        let last = tracker.advance(to: other, reading: nil)
        #expect(last.items.map(\.id) == [4, 5, 6] && last.items.map(\.content.text) == ["1", "8", "9"])
    }

    // MARK: Without a sheet

    /// Guidance that sees no sheet, in an image that moved by so much.
    private func view(shift: SIMD2<Double> = .zero) throws -> ReceiptGuidance {
        var guidance = try guidance(moved: nil)
        guidance.shift = shift
        return guidance
    }

    /// Things of 120 x 20 pixels in a frame, by their upper left corners.
    private func found(
        _ contents: [(TrackedItem.Content, SIMD2<Double>)]
    ) -> [FrameReading.Found] {
        contents.map { content, place in
            FrameReading.Found(
                content: content,
                corners: [SIMD2(0, 0), SIMD2(120, 0), SIMD2(120, 20), SIMD2(0, 20)].map { place + $0 })
        }
    }

    private func item(_ value: String) -> TrackedItem.Content {
        .item(
            RecognizedItem(
                kind: .phone, value: value, printed: value, confidence: 0.9,
                box: Box(left: 0, top: 0, right: 1, bottom: 1)))
    }

    private func code(_ text: String) -> TrackedItem.Content {
        .code(
            SheetCode(
                symbology: .qr, bytes: Array(text.utf8), text: text, elements: nil, engine: .zbar,
                corners: nil,
                photographCorners: nil))
    }

    private func read(
        _ tracker: inout ItemTracker, _ guidance: ReceiptGuidance, _ kinds: Set<TrackedItem.Kind>,
        _ contents: [(TrackedItem.Content, SIMD2<Double>)]
    ) -> ItemChanges {
        let surface = tracker.follow(guidance, in: PixelSize(width: 640, height: 480))
        return tracker.advance(
            to: guidance,
            readings: [
                FrameReading(
                    surface: surface, sought: kinds, isQuick: kinds == [.code], found: found(contents))
            ])
    }

    @Test func withoutASheetItemsMoveWithTheImage() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        for _ in 0..<2 { _ = read(&tracker, try view(), [.item], [(item("1"), SIMD2(100, 100))]) }
        let moved = tracker.advance(to: try view(shift: SIMD2(30, -8)), reading: nil)
        #expect(moved.updated.map(\.id) == [1])
        // The image moved by whole pixels.
        #expect((moved.items[0].corners[0] - SIMD2(130, 92)).length < 1e-6)
        // It leaves the picture on the right, and is the same when it comes back.
        #expect(tracker.advance(to: try view(shift: SIMD2(500, 0)), reading: nil).removed.map(\.id) == [1])
        for _ in 0..<9 { _ = read(&tracker, try view(), [.item], []) }
        let back = tracker.advance(to: try view(shift: SIMD2(-500, 0)), reading: nil)
        #expect(back.added.map(\.id) == [1])
    }

    @Test func aPageThatComesNearerThanThePictureKeepsItsItems() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        let whole = try guidance()
        for _ in 0..<2 { _ = tracker.advance(to: whole, reading: try reading(whole, ["1", "2"])) }
        var cut = try guidance(hasCorners: false)
        cut.shift = SIMD2(0, 2)
        for _ in 0..<9 { #expect(tracker.advance(to: cut, reading: nil).items.map(\.id) == [1, 2]) }
        // Nine frames of two pixels; rows began at (120, 70) and (120, 110).
        let near = read(
            &tracker, cut, [.item], [(item("1"), SIMD2(120, 90)), (item("2"), SIMD2(120, 130))])
        #expect(near.items.map(\.id) == [1, 2] && near.added.isEmpty && near.removed.isEmpty)
        // The sheet's four corners come back, under another number.
        let again = try guidance(id: 2, moved: SIMD2(0, 20))
        #expect(tracker.advance(to: again, reading: nil).items.map(\.id) == [1, 2])
    }

    @Test func aCodeIsShownAtOnceAndFollowedByItsOwnCorners() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        let first = read(&tracker, try view(), [.code], [(code("a"), SIMD2(10, 100))])
        #expect(first.added.map(\.id) == [1])
        // It moves across the picture, which does not move itself.
        let second = read(&tracker, try view(), [.code], [(code("a"), SIMD2(400, 300))])
        #expect(second.items.map(\.id) == [1] && (second.items[0].corners[0] - SIMD2(400, 300)).length < 1e-6)
        // Another code in its place is another one; readings of print do not miss either.
        let third = read(&tracker, try view(), [.code], [(code("b"), SIMD2(400, 300))])
        #expect(third.added.map(\.id) == [2])
        for _ in 0..<20 { #expect(read(&tracker, try view(), [.item], []).items.map(\.id) == [1, 2]) }
        // Two of equal content are two.
        let two = read(
            &tracker, try view(), [.code], [(code("b"), SIMD2(400, 300)), (code("b"), SIMD2(100, 50))])
        #expect(two.added.map(\.id) == [3])
        for _ in 0..<14 { _ = read(&tracker, try view(), [.code], []) }
        #expect(read(&tracker, try view(), [.code], []).items.isEmpty)
    }

    @Test func thereIsOneOfEachFieldWhereverItIsPrinted() throws {
        var tracker = ItemTracker(options: ItemTrackingOptions())
        for (value, y) in [("12.50", 100.0), ("12.50", 300), ("17.50", 100), ("12.50", 100)] {
            _ = read(
                &tracker, try view(), [.field],
                [(.field(.total, value: value, confidence: 0.9), SIMD2(100, y))])
        }
        let last = tracker.advance(to: try view(), reading: nil)
        #expect(last.items.map(\.id) == [1] && last.items.map(\.content.text) == ["12.50"])
    }

    @Test func oneItemIsTheOneNearestTheMiddleAndATapFindsTheSmallest() throws {
        var options = ItemTrackingOptions()
        options.leastReadings = 1
        let contents = [
            (item("1"), SIMD2(20, 20.0)), (code("a"), SIMD2(250, 250)), (item("2"), SIMD2(260, 252)),
        ]
        var several = ItemTracker(options: options)
        let all = read(&several, try view(), [.item, .code], contents)
        #expect(all.item(at: SIMD2(30, 30))?.content.text == "1" && all.item(at: SIMD2(30, 60)) == nil)
        #expect(all.items.count == 3)
        options.followsSeveral = false
        var one = ItemTracker(options: options)
        #expect(read(&one, try view(), [.item, .code], contents).items.map(\.content.text) == ["2"])
        options.regionOfInterest = Box(left: 0, top: 0, right: 200, bottom: 100)
        var inRegion = ItemTracker(options: options)
        #expect(read(&inRegion, try view(), [.item, .code], contents).items.map(\.content.text) == ["1"])
    }

    // MARK: Drawn recordings

    /// Items of a drawn recording by a reader that is often wrong.
    private func changes(times: Int = 1) async throws -> [ItemChanges] {
        let recording = try DrawnRecording.drawn.get()
        let frames = (0..<times).flatMap { _ in recording.frames }
        var options = ItemTrackingOptions()
        options.waitsForReadings = true
        let sequence = RecognizedItemSequence(stream(frames), options: options) {
            frame, _ throws(FlatteningError) in
            recording.misread(frame)
        }
        var all: [ItemChanges] = []
        for try await changes in sequence { all.append(changes) }
        return all
    }

    private func stream(_ frames: [CaptureFrame]) -> AsyncStream<CaptureFrame> {
        AsyncStream { continuation in
            for frame in frames { continuation.yield(frame) }
            continuation.finish()
        }
    }

    @Test("No identifier changes while a camera goes around a sheet, and misreadings are outvoted; seed 1923")
    func identifiersStay() async throws {
        let all = try await changes(times: 2)
        #expect(all.count == 48)
        let added = all.flatMap(\.added)
        #expect(added.count == DrawnRecording.truth.count, "\(added.map { ($0.id, $0.content.text) })")
        #expect(all.flatMap(\.removed).isEmpty)
        let last = try #require(all.last).items
        #expect(last.map(\.content.text) == DrawnRecording.truth.map(\.item.value))
        #expect(last.map(\.content.item?.kind) == DrawnRecording.truth.map(\.item.kind))
        // Nine of ten are there after five readings.
        #expect(all[4].items.count >= 7)
        // Places follow the sheet to a third of a row (10 pixels): its corners are found to a pixel or two.
        let recording = try DrawnRecording.drawn.get()
        for (index, frame) in all.enumerated() {
            for item in frame.items {
                let distance =
                    recording.corners[index % 24].map { ($0[0] - item.corners[0]).length }.min() ?? .infinity
                #expect(distance < 4, "item \(item.id) in frame \(index)")
            }
        }
        // The same frames give the same items.
        #expect(try await changes(times: 2) == all)
    }

    @Test func readingIsOfTheNewestFrameAndFramesDoNotWaitForIt() async throws {
        let recording = try DrawnRecording.drawn.get()
        let (read, gate) = (Log(), Gate())
        let (frames, source) = AsyncStream.makeStream(of: CaptureFrame.self)
        let sequence = RecognizedItemSequence(frames, options: ItemTrackingOptions()) {
            frame, _ throws(FlatteningError) in
            read.note(frame.timestamp)
            await gate.wait()
            return recording.misread(frame)
        }
        var iterator = sequence.makeAsyncIterator()
        // Four frames go by while the first one is read.
        for frame in recording.frames[..<5] {
            source.yield(frame)
            #expect(try await iterator.next()?.items.isEmpty == true)
        }
        #expect(read.times == [0])
        gate.open()
        // The reading ends on another thread; the frame that finds it ended is the next to be read.
        for frame in recording.frames[5...] where read.times.count < 2 {
            try await Task.sleep(for: .milliseconds(20))
            source.yield(frame)
            _ = try await iterator.next()
        }
        #expect(try #require(read.times.last) >= 0.5)
        source.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test func endingTheIterationCancelsTheReading() async throws {
        let recording = try DrawnRecording.drawn.get()
        let (begun, cancelled) = (Gate(), Gate())
        let (frames, source) = AsyncStream.makeStream(of: CaptureFrame.self)
        let sequence = RecognizedItemSequence(frames, options: ItemTrackingOptions()) {
            _, _ throws(FlatteningError) in
            begun.open()
            // Ends only by cancellation; the test's own limit is reached otherwise.
            while !Task.isCancelled { await Task.yield() }
            cancelled.open()
            throw FlatteningError(.cancelled, "the reading was cancelled")
        }
        let task = Task {
            for try await _ in sequence {}
        }
        source.yield(recording.frames[0])
        await begun.wait()
        task.cancel()
        await cancelled.wait()
        try await task.value
    }

    @Test(arguments: [FlatteningError.Code.missingDependency, .missingLanguageData])
    func withoutAReaderTheSequenceFails(code: FlatteningError.Code) async throws {
        let recording = try DrawnRecording.drawn.get()
        var options = ItemTrackingOptions()
        options.waitsForReadings = true
        let sequence = RecognizedItemSequence(stream(Array(recording.frames[..<3])), options: options) {
            _, _ throws(FlatteningError) in throw FlatteningError(code, "there is none")
        }
        await #expect(throws: FlatteningError(code, "there is none")) {
            for try await _ in sequence {}
        }
    }

    @Test func aFrameThatCannotBeReadIsPassedOver() async throws {
        let recording = try DrawnRecording.drawn.get()
        var options = ItemTrackingOptions()
        options.waitsForReadings = true
        let sequence = RecognizedItemSequence(stream(Array(recording.frames[..<6])), options: options) {
            frame, _ throws(FlatteningError) in
            if frame.timestamp == 0.2 { throw FlatteningError(.badInput, "too blurred") }
            return recording.misread(frame)
        }
        var count = 0
        for try await changes in sequence {
            count += 1
            if count == 6 { #expect(!changes.items.isEmpty) }
        }
        #expect(count == 6)
    }
}

extension ItemTracker {
    /// Takes the next frame of 640 x 480 pixels and at most one reading.
    fileprivate mutating func advance(to guidance: ReceiptGuidance, reading: FrameReading?) -> ItemChanges {
        _ = follow(guidance, in: PixelSize(width: 640, height: 480))
        return advance(to: guidance, readings: reading.map { [$0] } ?? [])
    }
}

extension RecognizedItemSequence {
    /// Items by a reader of the test's own.
    fileprivate init(
        _ frames: Frames, options: ItemTrackingOptions, read: @escaping FrameReader.Read
    ) {
        self.init(
            frames, options: options,
            reader: FrameReader(ways: [.init(sought: [.item], needsCorners: true, read: read)]))
    }
}

extension TrackedItem.Content {
    fileprivate var item: RecognizedItem? { if case .item(let item) = self { item } else { nil } }
}

/// What was read, in order.
private final class Log: Sendable {
    private let noted = Mutex<[Double?]>([])
    var times: [Double] { noted.withLock { $0.compactMap(\.self) } }
    func note(_ time: Double?) { noted.withLock { $0.append(time) } }
}

/// Something that is waited for.
private final class Gate: Sendable {
    private let isOpen = Mutex(false)
    func open() { isOpen.withLock { $0 = true } }
    func wait() async {
        while !isOpen.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(2)) }
    }
}
