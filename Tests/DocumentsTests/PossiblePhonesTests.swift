import Testing
import TextTestSupport

@testable import Documents

@Suite struct PossiblePhonesTests {
    private func found(_ printed: String) -> [String] { PossiblePhones(in: readText(printed)).numbers }

    @Test(
        "Every group of 7 to 15 digits may be a telephone number",
        arguments: [
            ("6332 Main Street 575-1628095", ["5751628095"]), ("2294-9484", ["22949484"]),
            ("9.9679-9468", ["996799468"]), ("call 020 7946 0991", ["02079460991"]),
            ("(603) 2274 4125", ["60322744125"]), ("Ph:5551234", ["5551234"]),
            ("+1 555 1234567", ["15551234567"]),
        ])
    func numbers(printed: String, expected: [String]) { #expect(found(printed) == expected) }

    @Test(
        "Dates, amounts, short groups, numbers of cards and of taxes, and parts of codes are none",
        arguments: [
            "21/06/2025 11:48:31", "20250621", "20250621114831", "Total 12345.67", "1.234.567,00", "12 34 56",
            "4111 1111 1111 1111", "GST No. 000123456789", "AB1234567", "1 2 3 4 5 6 7", "1234567890123456",
        ])
    func others(printed: String) { #expect(found(printed) == []) }

    @Test("The receipt's own number is none, wherever it stands")
    func receiptNumber() {
        let receipt = """
                 Kaufhalle Lindenhof
            Joghurt Natur      0,79
            Roggenbrot         1,49
            SUMME EUR          2,28
            BAR                2,28
            15.03.2024        17:32
            Beleg-Nr. 04711123
            """
        #expect(ReceiptFields(of: readText(receipt)).receiptNumber?.value == "04711123")
        #expect(found(receipt + "\nzu 04711123") == [])
    }
}
