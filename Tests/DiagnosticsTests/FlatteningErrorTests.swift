import Diagnostics
import Testing

@Suite struct FlatteningErrorTests {
    @Test func itsTextNamesPlaceFactsAndAdviceInThisOrder() {
        let error = FlatteningError(
            .limitExceeded, "the picture is too large", file: "depth.png", stage: .png,
            seen: "40000 x 40000", allowed: "64 MP", detail: "in the library's words", advice: "Raise it")
        #expect(
            error.description
                == "depth.png: png: the picture is too large (seen: 40000 x 40000; allowed: 64 MP; "
                + "in the library's words). Raise it")
    }

    @Test func whatIsNotKnownLeavesNoTrace() {
        #expect(FlatteningError(.badInput, "it is broken").description == "it is broken")
        #expect(FlatteningError(.badInput, "it is broken", seen: "0").description == "it is broken (seen: 0)")
    }

    @Test func theFileIsNamedByWhoKnowsItFirst() {
        let error = FlatteningError(.badInput, "it is broken")
        #expect(error.naming(file: "a").file == "a")
        #expect(error.naming(file: "a").naming(file: "b").file == "a")
    }

    @Test func aCodeIsItsName() {
        #expect(FlatteningError.Code(rawValue: "storageFull") == .storageFull)
        #expect(FlatteningError.Code(rawValue: "anotherOne").rawValue == "anotherOne")
        #expect("\(FlatteningError.Code.badInput)" == "badInput")
    }

    @Test func aLogPrintsItAsItIsDescribed() {
        let error: any Error = FlatteningError(.badInput, "it is broken", file: "a.png", stage: .png)
        #expect("\(error)" == "a.png: png: it is broken")
        // What loggers of servers take.
        #expect(String(reflecting: error) == "a.png: png: it is broken")
    }
}
