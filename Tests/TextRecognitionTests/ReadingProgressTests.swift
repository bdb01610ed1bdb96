import Diagnostics
import Imaging
import Synchronization
import Testing
import TextTestSupport

@testable import TextRecognition

@Suite struct ReadingProgressTests {
    /// Collects what is told.
    private final class Told: Sendable {
        private let all = Mutex<[Double]>([])
        var shares: [Double] { all.withLock { $0 } }
        func append(_ share: Double) { all.withLock { $0.append(share) } }
    }

    @Test func eachPartMovesTheShareThatItIsWorthWhateverItsRows() {
        let told = Told()
        let progress = ReadingProgress { told.append($0) }
        let parts = ReadingParts(progress.tell)
        parts.begin(rows: 4, upTo: 0.75)
        let listener = parts.listener(rows: 4)
        listener(0.5)
        listener(0.25)
        listener(1)
        parts.begin(rows: 2, upTo: 0.875)
        parts.add(rows: 1)
        parts.begin(rows: 0, upTo: 1)
        parts.add(rows: 1)
        progress.end(succeeded: true)
        // In sixteenths, so that the shares are exact; what falls back is not told.
        #expect(told.shares == [0, 0.375, 0.75, 0.75, 0.8125, 0.875, 1])
    }

    @Test func aReadingThatFailedIsNotToldToBeComplete() {
        let told = Told()
        let progress = ReadingProgress { told.append($0) }
        let parts = ReadingParts(progress.tell)
        parts.begin(rows: 2, upTo: 1)
        parts.listener(rows: 2)(1)
        progress.end(succeeded: false)
        #expect(told.shares == [0])
    }

    @Test func withoutAThreadAllIsToldAtTheEnd() {
        let told = Told()
        let progress = ReadingProgress({ told.append($0) }, start: { _ in false })
        progress.tell(0)
        progress.tell(0.5)
        #expect(told.shares.isEmpty)
        progress.end(succeeded: true)
        #expect(told.shares == [0, 0.5, 1])
    }

    @Test func progressRisesFromNoneToAllInStepsOfRows() throws {
        let told = Told()
        let page = TextPage(try DrawnPage(smallReceipt).picture)
        _ = try TextRecognizer().recognize(page, context: .init(onProgress: { told.append($0) }))
        let shares = told.shares
        #expect(shares.first == 0)
        #expect(shares.last == 1)
        #expect(shares == shares.sorted())
        // At least one step for each row that is printed.
        #expect(Set(shares).count >= readingForm(of: smallReceipt).count)
    }

    @Test func noStepIsLongerThanATenth() throws {
        let told = Told()
        let lines = (1...24).map { "ITEM NUMBER \($0)   \($0).\(10 + $0)" }
        let page = TextPage(try DrawnPage(lines.joined(separator: "\n")).picture)
        _ = try TextRecognizer().recognize(page, context: .init(onProgress: { told.append($0) }))
        let steps = zip(told.shares, told.shares.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 >= 0 })
        // A clear page needs no second look at any row: what that is worth, a tenth, is then left out in one step. Rounding.
        #expect(steps.max() ?? 1 <= 0.1 + 1e-9)
        // Nearly all of the time goes into the passes over all rows, and so do the steps.
        #expect(told.shares.count { $0 > 0 && $0 < 0.85 } >= 24)
    }

    @Test func anEmptySheetIsReadAtOnce() throws {
        let told = Told()
        _ = try TextRecognizer().recognize(
            TextPage(GrayImage(width: 300, height: 200, filledWith: 255)),
            context: .init(onProgress: { told.append($0) }))
        #expect(told.shares == [1])
    }

    @Test func whoIsToldMayUseTheSameRecognizer() throws {
        let recognizer = try TextRecognizer(concurrency: 1)
        let page = TextPage(try DrawnPage("TOTAL 21.11").picture)
        let told = Told()
        // Under a lock of the recogniser this would wait for itself.
        _ = try recognizer.recognize(
            page,
            context: .init(onProgress: { share in
                if share == 0 { _ = try? recognizer.recognize(page) }
                told.append(share)
            }))
        #expect(told.shares.last == 1)
    }

    @Test func aCancelledTaskEndsItsReading() async throws {
        let recognizer = try TextRecognizer()
        let page = TextPage(try DrawnPage(smallReceipt).picture)
        let task = Task { () async throws in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await recognizer.recognize(page)
        }
        await #expect {
            _ = try await task.value
        } throws: {
            ($0 as? FlatteningError)?.code == .cancelled
        }
    }
}
