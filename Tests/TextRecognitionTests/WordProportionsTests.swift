import Testing

@testable import TextRecognition

@Suite struct WordProportionsTests {
    @Test func aWordIsAsWideAsItsLettersAdvance() throws {
        let proportional = try #require(WordProportions.proportional.width(of: "Total"))
        // Helvetica: T .611, o .556, t .278, a .556, l .222, less what is blank at both ends.
        #expect(abs(proportional - (2.223 - 0.08)) < 1e-9)
        let monospaced = try #require(WordProportions.monospaced.width(of: "Total"))
        #expect(abs(monospaced - (3.0 - 0.08)) < 1e-9)
    }

    @Test func aWordIsAsHighAsItsHighestAndDeepestLetters() throws {
        let (flat, tall, deep) = (
            try #require(WordProportions.height(of: "roman")),
            try #require(WordProportions.height(of: "Roman")),
            try #require(WordProportions.height(of: "Roger"))
        )
        #expect(flat < tall && tall < deep)
        #expect(WordProportions.height(of: "12.50") == tall)
    }

    @Test(arguments: ["a", "--", "№1", "Ärger", "日本", ""])
    func wordsOfOneLetterOrWithUnknownSignsHaveNoProportions(text: String) {
        #expect(WordProportions.height(of: text) == nil)
        for typeface in WordProportions.allCases { #expect(typeface.width(of: text) == nil) }
    }
}
