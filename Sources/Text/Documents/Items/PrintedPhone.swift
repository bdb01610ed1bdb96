/// A telephone number as printed in a row.
struct PrintedPhone {
    /// The label printed before a number.
    enum Label: Equatable {
        case phone
        case mobile
        case fax
    }

    /// The number; nil if its country is unknown.
    let number: PhoneNumber?
    /// The digits with the marks printed between them.
    let printed: Substring
    /// Its label; nil if there is none.
    let label: Label?
    /// Its place in the row's text.
    var range: Range<String.Index>
    /// Whether letters were replaced by digits.
    var isRepaired = false

    /// Labels before a telephone number, with one capture group for fax and one for mobile telephones.
    private static let labelled = Pattern(
        #/(?i)\b(?:(fax|telefax|télécopie|f)|(mobile?|mobil|móvil|movil|mov|mob|cell?|cellulare|celular|cel|handy|gsm|hp|h\/p|telemóvel|telemovel|tlm|portable|port|whatsapps?|mobiel|m|c)|(tel|phone|ph|fon|telefon|tél|telephone|téléphone|tlf|tfno|telf|teléfono|telefono|telefone|telef|telefoon|hotline|fone|fixo|fixe|office|direct|durchwahl|call|customer\sservice|careline|helpline|t|p|d|o)|電話)(?![\p{L}\d])(?:\s?[\/&]\s?(?:tele)?(?:fax|tel|whatsapps?|mobile?|phone|hp|h\/p)(?![\p{L}]))?(?:\s?(?:no|n°|nr|dir)(?![\p{L}]))?[.\s]{0,2}[|:=;]?\s?(\+?\s?[\d(][\d\s()\/.,\-–]{4,}\d)(?![\p{L}\d])/#
    )

    /// Forms that can only be telephone numbers: with a country code, an area code in brackets, a trunk prefix, North American
    /// groups, and Brazilian groups of four and four without an area code.
    private static let plain = Pattern(
        #/(?:^|[^\p{L}\d.,\/#*:\-])(\+\s?\d[\d\s()\/.\-–]{6,}\d|\(\+\d{1,3}\)[\d\s()\/.\-–]{6,}\d|\(0?\d{1,4}\)\s?\d[\d\s.\-–]{4,10}\d|00[2-9]\d{0,2}[\s(\/][\d\s()\/.\-–]{7,}\d|0\d{1,4}\s?[\s\/.\-–]\s?\d[\d\s\-–.\/]{3,}\d|0\d{8,11}|1[\s\-]\d{3}[\s\-]\d{2}[\s\-]\d{4}|\d{3}[.\-]\d{3}[.\-]\d{4}|[2-9]\d{2}[.\-]\d{7}|(?:9[. ]?)?[2-9]\d{3}-\d{4}(?!-))(?![\p{L}\d%*])/#
    )

