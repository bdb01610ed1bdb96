import Platform

/// How a receipt writes its numbers.
struct NumberStyle: Equatable {
    /// The mark before the fraction; nil where amounts have none (yen, won).
    var decimalMark: Character?
    /// Whether amounts have "$" before them.
    var hasDollars = false
    /// Whether amounts have "*" before them.
    private var hasStars = false
    /// The letters that several amounts begin with: a currency's letter, "L16.00", or a misread currency sign.
    private var letters: Set<Character> = []
    /// Whether the tax class right behind amounts was misread as a 1: "1.251" among "1.25T".
    private var hasOnesForClasses = false
    /// Whether amounts usually have a dash before the tax class, "56,40-A", so that it marks no deduction.
    private var hasDashesBeforeClasses = false
    /// Whether thousands and fraction have the same mark: "*8.000.00".
    private(set) var hasMarksAlike = false
    /// The digits of amounts whose thousands and fraction have different marks: where "16,000.00" is printed, "16.000.00" means
    /// the same.
    private(set) var grouped: Set<String> = []
    /// Whether thousands are separated by a space and nothing else: "35 000".
    private(set) var hasSpacedGroups = false
    /// Whether amounts have three digits after the mark, as amounts in dinars do: "0.550" beside "14.149".
    private(set) var hasThousandths = false
    /// The whole tax rates that the receipt prints with "%": behind an amount they tell which tax applies to it.
    var taxRates: Set<String> = []

    /// Finds the style of most of a receipt's amounts: two digits after the last mark tell which mark that is.
    init(words: [String]) {
        var counts: [Character: Int] = [:]
        var groups: [Character: Int] = [:]
        /// Numbers with one digit after the mark.
        var tenths: [Character: Int] = [:]
        /// Numbers of a zero, a mark and three digits, which cannot be thousands; and other groups that end in two zeros, as
        /// thousands do.
        var (thousandths, rounded) = (0, 0)
        for word in words {
            let digits = PrintedAmount.bare(word).number
            guard let mark = digits.last(where: { $0 == "." || $0 == "," }) else { continue }
            guard let place = digits.lastIndex(of: mark) else { continue }
            switch digits.distance(from: place, to: digits.endIndex) - 1 {
            case 2 where digits.first?.isNumber == true && !PrintedAmount.isDate(digits):
                counts[mark, default: 0] += 1
            case 3 where digits[digits.index(after: place)...].allSatisfy(\.isNumber):
                groups[mark, default: 0] += 1
                if digits.hasPrefix("0"), digits.count == 5 {
                    thousandths += 1
                } else if digits.hasSuffix("00") {
                    rounded += 1
                }
            case 1 where digits.first?.isNumber == true && digits.count(where: { !$0.isNumber }) == 1:
                tenths[mark, default: 0] += 1
            default: break
            }
        }
        let points = counts[".", default: 0]
        let commas = counts[",", default: 0]
        // Prices in dong and yen have groups of three digits, even where a rate or two beside them has a fraction.
        let isGrouped = groups.values.reduce(0, +) > Self.leastShareOfGroups * (points + commas)
        decimalMark = points + commas == 0 || isGrouped ? nil : points >= commas ? "." : ","
        if points + commas == 0, groups.isEmpty {
            // "39.0", "334.0"
            decimalMark = tenths.filter { $0.value > Self.leastOfHabit }.max { $0.value < $1.value }?.key
        }
        // Counts may have a fraction even where amounts have none.
        let spaced = Self.spacedGroups(in: words)
        hasSpacedGroups = groups.isEmpty && spaced >= Self.leastOfHabit && spaced > points + commas
        if hasSpacedGroups { decimalMark = nil }
        if isGrouped, let only = groups.first, groups.count == 1, thousandths > Self.leastOfHabit,
            Self.mostToThousandth * thousandths >= only.value, 2 * rounded < only.value - thousandths
        {
            (decimalMark, hasThousandths) = (only.key, true)
        }
        hasDollars = words.count { $0.hasPrefix("$") && $0.count > 1 } > 1
        findHabits(words)
        taxRates = Set(words.indices.compactMap { Self.taxRate(at: $0, in: words) })
            .union(Self.ratesBehindAmounts(in: words))
    }

    /// Returns the whole numbers of two digits that stand behind several amounts, as rates without "%" do: "13.99 19".
    private static func ratesBehindAmounts(in words: [String]) -> Set<String> {
        var counts: [String: Int] = [:]
        for (word, next) in zip(words, words.dropFirst()) {
            if let rate = Int(next), next.count == 2, rates.contains(rate), PrintedAmount.looksCertain(word) {
                counts[next, default: 0] += 1
            }
        }
        return Set(counts.filter { $0.value >= leastOfHabit }.keys)
    }

    /// Rates of taxes on goods that are whole numbers of two digits, in per cent.
    private static let rates = 10...27

    /// Counts how often "000" follows a number of at most three digits: "35 000". Other numbers stand beside each other by
    /// chance.
    private static func spacedGroups(in words: [String]) -> Int {
        zip(words, words.dropFirst()).count { left, right in
            right == "000" && left.count <= 3 && left.first != "0"
                && left.allSatisfy { $0.isASCII && $0.isNumber }
        }
    }

