import TextRecognition
import Platform

/// Finds date, time, currency, country and language.
extension ReceiptFieldParser {
    /// A date or time, the row that it stands in, and how well it fits.
    private struct Moment {
        var value: String
        var words: [RecognizedWord]
        var points: Double
        /// The dates that the print may mean, if there are several.
        var readings: [String] = []
    }

    mutating func findDateAndTime() {
        let times = rows.compactMap { row in
            row.holdsTime ? PrintedDate.findTime(in: row.text).map { (row, $0) } : nil
        }
        let order = dateOrder(hasTwelveHours: times.first.map { $0.1.isTwelveHours })
        let dates = rows.indices.compactMap { index -> Moment? in
            let row = rows[index]
            guard row.holdsDate, let (date, printed) = PrintedDate.find(in: row.text, order: order),
                !isDeadline(printed, in: index)
            else { return nil }
            return Moment(
                value: date.iso, words: row.words(spelling: printed),
                points: points(ofDateIn: index) + pointsOfLetter(printed, in: index),
                readings: date.readings)
        }
        if let best = dates.max(by: { $0.points < $1.points }) {
            // The number of other rows with the same date, and of rows with another date that fit nearly as well.
            let same = dates.count { $0.value == best.value } - 1
            let others = dates.count { $0.value != best.value && $0.points > best.points - 1 }
            let isKnown = country != nil || context.country != nil || best.readings.isEmpty
            if !isKnown { fields.ambiguous[ReceiptFieldName.date.key] = best.readings }
            let first = dates.first { $0.value == best.value } ?? best
            fields.date = field(
                .date, best.value,
                Evidence(
                    likelihood: (isKnown ? GrammarLikelihood.date : GrammarLikelihood.ambiguousDate)
                        / Double(1 + others),
                    words: first.words,
                    support: Double(same) + max(best.points, 0),
                    ceiling: isKnown ? 1 : ConfidenceCeiling.ambiguousDate))
        }
        if let (row, time) = times.max(by: { Self.points(ofTimeIn: $0.0) < Self.points(ofTimeIn: $1.0) }) {
            fields.time = field(
                .time, time.time,
                Evidence(
                    likelihood: GrammarLikelihood.shaped, words: row.words(spelling: time.printed),
                    support: Self.points(ofTimeIn: row)))
        }
    }

    /// Whether a date is a deadline, by the words before it or, where there are none, those in the row above.
    private func isDeadline(_ printed: String, in index: Int) -> Bool {
        let text = rows[index].text
        let before = text.firstRange(of: printed).map { text[..<$0.lowerBound] } ?? ""
        let words = before.contains(where: \.isLetter) || index == 0 ? String(before) : rows[index - 1].text
        return words.contains(Self.deadline.regex)
    }

    private static let deadline = Pattern(
        #/(?i)(?:\bvalid (?:until|till|thru|through|to)|\bexp(?:ires?|iry|iration)?\b|\breturns?\b[^\d]*\b(?:date|by|until|before|thru|through)\b|\bbest before|\bup t[o0]\b|\b(?:pay|due|use) (?:by|date|before)|gültig bis|umtausch bis|rückgabe bis|zahlbar bis|haltbar bis|jusqu.?au|échéance|(?:válido|valido|valable|cambios) (?:hasta|fino|até)|\bscade(?:nza)?\b|geldig t\/?o?m?t?)[^\d]*$/#
    )

    /// Points for a row's date as the receipt's: for its label and for a time beside it. Other dates belong to cards, offers and
    /// stays.
    private func points(ofDateIn index: Int) -> Double {
        let row = rows[index]
        var points = 0.0
        if row.meanings.contains(.date) { points += 1 }
        if row.holdsTime { points += Self.pointsOfTime }
        if row.rowClass == .heading { points += 1 }
        if row.meanings.contains(anyOf: [.closing, .points, .hours]) && !row.holdsTime { points -= 1 }
        if row.rowClass == .itemPart || row.rowClass == .item { points -= 1 }
        return points - Double(index) / Double(10 * max(rows.count, 1))
    }

