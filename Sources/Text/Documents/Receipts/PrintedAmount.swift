import Platform

/// An amount of money as printed.
struct PrintedAmount: Equatable {
    var value: Decimal
    /// ISO 4217 of a currency printed with it.
    var currency: String?
    /// Whether its sign is used for several countries' currencies, such as "$".
    var isOpen = false
    /// Whether a mark, a currency or both make it certain that this is an amount; a bare "12" may be anything.
    var isCertain: Bool

    /// Reads one word such as "12.50", "€3,50", "-1.234,00", "2.00-", "¥1,280"; nil if it is no amount.
    init?(_ word: String, style: NumberStyle) {
        let (number, currency, isOpen, isNegative) = Self.bare(style.restored(word))
        guard let value = Self.value(of: number, style: style, hasSign: currency != nil) else { return nil }
        self.value = isNegative ? -value.amount : value.amount
        self.currency = currency
        self.isOpen = isOpen
        isCertain =
            value.hasFraction || currency != nil
            || (style.decimalMark == nil && number.contains { ".,".contains($0) })
    }

    /// Signs and codes that are printed beside amounts, with their currencies; a longer sign comes before the shorter one that it
    /// ends with.
    static let currencies: [(sign: String, code: String)] =
        [
            ("US$", "USD"), ("USD$", "USD"), ("CDN$", "CAD"), ("CAD$", "CAD"), ("CA$", "CAD"), ("C$", "CAD"),
            ("AU$", "AUD"), ("A$", "AUD"), ("NZ$", "NZD"), ("HK$", "HKD"), ("NT$", "TWD"), ("MX$", "MXN"),
            ("R$", "BRL"), ("S$", "SGD"), ("RM", "MYR"), ("Rs.", "INR"), ("Rs", "INR"), ("DH", "MAD"),
            ("Bs.", "VES"), ("Bs", "VES"), ("BS.", "VES"), ("BS", "VES"),
            ("$", "USD"), ("€", "EUR"), ("£", "GBP"), ("¥", "JPY"), ("￥", "JPY"), ("円", "JPY"), ("₩", "KRW"),
            ("원", "KRW"), ("₹", "INR"), ("₫", "VND"), ("VNĐ", "VND"), ("₺", "TRY"), ("₱", "PHP"),
            ("฿", "THB"),
            ("₪", "ILS"), ("₦", "NGN"), ("KSh", "KES"), ("TSh", "TZS"), ("GH₵", "GHS"), ("GHC", "GHS"),
            ("৳", "BDT"), ("Birr", "ETB"), ("₴", "UAH"), ("₽", "RUB"), ("₸", "KZT"), ("₾", "GEL"),
            ("元", "CNY"),
            ("RMB", "CNY"), ("zł", "PLN"), ("ZŁ", "PLN"), ("zl", "PLN"), ("Kč", "CZK"), ("KČ", "CZK"),
            ("Kc", "CZK"),
            ("Ft", "HUF"), ("FT", "HUF"), ("lei", "RON"), ("LEI", "RON"), ("Lei", "RON"), ("TL", "TRY"),
            ("Rp", "IDR"), ("RP", "IDR"),
            ("L.E.", "EGP"), ("L.E", "EGP"), ("ج.م", "EGP"), ("лв", "BGN"), ("kr", "SEK"), ("kr.", "SEK"),
            ("KR", "SEK"),
            ("Fr.", "CHF"), ("SFr.", "CHF"), ("EURO", "EUR"), ("Euro", "EUR"), ("руб.", "RUB"),
            ("руб", "RUB"),
            // As readers of Latin letters misread it.
            ("py6.", "RUB"), ("py6", "RUB"),
        ] + codes.split(separator: " ").map { (String($0), String($0)) }

