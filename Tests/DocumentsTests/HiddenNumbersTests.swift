import Testing
import TextTestSupport

@testable import Documents

@Suite struct HiddenNumbersTests {
    private func hidden(_ line: String, number: String) -> [String] {
        var hidden = HiddenNumbers()
        hidden.hide(number)
        let words = readText(line).lines[0]
        return hidden.words(of: words).sorted().map { words.words[$0].text }
    }

    @Test(
        "A number is known however it is grouped, with and without what is dialled before it",
        arguments: [
            ("020 7946 0991", ["020", "7946", "0991"]),
            ("+44 (0)20 7946-0991", ["+44", "(0)20", "7946-0991"]),
            ("Tel:02079460991", ["Tel:02079460991"]), ("7946 0991", ["7946", "0991"]),
            ("2 7946 0991", ["7946", "0991"]),
        ])
    func spelled(line: String, expected: [String]) {
        #expect(hidden(line, number: "+442079460991") == expected)
    }

    @Test("Other numbers, and what is too short to be one, stay")
    func others() {
        #expect(hidden("020 7946 0992", number: "+442079460991") == [])
        #expect(hidden("1234", number: "1234") == [])
        #expect(hidden("0991 12.50", number: "+442079460991") == [])
    }
}
