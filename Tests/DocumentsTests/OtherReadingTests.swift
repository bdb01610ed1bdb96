import Imaging
import Testing
import TextRecognition
import TextTestSupport

@testable import Documents

/// Pages that two readers read: what each says is told from the surer one.
@Suite struct OtherReadingTests {
    private let latin = """
                   MAPLE STREET MARKET
                    412 Maple Street
                   Rockford, IL 61101

        07/04/2024        06:12 PM
        ORGANIC BANANAS            1.98 F
        WHOLE MILK 1 GAL           4.29 F

        SUBTOTAL                   6.27
        TAX 8.25%                  0.52
        TOTAL                     $6.79
        VISA ************1881     $6.79
        """

    /// A text with another reading beside it.
    private func text(_ printed: String, confidence: Double = 0.9, and other: RecognizedText)
        -> RecognizedText
    {
        var text = readText(printed, confidence: confidence)
        text.otherReadings = [other]
        return text
    }

    @Test("What one reading lacks is taken from the other, with its reasons")
    func missing() {
        let alone = ReceiptFields(of: readText(latin))
        let fields = ReceiptFields(of: text("(서울)", and: readText(latin)))
        #expect(fields.total == alone.total && fields.total != nil)
        #expect(fields.date == alone.date && fields.merchant == alone.merchant)
        #expect(fields.items == alone.items && fields.items.count == 2)
        #expect(fields.taxLines == alone.taxLines)
        #expect(
            fields.missing["total"] == nil && fields.missing["items"] == nil && fields.missing["tip"] != nil)
    }

    @Test("Of two values the surer counts")
    func surer() {
        var (first, second) = (ReceiptFields(of: readText(latin)), ReceiptFields(of: readText(latin)))
        second.total?.value = 9.79
        second.currency?.value = "EUR"
        second.language?.value = "fr"
        first.total?.confidence = 0.8
        second.total?.confidence = 0.9
        second.currency?.confidence = 1
        first.currency?.confidence = 0.5
        first.language = nil
        var fields = first
        fields.takeSurer(of: second)
        #expect(fields.total?.value == 9.79)
        // What words all over the page tell stays as its own reading tells it.
        #expect(fields.currency == first.currency && fields.language == nil)
        second.total?.confidence = 0.7
        fields = first
        fields.takeSurer(of: second)
        #expect(fields.total == first.total)
    }

    @Test("Sums are compared after the surer values are taken")
    func contradictions() {
        let wrong = latin.replacing(
            "SUBTOTAL                   6.27", with: "SUBTOTAL                   6.29")
        let fields = ReceiptFields(of: text(wrong, confidence: 0.5, and: readText(latin, confidence: 0.99)))
        #expect(fields.subtotal?.value == 6.27 && fields.contradictions.isEmpty)
    }

    @Test("The order of a date's numbers follows from the country that the other script tells")
    func orderOfDate() {
        let korean = "(주) 서울마트 서울특별시 강남구 대표자 홍길동 사업자번호 영수증 합계 감사합니다 카드 매출"
        let fields = ReceiptFields(of: text(korean, and: readText("24/03/05 10:11")))
        #expect(fields.country?.value == "KR" && fields.date?.value == "2024-03-05")
    }

    @Test("A name is left out where the text has surer letters of another script in its place")
    func names() {
        let reading = readText(latin, confidence: 0.9)
        let name = latin.replacing("MAPLE STREET MARKET", with: "МАРЬЕ ЭТКЕЕТ МАРКЕТ")
        for (confidence, isKept) in [(0.95, false), (0.6, true)] {
            var fields = ReceiptFields(of: reading)
            #expect(fields.merchant != nil)
            fields.leaveOutNames(of: reading, surerIn: readText(name, confidence: confidence))
            #expect((fields.merchant != nil) == isKept)
            #expect(fields.items.count == 2)
        }
    }

    @Test("Items are left out where the text has surer names")
    func itemNames() {
        let reading = readText(latin, confidence: 0.9)
        var fields = ReceiptFields(of: reading)
        fields.leaveOutNames(
            of: reading, surerIn: readText(latin.replacing("BANANAS", with: "ВАМАМАЅ"), confidence: 0.95))
        #expect(fields.items.isEmpty)
    }

    @Test("What only another reading shows is hidden, and no other reading goes with a redacted text")
    func redacted() {
        let card = readText("VISA 4111111111111111\n\nТел. 8 800")
        let joined = text("VISA 41111Ж11111111ll\n\nТел. 8 800", and: card)
        let outcome = joined.redacted([.cards])
        #expect(outcome.text.otherReadings == nil)
        #expect(outcome.text.lines[0].text == "VISA ****************")
        #expect(outcome.boxes.contains(card.words[1].box))
        // A word that only the other reader found.
        let lost = text("VISA\n\nТел. 8 800", and: card).redacted([.cards])
        #expect(lost.boxes == [card.words[1].box] && lost.text.string.contains("VISA"))
    }

    @Test("Other readings move and grow with their page")
    func moved() throws {
        let page = text("Касса 1", and: readText("KACCA 1"))
        let large = page.scaled(by: 2, to: PixelSize(width: 960, height: 4000))
        let word = try #require(large.otherReadings?.first?.words.first)
        let small = try #require(page.otherReadings?.first?.words.first)
        #expect(word.box.right == 2 * small.box.right && word.text == "KACCA")
        #expect(large.isSound)
        var unsound = page
        unsound.otherReadings?[0].blocks[0].lines[0].words[0].confidence = 2
        #expect(!unsound.isSound)
    }
}
