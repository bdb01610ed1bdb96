import TextRecognition
import Platform

/// Finds the total: every value that may be it, the evidence for each, and the one that is given.
extension ReceiptFieldParser {
    /// A value that may be the total, with the rows that print it and the sums on the page that confirm it.
    struct TotalCandidate {
        let value: Decimal
        var words: [RecognizedWord]
        /// The value in the total's row, where that was misread or misprinted.
        var misread: Decimal?
        /// The numbers that the calibration weighs.
        var numbers: [Double]
        var likelihood: Double
        /// Whether subtotal and tax make another sum, and nothing else on the page confirms this one.
        let standsAlone: Bool
        /// Whether a row with this value has a word for a total.
        let saysTotal: Bool
        /// Whether it is printed without the digits after the mark that other amounts have.
        let isBare: Bool
        /// Whether it is more than any tax or tip makes of a subtotal, and no sum confirms it: "TOTAL 1831.13" below "SUBTOTAL
        /// 164.62" has a digit too many.
        let risesTooFar: Bool
        /// Whether it is far less than its dearest item, and neither a sum confirms it nor a discount explains it.
        let fallsTooFar: Bool
        /// Whether a subtotal has the same value.
        let isSubtotal: Bool
        /// How many of five sums equal the value: cash less change, payments, subtotal with additions, items, and tax table.
        let proofs: Int
        /// How many of two sums equal the value: items and tax table. Both add up many amounts instead of repeating one.
        let additions: Int

        func field(_ parser: inout ReceiptFieldParser) -> ReceiptFields.Field<Decimal>? {
            let ceiling =
                risesTooFar || fallsTooFar || standsAlone && isBare
                ? ConfidenceCeiling.misreadTotal
                : standsAlone ? ConfidenceCeiling.contradictedTotal : 1
            return parser.field(
                .total, value, Evidence(likelihood: likelihood, words: words, ceiling: ceiling))
        }
    }

    /// The same as `leastTried` for the total; lower, because sums find the total among many candidates.
    private static let leastTriedTotal = 0.05
    /// Probability above which a row is clearly of a class: likelier than all other classes together.
    static let clearly = 0.5
    /// How likely a row must be a total or a sum to count as a second print of the total.
    private static let leastOfRepeat = 0.3
    /// A total that is more times its subtotal, or whose dearest item is more times the total, was misread: taxes, tips and
    /// services do not double a sum, and a digit too many or too few makes it some ten times as large or small.
    private static let greatestRise: Decimal = 5
    /// Largest lead of one candidate's rows over another's that counts, in log odds.
    private static let greatestLead = 7.0

    /// Likelihood of a total that is called so and proven twice, or of a tax that is called the sum of the taxes that add up to
    /// it. With this and the other proofs of totals, ten more totals are given on 376 photographs and scans: nine are right, and
    /// one is the total before a rounding whose row is not read.
    static let likelihoodOfProven = 0.95

    /// Least likelihood of the only value on a page that may be the total, if its row says so: a card slip's "Amount: $ 15.12" has
    /// no sum beside it.
    private static let likelihoodOfOnly = 0.6

