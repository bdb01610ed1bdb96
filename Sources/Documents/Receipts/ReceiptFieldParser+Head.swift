import Foundation

/// Who sold it, how it was paid, and the number it bears.
extension ReceiptFieldParser {
    /// How sure it is that a line of the head is the merchant's name: the first that can be is more often than one further down.
    private static let certaintyOfFirstLine = 0.9
    private static let certaintyOfLaterLine = 0.7
    /// How sure it is that the lines below the name, up to the last with a number, are the address.
    private static let certaintyOfAddress = 0.8

    mutating func findHead() {
        let firstItem = rows.firstIndex { $0.amount != nil } ?? rows.count
        let head = rows[..<min(firstItem, 12)]
        var lines: [ReceiptRow] = []
        for row in head {
            let words = Set(ReceiptVocabulary.words(of: row.text))
            if let phone = Self.phone(in: row.text) {
                if fields.phone == nil {
                    fields.phone = Self.field(phone, row.words(spelling: phone))
                }
                if fields.merchant != nil { break }
                continue
            }
            let isOther =
                PrintedDate.find(in: row.text, monthFirst: false) != nil
                || PrintedDate.findTime(in: row.text) != nil
                || !words.isDisjoint(with: Self.headEnds)
            if fields.merchant == nil {
                guard row.text.count(where: \.isLetter) >= 2, !isOther,
                    words.isDisjoint(with: ["receipt", "invoice", "welcome", "copy", "kopie", "rechnung"])
                        || words.count > 3
                else { continue }
                fields.merchant = Self.field(
                    row.text, row.words,
                    certainty: lines.isEmpty ? Self.certaintyOfFirstLine : Self.certaintyOfLaterLine)
                continue
            }
            if isOther { break }
            lines.append(row)
            if lines.count == 5 { break }
        }
        // An address has numbers: of the house, of the town. What follows the last of them does not belong to it.
        if let last = lines.lastIndex(where: { $0.text.contains(where: \.isNumber) }) {
            let address = lines[...last]
            let words = address.flatMap(\.words)
            fields.address = Self.field(
                address.map(\.text).joined(separator: ", "), words, certainty: Self.certaintyOfAddress)
        }
    }

    static let headEnds: Set<String> = [
        "receipt", "invoice", "rechnung", "beleg", "bon", "ticket", "facture", "cashier", "kasse", "caisse",
        "till",
        "table", "tisch", "order", "server", "clerk", "date", "datum", "bedient", "register", "www", "http",
        "https",
        "qty", "menge", "vat", "ustid", "siret", "steuernummer",
    ]

    static func phone(in text: String) -> String? {
        if let match = text.firstMatch(
            of:
                #/(?i)\b(?:tel|phone|ph|fon|telefon|tél|telephone|téléphone|tlf|電話|TEL)\b\.?\s?:?\s?(\+?[\d()][\d\s()\/.\-]{5,}\d)/#
        ) {
            return String(match.1)
        }
        // Without a label only what can be nothing else.
        let whole = text.wholeMatch(
            of: #/\s*(\+\d[\d\s()\/.\-]{7,}\d|\(\d{3}\)\s?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})\s*/#)
        return whole.map { String($0.1) }
    }

    mutating func findPayment() {
        let paying = rows.filter { $0.kind == .payment }
        guard let row = paying.first(where: { $0.amount != nil }) ?? paying.last,
            let kind = ReceiptVocabulary.payment(in: row.labelText)
        else { return }
        fields.payment = Self.field(kind, row.label.isEmpty ? row.words : row.label)
    }

    mutating func findReceiptNumber() {
        let label =
            #/(?i)\b(?:receipt|invoice|rechnung|rechnungs-?nr|beleg|beleg-?nr|bon|bon-?nr|ticket|facture|scontrino|factura|レシート|transaction|trans|order|check|chk)\b/#
        for row in rows where row.text.contains(label) && row.kind == nil {
            guard let start = row.words.firstIndex(where: { $0.text.contains(label) }) else { continue }
            // The label's own word may hold the number ("Receipt#1234"); else it is among the next three.
            for word in row.words[start...].prefix(4) {
                let value = word.text.split { ":#".contains($0) }.last.map(String.init) ?? ""
                let digits = value.count { $0.isNumber }
                guard digits >= 2, 2 * digits >= value.count,
                    PrintedDate.find(in: value, monthFirst: false) == nil,
                    PrintedAmount(value, style: style)?.isCertain != true
                else { continue }
                fields.receiptNumber = Self.field(value, [word])
                return
            }
        }
    }
}
