import Documents
import Foundation
import Testing
import TextRecognition
import TextTestSupport

/// From a picture to what it means.
@Suite struct ReadReceiptTests {
    @Test("The fields of a drawn receipt are right")
    func fields() throws {
        let fields = ReceiptFields(
            of: try TextRecognizer().recognize(TextPage(try DrawnPage(smallReceipt).picture)))
        #expect(fields.merchant?.value == "HARBOUR KIOSK")
        #expect(fields.date?.value == "2025-06-21")
        #expect(fields.total?.value == 2111 / Decimal(100))
        #expect(fields.items.count == 3 && fields.items.first?.quantity == 2)
        #expect(fields.contradictions.isEmpty)
    }
}