    private static let codes = """
        MYR SGD INR MXN BRL NZD HKD MAD CHF EUR USD GBP JPY CAD AUD SEK NOK DKK PLN CZK HUF RON TRY VND IDR EGP THB PHP \
        KRW CNY TWD ILS AED SAR QAR KWD BHD OMR JOD ZAR KES NGN GHS UAH RUB BGN RSD ISK HRK PKR BDT LKR CLP ARS \
        UYU CRC DOP TND KZT BYN ETB NPR BAM MKD MDL AZN AMD UZS GTQ HNL NIO PYG TZS UGX RWF ZMW BWP MUR DZD XOF XAF LBP MMK KHR BND
        """

    /// Signs that several countries use, and the currencies that they may mean.
    static let openSigns: [String: Set<String>] = [
        "$": [
            "USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "TWD", "COP", "CLP", "ARS", "JMD", "TTD", "BBD",
            "BSD", "BND",
            "UYU", "DOP", "NAD", "FJD", "GYD",
        ],
        "kr": ["SEK", "NOK", "DKK", "ISK"],
        "руб": ["RUB", "BYN"], "py6": ["RUB", "BYN"],
        "bs": ["VES", "BOB"],
    ]

    /// Whether a sign may mean several currencies.
    static func isOpenSign(_ sign: String) -> Bool { openSign(sign) != nil }

    private static func openSign(_ sign: String) -> String? {
        let plain = sign.lowercased().trimming(".")
        return openSigns[plain] == nil ? nil : plain
    }

    /// The currency that a whole word names; nil for other words. Signs of two letters must match in case: in another case they
    /// are words of other languages.
    static func currency(named word: String) -> String? {
        guard word.count <= longestSign else { return nil }
        return codesBySign[word] ?? codesBySmallSign[word.lowercased()]
    }

    private static let longestSign = currencies.lazy.map(\.sign.count).max() ?? 0
    private static let codesBySign = Dictionary(currencies, uniquingKeysWith: { first, _ in first })
    private static let codesBySmallSign = Dictionary(
        currencies.filter { $0.sign.count > 2 }.map { ($0.sign.lowercased(), $0.code) },
        uniquingKeysWith: { first, _ in first })

    /// The currency of a sign that is a word or part of one, and the sign's key in `openSigns` where it may mean several
    /// currencies.
    static func sign(of word: String, style: NumberStyle) -> (code: String, open: String?)? {
        let bare = word.trimming("():")
        if let code = currency(named: word) ?? currency(named: bare) { return (code, openSign(bare)) }
        // "MONEY(VND)", "TOTAL(SGD)INCL.GST"
        if let match = word.firstMatch(of: codeInBrackets.regex), let code = currency(named: String(match.1))
        {
            return (code, nil)
        }
        guard let amount = PrintedAmount(word, style: style), let code = amount.currency else { return nil }
        return (code, amount.isOpen ? openSigns.first { $0.value.contains(code) }?.key : nil)
    }