    /// The whole number of "19%", "19,00 %" or "7.0%".
    private static func taxRate(at index: Int, in words: [String]) -> String? {
        let word = words[index]
        guard word.hasSuffix("%") || (index + 1 < words.count && words[index + 1] == "%"),
            let match = word.wholeMatch(of: #/(\d{1,2})(?:[.,]0{1,2})?%?/#)
        else { return nil }
        return String(match.1)
    }

    /// Most numbers with three digits after a mark for each one below 1; where there are more, the small ones are weights beside
    /// thousands.
    private static let mostToThousandth = 4

    /// Amounts have no fraction if numbers in groups of three are more than this many times as frequent as numbers with a
    /// fraction.
    private static let leastShareOfGroups = 3

    init(decimalMark: Character?) { self.decimalMark = decimalMark }

    /// Finds the signs, letters and tax classes that stand around the receipt's amounts.
    private mutating func findHabits(_ words: [String]) {
        var starts: [Character: Int] = [:]
        var (closeClasses, ones, longer, dashes, classes) = (0, 0, 0, 0, 0)
        for (index, word) in words.enumerated() {
            if word.count == 1, index > 0, PrintedAmount.looksCertain(words[index - 1]) {
                if word == "1" { closeClasses += 1 }
                if word.first?.isUppercase == true { classes += 1 }
            }
            guard let parts = AmountParts(word) else { continue }
            if parts.fraction.count == 2 {
                if let first = parts.first, parts.rest.isEmpty, first == "*" || first.isUppercase {
                    starts[first, default: 0] += 1
                }
                if parts.isClass(parts.rest) { closeClasses += 1 }
                if parts.isDashAndClass { dashes += 1 }
            } else if parts.fraction.count == 3, parts.rest.isEmpty {
                longer += 1
                if parts.fraction.last == "1" { ones += 1 }
            }
        }
        hasMarksAlike = words.count(where: Self.marksAlike.stands) >= Self.leastOfHabit
        grouped = Set(
            words.filter(Self.marksApart.stands).map { $0.filter { $0.isASCII && $0.isNumber } })
        hasStars = starts["*", default: 0] >= Self.leastOfHabit
        letters = Set(starts.filter { $0.key.isLetter && $0.value >= Self.leastOfHabit }.keys)
        // Three digits after the mark may also be a weight, which ends in any digit.
        // Without a fraction "203,501" has three digits behind its mark, whatever the last.
        hasOnesForClasses =
            decimalMark != nil && closeClasses + ones > Self.leastOfHabit && 2 * ones > longer
        hasDashesBeforeClasses = dashes > Self.leastOfHabit && dashes > classes + closeClasses
    }

    private static let marksApart = Pattern(#/^\W?\d{1,3}(?:(?:,\d{3})+\.|(?:\.\d{3})+,)\d{2}$/#)
    private static let marksAlike = Pattern(#/^\W?\d{1,3}(?:\.\d{3}\.|,\d{3},)\d{2}$/#)

    /// Number of amounts that make a habit.
    private static let leastOfHabit = 2

    /// Corrects a word by the signs that other amounts of the receipt have: "S1.01" is "$1.01" there, "x5.99" is "*5.99",
    /// "L16.00" is 16.00.
    func restored(_ word: String) -> String {
        var word = word
        if let first = word.first, word.dropFirst().first?.isNumber == true {
            if hasDollars, first == "S" {
                word = "$" + word.dropFirst()
            } else if hasStars && "xX".contains(first) || letters.contains(first) {
                word.removeFirst()
            }
        }
        guard hasOnesForClasses || !hasDashesBeforeClasses, let parts = AmountParts(word) else { return word }
        let isOne = parts.fraction.count == 3 && parts.fraction.last == "1" && parts.rest.isEmpty
        let isDashed = parts.fraction.count == 2 && parts.isDashAndClass
        if hasOnesForClasses && isOne || !hasDashesBeforeClasses && isDashed { word.removeLast() }
        return word
    }
}

/// The parts of a word of digits, a mark and digits: "*12.50-A". Scans characters instead of matching a pattern, because every
/// word of a page is tried.
private struct AmountParts {
    /// The character before the digits; nil if there is none.
    var first: Character?
    /// The digits after the mark.
    var fraction: Substring
    var rest: Substring

    init?(_ word: String) {
        var tail = word[...]
        func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
        if let sign = tail.first, !isDigit(sign) {
            first = sign
            tail = tail.dropFirst()
        }
        let marked = tail.drop(while: isDigit)
        guard marked.startIndex > tail.startIndex, let mark = marked.first, ".,".contains(mark) else {
            return nil
        }
        rest = marked.dropFirst().drop(while: isDigit)
        fraction = marked.dropFirst()[..<rest.startIndex]
    }

    /// Whether a text is a tax class: one ASCII capital.
    func isClass(_ text: Substring) -> Bool {
        text.count == 1 && text.first?.isASCII == true && text.first?.isUppercase == true
    }

    var isDashAndClass: Bool { rest.first == "-" && isClass(rest.dropFirst()) }
}

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
