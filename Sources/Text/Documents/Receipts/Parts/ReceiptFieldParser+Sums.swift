import TextRecognition
import Platform

/// Subtotal, taxes, tip and total, and whether they agree with each other and with the items.
extension ReceiptFieldParser {
    /// An amount in a row of sums.
    struct Sum {
        var row: Int
        var value: Decimal
        var likelihood: Double
        var words: [RecognizedWord]
    }

    /// How likely a row must be of a class for its amount to be tried as one; what is right among those tried, sums decide.
    static let leastTried = 0.15

    /// The amounts of rows that may be of a class, from the top.
    func sums(_ rowClass: RowClass) -> [Sum] {
        rows.indices.compactMap { index in
            let row = rows[index]
            guard let amount = row.amount, row.probability(rowClass) >= Self.leastTried,
                rowClass != .change || !saysTip(row)
            else { return nil }
            return Sum(
                row: index, value: amount.value, likelihood: row.probability(rowClass), words: row.amountWords
            )
        }
    }

    /// Whether a row names a tip, and no change: both stand below a total.
    private func saysTip(_ row: ReceiptRow) -> Bool {
        row.meanings.contains(.tip) && !row.meanings.contains(.change)
    }

    mutating func findSums() {
        fields.taxLines = taxLines()
        let tax = taxSum()
        let total = chosenTotal(tax: tax?.value)
        if let total { fields.total = total.field(&self) }
        if let total, let misread = total.misread, fields.total != nil {
            fields.contradictions.append(
                "The total's row says \(misread), but what else the page says makes \(total.value)")
        }
        let due = total?.value
        func likeliest(_ rowClass: RowClass) -> Sum? {
            sums(rowClass).max { $0.likelihood < $1.likelihood }
        }
        let discount = likeliest(.discount).flatMap {
            $0.value == 0 || isItem($0.row) || asides.contains($0.row) ? nil : $0
        }
        // What stands among the items is one: "TIP TEA TOWEL" is no tip.
        let service = likeliest(.service).flatMap { isItem($0.row) ? nil : $0 }
        let tip = likeliest(.tip).flatMap { isItem($0.row) ? nil : $0 }
        let rounding = likeliest(.rounding).flatMap { abs($0.value) < 1 ? $0 : nil }
        let subtotals = sums(.subtotal)
        // The subtotal that makes the total with tax, tip, service and less the discount; else the likeliest.
        func agrees(_ sum: Sum) -> Bool {
            guard let due else { return false }
            let added = Self.sums(
                withOrWithout: [
                    tax?.value, tip?.value, service?.value, rounding?.value, discount.map { -abs($0.value) },
                ])
            return added.contains { abs(sum.value + $0 - due) <= Self.greatestRounding }
        }
        if let best = subtotals.filter(agrees).max(by: { $0.likelihood < $1.likelihood })
            ?? subtotals.max(by: { $0.likelihood < $1.likelihood })
        {
            fields.subtotal = field(
                .subtotal, best.value,
                Evidence(likelihood: best.likelihood, words: best.words, support: agrees(best) ? 1 : 0))
        }
        if let tax {
            let fits =
                fields.taxLines.contains { $0.base != nil && $0.rate != nil }
                || subtotals.contains(where: agrees)
            fields.tax = field(
                .tax, tax.value, Evidence(likelihood: tax.likelihood, words: tax.words, support: fits ? 1 : 0)
            )
        }
        if let discount {
            fields.discount = field(
                .discount, abs(discount.value),
                Evidence(likelihood: discount.likelihood, words: discount.words))
        }
        if let service {
            fields.service = field(
                .service, service.value, Evidence(likelihood: service.likelihood, words: service.words))
        }
        if let tip {
            fields.tip = field(.tip, tip.value, Evidence(likelihood: tip.likelihood, words: tip.words))
        }
        if let rounding {
            fields.rounding = field(
                .rounding, rounding.value, Evidence(likelihood: rounding.likelihood, words: rounding.words))
        }
        let change = likeliest(.change)
        let given = sums(.payment).max {
            (payments(due, $0, change), $0.likelihood) < (payments(due, $1, change), $1.likelihood)
        }
        if let change {
            let fits = given.map { payments(due, $0, change) == 1 } ?? false
            fields.change = field(
                .change, abs(change.value),
                Evidence(likelihood: change.likelihood, words: change.words, support: fits ? 1 : 0))
            if let given, isCash(given) || fits, !isCard(given) {
                fields.cashGiven = field(
                    .cashGiven, abs(given.value),
                    Evidence(likelihood: given.likelihood, words: given.words, support: fits ? 1 : 0))
            }
        } else if let given, isCash(given), !isCard(given) {
            fields.cashGiven = field(
                .cashGiven, abs(given.value), Evidence(likelihood: given.likelihood, words: given.words))
        }
    }

