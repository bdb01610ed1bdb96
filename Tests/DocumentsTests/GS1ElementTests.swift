import RobustStatistics
import Testing

@testable import Documents

@Suite struct GS1ElementTests {
    private func elements(_ text: String) -> [String]? {
        GS1Element.elements(of: Array(text.utf8))?.map { "\($0.identifier)=\($0.value)" }
    }

    @Test func valuesOfKnownLengthNeedNoSeparator() {
        // The example of the GS1 General Specifications: a trade item, its best-before date, its batch.
        #expect(
            elements("010950600013435215261231" + "10ABC123") == [
                "01=09506000134352", "15=261231", "10=ABC123",
            ])
    }

    @Test func valuesOfFreeLengthEndWithTheSeparator() {
        #expect(elements("10ABC\u{1D}21XYZ") == ["10=ABC", "21=XYZ"])
        #expect(elements("\u{1D}10ABC\u{1D}3103001750") == ["10=ABC", "3103=001750"])
    }

    @Test(arguments: [
        "", "\u{1D}", "0", "01", "0109506000134353",  // wrong check digit
        "010950600013435",  // too short
        "15ABCDEF",  // no digits
        "05123456",  // no such identifier
        "10", "10ABCDEFGHIJKLMNOPQRSTU",  // no value; 21 characters
        "10AB C", "10AB\u{7F}", "\u{1D}\u{1D}10A", "SSCC",
    ])
    func whatBreaksARuleIsNoElementString(_ text: String) {
        #expect(elements(text) == nil)
    }

    @Test func anyBytesAreReadOrRefusedAndGiveThemselvesBack() {
        let seed: UInt64 = 19
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let alphabet = Array("0123456789012345678901AZ\u{1D}/".utf8)
        var read = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            guard let elements = GS1Element.elements(of: bytes) else { continue }
            read += 1
            // Nothing is lost but separators.
            let joined = elements.flatMap { Array($0.identifier.utf8) + Array($0.value.utf8) }
            #expect(joined == bytes.filter { $0 != 0x1D })
        }
        #expect(read > 100, "the strings drawn must also be such as are read")
    }

    @Test func aCheckDigitTellsEveryWrongDigit() {
        let number = Array("4006381333931".utf8)
        #expect(GS1Element.checkDigitHolds(number))
        for index in number.indices {
            var wrong = number
            wrong[index] = wrong[index] == 0x39 ? 0x30 : wrong[index] + 1
            #expect(!GS1Element.checkDigitHolds(wrong))
        }
    }
}
