import DepthGeometry
import Diagnostics
import DrawnReceipts
import Imaging
import SheetFlattening
import Synchronization
import Testing

@testable import ReceiptFlattening

/// A photograph of two receipts side by side: both become flat, each as if it were alone.
///
/// Where the sheets lie is given by hand, so that nothing here depends on their being found.
@Suite struct SeveralSheetsTests {
    /// The drawn receipt twice, without depth, and the outlines of both, the left one first.
    private static func pair() throws -> (capture: Capture, left: SheetOutline, right: SheetOutline) {
        let one = try DrawnReceipt.capture()
        let two = RGBImage(width: 2 * one.image.width, height: one.image.height) { pixels in
            for y in 0..<one.image.height {
                for x in 0..<2 * one.image.width {
                    pixels.initializeElement(
                        at: y * 2 * one.image.width + x, to: one.image[x: x % one.image.width, y: y])
                }
            }
        }
        let found = try #require(SheetFlattener().locateSheet(in: one).outline)
        func outline(movedBy columns: Int) -> SheetOutline {
            SheetOutline(
                imageSize: two.size, polygon: found.polygon.map { $0 + SIMD2(Double(columns), 0) },
                cornerIndices: found.cornerIndices, confidence: found.confidence, borderShare: 0)
        }
        return (Capture(image: two), outline(movedBy: 0), outline(movedBy: one.image.width))
    }

    @Test func eachBecomesFlatAsIfItWereAlone() throws {
        let (capture, left, right) = try Self.pair()
        let flattener = ReceiptFlattener()
        // Found in another order than they are read.
        let both = try flattener.flatten(capture, .all, found: .found([right, left]))
        #expect(both.map(\.outline) == [left, right])
        #expect(both.map(\.report.sheet) == [.init(index: 1, count: 2), .init(index: 2, count: 2)])
        for (receipt, outline) in zip(both, [left, right]) {
            let alone = try flattener.flatten(capture, .best, found: .found([outline]))[0]
            #expect(receipt.report.method == .corners)
            #expect(receipt.picture.render() == alone.picture.render())
            #expect(receipt.report.warnings == alone.report.warnings)
        }
    }

    @Test func ofTheBestAloneTheReportTellsWhichItIsAndTheWarningHowManyThereAre() throws {
        let (capture, left, right) = try Self.pair()
        let receipts = try ReceiptFlattener().flatten(capture, .best, found: .found([right, left]))
        #expect(receipts.map(\.outline) == [right])
        #expect(receipts[0].report.sheet == .init(index: 2, count: 2))
        let warnings = receipts[0].report.warnings.filter { $0.contains("in view") }
        #expect(warnings.count == 1 && warnings.first?.hasPrefix("another sheet is in view") == true)
    }

    @Test func theSheetsAreLookedForOnceAndStagesNameTheirSheet() throws {
        let (capture, left, right) = try Self.pair()
        var stages: [String] = []
        _ = try ReceiptFlattener().flatten(capture, .all, found: .found([left, right])) { stage, sheet in
            stages.append(stage.rawValue + (sheet.map { " \($0.index)/\($0.count)" } ?? ""))
        }
        let ofEach = ["surface", "print", "upright", "resampling"]
        #expect(stages == ["outline"] + ofEach.map { $0 + " 1/2" } + ofEach.map { $0 + " 2/2" })
    }

    @Test func whatConcernsTheCaptureStandsInEachReport() throws {
        var (capture, left, right) = try Self.pair()
        capture.warnings = ["something about the capture"]
        let receipts = try ReceiptFlattener().flatten(capture, .all, found: .found([left, right]))
        #expect(receipts.allSatisfy { $0.report.warnings.first == "something about the capture" })
        #expect(receipts.allSatisfy { $0.report.timings.first?.stage == "outline" })
    }

    @Test func aSingleSheetIsTheOnlyOne() async throws {
        let capture = try DrawnReceipt.capture()
        let flattener = ReceiptFlattener()
        let one = try await flattener.flatten(capture)
        let all = try await flattener.flattenAll(capture)
        #expect(all.count == 1 && all[0].report.sheet == .init(index: 1, count: 1))
        #expect(one.report.sheet == .init(index: 1, count: 1))
        #expect(all[0].picture.render() == one.picture.render())
        let geometry = try SheetFlattener().flattenAll(capture)
        #expect(geometry.map(\.outline) == [one.outline])
    }

    @Test func withoutASheetThePhotographIsTheOnlyResultAndHasNoNumber() throws {
        let receipts = try ReceiptFlattener().flattenAll(Capture(image: DrawnReceipt.grayPicture))
        #expect(receipts.map(\.report.method) == [.unchanged])
        #expect(receipts[0].report.sheet == nil)
        let sheets = try SheetFlattener().flattenAll(Capture(image: DrawnReceipt.grayPicture))
        #expect(sheets.map(\.method) == [.unchanged])
    }

    @Test func givenCornersAreOneSheets() throws {
        let (capture, left, _) = try Self.pair()
        var options = ReceiptFlattener.Options()
        options.corners = left.corners
        let receipts = try ReceiptFlattener(options: options).flattenAll(capture)
        #expect(receipts.map(\.report.sheet) == [.init(index: 1, count: 1)])
        #expect(!receipts[0].report.warnings.contains { $0.contains("in view") })
    }

    @Test func oneTimeLimitHoldsForAll() throws {
        let (capture, left, right) = try Self.pair()
        var options = ReceiptFlattener.Options()
        options.timeLimit = .nanoseconds(1)
        let error = #expect(throws: FlatteningError.self) {
            try ReceiptFlattener(options: options).flatten(capture, .all, found: .found([left, right]))
        }
        #expect(error?.code == .timeout)
        let stops = Mutex(0)
        // Cancelled once the first sheet has begun: the second is not tried.
        let cancelled = #expect(throws: FlatteningError.self) {
            try ReceiptFlattener().flatten(
                capture, .all, found: .found([left, right]),
                onStage: { _, sheet in if sheet?.index == 1 { stops.withLock { $0 += 1 } } },
                isCancelled: { stops.withLock { $0 > 0 } })
        }
        #expect(cancelled?.code == .cancelled)
        #expect(stops.withLock { $0 } == 1)
    }

    /// The whole way, finding included.
    @Test func twoReceiptsInOnePhotographAreFoundAndMadeFlat() throws {
        let (capture, left, right) = try Self.pair()
        let receipts = try ReceiptFlattener().flattenAll(capture)
        try #require(receipts.count == 2)
        for (receipt, truth) in zip(receipts, [left, right]) {
            let corners = try #require(receipt.outline?.corners).sorted { $0.x + 3 * $0.y < $1.x + 3 * $1.y }
            let expected = try #require(truth.corners).sorted { $0.x + 3 * $0.y < $1.x + 3 * $1.y }
            // The neighbour's edge may pull a corner by some pixels of a sheet of hundreds.
            for (corner, place) in zip(corners, expected) { #expect((corner - place).length < 8) }
        }
        let best = try ReceiptFlattener().flatten(capture)
        #expect(best.report.sheet?.count == 2)
        #expect(best.report.warnings.contains { $0.hasPrefix("another sheet is in view") })
    }
}

extension SIMD2<Double> {
    fileprivate var length: Double { (self * self).sum().squareRoot() }
}