    /// 1 if what was given less the change is what was due.
    private func payments(_ due: Decimal?, _ given: Sum, _ change: Sum?) -> Int {
        guard let due, let change else { return 0 }
        return abs(given.value) - abs(change.value) == due ? 1 : 0
    }

    private func isCash(_ sum: Sum) -> Bool { rows[sum.row].meanings.contains(anyOf: [.cash, .paid]) }
    private func isCard(_ sum: Sum) -> Bool {
        rows[sum.row].meanings.contains(.card) && !rows[sum.row].meanings.contains(.cash)
    }
    private func isItem(_ row: Int) -> Bool { fields.items.contains { $0.box == rows[row].box } }

    /// The furthest that rounding moves a total: to the nearest ten cents.
    static let greatestRounding = Decimal(5) / 100

    // MARK: - Tax

    /// Tax line by line, from the rows of sums and the table.
    private func taxLines() -> [ReceiptFields.TaxLine] {
        var lines: [ReceiptFields.TaxLine] = []
        for (_, row) in rows(.tax, .taxTable) {
            let isTable = row.rowClass == .taxTable
            guard let amount = row.amount,
                !(isTable && row.meanings.contains(.total) && !row.text.contains("%"))
            else { continue }
            let amounts = certainAmounts(row)
            let rate =
                RowShapes.rate(in: row.text) ?? (isTable ? Self.bareRate(in: row, amounts: amounts) : nil)
            var line = ReceiptFields.TaxLine(
                rate: rate, base: nil, amount: amount.value, taxClass: Self.taxClass(before: row),
                confidence: 0,
                box: row.box)
            if let pair = Self.baseAndTax(amounts, rate: rate) {
                (line.base, line.amount) = pair
                line.gross = pair.base.flatMap { base in
                    amounts.first { $0 > base && abs($0 - base - pair.tax) <= Self.cent }
                }
            } else if isTable && !(amounts.count == 1 && row.meanings.contains(.tax)) {
                // Captions, and rows of which too little was read.
                continue
            }
            if line.amount == 0, line.base ?? 0 == 0 { continue }
            // The sum of the taxes above, "SUMA PTU", is none of them.
            if !isTable, rate == nil, row.findings.contains(where: { $0.phrase.meaning == .total }),
                !lines.isEmpty, lines.reduce(0, { $0 + $1.amount }) == line.amount
            {
                continue
            }
            line.confidence = row.probability(row.rowClass) * RecognizedText.meanConfidence(of: row.words)
            // A row of the table repeats what the sums say.
            let isTwin = { (other: ReceiptFields.TaxLine) in
                other.amount == line.amount
                    && (other.rate == line.rate || other.rate == nil || line.rate == nil)
            }
            if isTable, let twin = lines.firstIndex(where: isTwin) {
                lines[twin].base = lines[twin].base ?? line.base
                lines[twin].rate = lines[twin].rate ?? line.rate
                lines[twin].gross = lines[twin].gross ?? line.gross
                lines[twin].taxClass = lines[twin].taxClass ?? line.taxClass
            } else {
                lines.append(line)
            }
        }
        return lines
    }

    /// The amounts of a row that are amounts beyond doubt.
    private func certainAmounts(_ row: ReceiptRow) -> [Decimal] {
        let words = row.words
        return words.indices.filter { index in
            !words[index].text.hasSuffix("%") && !(index + 1 < words.count && words[index + 1].text == "%")
        }
        .compactMap { PrintedAmount(words[$0].text, style: style) }.filter(\.isCertain).map(\.value)
    }

