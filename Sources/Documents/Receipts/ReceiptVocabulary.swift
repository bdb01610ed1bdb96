import Foundation

/// The words by which receipts label what they print, in English, German, French, Spanish, Italian, Dutch and Japanese.
enum ReceiptVocabulary {
    /// What a row is about.
    enum Label: CaseIterable {
        case subtotal, tax, tip, total, change, paid, payment, discount, notMoney
    }

    /// Lower case, without accents, "ß" as "ss".
    static func folded(_ text: String) -> String {
        text.replacing("ß", with: "ss")
            .folding(
                options: [.diacriticInsensitive, .caseInsensitive, .widthInsensitive],
                locale: Locale(identifier: "en")
            )
            .lowercased()
    }

    /// The label of a row, from the words before its amount; nil for a row that may be an item.
    ///
    /// Asked in the order of `Label`: "total tax" is tax, "sub total" no total.
    static func label(of text: String) -> Label? {
        let words = self.words(of: text)
        guard !words.isEmpty else { return nil }
        let joined = words.joined(separator: " ")
        for (label, phrases) in phrases where phrases.contains(where: { matches(joined, words, $0) }) {
            return label
        }
        return nil
    }

    /// The text's words in folded letters and digits only.
    static func words(of text: String) -> [String] {
        folded(text).split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }

    private static let phrases: [(Label, [String])] = [
        (
            .notMoney,
            [
                "total items", "items total", "item count", "number of items", "total qty", "total quantity",
                "total savings",
                "you saved", "points", "articles", "anzahl", "posten", "total number", "items sold", "punkte",
            ]
        ),
        (
            .subtotal,
            [
                "subtotal", "sub total", "zwischensumme", "sous total", "total ht", "subtotaal", "subtotale",
                "小計", "netto", "nettobetrag", "net total", "imponibile", "base imponible",
            ]
        ),
        (
            .tax,
            [
                "tax", "vat", "gst", "hst", "pst", "qst", "mwst", "ust", "umsatzsteuer", "mehrwertsteuer",
                "tva", "iva", "btw",
                "消費税", "税", "sales tax", "taxe", "taxes", "steuer", "内税", "外税", "impuesto",
            ]
        ),
        (.tip, ["tip", "gratuity", "trinkgeld", "pourboire", "propina", "mancia", "service charge", "fooi"]),
        (
            .change,
            [
                "change", "change due", "ruckgeld", "wechselgeld", "zuruck", "rendu", "monnaie", "cambio",
                "resto", "wisselgeld", "お釣り", "おつり", "釣銭",
            ]
        ),
        (
            .discount,
            ["discount", "rabatt", "remise", "coupon", "reduction", "descuento", "sconto", "korting", "値引"]
        ),
        (
            .total,
            [
                "grand total", "total due", "amount due", "balance due", "total to pay", "to pay",
                "total amount", "total", "summe",
                "gesamt", "gesamtbetrag", "gesamtsumme", "endbetrag", "zu zahlen", "rechnungsbetrag",
                "total ttc", "net a payer",
                "a payer", "montant total", "importe total", "totale", "totale complessivo", "totaal",
                "te betalen", "合計",
                "お買上計", "total a pagar", "balance", "betrag",
            ]
        ),
        (
            .payment,
            [
                "cash", "card", "visa", "mastercard", "maestro", "amex", "american express", "debit",
                "credit", "contactless",
                "bar", "bargeld", "ec karte", "girocard", "karte", "kartenzahlung", "especes", "carte",
                "carte bancaire", "cb",
                "cheque", "efectivo", "tarjeta", "contanti", "carta", "contant", "pin", "paypal", "apple pay",
                "google pay",
                "現金", "お預り", "お預かり", "クレジット", "gift card", "voucher", "tendered", "cash tendered", "gegeben",
                "eftpos",
            ]
        ),
        (.paid, ["paid", "amount paid", "bezahlt", "paye", "pagado", "pagato", "betaald"]),
    ]

    /// Whether a phrase stands in the text. Words of five letters and more may have one letter misread; Japanese is written
    /// without spaces.
    private static func matches(_ joined: String, _ words: [String], _ phrase: String) -> Bool {
        if phrase.unicodeScalars.contains(where: { $0.value > 0x2E80 }) {
            return joined.replacing(" ", with: "").contains(phrase)
        }
        let wanted = phrase.split(separator: " ").map(String.init)
        guard wanted.count <= words.count else { return false }
        return (0...words.count - wanted.count).contains { start in
            wanted.indices.allSatisfy { isAlike(words[start + $0], wanted[$0]) }
        }
    }

    private static func isAlike(_ read: String, _ wanted: String) -> Bool {
        if read == wanted { return true }
        guard wanted.count >= 5, read.count == wanted.count else { return false }
        return zip(read, wanted).count { $0 != $1 } <= 1
    }

    /// What kinds of payment are called in the fields, by the words on paper.
    static let payments: [(words: [String], kind: String)] = [
        (
            ["cash", "bar", "bargeld", "especes", "efectivo", "contanti", "contant", "現金", "お預り", "お預かり"],
            "cash"
        ),
        (["paypal"], "paypal"), (["apple pay"], "apple pay"), (["google pay"], "google pay"),
        (["voucher", "gift card"], "voucher"), (["cheque", "check"], "cheque"),
        (
            [
                "card", "visa", "mastercard", "maestro", "amex", "american express", "debit", "credit",
                "contactless", "ec karte",
                "girocard", "karte", "kartenzahlung", "carte", "carte bancaire", "cb", "tarjeta", "carta",
                "pin", "クレジット", "eftpos",
            ], "card"
        ),
    ]

    /// The kind of payment that a row names.
    static func payment(in text: String) -> String? {
        let words = self.words(of: text)
        let joined = words.joined(separator: " ")
        return payments.first { $0.words.contains { matches(joined, words, $0) } }?.kind
    }
}