    /// Mobile numbers of India and Nepal as cards print them without a label: five and five digits, or ten that stand alone.
    private static let ofTen = Pattern(
        #/(?:^|[^\p{L}\d.,\/#*\-])([6-9]\d{4}[\s\-]\d{5}|[6-9]\d{9})(?![\p{L}\d%*\-])/#)
    private static let regionsOfTen: Set<String> = ["IN", "NP"]

    /// Finds the telephone numbers in a row of text, in order. O(letters).
    /// - Parameters:
    ///   - region: two letters: the country for numbers without country code; nil if unknown.
    ///   - isCard: whether the row is from a business card, where digits are more likely a telephone number than on a receipt.
    ///   - isFree: whether a part of the text is not yet taken by another item.
    static func all(
        in row: String, region: String?, isCard: Bool = false, isFree: (Range<String.Index>) -> Bool
    ) -> [PrintedPhone] {
        let text = digitised(row)
        guard text.count(where: { $0.isASCII && $0.isNumber }) >= fewestDigits else { return [] }
        var found: [PrintedPhone] = []
        func add(_ body: Substring, label: Label?) {
            let numbers = split(body, region: region, label: label)
            for phone in numbers {
                let start = row.index(
                    row.startIndex, offsetBy: text.distance(from: text.startIndex, to: phone.range.lowerBound)
                )
                let range = start..<row.index(start, offsetBy: phone.printed.count)
                guard !found.contains(where: { $0.range.overlaps(range) }), isFree(range) else { continue }
                var phone = phone
                phone.range = range
                phone.isRepaired = row[range] != phone.printed
                found.append(phone)
            }
        }
        for match in text.matches(of: labelled.regex) {
            let label: Label = match.1 != nil ? .fax : match.2 != nil ? .mobile : .phone
            // A single letter is a label only before a dialled prefix: "T 12" counts things.
            let isLetter = match.0.prefix { $0.isLetter }.count == 1
            let isOfTen = isCard && match.4.wholeMatch(of: #/[6-9]\d{4}[\s\-]?\d{5}/#) != nil
            if isLetter, !isOfTen, match.4.first.map({ !"+0(".contains($0) }) ?? true,
                region.map(hasTrunkPrefix) ?? true
            {
                continue
            }
            add(match.4, label: label)
        }
        for match in text.matches(of: plain.regex) {
            // A preceding group of digits belongs to the match and makes it another number. Digits without any mark can be any
            // kind of number, unless they stand alone.
            let before = text[..<match.1.startIndex].last { !$0.isWhitespace }
            let isAlone = before == nil && match.1.endIndex == text.endIndex
            if before?.isNumber != true, isAlone || !match.1.allSatisfy(\.isNumber) {
                add(match.1, label: nil)
            }
        }
        if isCard, region.map(regionsOfTen.contains) ?? true {
            for match in text.matches(of: ofTen.regex) {
                let isAlone = match.1.startIndex == text.startIndex && match.1.endIndex == text.endIndex
                if isAlone || !match.1.allSatisfy(\.isNumber) { add(match.1, label: nil) }
            }
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Letters that digits are misread as.
    private static let lookalikes: [Character: Character] = [
        "O": "0", "o": "0", "l": "1", "I": "1", "|": "1", "z": "2", "Z": "2", "S": "5", "s": "5", "B": "8",
        "b": "6", "g": "9",
    ]

    /// Returns the text with lookalike letters replaced by digits in words that are otherwise digits; its length stays the same.
    private static func digitised(_ text: String) -> String {
        guard text.contains(where: { lookalikes[$0] != nil }) else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { whole -> String in
            // A bar after a number separates it from the next.
            let bars = whole.reversed().prefix { $0 == "|" }.count
            let word = whole.dropLast(bars)
            let letters = word.count { $0.isLetter || $0 == "|" }
            let digits = word.count { $0.isNumber }
            let isNumber =
                letters > 0 && digits >= 2 * letters
                && word.allSatisfy { !$0.isLetter || lookalikes[$0] != nil }
            return isNumber ? String(word.map { lookalikes[$0] ?? $0 }) + whole.suffix(bars) : String(whole)
        }.joined(separator: " ")
    }

    private static func hasTrunkPrefix(_ region: String) -> Bool {
        NumberingPlan.shared.region(region).map { $0.trunkPrefix == "0" } ?? true
    }

    /// Minimum number of digits; shorter numbers are seldom printed, and sums have as many digits.
    private static let fewestDigits = 7
    /// Largest number of digits in an area code with its trunk prefix.
    private static let longestAreaCode = 6

    /// Splits a run of digits into numbers: "03-80709188 / 80757830" are two, and the second has the first's area code.
    private static func split(_ body: Substring, region: String?, label: Label?) -> [PrintedPhone] {
        var groups = body.split(whereSeparator: { $0.isWhitespace || "/,;".contains($0) })
        var phones: [PrintedPhone] = []
        while let first = groups.first {
            var taken = 1
            defer { groups.removeFirst(taken) }
            // The longest run of groups that is a number.
            let whole = groups.indices.prefix(NumberingPlan.longestNumber).reversed().lazy.compactMap {
                last -> (Int, PrintedPhone)? in
                let printed = body[first.startIndex..<groups[last].endIndex]
                // Commas separate numbers, and so does a slash with spaces around it, unless an area code precedes it.
                guard printed.count(where: \.isNumber) >= fewestDigits, !printed.contains(","),
                    !printed.contains(" / ") || first.count(where: \.isNumber) <= longestAreaCode
                else { return nil }
                let isSure = label != nil || !printed.hasPrefix("0")
                return PhoneNumber(printed: printed, region: region, isSure: isSure).map {
                    (
                        last + 1,
                        PrintedPhone(
                            number: $0, printed: printed, label: label,
                            range: printed.startIndex..<printed.endIndex)
                    )
                }
            }.first
            if let whole {
                taken = whole.0
                phones.append(whole.1)
            } else if let last = phones.last, let known = last.number,
                let number = sibling(of: known, printed: last.printed, digits: first)
            {
                phones.append(
                    PrintedPhone(
                        number: number, printed: first, label: label, range: first.startIndex..<first.endIndex
                    ))
            } else if region == "BR", isGroupsOfFour(first) {
                // Brazilian numbers are printed without the area code: it is unknown, so the number is kept as printed.
                phones.append(
                    PrintedPhone(
                        number: nil, printed: first, label: label, range: first.startIndex..<first.endIndex))
            } else {
                // Leftover digits belong to the number before them, which was misread; after a slash they belong to its
                // neighbour. If no number starts at the first group, skipping that group does not give one either.
                let before = body[..<first.startIndex].last { !$0.isWhitespace }
                if before?.isNumber == true || before == ")" { _ = phones.popLast() }
                if !groups.dropFirst().contains(where: {
                    body[..<$0.startIndex].last { !$0.isWhitespace } == ","
                }) {
                    break
                }
            }
        }
        guard phones.isEmpty, region == nil, label != nil || !body.hasPrefix("0") && !isGroupsOfFour(body)
        else {
            return phones
        }
        // The country is unknown: the number is kept as printed if its length fits.
        let digits = body.count { $0.isNumber }
        return (8...12).contains(digits) && !body.contains(",")
            ? [PrintedPhone(number: nil, printed: body, label: label, range: body.startIndex..<body.endIndex)]
            : []
    }

    /// Whether digits are grouped like local numbers in Brazil, "2294-9484" and "9.9679-9468", and are not two years.
    private static func isGroupsOfFour(_ digits: Substring) -> Bool {
        digits.wholeMatch(of: #/(?:9[. ]?)?[2-9]\d{3}-\d{4}/#) != nil
            && digits.wholeMatch(of: #/20\d\d-20\d\d/#) == nil
    }

    /// Completes a number without an area code from a neighbouring number that has one.
    private static func sibling(of number: PhoneNumber, printed: Substring, digits: Substring) -> PhoneNumber?
    {
        let local = digits.filter { $0.isASCII && $0.isNumber }
        let whole = printed.filter { $0.isASCII && $0.isNumber }
        guard local.count >= 6, local.count < whole.count else { return nil }
        return PhoneNumber(
            printed: number.e164.dropLast(local.count) + local, region: number.region, isSure: true)
    }
}