    /// Finds the values that may be the total, with the evidence for each.
    func totalCandidates(tax: Decimal?) -> [TotalCandidate] {
        var values: [Decimal: [Int]] = [:]
        for index in rows.indices {
            guard let amount = rows[index].amount else { continue }
            let row = rows[index]
            let classes: [RowClass] = [.total, .sum, .payment, .subtotal]
            guard mayBeTotal(index), !isTaxAlone(index, tax) else { continue }
            // A dash before the amount leads to it from the label, or marks a deduction; no total is negative.
            let mayBe = classes.reduce(0) { $0 + row.probability($1) } >= Self.leastTriedTotal
            if mayBe || row.saysTotalAlone || countsAndSums(row) {
                values[abs(amount.value), default: []].append(index)
            }
        }
        // Zero is a total only if there is no other value.
        if values.count > 1 { values[0] = nil }
        let net = netOfUnreadTax(among: Set(values.keys))
        if let net { values[net.value] = nil }
        let paid = sums(.payment)
        let returned = sums(.change)
        let paidLessChange = paidLessChange(paid, returned, among: values)
        for value in paidLessChange.keys { values[value] = values[value] ?? [] }
        let subtotals =
            sums(.subtotal).map(\.value) + sums(.sum).map(\.value) + (net.map { [$0.value] } ?? [])
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
        /// The sum of what was sold at each tax rate, as Polish tills print it.
        let taxed = rows.filter(isTaxedSum).compactMap(\.amount?.value).reduce(0, +)
        func isWithin(_ a: Decimal, _ b: Decimal) -> Bool { abs(a - b) <= Self.greatestRounding }
        // If the tax table and the items make the same value, that value is tried too, because the total itself may be misread.
        if items != 0, table == items, !values.isEmpty { values[table] = values[table] ?? [] }
        /// Everything that may be added to a subtotal to reach the total.
        let additions = Self.sums(
            withOrWithout: [tax ?? net?.tax]
                + (service.prefix(2) + tips.prefix(2) + discounts.prefix(2)).map { $0 })
        let dearest = fields.items.map(\.amount).max() ?? 0
        let most = subtotals.max() ?? 0
        var candidates = values.compactMap { value, indices -> TotalCandidate? in
            let own = indices.map { rows[$0] }
            let total = own.map { $0.probability(.total) }.max() ?? 0
            let sum = min(own.map { $0.probability(.total) + $0.probability(.sum) }.max() ?? 0, 1)
            let words =
                own.max { $0.probability(.total) < $1.probability(.total) }?.amountWords ?? paidLessChange[
                    value] ?? []
            let isPaidLessChange = paidLessChange[value] != nil
            let parts = paid.filter { rows[$0.row].probability(.payment) > Self.clearly }.map {
                abs($0.value)
            }
            let saysTotal = own.contains { $0.saysTotal || countsAndSums($0) }
            // Payment may be in parts, by card and by voucher, and a slip below may repeat one of them.
            let isPaid =
                parts.contains(value) || (parts.count > 1 && parts.reduce(0, +) == value)
                || (saysTotal && Self.isSumOfTwo(value, of: parts))
            let isSum = subtotals.contains { subtotal in
                additions.contains { ($0 != 0 || subtotal != value) && isWithin(subtotal + $0, value) }
            }
            let isItems = items != 0 && additions.contains { isWithin(items + $0, value) }
            let isTable =
                table != 0 && isWithin(table, value) || saysTotal && taxed != 0 && isWithin(taxed, value)
            let isRounded = rounding.contains { $0 != 0 && subtotals.contains(value - $0) }
            let isRepeated =
                own.count { $0.probability(.total) + $0.probability(.sum) > Self.leastOfRepeat } > 1
            let isBeforeRounding = rounding.contains { $0 != 0 && values[value + $0] != nil }
            let misses = !returned.isEmpty && !isPaidLessChange
            // A subtotal is no contradiction where the tax beside it could not be read.
            let isContradicted =
                !isSum && !subtotals.contains(value) && subtotalsAreSure
                && !(taxIsUnread && sums(.subtotal).contains { $0.value < value })
            let supports = [isPaidLessChange, isPaid, isSum, isItems, isTable, isRepeated, isRounded]
            // A value below the dearest item is no total, unless sums prove it or its row says total.
            let isProven = [isPaidLessChange, isPaid, isSum, isItems, isTable, isRounded].contains(true)
            if value < dearest, !isProven, !saysTotal { return nil }
            let signs = supports + [isBeforeRounding, misses, isContradicted]
            var numbers = [
                1, Evidence.logit(total), Evidence.logit(sum), 0, RecognizedText.meanConfidence(of: words),
            ]
            numbers += signs.map { $0 ? 1 : 0 }
            return TotalCandidate(
                value: value, words: words, numbers: numbers, likelihood: total,
                standsAlone: isContradicted && !supports.contains(true),
                saysTotal: saysTotal,
                isBare: !words.contains { PrintedAmount($0.text, style: style)?.isCertain == true },
                risesTooFar: !supports.contains(true) && most > 0 && value > Self.greatestRise * most,
                fallsTooFar: Self.greatestRise * value < dearest && !isProven && discounts.isEmpty,
                isSubtotal: subtotals.contains(value),
                proofs: [isPaidLessChange, isPaid, isSum, isItems, isTable].count { $0 },
                additions: [isItems, isTable].count { $0 })
        }.sorted { $0.value < $1.value }
        // The candidate's lead over the others by its rows alone.
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
            // A value that is called a total and proven in two ways is the total, whatever its row looks like.
            if candidates[index].saysTotal, candidates[index].proofs > 1 {
                // Of two such candidates the likelier stays ahead.
                candidates[index].likelihood =
                    Self.likelihoodOfProven + (1 - Self.likelihoodOfProven) * candidates[index].likelihood
            }
        }
        if candidates.count == 1, candidates[0].saysTotal, !candidates[0].standsAlone, !isMostlyUnread {
            candidates[0].likelihood = max(candidates[0].likelihood, Self.likelihoodOfOnly)
        }
        return candidates
    }

    /// Cash given minus change, for pages whose total could not be read: the values, and the words of both amounts. A value that is
    /// printed nowhere is the total in `values` rounded to coins.
    private func paidLessChange(
        _ paid: [Sum], _ returned: [Sum], among values: [Decimal: [Int]]
    ) -> [Decimal: [RecognizedWord]] {
        let said = rows.filter(\.saysTotal).compactMap(\.amount?.value).filter { values[$0] != nil }
        var found: [Decimal: [RecognizedWord]] = [:]
        for given in paid {
            for change in returned where change.row != given.row && abs(given.value) > abs(change.value) {
                let value = abs(given.value) - abs(change.value)
                let rounded = said.first { abs($0 - value) <= Self.greatestRounding }
                found[values[value] == nil ? rounded ?? value : value] = given.words + change.words
            }
        }
        return found
    }

    /// The sum before a tax whose rate is read and whose amount is not, if it is called net and makes another value with the tax:
    /// "Net total 79.99", "HST 13.00 %", "Visa 90.39".
    private func netOfUnreadTax(among values: Set<Decimal>) -> (value: Decimal, tax: Decimal)? {
        let rates = rows.filter { $0.meanings.contains(.tax) && $0.amount == nil }
            .compactMap { RowShapes.rate(in: $0.text) }
        for row in rows where row.saysTotal && !Self.net.isDisjoint(with: row.tokens) {
            guard let value = row.amount?.value, value > 0 else { continue }
            for gross in rates.lazy.filter({ $0 > 0 }).map({ value + value * $0 / 100 }) {
                guard let sum = values.first(where: { abs($0 - gross) <= Self.halfACent }) else { continue }
                return (value, sum - value)
            }
        }
        return nil
    }

    private static let halfACent = Decimal(5) / 1000
    private static let net: Set<String> = ["net", "netto", "neto", "nett"]

    func chosenTotal(tax: Decimal?) -> TotalCandidate? {
        let candidates = totalCandidates(tax: tax)
        // Values that were only computed are printed nowhere as a total.
        let printed = candidates.filter { !$0.words.isEmpty }
        guard var best = printed.max(by: { $0.likelihood < $1.likelihood }) else { return nil }
        if let proven = provenOfLetter(among: printed, besides: best) { best = proven }
        best = candidates.first { isGrown($0, from: best) } ?? best
        if var rounded = candidates.first(where: { isRounded($0, from: best) }) {
            rounded.likelihood = max(rounded.likelihood, best.likelihood)
            best = rounded
        }
        // A total without proof was misread if two proofs support a value that differs in one digit. A total that only the
        // payment repeats, in the same bad print, was misread if both items and tax table support such a value. A value that a
        // printed rounding leads to is no misreading: 133.20 is 133.00 less -0.20.
        let roundings = sums(.rounding).map(\.value)
        let others = candidates.filter { other in
            !roundings.contains { other.value + $0 == best.value }
        }.filter {
            Self.differInOneDigit($0.value, best.value)
                && (best.proofs == 0
                    ? $0.proofs > 1 || best.standsAlone && $0.isSubtotal && $0.proofs > 0
                    : best.additions == 0 && $0.additions > 1)
        }
        guard var other = others.max(by: { $0.likelihood < $1.likelihood }) else { return best }
        // The row is the total's, whatever number it shows.
        other.likelihood = max(other.likelihood, best.likelihood)
        other.misread = best.value
        if other.words.isEmpty { other.words = best.words }
        return other
    }

    /// Whether a candidate is another total plus the only tip on the page, and a row below the tip calls it a total: then it is
    /// what is paid. The candidate must clearly be a total; handwritten ones, which are less clear, are not accepted.
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

    /// Whether a row gives the candidate as another total rounded: "Bill Total (rounded) 9,474.00".
    private func isRounded(_ candidate: TotalCandidate, from other: TotalCandidate) -> Bool {
        candidate.saysTotal && candidate.value != other.value && abs(candidate.value - other.value) < 1
            && rows.contains {
                $0.saysTotal && $0.amount?.value == candidate.value
                    && !Self.rounded.isDisjoint(with: Vocabulary.words(of: $0.text))
            }
    }

    /// Whether a row gives the number of items and, behind it, their sum: "Items: 40 Qty: 44 3655.33".
    private func countsAndSums(_ row: ReceiptRow) -> Bool {
        Self.countsBeforeSum.stands(in: row.text) && row.amount?.isCertain == true
    }

    private static let countsBeforeSum = Pattern(
        #/(?i)^items?\s?[:.]?\s?\d+\s+qty\s?[:.]?\s?\d+(?:\.\d+)?\s+\d/#)

    /// Whether two different numbers add up to a value.
    private static func isSumOfTwo(_ value: Decimal, of parts: [Decimal]) -> Bool {
        let known = Set(parts)
        return known.contains { $0 != value - $0 && $0 > 0 && known.contains(value - $0) }
    }

    private static let rounded: Set<String> = [
        "rounded", "arrondi", "gerundet", "avrundet", "avrundat", "afgerond",
    ]

    private static func differInOneDigit(_ one: Decimal, _ other: Decimal) -> Bool {
        guard let first = AmountRelations.cents(one), let second = AmountRelations.cents(other) else {
            return false
        }
        let (left, right) = (String(first), String(second))
        return left.count == right.count && zip(left, right).count { $0 != $1 } == 1
    }

    /// Words for limits: an amount beside them is not a sum of this receipt.
    private static let limits: Set<String> = [
        "under", "over", "minimum", "maximum", "min", "max", "below", "above", "exceeding",
    ]

    /// Whether a row's amount may be what is to be paid: not a net sum, a sum of taxes, a limit in a rule, a unit price, or the
    /// same sum in a second currency.
    private func mayBeTotal(_ index: Int) -> Bool {
        let row = rows[index]
        if !Self.limits.isDisjoint(with: Vocabulary.words(of: row.text)) { return false }
        // A sum of the same value in the page's own currency shows that only the sign was misread: "€1.40" beside "£1.40".
        if let own = currency(of: row), let usual = usualCurrency, own != usual,
            !rows.contains(where: { $0.amount?.value == row.amount?.value && currency(of: $0) == usual })
        {
            return false
        }
        guard !row.saysTotal else { return true }
        // On a page that continues on the next one, an amount without a word for a total is an item's.
        if marks.goesOn { return false }
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

    /// Whether a row says the tax and no total: "This receipt includes GST of $15.51".
    private func isTaxAlone(_ index: Int, _ tax: Decimal?) -> Bool {
        let row = rows[index]
        guard let tax, let amount = row.amount?.value, abs(amount) == abs(tax), !row.saysTotal else {
            return false
        }
        return row.meanings.contains(.tax) && row.meanings.contains(.inclusive)
    }

    /// Captions for the unit price.
    private static let prices: Set<[String]> = [
        ["einzelpreis"], ["e", "preis"], ["unit", "price"], ["stuksprijs"], ["stukprijs"],
        ["pret", "unitar"], ["birim", "fiyat"],
        ["egysegar"], ["don", "gia"],
    ]

    /// The currency that a row names.
    private func currency(of row: ReceiptRow) -> String? {
        row.words.lazy.compactMap { PrintedAmount.sign(of: $0.text, style: style) }.first { $0.open == nil }
            .map { CurrencySigns.meant(by: $0.code, in: country?.country.code) }
    }

    /// The page's own currency, where it prints another one too, or only another one.
    private var usualCurrency: String? {
        if !signs.closed.isEmpty, secondCurrencies.isSuperset(of: signs.closed.keys) {
            return leadingCurrency
        }
        guard signs.closed.count > 1 else { return nil }
        if let own = country?.country.currency(on: fields.date?.value), signs.closed[own] != nil {
            return own
        }
        return fields.currency?.value
    }
}
