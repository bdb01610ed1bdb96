import Foundation
import Imaging
import Testing

@testable import Documents

@Suite struct ReceiptFieldNameTests {
    private static func field<Value>(_ value: Value) -> ReceiptFields.Field<Value> {
        .init(value: value, confidence: 1, printed: "", box: Box(left: 0, top: 0, right: 1, bottom: 1))
    }

    @Test("A name leads to its own value and to no other", arguments: ReceiptFieldName.allCases)
    func ownValue(name: ReceiptFieldName) {
        var fields = ReceiptFields()
        switch name.property {
        case .text(let path): fields[keyPath: path] = Self.field("7")
        case .amount(let path): fields[keyPath: path] = Self.field(7)
        }
        #expect(ReceiptFieldName.allCases.filter { fields.text(of: $0) != nil } == [name])
        #expect(fields.text(of: name) == "7")
        // The property has the name's spelling, so that reports, tables and Swift call it the same.
        let own = Mirror(reflecting: fields).children.first { $0.label == name.rawValue }
        #expect(own.map { "\($0.value)".contains("7") } == true)
    }

    @Test("Every property with one value is in the list") func complete() {
        let single = Mirror(reflecting: ReceiptFields()).children.filter { "\($0.value)" == "nil" }
        #expect(Set(single.compactMap(\.label)) == Set(ReceiptFieldName.allCases.map(\.rawValue)))
    }

    @Test("No two fields share a label") func labels() {
        #expect(Set(ReceiptFieldName.allCases.map(\.label)).count == ReceiptFieldName.allCases.count)
    }
}
