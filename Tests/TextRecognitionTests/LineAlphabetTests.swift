import Diagnostics
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

    @Test func aCharacterOfManyLettersIsRefused() throws {
        // A family of four, by joiners, is 25 bytes: no recogniser of print reads it.
        let known = ["a", "\u{1F1E9}\u{1F1EA}", "e\u{301}\u{302}\u{303}"].map { Substring($0) }
        #expect(throws: Never.self) { try OnnxNetwork.check(characters: known, file: "line.onnx") }
        #expect(throws: Never.self) { try OnnxNetwork.check(characters: [], file: "line.onnx") }
        let error = try #require(throws: FlatteningError.self) {
            try OnnxNetwork.check(
                characters: known + [Substring(repeating: "a", count: 17)], file: "line.onnx")
        }
        #expect(error.code == .limitExceeded && error.seen == "17 bytes" && error.file == "line.onnx")
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

    @Test(arguments: [("eng+deu", true), ("auto", true), ("jpn", false), ("eng+ell", false)])
    func theBuiltInReaderKnowsLanguagesOfLatinLetters(languages: String, isKnown: Bool) {
        #expect(LineAlphabet.coversInLatin(languages) == isKnown)
    }

    @Test func aPageOfAnyLanguageMayHaveAllLatinLetters() throws {
        let characters = ["a", "ä", "ł", "日"]
        let any = LineAlphabet(characters: characters, hasBlank: true, languages: ["auto"])
        #expect(any.signs == [nil, "a", "ä", "ł", nil, " "] && any.withoutAccent.isEmpty)
    }

    @Test func aLetterWithAnAccentThatTheLanguagesDoNotHaveIsReadWithoutIt() throws {
        let characters = ["a", "á", "ä", "é", "e"]
        let english = try #require(LineAlphabet(characters: characters, classes: 7, languages: ["eng"]))
        #expect(english.signs == [nil, "a", nil, nil, "é", "e", " "])
        #expect(english.withoutAccent == [2: 1, 3: 1])
        let german = try #require(
            LineAlphabet(characters: characters, classes: 7, languages: ["eng", "deu"]))
        #expect(german.withoutAccent == [2: 1])
        // Polish letters are not listed: all may be there.
        let polish = try #require(
            LineAlphabet(characters: characters, classes: 7, languages: ["eng", "pol"]))
        #expect(polish.withoutAccent.isEmpty && polish.signs == [nil] + characters + [" "])
    }
}
