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
