import TextRecognition
import Foundation

/// When the receipt was printed, and in which currency.
extension ReceiptFieldParser {
    /// How sure a date is in which day and month may be exchanged, and the receipt's country decides.
    private static let certaintyOfAmbiguousDate = 0.6
    /// How sure it is that "$" alone means dollars of the United States: other countries print the same sign.
    private static let certaintyOfBareDollar = 0.7

    mutating func findDateAndTime() {
        let times = rows.compactMap { row in PrintedDate.findTime(in: row.text).map { (row, $0) } }
        if let (row, time) = times.first {
            fields.time = Self.field(time.time, row.words(spelling: time.printed))
        }
        let monthFirst = isMonthFirst(hasTwelveHours: times.first.map { $0.1.isTwelveHours })
        // A date with "date" or a time beside it is the receipt's; others may be of a card or an offer.
        let dated = rows.compactMap { row in
            PrintedDate.find(in: row.text, monthFirst: monthFirst).map { (row, $0.date, $0.printed) }
        }
        let chosen =
            dated.first { row, _, _ in
                let words = ReceiptVocabulary.words(of: row.text)
                return words.contains { ["date", "datum", "data", "fecha", "日付"].contains($0) }
                    || PrintedDate.findTime(in: row.text) != nil
            } ?? dated.first
        if let (row, date, printed) = chosen {
            fields.date = Self.field(
                date.iso, row.words(spelling: printed),
                certainty: date.isAmbiguous ? Self.certaintyOfAmbiguousDate : 1)
        }
    }

    /// How 03/04/2024 is meant: as in the United States if the receipt looks like one from there.
    func isMonthFirst(hasTwelveHours: Bool?) -> Bool {
        let text = rows.map(\.text).joined(separator: "\n")
        let words = Set(ReceiptVocabulary.words(of: text))
        var score = 0
        switch hasTwelveHours {
        case true?: score += 2
        case false?: score -= 2
        case nil: break
        }
        if text.contains("$") { score += 1 }
        if text.contains(#/\b[A-Z]{2},? \d{5}(-\d{4})?\b/#) { score += 2 }
        if text.contains(#/[Ss]ales [Tt]ax|SALES TAX/#) { score += 1 }
        if text.contains("€") || text.contains("£") { score -= 3 }
        if !words.isDisjoint(with: ["vat", "gst", "tva", "mwst", "iva", "btw"]) { score -= 2 }
        return score > 0
    }

    mutating func findCurrency() {
        var counts: [String: (count: Int, word: RecognizedWord)] = [:]
        for row in rows {
            for word in row.words {
                let code =
                    PrintedAmount.currency(named: word.text)
                    ?? (PrintedAmount(word.text, style: style) != nil
                        ? PrintedAmount.bare(word.text).currency : nil)
                guard let code else { continue }
                counts[code] = ((counts[code]?.count ?? 0) + 1, counts[code]?.word ?? word)
            }
        }
        guard let best = counts.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }) else {
            return
        }
        let isDollar = best.key == "USD" && !rows.contains { $0.text.contains("US") }
        fields.currency = Self.field(
            best.key, [best.value.word], certainty: isDollar ? Self.certaintyOfBareDollar : 1)
    }
}