    private static let codeInBrackets = Pattern(#/\p{L}\(([A-Z]{3}|Rs\.?)\)/#)

    /// Splits a word into its number, its currency and its sign.
    static func bare(_ word: String) -> (
        number: String, currency: String?, isOpen: Bool, isNegative: Bool
    ) {
        var rest = classAndRest(behind: word)?.number ?? Substring(word)
        var isNegative = false
        var currency: String?
        var isOpen = false
        func trim() {
            // Removes what shops print around amounts, and specks and rules that were misread as marks.
            while let first = rest.first, "*=:;+<>'\"|~_".contains(first) { rest = rest.dropFirst() }
            while let last = rest.last, "*=:;<>'\"|~_\\".contains(last) { rest = rest.dropLast() }
            if rest.hasPrefix("(") && rest.hasSuffix(")") && rest.count > 2 {
                isNegative = true
                rest = rest.dropFirst().dropLast()
            }
            if let first = rest.first, "-−–".contains(first) {
                isNegative = true
                rest = rest.dropFirst()
            }
            if let last = rest.last, "-−–".contains(last) {
                // "12,-" means no cents, "2.00-" a deduction.
                if rest.dropLast().last.map({ $0 == "," || $0 == "." }) == true {
                    rest = rest.dropLast(2)
                } else {
                    isNegative = true
                    rest = rest.dropLast()
                }
            }
        }
        trim()
        let isBare = rest.utf8.allSatisfy { (0x2C...0x39).contains($0) }
        for (sign, code) in isBare ? [] : currencies where rest.utf8.count > sign.utf8.count {
            if rest.hasPrefix(sign) {
                rest = rest.dropFirst(sign.count)
                (currency, isOpen) = (code, isOpenSign(sign))
                break
            }
            if rest.hasSuffix(sign) {
                rest = rest.dropLast(sign.count)
                (currency, isOpen) = (code, isOpenSign(sign))
                break
            }
        }
        if currency != nil {
            trim()
            // "RM.12.50" and "Rs.236.00": the mark belongs to the sign.
            if rest.count > 3, let first = rest.first, ".,".contains(first) { rest = rest.dropFirst() }
        }
        // A tax class set close to the amount: "22.00SR".
        let letters = rest.reversed().prefix { $0.isASCII && $0.isUppercase }.count
        if (1...3).contains(letters) {
            // With a speck between: "1.99.A".
            let number = rest.dropLast(letters)
            let cleaned = number.hasSuffix(".") ? number.dropLast() : number
            if endsInCents(cleaned) { rest = cleaned }
        }
        // A sum owed, "debit": "77.90Dr".
        if rest.hasSuffix("Dr"), endsInCents(rest.dropLast(2)) { rest = rest.dropLast(2) }
        // In small letters: "9,99a". Letters behind these are units: "1,50g".
        if let last = rest.last, smallClasses.contains(last), endsInCents(rest.dropLast()) {
            rest = rest.dropLast()
        }
        // With a star between: "0,25*C", whose letter may be read as a digit.
        if let star = rest.lastIndex(where: { "*xX×".contains($0) }), rest[star...].count <= 3,
            rest[star...].dropFirst().allSatisfy({ $0.isASCII && ($0.isUppercase || $0.isNumber) }),
            endsInCents(rest[..<star])
        {
            rest = rest[..<star]
        }
        // Cents alone: ".76".
        if rest.count == 3, endsInCents("0" + rest) { return ("0" + rest, currency, isOpen, isNegative) }
        return (String(rest), currency, isOpen, isNegative)
    }

    /// Splits an amount from the tax class right behind it, where a rule or a mark by hand was read as one or two more
    /// characters: "6,99Cs", "3,79A€", "2,99BSc". Accepts only the tills' letters A to G and characters that strokes are read as,
    /// because "1,50Kg" and "0,33Cl" are weights.
    private static func classAndRest(behind word: String) -> (number: Substring, letter: Character)? {
        for rest in 1...2 where word.suffix(rest).allSatisfy(strokes.contains) {
            let number = word.dropLast(rest)
            if let letter = number.last, ("A"..."G").contains(letter), endsInCents(number.dropLast()),
                currency(named: String(word.suffix(rest + 1))) == nil
            {
                return (number.dropLast(), letter)
            }
        }
        return nil
    }

    /// Small letters of tax classes; "e" stands for euros.
    private static let smallClasses: ClosedRange<Character> = "a"..."d"

    /// Characters that strokes beside the print are misread as.
    private static let strokes: Set<Character> = ["s", "S", "c", "C", "o", "0", "5", "€", "<", "|", "D", "R"]

    /// The tax class right behind an amount: "C" in "0,25*C" and "0,25Cs", "SR" in "22.00SR"; nil if there is none.
    static func taxClass(behind word: String) -> String? {
        if let (_, letter) = classAndRest(behind: word) { return String(letter) }
        guard let match = word.wholeMatch(of: Self.amountAndClass.regex) else { return nil }
        return String(match.1)
    }

    private static let amountAndClass = Pattern(#/.*\d[.,]\d\d[*x×-]?([A-Z]{1,3}|[a-d])/#)

    /// Whether a word is written like an amount, with either mark: digits, a mark, two digits.
    static func looksCertain(_ word: String) -> Bool {
        let number = bare(word).number
        return endsInCents(Substring(number)) && !isDate(number)
    }

    /// Whether a number ends in a mark and two digits, with a digit at its start.
    private static func endsInCents(_ number: Substring) -> Bool {
        let end = number.suffix(3)
        return number.count >= 4 && end.first.map { ".,".contains($0) } == true
            && end.dropFirst().allSatisfy { $0.isASCII && $0.isNumber } && number.first?.isNumber == true
    }

    /// Whether digits with marks are a date rather than an amount (12.05.24).
    static func isDate(_ digits: String) -> Bool {
        let parts = digits.split(whereSeparator: { ".,/-".contains($0) })
        return parts.count == 3 && parts.allSatisfy { $0.count <= 2 }
    }

    private static func value(of printed: String, style: NumberStyle, hasSign: Bool) -> (
        amount: Decimal, hasFraction: Bool
    )? {
        let number = printed.map { letterDigits[$0] ?? $0 }
        // At least half of the letters and digits must be digits as read: "SOLO" is a word, "1O.5O" an amount.
        let letterCount = printed.count(where: \.isLetter)
        let digitCount = printed.count { $0.isASCII && $0.isNumber }
        guard digitCount > 0, 2 * digitCount >= letterCount + digitCount,
            printed.count <= 14,
            number.allSatisfy({ ($0.isASCII && $0.isNumber) || ".,'’".contains($0) }),
            number.first?.isNumber == true, number.last?.isNumber == true, !isDate(printed)
        else { return nil }
        guard letterCount == 0 || number.contains(where: { ".,".contains($0) }) else {
            return nil
        }
        let marks = number.indices.filter { !number[$0].isNumber }
        var fraction = 0
        if let last = marks.last {
            let digits = number.count - 1 - last
            let mark = number[last]
            if digits == 2 && (mark == "." || mark == ",") {
                fraction = 2
            } else if digits == 3, style.hasThousandths, mark == style.decimalMark {
                fraction = 3
            } else if digits == 3, mark != style.decimalMark || style.decimalMark == nil {
                fraction = 0
            } else if digits == 1, mark == style.decimalMark {
                fraction = 1
            } else {
                return nil
            }
            // Before it stand groups of three digits, all with the same mark.
            let grouping = fraction > 0 ? marks.dropLast() : marks[...]
            var end = fraction > 0 ? last : number.count
            for mark in grouping.reversed() {
                guard end - mark - 1 == 3 else { return nil }
                end = mark
            }
            guard Set(grouping.map { number[$0] }).count <= 1 else { return nil }
            // A point read as a comma: "$64,055,76".
            if fraction > 0, let group = grouping.last, number[group] == mark, !hasSign,
                !style.hasMarksAlike, !style.grouped.contains(String(number.filter(\.isNumber)))
            {
                return nil
            }
        }
        let digits = String(number.filter(\.isNumber))
        // A number behind letters that look like a currency sign has more digits than any sum printed without a mark:
        // "DH201409230001".
        guard digits.count <= 12, !(hasSign && marks.isEmpty && digits.count > longestUnmarked),
            let units = Int64(digits)
        else { return nil }
        let amount = Decimal(units) / [1, 10, 100, 1000][fraction]
        return (amount, fraction > 0)
    }

    /// Digits of the largest sum that is printed without a mark: 10 million dong.
    private static let longestUnmarked = 8

    /// Letters that tesseract reads in place of digits inside numbers.
    private static let letterDigits: [Character: Character] = [
        "O": "0", "o": "0", "D": "0", "l": "1", "I": "1", "|": "1", "S": "5", "B": "8", "Z": "2",
    ]
}
