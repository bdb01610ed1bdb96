import Testing

@testable import Captures

@Suite struct DocumentFieldTests {
    @Test func theFirstKeyOfTheTableThatIsThereCounts() {
        let field = DocumentField([.common: ["a"], .ros: ["b", "c"], .common: ["d"]])
        #expect(field.keys == ["a", "b", "c", "d"])
        let value = StructuredValue.object(["d": .number(4), "c": .number(3), "x": .number(0)])
        let found = value.first(of: field)
        #expect(found?.key == "c" && found?.value == .number(3))
        #expect(StructuredValue.object(["x": .null]).first(of: field) == nil)
        #expect(StructuredValue.array([]).first(of: field) == nil)
    }

    @Test func openCVsMatrixComesBeforeTheLettersThatMayMeanMore() {
        // A camera_info file has both: K, and the matrix by name.
        let keys = DocumentField.matrix.keys
        #expect(keys.first == "intrinsic_matrix" && Set(keys).count == keys.count)
    }
}
