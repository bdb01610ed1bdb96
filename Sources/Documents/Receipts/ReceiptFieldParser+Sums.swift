import TextRecognition
import Foundation

/// Subtotal, taxes, tip and total, and whether they agree with each other and with the items.
extension ReceiptFieldParser {
    mutating func findSums() {
        fields.subtotal = labelled(.subtotal).first.map { Self.field($0.amount.value, $0.words) }
        let taxes = rows.filter { $0.kind == .tax && $0.amount != nil }
        let amounts = taxes.compactMap { row in taxAmount(of: row).map { ($0, row.amountWords) } }
        if !amounts.isEmpty {
            fields.tax = Self.field(amounts.reduce(0) { $0 + $1.0 }, amounts.flatMap(\.1))
        }
        fields.tip = labelled(.tip).first.map { Self.field($0.amount.value, $0.words) }

        // The last of several totals is what is paid (after rounding or a tip), unless sums say otherwise.
        let totals = labelled(.total)
        let fitting = totals.filter { candidate in
            guard let subtotal = fields.subtotal?.value else { return false }
            let tax = fields.tax?.value ?? 0
            let tip = fields.tip?.value ?? 0
            return [subtotal + tax + tip, subtotal + tax, subtotal + tip, subtotal]
                .contains { $0 == candidate.amount.value } && candidate.amount.value >= subtotal
        }
        let grand = totals.filter { candidate in
            let words = ReceiptVocabulary.words(of: candidate.label)
            return words.contains {
                ["grand", "due", "pay", "ttc", "payer", "zahlen", "pagar", "betalen"].contains($0)
            }
        }
        if let total = fitting.last ?? grand.first ?? totals.first {
            fields.total = Self.field(total.amount.value, total.words)
        }
    }

    /// The amounts that a label names: in its row, or alone in the next.
    func labelled(
        _ kind: ReceiptVocabulary.Label
    ) -> [(label: String, amount: PrintedAmount, words: [RecognizedWord])] {
        rows.indices.compactMap { index in
            let row = rows[index]
            guard row.kind == kind else { return nil }
            if let amount = row.amount { return (row.labelText, amount, row.amountWords) }
            guard index + 1 < rows.count, rows[index + 1].label.isEmpty, let amount = rows[index + 1].amount
            else { return nil }
            return (row.text, amount, rows[index + 1].amountWords)
        }
    }

    /// A tax row may list rate, base and tax: the tax is the amount that is the rate's share of another, else the last.
    func taxAmount(of row: ReceiptRow) -> Decimal? {
        guard let last = row.amount?.value else { return nil }
        let others = row.label.filter { !$0.text.hasSuffix("%") }
            .compactMap { PrintedAmount($0.text, style: style) }.filter(\.isCertain).map(\.value)
        guard !others.isEmpty, let rate = row.label.lazy.compactMap({ Self.percentage($0.text) }).first else {
            return last
        }
        let all = others + [last]
        let cent = Decimal(1) / 100
        for tax in all {
            for base in all where base > tax {
                let difference = base * rate / 100 - tax
                if abs(difference) <= cent { return tax }
            }
        }
        return last
    }

    static func percentage(_ word: String) -> Decimal? {
        guard word.hasSuffix("%") else { return nil }
        return Decimal(
            string: String(word.dropLast()).replacing(",", with: "."),
            locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Holds the items against the subtotal and the parts against the total. Tax may come on top or be included.
    mutating func compareSums() {
        let items = fields.items.reduce(Decimal(0)) { $0 + $1.amount }
        let tax = fields.tax?.value ?? 0
        let tip = fields.tip?.value ?? 0
        if !fields.items.isEmpty, let subtotal = fields.subtotal?.value {
            if items == subtotal {
                fields.subtotal?.raise()
                for index in fields.items.indices { fields.items[index].raise() }
            } else {
                fields.subtotal?.lower()
                fields.contradictions.append(
                    "The items add up to \(items), but the subtotal says \(subtotal)")
            }
        }
        guard let total = fields.total?.value else { return }
        if let subtotal = fields.subtotal?.value {
            if [subtotal + tax + tip, subtotal + tip, subtotal + tax, subtotal].contains(total) {
                fields.total?.raise()
                if total != subtotal { fields.tax?.raise() }
            } else {
                fields.total?.lower()
                fields.contradictions.append(
                    "The subtotal \(subtotal) with tax \(tax) and tip \(tip) makes \(subtotal + tax + tip), but the total says \(total)"
                )
            }
        } else if !fields.items.isEmpty {
            if [items, items + tax, items + tip, items + tax + tip].contains(total) {
                fields.total?.raise()
                for index in fields.items.indices { fields.items[index].raise() }
            } else {
                fields.total?.lower()
                fields.contradictions.append("The items add up to \(items), but the total says \(total)")
            }
        }
    }
}

/// What two readings of one amount do to the confidence in it.
private enum Comparison {
    /// The share of the doubt that is left where two independent readings agree: both would have to be wrong alike.
    static let doubtLeft = 0.3
    /// The share of the confidence that is left where two readings disagree: either may be wrong.
    static let confidenceLeft = 0.6

    static func raised(_ confidence: Double) -> Double { 1 - (1 - confidence) * doubtLeft }
}

extension ReceiptFields.Field {
    /// Two independent readings agree.
    fileprivate mutating func raise() { confidence = Comparison.raised(confidence) }
    /// Two readings disagree.
    fileprivate mutating func lower() { confidence *= Comparison.confidenceLeft }
}

extension ReceiptFields.LineItem {
    fileprivate mutating func raise() { confidence = Comparison.raised(confidence) }
}
