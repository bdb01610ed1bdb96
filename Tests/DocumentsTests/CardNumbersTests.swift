import Testing
import TextTestSupport

@testable import Documents

// Numbers are those that card schemes publish for tests.
@Suite struct CardNumbersTests {
    @Test(
        "A number may go on in the next row, by Luhn's check or in four groups of four",
        arguments: [
            ("VISA 4111 1111\n1111 1111", ["4111111111111111"]),
            ("Card no. 5500 0000 00\n00 0004 paid", ["5500000000000004"]),
            ("4111 1112\n1111 1111", ["4111111211111111"]),
        ])
    func acrossRows(printed: String, expected: [String]) {
        let found = CardNumbers(in: readText(printed).lines)
        #expect(found.numbers == expected)
        #expect(found.places.keys.sorted() == [0, 1])
    }

    @Test(
        "Amounts, dates and counts below each other are no number",
        arguments: [
            "Tea 41.11 11.11\n11.11 11.11", "21/06/2025 11:48\n12345678", "4111 1111 1111 111\n1 Tea",
            "4111 1111\nTea\n1111 1111",
        ])
    func others(printed: String) {
        #expect(CardNumbers(in: readText(printed).lines).numbers == [])
    }
}
