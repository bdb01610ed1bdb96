import TextRecognition

/// Tells which rows may be a seller's name, and which cannot, whatever the row model takes them for.
extension ReceiptFieldParser {
    /// Fewest letters of a name: "dm", "C&A".
    private static let fewestNameLetters = 2
    /// Height that only logos and totals reach, in heights of the page's usual type.
    private static let heightOfLogo = 1.6

    /// Meanings whose words alone make no name: headings, greetings, captions, sums.
    private static let nameless: Set<Meaning> = [
        .receipt, .invoice, .order, .staff, .place, .closing, .total, .payable, .subtotal, .cash, .card,
        .change,
        .number, .date, .time, .customer, .columns, .hours, .phone, .fax, .mail, .web, .tax, .taxNumber,
        .registration, .approval, .count, .points, .street, .town, .paid,
    ]

    /// Whether a row can hold a name: letters, and more than a street, a number, a heading or a greeting.
    func mayBeName(_ row: ReceiptRow) -> Bool {
        let letters = row.text.count(where: \.isLetter)
        guard letters >= Self.fewestNameLetters, row.amount?.isCertain != true,
            letters > row.text.count(where: \.isNumber) || Self.isNumberedChain(row.words.prefix(2)),
            !row.holdsTime,
            !row.text.contains("@"), !RowShapes.holdsWeb(row.text)
        else { return false }
        // In "16TH AVE, NW CALGARY, AB" a province looks like a Swedish company.
        if namesCompany(row), !Self.numberedStreet.stands(in: row.text) { return true }
        guard !isLabel(row), !isTradeAlone(row) else { return false }
        return !row.holdsDate && !isAddress(row) && namelessShare(row) < 1 && !isAside(row)
    }

    /// Whether letters make a name: "dm", "C & A", "A L D I", or parts of one letter in a script without capitals; but not "K :
    /// K".
    static func hasLettersOfName(_ name: String) -> Bool {
        let parts = name.split { !$0.isLetter }
        let isOfWords = parts.contains { $0.count >= fewestNameLetters || $0.first?.isCased == false }
        let isSpacedWide = parts.count > 2
        let isJoined = parts.count == 2 && (name.contains("&") || name.contains("+"))
        return name.count(where: \.isLetter) >= fewestNameLetters && (isOfWords || isSpacedWide || isJoined)
    }

    /// Whether a row cannot be part of a name, whatever the row model takes it for.
    func isNoName(_ index: Int, on page: NamePage) -> Bool {
        let row = rows[index]
        return isAside(row) || isLabel(row) || isCutLabel(row) || isStreetAboveTown(index)
            || isItem(index)
            || page.isLinkOfName(index) || isNotice(row) || isNumberOfSeller(row) || isSentence(row)
            || isManager(row) || isHeadingOfThings(index) || isTitle(row) || isOwner(index)
            || isSubtotal(row) || Self.taxOffice.stands(in: row.text)
            || buyerRows.contains(index)
    }

    /// Whether a row, or one of the two above it, says who owns the shop that is named above: "Owned by" above "FRONTIER ORTIGAS"
    /// above "HOTEL and RESORT CORP.".
    private func isOwner(_ index: Int) -> Bool {
        for owned in max(0, index - Self.mostRowsOfOwner)...index {
            guard let said = rows[owned].text.firstMatch(of: Self.ownedBy.regex) else { continue }
            let isNamedInRow = said.range.upperBound < rows[owned].text.endIndex
            let isNamed = rows[..<owned].contains {
                mayBeName($0) && $0.letterCount >= Self.lettersOfNamedShop
            }
            if isNamed, owned == index || !isNamedInRow { return true }
        }
        return false
    }

