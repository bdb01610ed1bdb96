import TextRecognition
import Platform

/// Finds subtotal, taxes, tip and cash given, and compares them with the total and the items.
extension ReceiptFieldParser {
    /// An amount in a row of sums.
    struct Sum {
        var row: Int
        var value: Decimal
        var likelihood: Double
        var words: [RecognizedWord]
    }

    /// Lowest probability of a class at which a row's amount is tried as one; sums decide which of those tried is right.
    static let leastTried = 0.15

    /// The amounts of rows that may be of a class, from the top.
    func sums(_ rowClass: RowClass) -> [Sum] {
        rows.indices.compactMap { index in
            let row = rows[index]
            let isTried =
                row.probability(rowClass) >= Self.leastTried || rowClass == .rounding && saysRounding(row)
            guard let amount = row.amount, isTried,
                rowClass != .change || !saysTip(row), rowClass != .discount || !isTaxedSum(row)
            else { return nil }
            return Sum(
                row: index, value: amount.value, likelihood: row.probability(rowClass), words: row.amountWords
            )
        }
    }

    /// Whether a row may count as a class of sums; where most of the print was not read, only its words decide.
    private func isBelieved(_ index: Int, as meaning: Meaning) -> Bool {
        !isMostlyUnread || rows[index].meanings.contains(meaning)
    }

    /// Whether a row may count as a tax: its words or a rate say so, or the model is sure that it or a row next to it is a tax.
    /// Where most of the print was not read, only words and rate decide.
    private func saysTaxOrRate(_ index: Int) -> Bool {
        let row = rows[index]
        func isSure(_ index: Int) -> Bool {
            rows.indices.contains(index) && [.tax, .taxTable].contains(rows[index].rowClass)
                && rows[index].probability(rows[index].rowClass) > Self.clearly
        }
        return !isMostlyUnread && [index - 1, index, index + 1].contains(where: isSure)
            || row.meanings.contains(.tax) || RowShapes.rate(in: row.text) != nil
    }

    /// Whether a row's words say rounding and nothing else, and its amount is below 1: "ØREAVRUNDING -0,20".
    private func saysRounding(_ row: ReceiptRow) -> Bool {
        let said = Set(row.wholeFindings.map(\.phrase.meaning))
        return said == [.rounding] && row.amount.map { abs($0.value) < 1 } == true
    }

    /// Whether a row names a tip and not change; both stand below a total.
    func saysTip(_ row: ReceiptRow) -> Bool {
        row.meanings.contains(.tip) && !row.meanings.contains(.change)
    }

