import Diagnostics
import Foundation
import ReceiptFlattening
import Testing

/// What an app shows of an error.
@Suite struct LocalizedErrorTests {
    @Test func messageFactsAndAdviceAreWhereFoundationLooksForThem() {
        let error = FlatteningError(
            .limitExceeded, "the picture is too large", file: "depth.png", seen: "40000 x 40000",
            allowed: "64 MP", advice: "Raise the limit")
        let shown: any LocalizedError = error
        #expect(shown.errorDescription == error.description)
        #expect(shown.localizedDescription == error.description)
        #expect(shown.failureReason == "seen: 40000 x 40000; allowed: 64 MP")
        #expect(shown.recoverySuggestion == "Raise the limit")
    }

    @Test func whatIsNotKnownIsNotShown() {
        let error: any LocalizedError = FlatteningError(.badInput, "it is broken")
        #expect(error.errorDescription == "it is broken")
        #expect(error.failureReason == nil && error.recoverySuggestion == nil)
        let seen: any LocalizedError = FlatteningError(.badInput, "it is broken", seen: "0")
        #expect(seen.failureReason == "seen: 0")
    }
}
