import Imaging
import Testing

@testable import TextRecognition

/// Pages in other letters than Latin ones. That such a page is read is tested with the command (`LanguageTests`).
@Suite struct OtherScriptsTests {
    /// A row of words at even distances, each with its confidence.
    private func row(_ y: Double, _ words: (String, Double)...) -> RecognizedLine {
        RecognizedLine(
            words: words.enumerated().map { place, word in
                RecognizedWord(
                    text: word.0, confidence: word.1,
                    box: Box(
                        left: Double(place) * 100, top: y, right: Double(place) * 100 + 80, bottom: y + 20))
            })
    }

    @Test("Languages of Latin letters, and data that are no language, are not tried")
    func languages() {
        #expect(
            OtherScripts.languages(among: [
                "eng", "deu", "rus", "chi_sim", "script/Latin", "script/Thai", "vie",
            ])
                == [["rus"], ["script/Thai"], ["chi_sim"]])
    }

    @Test("A page is Thai only with a word of tills, however surely its letters are read")
    func thai() {
        let misread = [row(0, ("6ทนหอัทแทอ", 0.95), ("ไอ่ทย", 0.9)), row(40, ("ธ6:", 0.9), ("trung", 0.9))]
        #expect(!OtherScripts.isLanguage(of: misread, ["tha"]))
        // tesseract parts words, and joins none of them.
        #expect(OtherScripts.isLanguage(of: misread + [row(80, ("ราค", 0.8), ("ารวม", 0.7))], ["tha"]))
        #expect(OtherScripts.isLanguage(of: misread, ["khm"]))
    }

    @Test("A page is read only in a language that reads a few rows surely; in Thai, more surely")
    func sample() {
        func isSure(_ width: Double, _ confidence: Double, _ language: String) -> Bool {
            OtherScripts.isSure(
                .init(sureWidth: width, confidence: confidence), in: language, ofWidth: 100)
        }
        #expect(isSure(41, 0.5, "rus") && !isSure(30, 0.95, "rus"))
        #expect(isSure(41, 0.72, "tha") && !isSure(90, 0.65, "tha") && !isSure(90, 0.65, "script/Thai"))
    }

    @Test("Of two words in one place the other script's counts, unless the built-in reader is sure and surer")
    func joined() {
        let own = [
            row(0, ("CYMMA", 0.95), ("4.68", 0.97)), row(40, ("MOJOKO", 0.5), ("89.90", 0.98)),
            row(80, ("500.00", 0.95)), row(120, ("20.00", 0.99)), row(160, ("Cafe", 0.99), ("A", 0.99)),
            row(200, ("M0CKBA", 0.92)), row(240, ("noise", 0.7)),
        ]
        let others = [
            row(0, ("(уУУж", 0.3), ("]уб", 0.2)), row(40, ("Молоко", 0.95), ("89,80", 0.6)),
            row(120, ("20.00", 0.75), ("сдача", 0.75)),
            // One sign alone replaces nothing.
            row(160, ("Сатё", 0.6), ("Д", 0.4)), row(200, ("МОСКВА", 0.96)),
        ]
        #expect(
            OtherScripts.joined(others, with: own).map(\.text) == [
                "CYMMA 4.68", "Молоко 89.90", "500.00", "20.00 сдача", "Cafe Д", "МОСКВА",
            ])
    }

    @Test("What stands where tesseract found nothing is kept if it is sure")
    func gaps() {
        let own = [row(0, ("Итого", 0.1), ("12.50", 0.85), ("x", 0.5))]
        let others = [row(0, ("Итого", 0.9))]
        #expect(OtherScripts.joined(others, with: own).map(\.text) == ["Итого 12.50"])
    }

    @Test("A number takes the place of no word, and of nothing that is much longer")
    func keeps() {
        let own = [row(0, ("000", 0.95), ("12", 0.95))]
        let others = [row(0, ("ООО", 0.96), ("12.03.24", 0.9))]
        var long = others
        long[0].words[1].box.right += 100
        #expect(OtherScripts.joined(long, with: own).map(\.text) == ["ООО 12.03.24"])
        #expect(OtherScripts.joined(others, with: own).map(\.text) == ["ООО 12"])
        // Nor of what is surer, or says the currency.
        for (text, confidence) in [("12.03.24", 0.97), ("12₽", 0.75), ("12г", 0.75)] {
            let kept = [row(0, ("ООО", 0.96), (text, confidence))]
            #expect(OtherScripts.joined(kept, with: own).map(\.text) == ["ООО " + text])
        }
    }

    /// Pieces 20 high, each at its left edge, 60 wide.
    private func line(ofPieces words: (String, Double)...) -> RecognizedLine {
        RecognizedLine(
            words: words.map { text, left in
                RecognizedWord(
                    text: text, confidence: 0.9, box: Box(left: left, top: 0, right: left + 60, bottom: 20))
            })
    }

    @Test("Pieces of one word are joined in scripts that set no blanks, and nowhere else")
    func pieces() {
        #expect(line(ofPieces: ("무인", 0), ("양품", 65), ("서울", 135)).withoutNeedlessBlanks.text == "무인양품 서울")
        #expect(line(ofPieces: ("合", 0), ("計", 66), ("800", 126)).withoutNeedlessBlanks.text == "合計800")
        #expect(line(ofPieces: ("Сумма", 0), ("чека", 65)).withoutNeedlessBlanks.text == "Сумма чека")
        // Seven pixels of twenty are a blank.
        #expect(line(ofPieces: ("合", 0), ("計", 67)).withoutNeedlessBlanks.text == "合 計")
        let joined = line(ofPieces: ("合", 0), ("計", 66)).withoutNeedlessBlanks.words[0]
        #expect(
            joined.box == Box(left: 0, top: 0, right: 126, bottom: 20) && abs(joined.confidence - 0.9) < 1e-9)
    }

    @Test("Letters of other scripts are told from Latin ones with any accent")
    func letters() {
        #expect(["식", "Ж", "ก", "שלום", "A계"].allSatisfy { OtherScripts.hasOtherLetters($0) })
        #expect(!["Ärger", "Ếch", "ſ", "12,50", "¥", ""].contains { OtherScripts.hasOtherLetters($0) })
    }

    @Test("What is surely read is measured by its width, and signs alone say nothing")
    func sureWidth() {
        let box = Box(left: 10, top: 0, right: 60, bottom: 20)
        #expect(OtherScripts.sureWidth(of: "식", confidence: 1, box: box) == 50)
        #expect(OtherScripts.sureWidth(of: "--", confidence: 1, box: box) == 0)
        // The sixth power.
        #expect(abs(OtherScripts.sureWidth(of: "a", confidence: 0.5, box: box) - 50.0 / 64) < 1e-9)
    }
}
