import TextRecognition
import Platform

/// What was bought.
extension ReceiptFieldParser {
    mutating func findItems() {
        // Items end where sums begin; a discount among them is one of them.
        let lastItem = rows.lastIndex { $0.rowClass == .item } ?? -1
        let firstSum = rows.firstIndex { [.subtotal, .sum, .total].contains($0.rowClass) } ?? rows.count
        let isBelow = isDescribedBelow
        var items: [ReceiptFields.LineItem] = []
        var pending: (quantity: Quantity, words: [RecognizedWord])?
        var descriptionAbove: ReceiptRow?
        for (index, row) in rows.enumerated() where index <= max(lastItem, firstSum - 1) {
            switch row.rowClass {
            case .item where row.amount == nil, .itemPart where row.amount == nil || row.letterCount < 2:
                let quantity = Quantity.alone(in: row.words, style: style)
                if isBelow, items.last.map({ $0.description.isEmpty }) == true, row.letterCount >= 2 {
                    items[items.count - 1].describe(row)
                } else if let quantity {
                    if var last = items.last, last.quantity == nil, pending == nil,
                        let unit = quantity.unitPrice,
                        unit * quantity.count == last.amount
                    {
                        (last.quantity, last.unitPrice) = (quantity.count, unit)
                        items[items.count - 1] = last
                    } else {
                        pending = (quantity, row.words)
                    }
                } else {
                    descriptionAbove = row
                }
            case .item, .itemPart:
                guard let amount = row.amount else { continue }
                add(
                    row, amount, above: isBelow ? nil : descriptionAbove, pending: pending?.quantity,
                    to: &items)
                (pending, descriptionAbove) = (nil, nil)
            case .discount where index < firstSum:
                guard let amount = row.amount, row.letterCount >= 2, amount.value != 0 else { continue }
                items.append(item(description: row.label, quantity: nil, row: row, amount: amount))
            default:
                continue
            }
        }
        fields.items = Self.countedByColumn(items)
    }

    /// Of the things on a receipt this many must begin with a number for it to be a column of counts: a name may too.
    private static let leastShareOfCounts = 0.7

    /// Takes the numbers that most items begin with for their counts: "2 Tea", "1 Milk".
    private static func countedByColumn(_ items: [ReceiptFields.LineItem]) -> [ReceiptFields.LineItem] {
        func count(_ item: ReceiptFields.LineItem) -> (count: Decimal, rest: String)? {
            guard item.quantity == nil, let match = item.description.wholeMatch(of: #/(\d{1,2})\s+(\p{L}.*)/#)
            else { return nil }
            return Decimal(string: String(match.1)).map { ($0, String(match.2)) }
        }
        let things = items.filter { $0.amount > 0 }
        let counted = things.count { count($0) != nil || $0.quantity != nil }
        guard things.count >= 2, Double(counted) >= leastShareOfCounts * Double(things.count) else {
            return items
        }
        return items.map { item in
            guard let (count, rest) = count(item) else { return item }
            var item = item
            (item.quantity, item.description) = (count, rest)
            return item
        }
    }

    /// Whether the name of a thing stands below its amount: the first row with an amount has no name, and none above it.
    private var isDescribedBelow: Bool {
        guard let first = rows.firstIndex(where: { $0.rowClass == .item && $0.amount != nil }) else {
            return false
        }
        return rows[first].letterCount <= 3 && (first == 0 || rows[first - 1].rowClass != .itemPart)
    }

    private func add(
        _ row: ReceiptRow, _ amount: PrintedAmount, above: ReceiptRow?, pending: Quantity?,
        to items: inout [ReceiptFields.LineItem]
    ) {
        // The row may be a quantity alone, "2 @ 1.50   3.00", with or without a code before it.
        let code = row.label.first.flatMap { Self.isCode($0.text) && row.label.count > 1 ? $0.text : nil }
        let label = code == nil ? row.label : Array(row.label.dropFirst())
        if let quantity = Quantity.alone(in: label, style: style)
            ?? Quantity.columns(label, amount: amount.value, style: style)
        {
            if let above, above.letterCount >= 2 {
                items.append(
                    item(description: above.words, quantity: quantity, row: row, amount: amount, code: code))
                return
            }
            if var last = items.last, last.quantity == nil, let unit = quantity.unitPrice,
                last.amount == amount.value || unit * quantity.count == last.amount
            {
                (last.quantity, last.unitPrice) = (quantity.count, unit)
                items[items.count - 1] = last
                return
            }
            items.append(item(description: [], quantity: quantity, row: row, amount: amount, code: code))
            return
        }
        guard row.letterCount >= 2 else {
            if let above {
                items.append(
                    item(description: above.words, quantity: pending, row: row, amount: amount, code: code))
            }
            return
        }
        let (quantity, description) = Quantity.leading(in: label, style: style, amount: amount.value)
        items.append(
            item(
                description: description, quantity: quantity ?? pending, row: row, amount: amount, code: code)
        )
    }

    /// Digits that are a product's code: four and more, as counts are not.
    private static func isCode(_ word: String) -> Bool {
        word.count >= 4 && word.allSatisfy { $0.isASCII && $0.isNumber }
    }

    private func item(
        description: [RecognizedWord], quantity: Quantity?, row: ReceiptRow, amount: PrintedAmount,
        code: String? = nil
    ) -> ReceiptFields.LineItem {
        .init(
            quantity: quantity?.count, unit: quantity?.unit, unitPrice: quantity?.unitPrice, code: code,
            description: description.map(\.text).joined(separator: " "),
            amount: row.rowClass == .discount && amount.value > 0 ? -amount.value : amount.value,
            confidence: max(row.probability(.item), row.probability(row.rowClass))
                * RecognizedText.meanConfidence(of: row.words),
            printed: row.labelText, box: Self.box(of: row.words))
    }
}

extension ReceiptFields.LineItem {
    /// Takes its name from the row below.
    fileprivate mutating func describe(_ row: ReceiptRow) {
        description = row.text
        box = box.union(row.box)
    }
}
