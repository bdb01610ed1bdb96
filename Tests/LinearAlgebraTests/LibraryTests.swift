import Testing

@testable import LinearAlgebra

@Suite struct LibraryTests {
    @Test func theAbsenceOfLAPACKNamesTheLibraryThatWasLookedFor() {
        let error = #expect(throws: LinearAlgebraError.self) {
            _ = try LAPACK.library.open(anyOf: ["liblapacke-that-is-not-there.so"])
        }
        #expect(error?.description.contains("liblapacke-that-is-not-there.so") == true)
    }

    // The C library opens anywhere, and has no LAPACK in it.
    @Test func aLibraryWithoutTheFunctionsIsRefusedByTheFirstThatItLacks() {
        #if canImport(Darwin)
            let other = "libSystem.B.dylib"
        #else
            let other = "libc.so.6"
        #endif
        let error = #expect(throws: LinearAlgebraError.self) { _ = try LAPACK.library.open(anyOf: [other]) }
        #expect(error?.description.contains("has no function LAPACKE_dgesdd") == true)
    }

    @Test func aLibraryThatIsThereIsTakenAfterOneThatIsNot() throws {
        try LAPACK.load()
        let names = ["liblapacke-that-is-not-there.so", "liblapacke.so.3", "liblapacke.3.dylib"]
        #expect(throws: Never.self) { _ = try LAPACK.library.open(anyOf: names) }
    }
}