    /// Fewest letters of the shop's name above: fewer are specks.
    private static let lettersOfNamedShop = 5
    /// Most rows of an owner's name.
    private static let mostRowsOfOwner = 2
    private static let ownedBy = Pattern(#/(?i)^(?:owned|operated|managed|run)(?: (?:and|&) \w+)? by\b[: ]*/#)

    /// Whether a row says only what kind of document this is, and its number: "TAX INVOICE", "Invoice number 2E9958F3-0010".
    private func isTitle(_ row: ReceiptRow) -> Bool {
        let titles: [Meaning] = [.receipt, .invoice, .number]
        let said = Set(
            row.findings.filter { titles.contains($0.phrase.meaning) }.flatMap { Array($0.tokens) })
        let worded = row.tokens.indices.filter {
            row.tokens[$0].contains(where: \.isLetter) && !row.tokens[$0].contains(where: \.isNumber)
        }
        return row.meanings.contains(anyOf: [.receipt, .invoice]) && worded.allSatisfy(said.contains)
    }

    /// Whether a row says only a subtotal. "TOTAL" is a chain's name too.
    private func isSubtotal(_ row: ReceiptRow) -> Bool {
        row.meanings.contains(.subtotal) && namelessShare(row) == 1
    }

    /// A tax office that stands above the seller: Chile's with its town, "S.I.I. - VILLARRICA", Venezuela's "SENIAT".
    private static let taxOffice = Pattern(#/^S\.\s?I\.\s?I\b|^SENIAT$/#)

    /// Whether a row names who runs the shop: "MANAGER TOM HORTON".
    private func isManager(_ row: ReceiptRow) -> Bool {
        row.words.count > 1 && !row.meanings.contains(.company)
            && row.words.first.map { Self.managers.contains(Vocabulary.folded($0.text).trimming(":.")) }
                == true
    }

    private static let managers: Set<String> = ["manager", "mgr", "director", "proprietor", "prop"]

    /// Whether a row right above an item is one of several headings on the page that name the kind of the items below: "GROCERY".
    private func isHeadingOfThings(_ index: Int) -> Bool {
        func isHeading(_ index: Int) -> Bool {
            let row = rows[index]
            return row.amount == nil && row.letterCount > Self.fewestRepeated
                && !row.text.contains(where: \.isNumber) && !row.meanings.contains(.company)
                && index + 1 < rows.count && isThing(rows[index + 1])
        }
        func isThing(_ row: ReceiptRow) -> Bool { row.rowClass == .item && row.amount?.isCertain == true }
        guard isHeading(index) else { return false }
        let others = rows.indices.dropFirst(index + 1).filter { isHeading($0) && isThing(rows[$0 - 1]) }
        return others.count >= Self.fewestHeadings
    }

    /// Fewest headings of items besides the first: a single one may be the name printed again.
    private static let fewestHeadings = 2

    /// Whether a row begins with the label of a seller's number, whatever was read of the number: "GST NO zo o".
    private func isNumberOfSeller(_ row: ReceiptRow) -> Bool {
        row.wholeFindings.contains {
            $0.tokens.lowerBound == 0 && $0.tokens.count > 1
                && [.taxNumber, .registration].contains($0.phrase.meaning)
        }
    }

    /// Whether a row says only what kind of sale or document this is.
    func isNotice(_ row: ReceiptRow) -> Bool {
        let words = row.tokens.filter { $0.contains(where: \.isLetter) }
        return Self.notices.contains(words.joined(separator: " "))
            || !Self.documents.isDisjoint(with: words)
                && words.allSatisfy { Self.documents.contains($0) || Self.ofDocuments.contains($0) }
    }

    /// Kinds of documents in Romance languages, and words that stand with them: "BOLETA AFECTA ELECTRONICA".
    private static let documents: Set<String> = [
        "boleta", "factura", "fatura", "cupom", "comprobante", "recibo", "nota", "ticket", "documento",
    ]
    private static let ofDocuments: Set<String> = [
        "afecta", "exenta", "electronica", "electronico", "eletronica", "eletronico", "simplificada",
        "fiscal",
        "de", "venta", "pago", "tributario", "original", "copia", "cliente", "auxiliar", "caisse",
        "commerciale",
    ]

    /// In small letters without accents.
    private static let notices: Set<String> = [
        "dine in", "eat in", "take out", "take away", "to go", "for here", "delivery", "home delivery",
        "pick up", "drive thru",
        "non fiscal", "not fiscal", "nao fiscal", "no fiscal", "retail", "retail invoice", "su cuenta",
        "cuenta",
        "duplicate", "duplicate copy", "reprint", "cash memo", "provisional", "proforma",
        "pro forma",
        "guest check", "checking", "pre bill", "prebill", "draft", "draft bill", "tagihan", "original",
        "copy",
        "transaction record", "customer copy", "merchant copy", "cardholder copy",
    ]

    /// Whether a row begins with a label for its rest: "Store: 987 - CS WATERLOO".
    private func isLabel(_ row: ReceiptRow) -> Bool {
        guard let colon = row.text.firstIndex(of: ":") else { return false }
        let label = Vocabulary.shared.tokens(of: String(row.text[..<colon])).joined(separator: " ")
        return row.findings.contains {
            $0.tokens.lowerBound == 0 && $0.phrase.words.joined(separator: " ") == label
                && Self.nameless.contains($0.phrase.meaning)
        }
    }

    /// Whether a row says only what is sold: "RESTAURANT", or "EWHOLESALE" with a letter of the logo above.
    func isTradeAlone(_ row: ReceiptRow) -> Bool {
        guard row.tokens.count == 1 else { return false }
        let rest = row.tokens[0].dropFirst()
        return row.meanings.contains(.trade)
            || rest.count >= Self.longTrade && Self.trades.contains(String(rest))
    }

    /// Fewest letters of a trade that, behind one other letter, is not a name of its own.
    private static let longTrade = 6

    /// Whether a row is a sentence: "Save money. Live better.", "Für mich und dich.", "More saving."
    private func isSentence(_ row: ReceiptRow) -> Bool {
        !row.meanings.contains(.company)
            && (row.text.contains(Self.endOfSentence.regex) && hasSmallWords(row)
                || row.text.contains(Self.smallLastWord.regex))
    }

    private static let endOfSentence = Pattern(#/\p{Ll}{4,}[.!](?:\s|$)/#)
    private static let smallLastWord = Pattern(#/\p{L}{3,} \p{Ll}{4,}[.!]["”]?$/#)

    /// Whether a row has as many lower-case words as a slogan: "Live well for less".
    func hasSmallWords(_ row: ReceiptRow) -> Bool {
        row.words.count { $0.text.first?.isLowercase == true } >= Self.smallWords
    }

    /// Number of lower-case words that a sentence has and few names have.
    private static let smallWords = 2

    /// Whether words are set too large to be an item.
    func isLogo(_ words: [RecognizedWord]) -> Bool {
        let usual = PageMetrics(rows.map(\.box)).usualHeight
        return (words.map(\.box.height).max() ?? 0) >= Self.heightOfLogo * usual
    }

    /// Whether a row is a remark in brackets: "(Diganos en Espanol)".
    private func isAside(_ row: ReceiptRow) -> Bool {
        guard row.text.hasPrefix("("), let end = row.text.firstIndex(of: ")") else { return false }
        return row.text[end...].count(where: \.isLetter) < Self.fewestNameLetters
    }

    /// Whether a row is an item, because a count stands before it, or a row of count and price alone below it: "2 @ 7.49 14.98".
    /// Between the two, the name may be repeated in letters that are not read.
    private func isItem(_ index: Int) -> Bool {
        let row = rows[index]
        if row.text.contains(#/^\d{1,3} ?[x×] \p{L}/#) { return true }
        // A logo above the first item is no item.
        if index == 0, row.amount == nil, isLogo(row.words) { return false }
        if isCounted(index) || isAboveItem(index) { return true }
        if row.amount?.isCertain == true, row.probability(.item) > row.probability(.name) { return true }
        let below = rows[(index + 1)...].prefix(2).drop {
            $0.amount == nil && $0.letterCount <= Self.mostLettersOfUnit
        }
        guard let prices = below.first else { return false }
        return prices.amount?.isCertain == true && prices.words.count > 1
            && prices.letterCount <= Self.mostLettersOfUnit
    }

    /// Whether a row begins with a count, like the rows right above or below it: "1 PATE H". "5 GUYS" above an address is a name.
    private func isCounted(_ index: Int) -> Bool {
        func begins(_ place: Int) -> Bool { Self.counted.stands(in: rows[place].text) }
        guard begins(index), index > 0 || !isLogo(rows[index].words),
            !Self.isNumberedChain(rows[index].words.prefix(2))
        else { return false }
        let above = rows[..<index].indices.reversed().prefix(while: begins).count
        return above + rows[index...].indices.prefix(while: begins).count >= Self.fewestCounted
    }

    /// Whether a row and the one right below it both end in an amount, and that one is an item: the sheet's head is cut off.
    private func isAboveItem(_ index: Int) -> Bool {
        guard rows[index].amount?.isCertain == true, index + 1 < rows.count else { return false }
        let below = rows[index + 1]
        return below.rowClass == .item && below.amount?.isCertain == true
    }

    private static let counted = Pattern(#/^\d{1,2} \p{L}/#)
    /// Fewest consecutive rows that must begin with a count to be items: a name and a house number make two.
    private static let fewestCounted = 4

    /// Most letters of a cross, a unit and a tax class: "0.822 kg x".
    private static let mostLettersOfUnit = 3

    /// Whether a row is the rest of a label cut off by the sheet's left edge: "rminal: POS 2".
    private func isCutLabel(_ row: ReceiptRow) -> Bool {
        row.text.contains(#/^\p{Ll}+: /#)
    }

    /// Whether a row is a street with its number, or a town with its postcode or state.
    func isAddress(_ row: ReceiptRow) -> Bool {
        if RowShapes.holdsState(row.text) || Self.malayStreet.stands(in: row.text) { return true }
        // "REMA 1000 BJERKE" is not a postcode and a town.
        guard row.text.contains(where: \.isNumber), !Self.isNumberedChain(row.words.prefix(2)) else {
            return false
        }
        if isPolishTown(row) || Self.townBehindDividedCode.stands(in: row.text) || isUnit(row)
            || Self.numberedStreet.stands(in: row.text)
        {
            return true
        }
        // "Check 822819" looks like a town with its postcode.
        let isNumbered = row.meanings.contains(anyOf: [.receipt, .invoice, .order, .number])
        return (!isNumbered && RowShapes.holdsPostcode(row.text))
            || (RowShapes.holdsHouseNumber(row.text)
                && (row.meanings.contains(.street) || RowShapes.holdsStreet(row.text)))
    }

    /// Whether a row names a town behind a postcode of Poland: "16-400 Suwałki".
    func isPolishTown(_ row: ReceiptRow) -> Bool { Self.polishTown.stands(in: row.text) }

    /// Whether a row begins with the floor and number of a shop in a building: "#03-18 PLAZA SINGAPURA".
    func isUnit(_ row: ReceiptRow) -> Bool { Self.unit.stands(in: row.text) }

    /// "Jl. Medayu Utara", whatever the second letter was read as.
    private static let malayStreet = Pattern(#/^J[lIi1]n?\.\s?\p{Lu}/#)
    private static let unit = Pattern(#/^#\d{1,2}-\d{1,3}\b/#)
    /// "1818 16TH AVE, NW"
    private static let numberedStreet = Pattern(
        #/(?i)^\d{1,5} (?:[NSEW]\.? )?\d{1,3}(?:st|nd|rd|th) (?:st|street|ave?|avenue|rd|road|pl|place)\b/#)
    /// A town behind a postcode of Sweden, Czechia, Slovakia or Greece: "SE-212 14 Malmö".
    private static let townBehindDividedCode = Pattern(#/^(?:[A-Z]{1,2}-)?\d{3} \d{2}\s+\p{Lu}\p{L}{2,}/#)
    private static let polishTown = Pattern(#/(?:^|\s)\d{2}-\d{3}\s+\p{L}{3,}/#)

    /// Whether a row begins with a house number and a town with its state or postcode stands below, whatever the street is
    /// called.
    func isStreetAboveTown(_ index: Int) -> Bool {
        guard index + 1 < rows.count,
            rows[index].text.contains(#/^(?:\d{3,5}|\d+-\d+)[A-Z]?\s(?:[NSEW]{1,2}\.?\s)?\p{L}{2}/#)
        else { return false }
        let below = rows[index + 1].text
        return RowShapes.holdsState(below) || RowShapes.holdsPostcode(below)
    }

    /// The share of a row's words that belong to headings, greetings and captions.
    func namelessShare(_ row: ReceiptRow) -> Double {
        let kept = row.findings.filter { [.trade, .company].contains($0.phrase.meaning) }.flatMap {
            Array($0.tokens)
        }
        let taken = Set(
            row.findings.filter { Self.nameless.contains($0.phrase.meaning) }.flatMap { Array($0.tokens) }
        ).subtracting(kept)
        let count = row.tokens.count { $0.contains(where: \.isLetter) }
        return count == 0
            ? 1 : Double(taken.count { row.tokens[$0].contains(where: \.isLetter) }) / Double(count)
    }
}
