import Platform
package import TextRecognition

/// What training and trials see of a text's rows.
extension ReceiptFields {
    /// What the row model sees of each row.
    package static func rowFeatures(of text: RecognizedText) -> [[Float]] {
        RowFeatures(of: rows(of: text)).vectors
    }

    /// Each row's text, its likeliest class, and how likely that is.
    package static func rowClasses(of text: RecognizedText) -> [(
        row: String, rowClass: RowClass, probability: Double
    )] {
        rows(of: text).map { ($0.text, $0.rowClass, $0.probability($0.rowClass)) }
    }

    private static func rows(of text: RecognizedText) -> [ReceiptRow] {
        let style = NumberStyle(words: text.words.map(\.text))
        return .classified(LetterPage(text, style: style)?.text ?? text, style: style)
    }

    /// The numbers from which the confidence of each field is computed, with the field's value. Also those of all candidates for
    /// the total, as "totals", and for the seller's name, as "merchants".
    package static func evidence(of text: RecognizedText) -> [(
        field: String, value: String, numbers: [Double]
    )] {
        var parser = ReceiptFieldParser(text: text, context: ReceiptContext(), givesAll: true)
        let fields = parser.parse()
        var found: [(field: String, value: String, numbers: [Double])] = parser.evidence.compactMap {
            name, evidence in
            fields.text(of: name).map { (name.rawValue, $0, evidence.numbers) }
        }
        found += parser.totalCandidates(tax: fields.tax?.value).map { ("totals", "\($0.value)", $0.numbers) }
        found += parser.merchantCandidates().map { ("merchants", $0.name, $0.numbers) }
        return found.sorted { ($0.field, $0.value) < ($1.field, $1.value) }
    }
}
