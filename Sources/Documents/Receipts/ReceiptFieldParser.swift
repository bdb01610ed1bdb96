import Imaging
import TextRecognition
import Foundation

/// Picks the fields out of a receipt's rows. From the top a receipt has a head (seller, address, telephone), items, sums,
/// and payment; dates and numbers stand anywhere.
struct ReceiptFieldParser {
    let style: NumberStyle
    let rows: [ReceiptRow]
    var fields = ReceiptFields()

    init(text: RecognizedText) {
        let style = NumberStyle(words: text.words.map(\.text))
        self.style = style
        // Without any fraction on the receipt a bare number may be an amount, but only where most rows end in one.
        let plain = text.lines.map { ReceiptRow(splitting: $0.words, style: style, acceptsBare: false) }
        let certain = plain.count { $0.amount != nil }
        rows =
            certain == 0 && style.decimalMark == nil
            ? text.lines.map { ReceiptRow(splitting: $0.words, style: style, acceptsBare: true) } : plain
    }

    mutating func parse() -> ReceiptFields {
        findDateAndTime()
        findCurrency()
        findSums()
        findItems()
        findHead()
        findPayment()
        findReceiptNumber()
        compareSums()
        return fields
    }

    static func field<Value>(
        _ value: Value, _ words: [RecognizedWord], certainty: Double = 1
    ) -> ReceiptFields.Field<Value> {
        let box = Box.enclosing(words.lazy.map(\.box)) ?? Box(left: 0, top: 0, right: 0, bottom: 0)
        return .init(
            value: value, confidence: RecognizedText.meanConfidence(of: words) * certainty,
            printed: words.map(\.text).joined(separator: " "), box: box)
    }
}