    /// A rate without its sign: "SR 6 7.55 0.45".
    private static func bareRate(in row: ReceiptRow, amounts: [Decimal]) -> Decimal? {
        row.words.lazy.filter { $0.text.count <= 2 }.compactMap { Decimal(string: $0.text) }.first { rate in
            rate > 0
                && baseAndTax(amounts, rate: rate).map { abs(($0.base ?? 0) * rate / 100 - $0.tax) <= cent }
                    == true
        }
    }

    /// The class that a line of tax begins with: "A", "A=", "SR", "1".
    private static func taxClass(before row: ReceiptRow) -> String? {
        guard row.words.count > 2, let first = row.words.first?.text.trimming("()=:*#"),
            first.wholeMatch(of: #/[A-Z]{1,2}\d?|\d/#) != nil, PrintedAmount.currency(named: first) == nil
        else { return nil }
        return first
    }

    /// Base and tax among a row's amounts: the tax is the rate's share of the base, or both make a third amount.
    private static func baseAndTax(_ amounts: [Decimal], rate: Decimal?) -> (base: Decimal?, tax: Decimal)? {
        guard amounts.count >= 2 else { return nil }
        for (index, base) in amounts.enumerated() {
            for (other, tax) in amounts.enumerated() where index != other && abs(tax) < abs(base) {
                if let rate, abs(base * rate / 100 - tax) <= 2 / Decimal(100) { return (base, tax) }
                if amounts.count > 2, amounts.contains(base + tax), tax * 3 < base { return (base, tax) }
            }
        }
        // Without a rate: base before tax, as tables have it.
        if amounts.count == 2, amounts[1] * 3 < amounts[0] { return (amounts[0], amounts[1]) }
        return nil
    }

    /// The tax: the rows of sums added up, or the table's lines.
    private func taxSum() -> (value: Decimal, likelihood: Double, words: [RecognizedWord])? {
        var found = rows(.tax).compactMap { index, row -> Sum? in
            row.amount == nil
                ? nil
                : Sum(
                    row: index, value: taxAmount(of: row), likelihood: row.probability(.tax),
                    words: row.amountWords)
        }
        // Several taxes with their sum below, and the same tax said twice.
        if found.count > 2, let last = found.last, found.dropLast().reduce(0, { $0 + $1.value }) == last.value
        {
            found = [last]
        }
        var values = Set<Decimal>()
        let isSplit =
            found.count == 2 && found.first?.value == found.last?.value
            && rows.contains { $0.tokens.contains("cgst") }
        if !isSplit { found = found.filter { values.insert($0.value).inserted } }
        // One row says how much of the sum bears tax, "AMT. EXCL. GST".
        found = found.filter { !rows[$0.row].meanings.contains(.exclusive) || found.count == 1 }
        if !found.isEmpty {
            return (
                found.reduce(0) { $0 + $1.value }, found.map(\.likelihood).min() ?? 0, found.flatMap(\.words)
            )
        }
        let lines = fields.taxLines
        guard !lines.isEmpty else { return nil }
        let words = rows(.taxTable).flatMap(\.row.amountWords)
        return (lines.reduce(0) { $0 + $1.amount }, lines.map(\.confidence).min() ?? 0, words)
    }

    /// A tax row may list rate, base and tax: the tax is the amount that is the rate's share of another, else the last.
    private func taxAmount(of row: ReceiptRow) -> Decimal {
        Self.baseAndTax(certainAmounts(row), rate: RowShapes.rate(in: row.text))?.tax ?? row.amount?.value
            ?? 0
    }

    // MARK: - Total

    /// A value that may be the total: every row that bears it, and what else on the page makes it.
    struct TotalCandidate {
        let value: Decimal
        var words: [RecognizedWord]
        /// What the total's row says where that was misread, or misprinted.
        var misread: Decimal?
        /// What the calibration weighs.
        var numbers: [Double]
        var likelihood: Double
        /// Whether subtotal and tax make another sum, and nothing else on the page says this one.
        let standsAlone: Bool
        /// Whether it is printed without the digits behind the mark that other amounts have.
        let isBare: Bool
        /// How many of payment, sums, items and the table of tax make this value.
        let proofs: Int
        /// How many of items and the table of tax do, which are many prints added up and not one print again.
        let additions: Int

        func field(_ parser: inout ReceiptFieldParser) -> ReceiptFields.Field<Decimal>? {
            let contradicted =
                isBare ? ConfidenceCeiling.contradictedBareTotal : ConfidenceCeiling.contradictedTotal
            return parser.field(
                .total, value,
                Evidence(likelihood: likelihood, words: words, ceiling: standsAlone ? contradicted : 1))
        }
    }

    /// Likewise for the total, which sums find among many.
    private static let leastTriedTotal = 0.05
    /// How likely a row is of a class that it is taken for: likelier than of all others together.
    private static let clearly = 0.5
    /// How likely a row must be a total or a sum to count as a second print of the total.
    private static let leastOfRepeat = 0.3
    /// The most, in log odds, that the rows of one candidate are taken to be ahead of another's.
    private static let greatestLead = 7.0

    /// The values that may be the total, with what speaks for each.
    func totalCandidates(tax: Decimal?) -> [TotalCandidate] {
        var values: [Decimal: [Int]] = [:]
        for index in rows.indices {
            guard let amount = rows[index].amount else { continue }
            let row = rows[index]
            let classes: [RowClass] = [.total, .sum, .payment, .subtotal]
            guard mayBeTotal(index) else { continue }
            // A dash before the amount leads from the label to it, or is a deduction; no total is below zero.
            if classes.reduce(0, { $0 + row.probability($1) }) >= Self.leastTriedTotal {
                values[abs(amount.value), default: []].append(index)
            }
        }
        // A total of nothing is one only where nothing else is.
        if values.count > 1 { values[0] = nil }
        let paid = sums(.payment)
        let returned = sums(.change)
        // What was given less the change, where the total itself could not be read.
        var paidLessChange: [Decimal: [RecognizedWord]] = [:]
        for given in paid {
            for change in returned where change.row != given.row && abs(given.value) > abs(change.value) {
                let value = abs(given.value) - abs(change.value)
                paidLessChange[value] = given.words + change.words
                values[value] = values[value] ?? []
            }
        }
        let subtotals = sums(.subtotal).map(\.value) + sums(.sum).map(\.value)
        let subtotalsAreSure = sums(.subtotal).contains { $0.likelihood > Self.clearly }
        let taxIsUnread =
            tax == nil && rows.contains { $0.probability(.tax) > Self.clearly && $0.amount == nil }
        let rounding = sums(.rounding).map(\.value).filter { abs($0) < 1 }
        let service = sums(.service).map(\.value)
        let tips = sums(.tip).map(\.value)
        let discounts = sums(.discount).map { -abs($0.value) }
        let items = fields.items.reduce(Decimal(0)) { $0 + $1.amount }
        let lines = fields.taxLines.filter { $0.base != nil }
        let table = lines.reduce(Decimal(0)) { $0 + ($1.base ?? 0) + $1.amount }
        func isWithin(_ a: Decimal, _ b: Decimal) -> Bool { abs(a - b) <= Self.greatestRounding }
        // What all taxed sums come to and the items too, where the total itself may be misread.
        if items != 0, table == items, !values.isEmpty { values[table] = values[table] ?? [] }
        /// All that may be added to a subtotal on the way to the total.
        let additions = Self.sums(
            withOrWithout: [tax] + (service.prefix(2) + tips.prefix(2) + discounts.prefix(2)).map { $0 })
        var candidates = values.map { value, indices -> TotalCandidate in
            let own = indices.map { rows[$0] }
            let total = own.map { $0.probability(.total) }.max() ?? 0
            let sum = min(own.map { $0.probability(.total) + $0.probability(.sum) }.max() ?? 0, 1)
            let words =
                own.max { $0.probability(.total) < $1.probability(.total) }?.amountWords ?? paidLessChange[
                    value] ?? []
            let isPaidLessChange = paidLessChange[value] != nil
            let isPaid = paid.contains {
                abs($0.value) == value && rows[$0.row].probability(.payment) > Self.clearly
            }
            let isSum = subtotals.contains { subtotal in
                additions.contains { ($0 != 0 || subtotal != value) && isWithin(subtotal + $0, value) }
            }
            let isItems = items != 0 && additions.contains { isWithin(items + $0, value) }
            let isTable = table != 0 && isWithin(table, value)
            let isRounded = rounding.contains { $0 != 0 && subtotals.contains(value - $0) }
            let isRepeated =
                own.count { $0.probability(.total) + $0.probability(.sum) > Self.leastOfRepeat } > 1
            let isBeforeRounding = rounding.contains { $0 != 0 && values[value + $0] != nil }
            let misses = !returned.isEmpty && !isPaidLessChange
            // A subtotal contradicts nothing where the tax beside it could not be read.
            let isContradicted =
                !isSum && !subtotals.contains(value) && subtotalsAreSure
                && !(taxIsUnread && sums(.subtotal).contains { $0.value < value })
            let supports = [isPaidLessChange, isPaid, isSum, isItems, isTable, isRepeated, isRounded]
            let signs = supports + [isBeforeRounding, misses, isContradicted]
            var numbers = [
                1, Evidence.logit(total), Evidence.logit(sum), 0, RecognizedText.meanConfidence(of: words),
            ]
            numbers += signs.map { $0 ? 1 : 0 }
            return TotalCandidate(
                value: value, words: words, numbers: numbers, likelihood: total,
                standsAlone: isContradicted && !supports.contains(true),
                isBare: !words.contains { PrintedAmount($0.text, style: style)?.isCertain == true },
                proofs: [isPaidLessChange, isPaid, isSum, isItems, isTable].count { $0 },
                additions: [isItems, isTable].count { $0 })
        }.sorted { $0.value < $1.value }
        // How far it is ahead of the others by its rows alone.
        for index in candidates.indices {
            let others = candidates.indices.filter { $0 != index }.map { candidates[$0].numbers[1] }
            candidates[index].numbers[3] = max(
                -Self.greatestLead,
                min(Self.greatestLead, candidates[index].numbers[1] - (others.max() ?? -Self.greatestLead)))
        }
        for index in candidates.indices {
            candidates[index].likelihood =
                calibration.likelihood(ofTotal: candidates[index].numbers)
                ?? candidates[index].likelihood
        }
        return candidates
    }

    private func chosenTotal(tax: Decimal?) -> TotalCandidate? {
        let candidates = totalCandidates(tax: tax)
        // What is only added up stands nowhere as a total.
        let printed = candidates.filter { !$0.words.isEmpty }
        guard var best = printed.max(by: { $0.likelihood < $1.likelihood }) else { return nil }
        best = candidates.first { isGrown($0, from: best) } ?? best
        // A total that nothing says again was misread where two of payment, items and tax say one that differs in a digit; one that
        // was paid as well, in the same bad print, where both items and tax do.
        let others = candidates.filter {
            Self.differInOneDigit($0.value, best.value)
                && (best.proofs == 0 ? $0.proofs > 1 : best.additions == 0 && $0.additions > 1)
        }
        guard var other = others.max(by: { $0.likelihood < $1.likelihood }) else { return best }
        // The row is the total's, whatever it says.
        other.likelihood = max(other.likelihood, best.likelihood)
        other.misread = best.value
        if other.words.isEmpty { other.words = best.words }
        return other
    }

    /// Whether a candidate that is clearly a total is another one and the only tip on the page, in a row that says total below
    /// them: what is paid. Of one that is less clear, as those that guests write by hand, nothing is known.
    private func isGrown(_ candidate: TotalCandidate, from other: TotalCandidate) -> Bool {
        let tips = rows.indices.filter { saysTip(rows[$0]) && rows[$0].amount != nil }
        guard candidate.likelihood > Self.clearly, tips.count == 1, let tip = tips.first,
            let added = rows[tip].amount?.value, added > 0,
            candidate.value == other.value + added
        else { return false }
        func isSaid(_ value: Decimal, in rows: some Sequence<ReceiptRow>) -> Bool {
            rows.contains { $0.saysTotal && $0.amount?.value == value }
        }
        return isSaid(other.value, in: rows[..<tip]) && isSaid(candidate.value, in: rows[tip...])
    }

    private static func differInOneDigit(_ one: Decimal, _ other: Decimal) -> Bool {
        guard let first = AmountRelations.cents(one), let second = AmountRelations.cents(other) else {
            return false
        }
        let (left, right) = (String(first), String(second))
        return left.count == right.count && zip(left, right).count { $0 != $1 } == 1
    }

    /// Words of limits: what they stand before is no sum of this receipt.
    private static let limits: Set<String> = [
        "under", "over", "minimum", "maximum", "min", "max", "below", "above", "exceeding",
    ]

    /// Whether a row's amount may be what is to be paid: no net sum, no sum of taxes, no limit of a rule, no price of one, and not
    /// the same sum in a second currency.
    private func mayBeTotal(_ index: Int) -> Bool {
        let row = rows[index]
        if !Self.limits.isDisjoint(with: Vocabulary.words(of: row.text)) { return false }
        if let usual = usualCurrency, let own = currency(of: row), own != usual { return false }
        guard !row.saysTotal else { return true }
        let meanings = Meanings(row.wholeFindings.lazy.map(\.phrase.meaning))
        if meanings.contains(anyOf: Meaning.payments + [.paid]) { return true }
        if meanings.contains(.tax), row.findings.contains(where: { $0.phrase.meaning == .total }) {
            return false
        }
        return !(meanings.contains(.exclusive) && !row.text.contains("%"))
            && !row.findings.contains {
                $0.phrase.meaning == .columns && Self.prices.contains($0.phrase.words)
            }
    }

    /// Captions of the price of one thing.
    private static let prices: Set<[String]> = [
        ["einzelpreis"], ["e", "preis"], ["unit", "price"], ["stuksprijs"], ["stukprijs"],
        ["pret", "unitar"], ["birim", "fiyat"],
        ["egysegar"], ["don", "gia"],
    ]

    /// The currency that a row names.
    private func currency(of row: ReceiptRow) -> String? {
        row.words.lazy.compactMap { PrintedAmount.sign(of: $0.text, style: style) }.first { $0.open == nil }?
            .code
    }

    /// The page's own currency, where it prints several.
    private var usualCurrency: String? {
        guard signs.closed.count > 1 else { return nil }
        if let own = country?.country.currency, signs.closed[own] != nil { return own }
        return fields.currency?.value
    }

    /// All sums that some of the parts make, 0 among them.
    private static func sums(withOrWithout parts: [Decimal?]) -> Set<Decimal> {
        var sums: Set<Decimal> = [0]
        for part in parts.compactMap({ $0 }) { sums.formUnion(sums.map { $0 + part }) }
        return sums
    }

    // MARK: - Comparison

    /// Holds the items against the subtotal and the parts against the total. Tax may come on top or be included.
    mutating func compareSums() {
        let items = fields.items.reduce(Decimal(0)) { $0 + $1.amount }
        let tax = fields.tax?.value ?? 0
        let tip = fields.tip?.value ?? 0
        let service = fields.service?.value ?? 0
        let discount = fields.discount?.value ?? 0
        let rounding = fields.rounding?.value ?? 0
        if !fields.items.isEmpty, let subtotal = fields.subtotal?.value {
            if [items, items - tax, items - discount].contains(where: { abs($0 - subtotal) <= Self.cent }) {
                for index in fields.items.indices { fields.items[index].raise() }
            } else {
                fields.contradictions.append(
                    "The items add up to \(items), but the subtotal says \(subtotal)")
            }
        }
        guard let total = fields.total?.value else { return }
        /// What a sum may grow to: tax and service on top or within, discount taken off already or not.
        func reaches(_ sum: Decimal) -> Bool {
            Self.sums(withOrWithout: [tax, tip, service, -discount, rounding])
                .contains { abs(sum + $0 - total) <= Self.cent }
        }
        if let subtotal = fields.subtotal?.value {
            if !reaches(subtotal) {
                fields.contradictions.append(
                    "The subtotal \(subtotal) with tax \(tax) and tip \(tip) makes \(subtotal + tax + tip), but the total says \(total)"
                )
            }
        } else if !fields.items.isEmpty {
            if reaches(items) {
                for index in fields.items.indices { fields.items[index].raise() }
            } else {
                fields.contradictions.append("The items add up to \(items), but the total says \(total)")
            }
        }
    }

    /// Tax is rounded by row on some receipts and once on others.
    private static let cent = Decimal(1) / 100
}

/// What two readings of one amount do to the confidence in it.
private enum Comparison {
    /// The share of the doubt that is left where two independent readings agree: both would have to be wrong alike.
    static let doubtLeft = 0.3
}

extension ReceiptFields.LineItem {
    fileprivate mutating func raise() { confidence = 1 - (1 - confidence) * Comparison.doubtLeft }
}
