import TextRecognition
import Foundation

/// What was bought.
extension ReceiptFieldParser {
    mutating func findItems() {
        // Items end where sums begin.
        let end =
            rows.firstIndex {
                [.subtotal, .total].contains($0.kind) && ($0.amount != nil || $0.kind == .total)
            } ?? rows.count
        var items: [ReceiptFields.LineItem] = []
        var pending: (quantity: Quantity, words: [RecognizedWord])?
        var descriptionAbove: ReceiptRow?
        for row in rows[..<end] {
            let quantityOnly = Quantity.alone(in: row.label.isEmpty ? row.words : row.label, style: style)
            guard let amount = row.amount else {
                // "2 x 1,49" above its item, or a description above its quantity and amount.
                if let quantityOnly {
                    pending = (quantityOnly, row.words)
                } else if row.kind == nil {
                    descriptionAbove = row
                }
                continue
            }
            guard row.kind == nil || row.kind == .discount else { continue }
            if let quantity = quantityOnly, quantity.unitPrice != nil || row.letterCount <= 1 {
                // "2 @ 1.50   3.00": belongs to the description above it.
                if let above = descriptionAbove, above.letterCount >= 2 {
                    items.append(item(description: above.words, quantity: quantity, row: row, amount: amount))
                    descriptionAbove = nil
                } else if var last = items.last, last.quantity == nil, let unit = quantity.unitPrice,
                    last.amount == amount.value || unit * quantity.count == last.amount
                {
                    (last.quantity, last.unitPrice) = (quantity.count, unit)
                    items[items.count - 1] = last
                } else if row.letterCount <= 1 {
                    pending = (quantity, row.words)
                }
                continue
            }
            guard row.letterCount >= 2, PrintedDate.find(in: row.text, monthFirst: false) == nil else {
                continue
            }
            let (quantity, description) = Quantity.leading(in: row.label, style: style, amount: amount.value)
            items.append(
                item(
                    description: description, quantity: quantity ?? pending?.quantity, row: row,
                    amount: amount))
            pending = nil
            descriptionAbove = nil
        }
        fields.items = items
    }

    func item(
        description: [RecognizedWord], quantity: Quantity?, row: ReceiptRow, amount: PrintedAmount
    ) -> ReceiptFields.LineItem {
        let field = Self.field(amount.value, row.words)
        return .init(
            quantity: quantity?.count, unitPrice: quantity?.unitPrice,
            description: description.map(\.text).joined(separator: " "),
            amount: row.kind == .discount && amount.value > 0 ? -amount.value : amount.value,
            confidence: field.confidence, printed: row.label.map(\.text).joined(separator: " "),
            box: field.box)
    }
}
