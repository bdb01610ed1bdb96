import Testing

@testable import TextRecognition

@Suite struct SureAccentsTests {
    private static func settled(_ rows: [[(String, Double)]]) -> [String] {
        var signs = rows.map { $0.map { DecodedSign(text: $0.0, confidence: $0.1, middle: 0) } }
        SureAccents.settle(&signs)
        return signs.map { $0.map(\.text).joined() }
    }

    @Test func anAccentThatIsNotSureIsASpeck() {
        #expect(Self.settled([[("T", 0.99), ("á", 0.9), ("x", 0.5), ("ß", 0.6)]]) == ["Taxß"])
    }

    @Test func aSureAccentIsKept() {
        #expect(Self.settled([[("f", 0.99), ("ü", 0.98), ("r", 0.99)]]) == ["für"])
    }

    @Test func anAccentThatStandsSurelyElsewhereOnThePageIsBelieved() {
        let rows = [[("Ü", 0.7), ("ñ", 0.7)], [("f", 0.99), ("ü", 0.98)]]
        #expect(Self.settled(rows) == ["Ün", "fü"])
    }

    @Test func whatIsNoLetterIsLeftAlone() {
        #expect(Self.settled([[("€", 0.3), ("½", 0.2), ("é", 0.2)]]) == ["€½e"])
    }
}
