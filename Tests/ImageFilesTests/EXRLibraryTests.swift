import Testing

@testable import ImageFiles

@Suite struct EXRLibraryTests {
    /// OpenEXR's structures as compiled from its headers: 3.1 and 3.2 lay out the decoding pipeline alike, 3.3 and 3.4
    /// begin it with its size.
    @Test(arguments: [(1, [1, 2]), (2, [1, 2]), (3, [3, 4]), (4, [3, 4]), (5, [3, 4, 5])])
    func librariesAreTakenWhoseStructuresTheHeadersLayOut(header: Int, taken: [Int]) {
        #expect(EXRLibrary.minors(laidOutAs: header) == taken)
    }

    @Test func aLibraryOfAnotherKindIsToldByTheFunctionItLacks() throws {
        #if os(Linux)
            let error = #expect(throws: (any Error).self) {
                _ = try EXRLibrary.shared.open(anyOf: ["libm.so.6"])
            }
            #expect(error.map { "\($0)" }?.contains("libm.so.6 has no function exr_") == true)
        #endif
    }
}