    /// Whether a row gives what was sold at a tax rate, and not the tax: "SPRZEDAZ OPODATKOWANA A 109,26".
    func isTaxedSum(_ row: ReceiptRow) -> Bool {
        row.findings.contains { $0.phrase.meaning == .summary && $0.phrase.words.count > 1 }
            && !row.meanings.contains(.tax)
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
        func likeliest(_ rowClass: RowClass, _ meaning: Meaning) -> Sum? {
            sums(rowClass).filter { isBelieved($0.row, as: meaning) }.max { $0.likelihood < $1.likelihood }
        }
        let discounts = sums(.discount).filter {
            isBelieved($0.row, as: .discount) && $0.value != 0 && !isItem($0.row)
                && !asides.contains($0.row)
        }
        let discount =
            allTogether(discounts, from: sums(.subtotal), to: due)
            ?? likeliest(.discount, .discount).flatMap { best in
                discounts.contains { $0.row == best.row } ? best : nil
            }
        // A row among the items is an item: "TIP TEA TOWEL" is no tip.
        let service = likeliest(.service, .service).flatMap { isItem($0.row) ? nil : $0 }
        let tip = likeliest(.tip, .tip).flatMap { isItem($0.row) ? nil : $0 }
        let rounding = likeliest(.rounding, .rounding).flatMap { abs($0.value) < 1 ? $0 : nil }
        let subtotals = sums(.subtotal)
        // Takes the subtotal that makes the total with tax, tip, service and rounding, less the discount; else the likeliest.
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
        let change = likeliest(.change, .change)
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

    /// Adds several deductions to one, if together they lead from a subtotal above them to what is due.
    private func allTogether(_ discounts: [Sum], from subtotals: [Sum], to due: Decimal?) -> Sum? {
        guard discounts.count > 1, let due, let first = discounts.first else { return nil }
        let value = discounts.reduce(0) { $0 + abs($1.value) }
        guard subtotals.contains(where: { $0.row < first.row && $0.value - value == due }) else { return nil }
        return Sum(
            row: first.row, value: value, likelihood: discounts.map(\.likelihood).min() ?? 0,
            words: discounts.flatMap(\.words))
    }

    /// Returns 1 if cash given minus change equals what is due, else 0.
    private func payments(_ due: Decimal?, _ given: Sum, _ change: Sum?) -> Int {
        guard let due, let change else { return 0 }
        return abs(given.value) - abs(change.value) == due ? 1 : 0
    }

    private func isCash(_ sum: Sum) -> Bool { rows[sum.row].meanings.contains(anyOf: [.cash, .paid]) }
    private func isCard(_ sum: Sum) -> Bool {
        rows[sum.row].meanings.contains(.card) && !rows[sum.row].meanings.contains(.cash)
    }
    private func isItem(_ row: Int) -> Bool { fields.items.contains { $0.box == rows[row].box } }

    /// Largest change of a total by rounding: to the nearest ten cents.
    static let greatestRounding = Decimal(5) / 100

    // MARK: - Tax

    /// Reads the tax line by line, from the rows of sums and the tax table.
    private func taxLines() -> [ReceiptFields.TaxLine] {
        var lines: [ReceiptFields.TaxLine] = []
        for (index, row) in rows(.tax, .taxTable) where saysTaxOrRate(index) {
            let isTable = row.rowClass == .taxTable
            guard let amount = row.amount, isTable || !isTaxedSum(row),
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
                // Skips captions, and rows of which too little was read.
                continue
            }
            if line.amount == 0, line.base ?? 0 == 0 { continue }
            // The sum of the taxes above, "SUMA PTU", is not a tax line itself.
            if !isTable, rate == nil, row.findings.contains(where: { $0.phrase.meaning == .total }),
                !lines.isEmpty, lines.reduce(0, { $0 + $1.amount }) == line.amount || !row.saysTotal
            {
                continue
            }
            line.confidence = row.probability(row.rowClass) * RecognizedText.meanConfidence(of: row.words)
            // A row of the table repeats a tax from the sums, unless it is the second half of India's tax.
            let isTwin = { (other: ReceiptFields.TaxLine) in
                other.amount == line.amount && !Self.saysTaxOfState(row)
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
        return lines.filter { line in
            line.base != nil
                || !lines.contains {
                    isTax($0.amount, on: line.amount, at: line.rate) && $0.rate == line.rate
                }
        }
    }

    /// Whether a row is the state's half of India's tax, which equals the centre's half.
    private static func saysTaxOfState(_ row: ReceiptRow) -> Bool {
        row.tokens.contains { $0.hasPrefix("sgst") } || ["state", "gst"].allSatisfy(row.tokens.contains)
    }

    /// Whether an amount is the tax on another at a rate.
    private func isTax(_ tax: Decimal, on base: Decimal, at rate: Decimal?) -> Bool {
        guard let rate, tax < base else { return false }
        return abs(base * rate / 100 - tax) <= Self.cent
    }

    /// The amounts of a row that are certain, without percentages.
    private func certainAmounts(_ row: ReceiptRow) -> [Decimal] {
        let words = row.words
        return words.indices.filter { index in
            !words[index].text.hasSuffix("%") && !(index + 1 < words.count && words[index + 1].text == "%")
        }
        .compactMap { PrintedAmount(words[$0].text, style: style) }.filter(\.isCertain).map(\.value)
    }

    /// A tax rate printed without "%": "SR 6 7.55 0.45", "5.00 771.43 19.29 19.29 38.57".
    private static func bareRate(in row: ReceiptRow, amounts: [Decimal]) -> Decimal? {
        row.words.lazy.filter { $0.text.count <= Self.lettersOfRate }.compactMap { Decimal(string: $0.text) }
            .first { rate in
                rate > 0 && rate < greatestRate
                    && baseAndTax(amounts, rate: rate).map {
                        abs(($0.base ?? 0) * rate / 100 - $0.tax) <= cent
                    }
                        == true
            }
    }

    /// Length of "12.50"; and a rate, in percent, that no country's sales tax reaches.
    private static let (lettersOfRate, greatestRate) = (5, Decimal(40))

    /// The tax class that a tax line begins with: "A", "A=", "SR", "1".
    private static func taxClass(before row: ReceiptRow) -> String? {
        guard row.words.count > 2, let first = row.words.first?.text.trimming("()=:*#"),
            first.wholeMatch(of: Self.classOfTax.regex) != nil, PrintedAmount.currency(named: first) == nil
        else { return nil }
        return first
    }

    private static let classOfTax = Pattern(#/[A-Z]{1,2}\d?|\d/#)

    /// Finds base and tax among a row's amounts: the tax is the rate's share of the base, or the two add up to a third amount.
    private static func baseAndTax(_ amounts: [Decimal], rate: Decimal?) -> (base: Decimal?, tax: Decimal)? {
        guard amounts.count >= 2 else { return nil }
        for (index, base) in amounts.enumerated() {
            for (other, tax) in amounts.enumerated() where index != other && abs(tax) < abs(base) {
                if let rate, abs(base * rate / 100 - tax) <= 2 / Decimal(100) { return (base, tax) }
                // The amount includes the tax: "0.42 7% GST 6.40".
                if let rate, abs(base * rate / (100 + rate) - tax) <= cent { return (base - tax, tax) }
                if amounts.count > 2, amounts.contains(base + tax), tax * 3 < base { return (base, tax) }
            }
        }
        // Without a rate, the base stands before the tax, as in tables.
        if amounts.count == 2, amounts[1] * 3 < amounts[0] { return (amounts[0], amounts[1]) }
        return nil
    }

    /// The total tax: the rows of sums added up, or else the lines of the tax table.
    private func taxSum() -> (value: Decimal, likelihood: Double, words: [RecognizedWord])? {
        var found = rows(.tax).compactMap { index, row -> Sum? in
            row.amount == nil || isTaxedSum(row) || !saysTaxOrRate(index)
                ? nil
                : Sum(
                    row: index, value: taxAmount(of: row), likelihood: row.probability(.tax),
                    words: row.amountWords)
        }
        // Where the sum of several taxes stands below them, only the sum counts.
        if found.count > 2, let last = found.last, found.dropLast().reduce(0, { $0 + $1.value }) == last.value
        {
            found = [last]
        }
        // Of two rows at one rate, one may be the base of the other: "6% Sales 35.60" above "6% Amount 2.14".
        found = found.filter { sum in
            let rate = RowShapes.rate(in: rows[sum.row].text)
            return !found.contains {
                isTax($0.value, on: sum.value, at: rate) && RowShapes.rate(in: rows[$0.row].text) == rate
            }
        }
        if let sum = sumOfTable, found.allSatisfy({ $0.value <= sum.value }) {
            found = [sum]
        } else if var sum = printedSumOfTaxes, !found.isEmpty, found.allSatisfy({ $0.value <= sum.value }) {
            // The sum is as likely a tax as the likeliest of its parts.
            sum.likelihood = found.map(\.likelihood).reduce(sum.likelihood, max)
            found = [sum]
        }
        var values = Set<Decimal>()
        let isSplit =
            found.count == 2 && found.first?.value == found.last?.value
            && rows.contains { $0.tokens.contains("cgst") }
        if !isSplit {
            // Drops a tax that is printed twice. India's tax has two equal parts, the centre's and the state's, and both count.
            found = found.filter { sum in
                values.insert(sum.value).inserted || Self.saysTaxOfState(rows[sum.row])
            }
        }
        // A row such as "AMT. EXCL. GST" gives the sum that is taxed, not the tax.
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

    /// The sum of all taxes where a row gives it, "SUMA PTU"; it holds however the other rows were read.
    private var printedSumOfTaxes: Sum? {
        let isOne = { (row: ReceiptRow) in
            row.meanings.contains(.tax) && row.meanings.contains(.total) && !row.saysTotal
                && RowShapes.rate(in: row.text) == nil
        }
        guard let index = rows.lastIndex(where: { $0.amount != nil && isOne($0) }),
            let value = rows[index].amount?.value
        else { return nil }
        let lines = fields.taxLines
        let isProven = lines.count > 1 && lines.reduce(0, { $0 + $1.amount }) == value
        return Sum(
            row: index, value: value,
            likelihood: max(rows[index].probability(.tax), isProven ? Self.likelihoodOfProven : 0),
            words: rows[index].amountWords)
    }

    /// The tax in the sum row of a tax table, where base and tax add up to the third amount: "SUM 309,07 63,42 372,49".
    private var sumOfTable: Sum? {
        guard let head = rows.firstIndex(where: { $0.meanings.contains(.summary) && $0.amount == nil }) else {
            return nil
        }
        for index in rows.indices.dropFirst(head + 1) where rows[index].meanings.contains(.total) {
            let amounts = certainAmounts(rows[index])
            guard amounts.count == 3, RowShapes.rate(in: rows[index].text) == nil, amounts[1] < amounts[0],
                amounts[0] + amounts[1] == amounts[2]
            else { continue }
            return Sum(
                row: index, value: amounts[1], likelihood: Self.likelihoodOfProven, words: rows[index].words)
        }
        return nil
    }

    /// A tax row may list rate, base and tax: the tax is the amount that is the rate's share of another, else the last.
    private func taxAmount(of row: ReceiptRow) -> Decimal {
        Self.baseAndTax(certainAmounts(row), rate: RowShapes.rate(in: row.text))?.tax ?? row.amount?.value
            ?? 0
    }

    /// All sums of any selection of the parts, including 0 for none.
    static func sums(withOrWithout parts: [Decimal?]) -> Set<Decimal> {
        var sums: Set<Decimal> = [0]
        for part in parts.compactMap({ $0 }) { sums.formUnion(sums.map { $0 + part }) }
        return sums
    }

    // MARK: - Comparison

    /// Compares the items with the subtotal, and the parts with the total. Tax may be added on top or be included.
    /// - Parameter raisesItems: whether items that agree become surer; false where that was done before.
    mutating func compareSums(raisesItems: Bool) {
        let items = fields.items.reduce(Decimal(0)) { $0 + $1.amount }
        let tax = fields.tax?.value ?? 0
        let tip = fields.tip?.value ?? 0
        let service = fields.service?.value ?? 0
        let discount = fields.discount?.value ?? 0
        let rounding = fields.rounding?.value ?? 0
        if !fields.items.isEmpty, let subtotal = fields.subtotal?.value {
            if [items, items - tax, items - discount].contains(where: { abs($0 - subtotal) <= Self.cent }) {
                if raisesItems { for index in fields.items.indices { fields.items[index].raise() } }
            } else if !marks.isPart {
                fields.contradictions.append(
                    "The items add up to \(items), but the subtotal says \(subtotal)")
            }
        }
        guard let total = fields.total?.value else { return }
        /// Whether a sum may make the total: tax and service may be added or be included, a discount deducted already or not.
        func reaches(_ sum: Decimal) -> Bool {
            Self.sums(withOrWithout: [tax, tip, service, -discount, rounding])
                .contains { abs(sum + $0 - total) <= Self.cent }
        }
        if let subtotal = fields.subtotal?.value {
            if !reaches(subtotal) {
                let parts = [("tax", tax), ("service", service), ("tip", tip), ("rounding", rounding)].filter
                { $0.1 != 0 }
                let with =
                    parts.isEmpty ? "" : " with " + parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
                fields.contradictions.append(
                    "The subtotal \(subtotal)\(with) makes \(parts.reduce(subtotal) { $0 + $1.1 }), but the total says \(total)"
                )
            }
        } else if !fields.items.isEmpty {
            if reaches(items) {
                if raisesItems { for index in fields.items.indices { fields.items[index].raise() } }
            } else if !marks.isPart {
                fields.contradictions.append("The items add up to \(items), but the total says \(total)")
            }
        }
    }

    /// Tolerance of sums: tax is rounded row by row on some receipts and once on others.
    private static let cent = Decimal(1) / 100
}

/// How a second reading of an amount changes the confidence in it.
private enum Comparison {
    /// Share of the doubt that remains if two independent readings agree: both would have to be wrong in the same way.
    static let doubtLeft = 0.3
}

extension ReceiptFields.LineItem {
    fileprivate mutating func raise() { confidence = 1 - (1 - confidence) * Comparison.doubtLeft }
}
