import Foundation
import Testing

@testable import TextRecognition

/// Letters are folded as Foundation folds them.
@Suite struct LetterFormsTests {
    private static func byFoundation(_ text: String) -> String {
        text.folding(
            options: [.diacriticInsensitive, .caseInsensitive, .widthInsensitive],
            locale: Locale(identifier: "en")
        ).lowercased()
    }

    private static func isEqual(_ one: String, _ other: String) -> Bool {
        one.unicodeScalars.elementsEqual(other.unicodeScalars)
    }

    /// All signs of the scripts that receipts, cards and passports are in: Latin, Greek, Cyrillic, kana, Chinese, wide and
    /// narrow forms, punctuation and currencies. The narrow marks of kana count only behind a kana.
    private static let scalars = [
        0...0x52F, 0x1E00...0x1FFF, 0x2000...0x214F, 0x3000...0x30FF, 0x4E00...0x4EFF, 0xFB00...0xFB06,
        0xFF00...0xFF9D,
        0xFFE0...0xFFE6,
    ].joined().compactMap { Unicode.Scalar($0 as UInt32) }

    @Test func signsAreFoldedAsByFoundation() {
        let different = Self.scalars.filter { scalar in
            [String(scalar), "a\(scalar)b", "ß\(scalar)"].contains {
                !Self.isEqual(LetterForms.folded($0), Self.byFoundation($0))
            }
        }
        #expect(different.isEmpty, "\(different.map { String($0.value, radix: 16) })")
    }

    @Test(arguments: [
        "Café Großmann & Söhne", "CRE\u{300}ME BRU\u{302}LE\u{301}E", "Çığ İSTANBUL", "Ärzte-Straße 5",
        "ｶﾌｪ ﾊﾟﾝ ﾗｰﾒﾝ", "カフェ　パン",
        "合計　￥１，２３４", "ﬁnance ﬂuor", "ΣΊΣΥΦΟΣ", "Ёлка Й", "naïve", "é\u{327}", "",
    ])
    func wordsAreFoldedAsByFoundation(text: String) {
        #expect(Self.isEqual(LetterForms.folded(text), Self.byFoundation(text)))
    }

    @Test func accentsAreTakenAsByFoundation() {
        let different = Self.scalars.map { String($0) }.filter {
            !Self.isEqual(
                LetterForms.withoutAccents($0), $0.folding(options: .diacriticInsensitive, locale: nil))
        }
        #expect(different.isEmpty, "\(different)")
    }

    @Test func formsOfCompatibilityAreThoseOfFoundation() {
        let different = Self.scalars.map { String($0) }.filter { sign in
            let plain = sign.precomposedStringWithCompatibilityMapping
            return !Self.isEqual(LetterForms.compatible(sign), plain.count == 1 ? plain : sign)
        }
        #expect(different.isEmpty, "\(different)")
    }

    @Test(arguments: ["deu", "fra", "jpn", "mal", "ENG", "gsw", "en", "zho", "equ", "Latin", ""])
    func languagesAreCalledAsByFoundation(code: String) {
        #expect(
            LanguageName(code: code)?.english
                == Locale(identifier: "en").localizedString(forLanguageCode: code))
    }

    @Test func languagesHaveTheirShortCodes() {
        #expect(LanguageName(code: "deu")?.twoLetters == "de")
        #expect(LanguageName(code: "zho")?.twoLetters == "zh")
        #expect(LanguageName(code: "gsw")?.twoLetters == nil)
    }
}
