import SheetGuidance
import Testing

@testable import ReceiptCapture

@Suite struct CaptureWordsTests {
    @Test func everyLanguageSaysEverything() {
        #expect(CaptureWords.all.map(\.language) == ["en", "de", "es", "fr", "it", "pt", "ja"])
        for words in CaptureWords.all {
            #expect(words.isComplete, "\(words.language)")
            let advice = ReceiptGuidance.Advice.allCases.map { words[$0] }
            // A screen has room for a line; nothing is said for two things.
            #expect(advice.allSatisfy { $0.count <= 50 } && Set(advice).count == advice.count)
        }
        #expect(Set(CaptureWords.all.map { $0[.noSheet] }).count == 7)
    }

    @Test func theFirstKnownLanguageIsTaken() {
        #expect(CaptureWords(preferring: ["xx", "pt-BR", "de"]).language == "pt")
        #expect(CaptureWords(preferring: ["ja_JP"]).name == "日本語")
        #expect(CaptureWords(preferring: ["sv", ""]).language == "en")
        #expect(CaptureWords(preferring: ["de"])[.holdStill] == "Stillhalten")
    }

    @Test func errorsHaveTheirWordsInEachLanguage() {
        let error = ReceiptCaptureError.captureFailed(underlying: nil)
        #expect(error.errorDescription == "The picture could not be taken.")
        #expect(CaptureWords(preferring: ["fr"]).description(of: error) == "La photo n’a pas pu être prise.")
        #expect(
            CaptureWords(preferring: ["de"]).recoverySuggestion(for: error)
                == "Halte die Kamera still und nimm das Bild noch einmal auf.")
        #expect(Set(ReceiptCaptureError.names).count == 11)
    }

    @Test func wordsOfOnesOwnMustBeComplete() {
        let lines = CaptureWords.keys.map { "\($0) = \($0.uppercased())" }
        let head = ["# Swedish", "language = sv", "name = Svenska"]
        let words = CaptureWords(file: (head + lines).joined(separator: "\n"))
        #expect(words?.language == "sv" && words?[.noSheet] == "ADVICE.NOSHEET")
        #expect(CaptureWords(file: (head + lines.dropLast()).joined(separator: "\n")) == nil)
        #expect(CaptureWords(file: (head + lines + ["advice.more = x"]).joined(separator: "\n")) == nil)
        #expect(CaptureWords(file: "") == nil)
    }
}
