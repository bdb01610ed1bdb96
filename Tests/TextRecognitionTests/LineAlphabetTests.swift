import Testing

@testable import TextRecognition

@Suite struct LineAlphabetTests {
    @Test(arguments: [
        ("A", "A"), ("ß", "ß"), ("€", "€"), ("½", "½"), ("…", "…"),
        // Full-width forms are the plain ones, the sign of multiplication is the letter.
        ("（", "("), ("：", ":"), ("５", "5"), ("Ａ", "A"), ("￥", "¥"), ("×", "x"),
    ])
    func aSignIsReadAsItsPlainForm(character: String, sign: String) {
        #expect(LineAlphabet.sign(for: character, ofAnyScript: false) == sign)
    }

    @Test(arguments: ["日", "カ", "Ж", "☎"])
    func otherScriptsAreNotReadOnAPageOfLatinLetters(character: String) {
        #expect(LineAlphabet.sign(for: character, ofAnyScript: false) == nil)
    }

    @Test func chineseAndJapanesePagesHaveAllSigns() throws {
        let latin = try #require(LineAlphabet(characters: ["a", "日"], classes: 4, languages: ["deu"]))
        let both = try #require(
            LineAlphabet(characters: ["a", "日"], classes: 4, languages: ["eng", "jpn"]))
        #expect(latin.signs == [nil, "a", nil, " "])
        #expect(latin.readable == [0, 1, 3])
        #expect(both.signs == [nil, "a", "日", " "])
    }

    @Test func theLastClassIsABlankWhereTheFileHasNone() throws {
        #expect(
            LineAlphabet(characters: ["a", "b"], classes: 3, languages: ["eng"])?.signs == [nil, "a", "b"])
        #expect(LineAlphabet(characters: ["a", "b"], classes: 5, languages: ["eng"]) == nil)
        #expect(LineAlphabet(characters: [], classes: 10, languages: ["eng"]) == nil)
    }

    @Test(arguments: [
        ("eng", true), ("deu+fra", true), ("chi_sim", true), ("eng+rus", false), ("ara", false),
        ("tha", false),
    ])
    func theLanguagesOfTheModelAreKnown(languages: String, isKnown: Bool) {
        #expect(LineAlphabet.covers(languages) == isKnown)
    }
}
