import Imaging
import Testing
import TextRecognition

@testable import Documents

@Suite struct PersonalDataTests {
    /// One line a block; words stand ten pixels a character apart.
    private func text(_ lines: [String]) -> RecognizedText {
        let blocks = lines.enumerated().map { row, line in
            var left = 0.0
            let words = line.split(separator: " ").map { word in
                defer { left += Double(word.count + 1) * 10 }
                let box = Box(
                    left: left, top: Double(row) * 30, right: left + Double(word.count) * 10,
                    bottom: Double(row) * 30 + 20)
                return RecognizedWord(text: String(word), confidence: 0.9, box: box)
            }
            return RecognizedBlock(lines: [RecognizedLine(words: words)])
        }
        return RecognizedText(
            blocks: blocks, pageSize: PixelSize(width: 500, height: 500), pixelsPerMillimeter: nil,
            language: "eng", legibility: .readable)
    }

    private func redacted(_ line: String, _ kinds: Set<PersonalData>) -> String {
        let outcome = text([line]).redacted(kinds)
        #expect(outcome.boxes.isEmpty == (outcome.text == text([line])))
        return outcome.text.lines[0].text
    }

    // The card schemes' published numbers for tests.
    @Test(arguments: [
        ("VISA 4111111111111111 OK", "VISA **************** OK"),
        ("4111 1111 1111 1111 12/25", "**** **** **** **** 12/25"),
        ("Card:5555-5555-5555-4444", "****:****-****-****-****"),
        ("AMEX 3782 822463 10005", "AMEX **** ****** *****"),
        // One digit read for a letter, one misread: the print is a card's all the same.
        ("4111 1111 1I11 1111", "**** **** **** ****"), ("4111 1112 1111 1111", "**** **** **** ****"),
        ("6011111111111117", "****************"),
    ])
    func cardNumbersGo(line: String, expected: String) {
        #expect(redacted(line, [.cards]) == expected)
    }

    @Test(arguments: [
        "Card ****5124 APPROVED", "Total 12.50", "4111111111111112", "2025-02-13 09:44:31",
        "Tel +49 30 1234567", "Milk 1.99 2.99 3.99", "0000000000000000",
    ])
    func othersStay(line: String) {
        #expect(redacted(line, [.cards]) == line)
    }

    @Test(arguments: [
        ("Tel. 030 / 123 45 67", "Tel. *** / *** ** **"), ("+1 (555) 123-4567", "+* (***) ***-****"),
        ("call 555-123-4567 now", "call ***-***-**** now"), ("Total 1234.56", "Total 1234.56"),
    ])
    func telephoneNumbersGo(line: String, expected: String) {
        #expect(redacted(line, [.phones]) == expected)
        #expect(redacted(line, [.cards]) == line, "only what is asked for")
    }

    @Test(arguments: [
        ("Cashier: Anna Smith #12", "Cashier: **** ***** #12"), ("Cashier:Anna", "*******:****"),
        ("You were served by JOHN", "You were served by ****"),
        ("Es bediente Sie Frau Müller", "Es bediente Sie **** ******"),
        ("Server 12", "Server 12"), ("Anna's Bakery", "Anna's Bakery"),
    ])
    func namesGo(line: String, expected: String) {
        #expect(redacted(line, [.names]) == expected)
    }

    @Test func theBoxesAreThoseOfTheWords() {
        let outcome = text(["Pay 12.00", "4111 1111 1111 1111"]).redacted([.cards])
        #expect(outcome.boxes.count == 4)
        #expect(outcome.boxes.allSatisfy { $0.top == 30 && $0.bottom == 50 && $0.width == 40 })
        #expect(outcome.text.lines[0].text == "Pay 12.00")
    }
}
