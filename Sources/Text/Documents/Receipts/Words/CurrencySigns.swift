import TextRecognition

/// The signs and codes of currencies on a page.
struct CurrencySigns {
    /// How often, and the surest of them, by the currency's code: signs that mean one currency.
    private(set) var closed: [String: (count: Int, word: RecognizedWord)] = [:]
    /// Likewise signs that mean several, by the sign: "$".
    private(set) var open: [String: (count: Int, word: RecognizedWord)] = [:]

    init(_ rows: [ReceiptRow], style: NumberStyle) {
        /// How often signs of letters stand beside things' amounts.
        var ofThings: [String: Int] = [:]
        for row in rows {
            for (index, word) in row.words.enumerated() {
                guard
                    let sign = PrintedAmount.sign(of: word.text, style: style)
                        ?? Self.signOfUnit(word.text, in: row, style: style)
                else { continue }
                // A sign of letters alone is one only beside an amount or as a caption: "AM Dining Rm".
                // What stands behind "$3.99" and means no dollar is a class of tax: "FT" of food stamps and tax.
                let isBeside = [index - 1, index + 1].contains {
                    guard row.words.indices.contains($0),
                        let amount = PrintedAmount(row.words[$0].text, style: style)
                    else { return false }
                    return amount.currency == nil || amount.currency == sign.code
                        || amount.isOpen && Self.isDollar(sign.code)
                }
                let hasNumber = word.text.contains(where: \.isNumber)
                // "SUSU UHT PLN750" is a thing's name.
                let isInName =
                    row.rowClass == .item && row.amount != nil && sign.open == nil
                    && word.text.first?.isLetter == true && hasNumber
                    && !row.amountWords.contains { $0.box == word.box }
                guard !isInName else { continue }
                let isCaption = [.columns, .taxTable, .total].contains(row.rowClass)
                // A sign of one currency alone among words may be anything: "¥ 550g" of letters that are not read.
                let isAlone = row.words.count == 1 && word.text.first?.isLetter != true
                guard hasNumber || isBeside || isCaption || isAlone || sign.open == "$" else { continue }
                if let open = sign.open {
                    Self.count(word, as: open, in: &self.open)
                } else {
                    Self.count(word, as: sign.code, in: &closed)
                    if row.rowClass == .item, word.text.allSatisfy({ $0.isLetter || $0 == "." }) {
                        ofThings[sign.code, default: 0] += 1
                    }
                }
            }
        }
        // What only few things have before their amounts is a part of their names: "SALCHICHAS FR. 0,23".
        let things = rows.count { $0.rowClass == .item && $0.amount != nil }
        for (code, count) in ofThings where closed[code]?.count == count && 2 * count < things {
            closed[code] = nil
        }
    }

    /// The currency that a sign means in a country: Brazil's "R$" is read as "Rs", which is India's elsewhere.
    static func meant(by code: String, in country: String?) -> String {
        country == "BR" && code == "INR" ? "BRL" : code
    }

    /// The same signs as they are meant in a country.
    func read(in country: String?) -> CurrencySigns {
        var signs = self
        signs.closed = Dictionary(closed.map { (Self.meant(by: $0.key, in: country), $0.value) }) {
            ($0.count + $1.count, $0.word.confidence >= $1.word.confidence ? $0.word : $1.word)
        }
        return signs
    }

    /// The sign of a caption for the price of one: "€/Stk", "EUR/kg".
    private static func signOfUnit(
        _ word: String, in row: ReceiptRow, style: NumberStyle
    ) -> (code: String, open: String?)? {
        guard row.rowClass == .columns, let end = word.firstIndex(of: "/") else { return nil }
        return PrintedAmount.sign(of: String(word[..<end]), style: style)
    }

    private static func isDollar(_ code: String) -> Bool {
        PrintedAmount.openSigns["$"]?.contains(code) == true
    }

    private static func count(
        _ word: RecognizedWord, as sign: String, in signs: inout [String: (count: Int, word: RecognizedWord)]
    ) {
        let former = signs[sign]
        let surest = former.map { $0.word.confidence >= word.confidence ? $0.word : word } ?? word
        signs[sign] = ((former?.count ?? 0) + 1, surest)
    }
}