    /// Points for a time beside a date: more than for a caption or a place among headings, which dates of cards and offers have
    /// too.
    private static let pointsOfTime = 1.5

    private static func points(ofTimeIn row: ReceiptRow) -> Double {
        var points = 0.0
        if row.holdsDate { points += 1 }
        if row.rowClass == .heading { points += 1 }
        if row.meanings.contains(.time) { points += 0.5 }
        if row.meanings.contains(.hours) && !row.holdsDate { points -= 1 }
        return points
    }

    /// Returns how to read dates that may be read in several ways.
    func dateOrder(hasTwelveHours: Bool?) -> PrintedDate.Order {
        let day = CalendarDay.parts(of: context.today)
        return .init(
            monthFirst: isMonthFirst(hasTwelveHours: hasTwelveHours),
            yearFirst: (country?.country ?? context.assumedCountry).map {
                $0.dateOrder == .ymd || $0.code == "CA"
            } ?? false,
            today: PrintedDate(year: day.year, month: day.month, day: day.day))
    }

    /// Whether the month stands first in 03/04/2024: as in the receipt's country, or as in the United States if the receipt looks
    /// like one from there.
    func isMonthFirst(hasTwelveHours: Bool?) -> Bool {
        if let country, country.lead > 1 { return country.country.dateOrder == .mdy }
        if country == nil, let assumed = context.assumedCountry { return assumed.dateOrder == .mdy }
        let text = rows.map(\.text).joined(separator: "\n")
        let words = Set(Vocabulary.words(of: text))
        var score = 0
        switch hasTwelveHours {
        case true?: score += 2
        case false?: score -= 2
        case nil: break
        }
        if text.contains("$") { score += 1 }
        if text.contains(#/\b[A-Z]{2},? \d{5}(-\d{4})?\b/#) { score += 2 }
        if text.contains(#/[Ss]ales [Tt]ax|SALES TAX/#) { score += 1 }
        if text.contains("€") || text.contains("£") || text.contains("RM") { score -= 3 }
        if !words.isDisjoint(with: ["vat", "gst", "tva", "mwst", "iva", "btw"]) { score -= 2 }
        if let country, country.country.dateOrder != .mdy { score -= 1 }
        return score > 0
    }

    mutating func findCurrency() {
        let ofCountry = country?.country.currency(on: fields.date?.value)
        // A second currency may stand beside the country's own.
        let printed = signs.closed.filter { !secondCurrencies.contains($0.key) }
        if let best = printed.max(by: {
            ($0.value.count, $0.key == ofCountry ? 1 : 0, $1.key) < (
                $1.value.count, $1.key == ofCountry ? 1 : 0, $0.key
            )
        }) {
            let own = ofCountry.flatMap { code in printed[code].map { (code, $0) } }
            let (code, found) = own ?? (best.key, best.value)
            fields.currency = currency(code, by: found)
        } else if let meant = ofCountry ?? context.assumedCurrency,
            let open = signs.open.filter({ $0.value.count > 1 || Self.mayMean($0.key, meant) })
                .max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) })
        {
            // "$" means the country's currency; without a country it stays open.
            guard Self.mayMean(open.key, meant) else { return }
            fields.currency = currency(meant, by: open.value)
        } else if let code = leadingCurrency ?? context.assumedCurrency {
            // The evidence is all words of the page, but print and box are those of its amounts.
            let amounts = rows.flatMap(\.amountWords)
            guard !amounts.isEmpty else { return }
            fields.currency = field(
                .currency, code,
                Evidence(likelihood: GrammarLikelihood.country, words: rows.flatMap(\.words)))
            fields.currency?.printed = amounts.map(\.text).joined(separator: " ")
            fields.currency?.box = Self.box(of: amounts)
        }
    }

    /// A currency that a sign prints. Where the country has the same currency, a badly read sign does not decide alone.
    private mutating func currency(
        _ code: String, by sign: (count: Int, word: RecognizedWord)
    ) -> ReceiptFields.Field<String>? {
        let support = Double(sign.count - 1)
        var evidence = [
            Evidence(likelihood: GrammarLikelihood.currency, words: [sign.word], support: support)
        ]
        if code == leadingCurrency {
            evidence += [
                Evidence(
                    likelihood: GrammarLikelihood.currency, words: rows.flatMap(\.amountWords),
                    support: support),
                Evidence(likelihood: GrammarLikelihood.country, words: rows.flatMap(\.words)),
            ]
        }
        func confidence(_ evidence: Evidence) -> Double { calibration.confidence(.currency, evidence) }
        guard let surest = evidence.max(by: { confidence($0) < confidence($1) }),
            var found = field(.currency, code, surest)
        else { return nil }
        (found.printed, found.box) = (sign.word.text, sign.word.box)
        return found
    }

    /// Whether a sign may mean a currency: "$" the Canadian dollar.
    private static func mayMean(_ sign: String, _ currency: String) -> Bool {
        PrintedAmount.openSigns[sign]?.contains(currency) == true
    }

    /// Takes the country's former currency where the total is printed in it: "Ukupno kn 207.69", even if the sum in euros stands
    /// beside it.
    mutating func takeFormerCurrency() {
        guard let former = country?.country.formerCurrency, let total = fields.total,
            let row = rows.first(where: {
                ($0.box.top...$0.box.bottom).contains(total.box.centerY)
                    && ($0.box.left...$0.box.right).contains(total.box.centerX)
            }),
            let sign = row.words.first(where: {
                [former.code, former.sign].contains($0.text.trimming("():."))
            })
        else { return }
        fields.currency = field(
            .currency, former.code, Evidence(likelihood: GrammarLikelihood.currency, words: [sign]))
    }

    /// The currencies that the page prints only where it converts a sum of another one.
    var secondCurrencies: Set<String> {
        guard !signs.converted.isEmpty, let own = leadingCurrency else { return [] }
        return signs.converted.subtracting([own])
    }

    /// The currency to give where none is printed: that of the country with the most marks, if its lead is large enough.
    var leadingCurrency: String? {
        let day = fields.date?.value
        return origin.flatMap {
            $0.leadOfCurrency(on: day) >= Self.leastLead ? $0.country.currency(on: day) : nil
        }
    }

    /// Least lead, in marks, of a country over those with other currencies, for its currency to be given where none is printed.
    private static let leastLead = 2

    /// Finds country and language by their words on the page.
    mutating func findPlace() {
        if let country {
            fields.country = field(
                .country, country.country.code,
                Evidence(
                    likelihood: GrammarLikelihood.country, words: rows.flatMap(\.words),
                    support: Double(country.lead)))
        }
        var phrases: [String: Set<String>] = [:]
        for finding in rows.flatMap(\.findings) {
            let phrase = finding.phrase.words.joined(separator: " ")
            if phrase.count > 3 || finding.phrase.language == "ja" {
                phrases[phrase, default: []].insert(finding.phrase.language)
            }
        }
        // A phrase of only one language counts more than one that several share. Sorted, so that the sums are the same to the bit
        // each time.
        var scores: [String: Double] = [:]
        for (_, languages) in phrases.sorted(by: { $0.key < $1.key }) {
            for language in languages { scores[language, default: 0] += 1 / Double(languages.count) }
        }
        let ranked = scores.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        guard let best = ranked.first else { return }
        let share = best.value / ranked.reduce(0) { $0 + $1.value }
        fields.language = field(
            .language, best.key,
            Evidence(likelihood: share, words: rows.flatMap(\.words), support: best.value / 10))
    }
}
