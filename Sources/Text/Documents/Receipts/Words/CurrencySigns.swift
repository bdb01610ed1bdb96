import TextRecognition

/// The signs and codes of currencies on a page.
struct CurrencySigns {
    /// Signs that mean one currency: how often they occur and the word read most surely, by the currency's code.
    private(set) var closed: [String: (count: Int, word: RecognizedWord)] = [:]
    /// Signs that may mean several currencies, in the same way, by the sign: "$".
    private(set) var open: [String: (count: Int, word: RecognizedWord)] = [:]

    /// The currencies that stand only behind "in", as where a sum is converted: "Total in Euro".
    private(set) var converted: Set<String> = []

    /// Whether rupees are printed by "Rs" alone, which several countries use, and never by India's sign or code.
    private var hasOpenRupees = false

    init(_ rows: [ReceiptRow], style: NumberStyle) {
        var (isRs, isIndian) = (false, false)
        var printed: Set<String> = []
        /// How often items have signs made of letters, by the currency's code.
        var ofThings: [String: Int] = [:]
        for row in rows {
            for (index, word) in row.words.enumerated() {
                guard
                    let sign = PrintedAmount.sign(of: word.text, style: style)
                        ?? Self.signOfUnit(word.text, in: row, style: style)
                else { continue }
                // A sign of letters alone counts only beside an amount or as a caption; in "AM Dining Rm" it is none. Letters
                // behind "$3.99" that mean no dollar are a tax class: "FT" for food stamps and tax.
                let isBeside = [index - 1, index + 1].contains {
                    guard row.words.indices.contains($0),
                        let amount = PrintedAmount(row.words[$0].text, style: style)
                    else { return false }
                    return amount.currency == nil || amount.currency == sign.code
                        || amount.isOpen && Self.isDollar(sign.code)
                }
                let hasNumber = word.text.contains(where: \.isNumber)
                // "SUSU UHT PLN750" is an item's name.
                let isInName =
                    row.rowClass == .item && row.amount != nil && sign.open == nil
                    && word.text.first?.isLetter == true && hasNumber
                    && !row.amountWords.contains { $0.box == word.box }
                // "Lei" is also Portuguese for a law: "(Lei Federal 12.741/2012)".
                let isLaw =
                    sign.code == "RON" && row.words.indices.contains(index + 1)
                    && row.words[index + 1].text.contains(where: \.isLetter)
                guard !isInName, !isLaw else { continue }
                let isCaption = [.columns, .taxTable, .total].contains(row.rowClass)
                // A sign of one currency alone among words may be anything, such as "¥ 550g" in letters that are not read.
                let isAlone = row.words.count == 1 && word.text.first?.isLetter != true
                guard hasNumber || isBeside || isCaption || isAlone || sign.open == "$" else { continue }
                if sign.code == "INR" {
                    let isOpen = word.text.lowercased().contains("rs")
                    (isRs, isIndian) = (isRs || isOpen, isIndian || !isOpen)
                }
                if let open = sign.open {
                    Self.count(word, as: open, in: &self.open)
                } else {
                    Self.count(word, as: sign.code, in: &closed)
                    if index > 0, row.words[index - 1].text.lowercased() == "in", row.amount != nil {
                        converted.insert(sign.code)
                    } else {
                        printed.insert(sign.code)
                    }
                    if row.rowClass == .item, word.text.allSatisfy({ $0.isLetter || $0 == "." }) {
                        ofThings[sign.code, default: 0] += 1
                    }
                }
            }
        }
        hasOpenRupees = isRs && !isIndian
        converted.subtract(printed)
        // Letters that only few items have before their amounts are part of their names: "SALCHICHAS FR. 0,23".
        let things = rows.count { $0.rowClass == .item && $0.amount != nil }
        for (code, count) in ofThings where closed[code]?.count == count && 2 * count < things {
            closed[code] = nil
        }
    }

    /// The currency that a sign means in a country: "Rs" is India's, but other countries have rupees too, and Brazil's "R$" is
    /// read so.
    static func meant(by code: String, in country: String?) -> String {
        code == "INR" ? country.flatMap { rupees[$0] } ?? code : code
    }

    /// The currencies that "Rs" means outside India, by country.
    private static let rupees = ["BR": "BRL", "PK": "PKR", "LK": "LKR", "NP": "NPR", "MU": "MUR"]

    /// Whether a currency is printed, or a sign that may mean it.
    func mayPrint(_ currency: String) -> Bool {
        closed[currency] != nil
            || hasOpenRupees && currency != "BRL" && Self.rupees.values.contains(currency)
    }

    /// Returns the same signs with the meaning that they have in a country.
    func read(in country: String?) -> CurrencySigns {
        guard hasOpenRupees else { return self }
        var signs = self
        signs.closed = Dictionary(closed.map { (Self.meant(by: $0.key, in: country), $0.value) }) {
            ($0.count + $1.count, $0.word.confidence >= $1.word.confidence ? $0.word : $1.word)
        }
        signs.converted = Set(converted.map { Self.meant(by: $0, in: country) })
        return signs
    }

    /// The sign in a caption for the unit price: "€/Stk", "EUR/kg".
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
