import Diagnostics
import LocalFiles
import TestSupport
import Testing

/// A deadline that has passed ends reading with `.timeout`.
@Suite struct ReadingDeadlineTests {
    @Test func aFileIsNotReadToItsEnd() throws {
        let folder = try ScratchFolder()
        let path = folder.path("a")
        try AtomicFile.replace(path, with: [UInt8](repeating: 7, count: 1000))
        var limits = FlatteningLimits()
        limits.deadline = .now - .seconds(1)
        let error = try #require(throws: FlatteningError.self) {
            try InputFile.read(path: path, limits: limits)
        }
        #expect(error.code == .timeout && error.stage == .read && error.file == path)
        limits.deadline = .now + .seconds(60)
        #expect(try InputFile.read(path: path, limits: limits).bytes.count == 1000)
    }

    @Test func aMomentToComeIsNoReasonToEnd() {
        #expect(throws: Never.self) {
            try Optional(ContinuousClock.now + .seconds(60)).check(before: .read)
        }
        #expect(throws: Never.self) { try ContinuousClock.Instant?.none.check(before: .read) }
    }
}
