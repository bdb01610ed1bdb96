import TextRecognition

extension [ReceiptRow] {
    /// The rows of a text, each with its class.
    static func classified(_ text: RecognizedText, style: NumberStyle) -> [ReceiptRow] {
        // Without any fraction on the receipt a bare number may be an amount, but only where most rows end in one.
        var rows = text.lines.map { ReceiptRow(splitting: $0.words, style: style, acceptsBare: false) }
        if style.decimalMark == nil, !rows.contains(where: { $0.amount?.currency != nil }) {
            rows = text.lines.map { ReceiptRow(splitting: $0.words, style: style, acceptsBare: true) }
        }
        // A whole number behind a word for the total, where no other total has an amount.
        let totals = rows.indices.filter { rows[$0].saysTotal }
        if !totals.contains(where: { rows[$0].amount != nil }) {
            for index in totals {
                var row = ReceiptRow(splitting: rows[index].words, style: style, acceptsBare: true)
                row.restoreMark(by: rows)
                if row.saysTotalAlone { rows[index] = row }
            }
        }
        guard let model = RowModel.shared else { return rows }
        for (index, probabilities) in model.probabilities(of: RowFeatures(of: rows)).enumerated() {
            rows[index].probabilities = probabilities
            let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
            rows[index].rowClass = RowClass(rawValue: best) ?? .other
            rows[index].tellServiceFromTax()
        }
        return rows
    }
}
