import CReceiptTables
import Platform

/// A country and the marks that identify its receipts, from `CReceiptTables/words/countries.words`.
struct Country {
    enum DateOrder: String { case dmy, mdy, ymd }

    /// ISO 3166-1, two letters.
    let code: String
    /// ISO 4217.
    let currency: String
    let dateOrder: DateOrder
    private let marks: [(words: [String], weight: Int)]
    private let signs: [String]

    /// The countries that are known.
    static let all: [Country] = Vocabulary.embeddedText(
        creceipttables_countries(), creceipttables_countries_size()
    ).split(whereSeparator: \.isNewline).compactMap(Country.init)

    private init?(line: Substring) {
        let parts = line.split(separator: ":", maxSplits: 1)
        let head = parts.first?.split(separator: " ") ?? []
        guard !line.hasPrefix("#"), parts.count == 2, head.count == 3,
            let order = DateOrder(rawValue: String(head[2]))
        else { return nil }
        code = String(head[0])
        currency = String(head[1])
        dateOrder = order
        let values = parts[1].split(separator: ",").map { $0.trimmingSpaces }
        func isSign(_ value: String) -> Bool {
            !value.trimming("!").allSatisfy { $0.isLetter || $0.isNumber || $0 == " " }
        }
        signs = values.filter(isSign)
        marks = values.filter { !isSign($0) }.map { value in
            (
                value.trimming("!").split(separator: " ").map(String.init),
                value.hasPrefix("!") ? Self.strong : 1
            )
        }
    }

    /// The country's currency on a day, ISO 8601; today's currency where the day is not known.
    func currency(on day: String?) -> String {
        guard let (former, _, end) = Self.beforeEuro[code], let day, day < end else { return currency }
        return former
    }

    /// The currencies of countries before the euro, their signs, and the day the euro came.
    private static let beforeEuro = [
        "BG": ("BGN", "лв", "2026-01-01"), "HR": ("HRK", "kn", "2023-01-01"),
        "LT": ("LTL", "Lt", "2015-01-01"),
        "LV": ("LVL", "Ls", "2014-01-01"), "EE": ("EEK", "kr", "2011-01-01"),
    ]

    /// Whether a text ends with the country's name, in English or in a language of the vocabulary.
    func isNamed(atEndOf text: String) -> Bool {
        let words = Vocabulary.words(of: text)
        return (RegionNames.all[code] ?? []).contains { name in
            let wanted = Vocabulary.words(of: name)
            return !wanted.isEmpty && words.suffix(wanted.count).elementsEqual(wanted)
        }
    }

    /// Counts the country's marks on a page, strong ones as several.
    private func evidence(
        _ rows: [ReceiptRow], text: String, signs currencies: CurrencySigns, hosts: Set<String>,
        phrases: [String: Int], written: Set<String>
    ) -> Int {
        if code == "US" || code == "CA", Self.isTaxedTooHighly(rows) { return 0 }
        var found = Set<Int>()
        for row in rows {
            for (index, mark) in marks.enumerated() where !found.contains(index) {
                guard let first = mark.words.first else { continue }
                let stands = row.tokens.indices.contains { start in
                    row.tokens[start] == first && row.tokens[start...].starts(with: mark.words)
                }
                if stands { found.insert(index) }
            }
        }
        let signCount = signs.count { text.contains($0) }
        let printed = currencies.mayPrint(currency) ? Self.strong : 0
        let host = hosts.contains(code == "GB" ? "uk" : code.lowercased()) ? Self.strong : 0
        let words = Self.languages[code].flatMap { phrases[$0] } ?? 0
        return found.reduce(0) { $0 + marks[$1].weight } + signCount + printed + host
            + min(words / Self.phrasesOfMark, Self.strong) + (written.contains(code) ? Self.strong : 0)
            + shapes(
                rows, hasDollars: currencies.open["$"] != nil,
                printsOther: currencies.closed.keys.contains { $0 != currency })
    }

    /// Counts as marks that amounts have thousandths, as dinars and rials do; of their countries one prints French.
    private func marksOfDinars(_ phrases: [String: Int]) -> Int {
        guard ["TND", "KWD", "BHD", "OMR", "JOD"].contains(currency) else { return 0 }
        let isInFrench = (phrases["fr"] ?? 0) >= Self.phrasesOfMark
        return Self.strong + (code == "TN" && isInFrench ? Self.strong : 0)
    }

    /// Languages that are spoken in one country only, or in several that share a currency or are told apart by it.
    private static let languages = [
        "VN": "vi", "PL": "pl", "CZ": "cs", "SK": "sk", "HU": "hu", "RO": "ro", "TR": "tr", "ID": "id",
        "GR": "el", "CY": "el", "SE": "sv", "DK": "da", "NO": "nb", "FI": "fi", "SI": "sl", "EE": "et",
        "LV": "lv",
        "LT": "lt", "JP": "ja",
    ]

    /// Letters of scripts that one country alone uses, or several that share a currency.
    private static let scripts: [(letters: ClosedRange<UInt32>, countries: Set<String>)] = [
        (0x0370...0x03FF, ["GR", "CY"]), (0x0530...0x058F, ["AM"]), (0x0590...0x05FF, ["IL"]),
        (0x0E00...0x0E7F, ["TH"]), (0x10A0...0x10FF, ["GE"]), (0x3040...0x30FF, ["JP"]),
        (0xAC00...0xD7A3, ["KR"]),
    ]
    /// Fewest letters of a page whose script counts: fewer are a name or a logo in a foreign script.
    private static let fewestLettersOfScript = 20

    /// The countries whose script most of a page's letters belong to.
    private static func countriesByScript(_ text: String) -> Set<String> {
        // Japan writes the letters of China between its own.
        let letters = text.unicodeScalars.filter { $0.properties.isAlphabetic && !isHan($0) }
        guard letters.count >= fewestLettersOfScript else { return [] }
        return scripts.first { script in
            2 * letters.count { script.letters.contains($0.value) } > letters.count
        }?.countries ?? []
    }

    private static func isHan(_ letter: Unicode.Scalar) -> Bool { (0x4E00...0x9FFF).contains(letter.value) }

    /// The language that distinguishes the country's receipts from those of countries with another currency; nil if there is
    /// none.
    var language: String? { Self.languages[code] }

    /// The country's currency before the euro, and its sign; nil where `beforeEuro` has none.
    var formerCurrency: (code: String, sign: String)? { Self.beforeEuro[code].map { ($0.0, $0.1) } }

    /// Number of phrases found in only one language that count as one mark; a single one may be a misread word of another
    /// language.
    private static let phrasesOfMark = 2
    /// Fewest letters of phrases that are counted: shorter ones occur in other languages too.
    private static let fewestLetters = 4

    /// Counts the vocabulary's phrases on a page that only one language has, by language.
    private static func phrasesByLanguage(_ rows: [ReceiptRow]) -> [String: Int] {
        var languages: [[String]: Set<String>] = [:]
        for finding in rows.lazy.flatMap(\.wholeFindings) {
            languages[finding.phrase.words, default: []].insert(finding.phrase.language)
        }
        var counts: [String: Int] = [:]
        for (words, languages) in languages where languages.count == 1 {
            let isLong = words.reduce(0) { $0 + $1.count } >= fewestLetters || languages.contains("ja")
            if isLong, let language = languages.first { counts[language, default: 0] += 1 }
        }
        return counts
    }

    /// Number of marks that a currency's sign, a website's top-level domain or a postcode counts for.
    private static let strong = 2

    /// Counts marks that have a shape rather than words: postcodes, telephone and seller numbers, amounts in words, and taxes
    /// whose name only one country uses.
    /// - Parameter printsOther: whether another country's currency is printed.
    private func shapes(_ rows: [ReceiptRow], hasDollars: Bool, printsOther: Bool) -> Int {
        var marks = 0
        if let number = Self.taxNumbers[code], rows.contains(where: { number.stands(in: $0.text) }) {
            marks += Self.strong
        }
        if rows.contains(where: { Self.taxedByRate($0) == code }) { marks += Self.strong }
        if code == "AR", rows.contains(where: { Self.holdsArgentineNumber($0.text) }) { marks += Self.strong }
        if code == "KR", rows.contains(where: { Self.holdsKoreanNumber($0.text) }) { marks += Self.strong }
        if code == "ZA", rows.count(where: { Self.rands.stands(in: $0.text) }) >= Self.fewestRands {
            marks += Self.strong
        }
        if code == "IN", rows.contains(where: { Self.indianCode.stands(in: $0.text) }) { marks += 1 }
        if code == "MX", rows.contains(where: { Self.pesosInWords.stands(in: $0.text) }) {
            marks += 2 * Self.strong
        }
        if code == "CA", hasDollars, rows.contains(where: Self.isTaxedByFivePercent) { marks += Self.strong }
        if code == "AU" {
            if rows.contains(where: { Self.australianCode.stands(in: $0.text) }) { marks += Self.strong }
            if rows.contains(where: { Self.holdsAustralianNumber($0.text) }) { marks += Self.strong }
        }
        guard code == "US" || code == "CA" else { return marks }
        let postcode = code == "US" ? Self.stateAndCode : Self.canadianCode
        if rows.contains(where: { postcode.stands(in: $0.text) }) {
            marks += Self.strong
        } else if code == "US",
            rows.contains(where: { RowShapes.state(in: $0.text) != nil || Self.stateName.stands(in: $0.text) }
            )
        {
            marks += 1
        }
        if code == "CA" {
            if rows.contains(where: { Self.province.stands(in: $0.text) }) { marks += 1 }
            // With its province, the code outweighs the plain "tax" that the United States print.
            if rows.contains(where: { Self.provinceAndCode.stands(in: $0.text) }) { marks += Self.strong }
        }
        let hasPhone = rows.contains { Self.americanPhone.stands(in: $0.text) }
        if hasPhone { marks += 1 }
        if code == "CA",
            rows.contains(where: {
                !Self.canadianTaxes.isDisjoint(with: $0.tokens) || Self.businessNumber.stands(in: $0.text)
            })
        {
            marks += Self.strong
        }
        // A tax of another name, such as Canada's, rules out the United States.
        guard code == "US", !rows.contains(where: Self.namesOtherTax) else { return marks }
        let isTaxed = rows.contains { $0.tokens.contains("tax") && $0.amount != nil }
        if isTaxed {
            marks += hasDollars || hasPhone ? Self.strong : 1
        } else if hasDollars, rows.contains(where: { Self.tollFree.stands(in: $0.text) }) {
            marks += 1
        }
        // Canada writes dates in every order but names its taxes; the Philippines name theirs "VAT".
        if !printsOther, rows.contains(where: { Self.monthFirst.stands(in: $0.text) }) {
            marks += isTaxed ? Self.strong : 1
        }
        return marks
    }

    /// Whether a row has another country's tax; "Chk 9557 Gst 5" has none, it counts guests.
    private static func namesOtherTax(_ row: ReceiptRow) -> Bool {
        !otherTaxes.isDisjoint(with: row.tokens) && (row.amount != nil || checks.isDisjoint(with: row.tokens))
    }

    /// Words in a bill's head that stand beside the number of guests.
    private static let checks: Set<String> = ["chk", "check", "tbl", "table"]

    /// The country whose goods and services tax has the rate given in a row: "7% GST".
    private static func taxedByRate(_ row: ReceiptRow) -> String? {
        guard row.tokens.contains("gst"), let rate = RowShapes.rate(in: row.text) else { return nil }
        return goodsAndServices[rate]
    }

    /// Whether a row gives a goods and services tax of 5 %. Canada has it, and India, which prints no dollars.
    private static func isTaxedByFivePercent(_ row: ReceiptRow) -> Bool {
        row.tokens.contains("gst") && RowShapes.rate(in: row.text) == 5
    }

    /// Countries by their goods and services tax rates, in percent; only that country has or had the rate.
    private static let goodsAndServices: [Decimal: String] = [
        6: "MY", 7: "SG", 8: "SG", 9: "SG", 10: "AU", 15: "NZ",
    ]

    /// Highest sales tax of the United States and Canada, in percent. State and local rates add up to at most 13, Canada's to 15.
    private static let greatestAmericanRate: Decimal = 15

    /// Whether a tax row gives a rate that neither the United States nor Canada has.
    private static func isTaxedTooHighly(_ rows: [ReceiptRow]) -> Bool {
        rows.contains { row in
            guard row.tokens.contains("tax"), let rate = RowShapes.rate(in: row.text) else { return false }
            return rate > greatestAmericanRate
        }
    }

    /// Sales taxes of countries that print "$", other than the United States' plain "tax".
    private static let otherTaxes: Set<String> = [
        "gst", "hst", "pst", "qst", "tps", "tvq", "tvh", "vat", "iva", "abn", "tva", "sst",
    ]
    /// Formats of seller numbers that only one country uses. India has today's number and that of its service tax until 2017.
    /// Some are known only with the name of their tax: New Zealand's has 8 or 9 digits in three groups, South Africa's ten that
    /// begin with 4.
    private static let taxNumbers = [
        "AR": Pattern(#/(?i)\bC\.U\.I\.T\b\D{0,10}\d{2}-?\d{8}-?\d\b/#),
        "BR": Pattern(#/\b\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}\b/#),
        "IN": Pattern(
            #/\b(?:\d{2}[A-Z]{5}\d{4}[A-Z]\d[A-Z]\w|[A-Z]{5}[\dIO]{4}[A-Z](?:ST|SD|XM)[\dO]{3})\b/#),
        "ET": Pattern(#/\bE(?:[T7] ?| )[A-Z]{3}[\dO]{7}\b/#),
        "MX": Pattern(
            #/\b[A-ZÑ&]{2}[A-ZÑ&0]{1,2}\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[A-Z\d]{2}[\dA]\b/#),
        "JM": Pattern(#/(?i)\bGCT\D{0,6}00\d-?\d{3}-?\d{3}\b/#),
        "NO": Pattern(#/(?i)\borg\.? ?n(?:r|o)\.?:? ?\d{3} ?\d{3} ?\d{3} ?MVA\b/#),
        "SG": Pattern(#/(?i)\bGST\D{1,14}(?:M[\dR]-?\d{7}-?\w|\d{8,9}-?[A-Z])\b/#),
        "VE": Pattern(#/(?i)\bR\.?I\.?F\b\W{0,3}[JVGE]\W?\d{8,9}-?\d\b|^SENIAT$/#),
        "NZ": Pattern(#/(?i)\b(?:GST|IRD|tax)\D{0,12}\d{2,4}-\d{3}-\d{3}\b/#),
        "ZA": Pattern(#/(?i)\bVAT\D{1,14}4\d{3} ?\d{4} ?\d{2}\b/#),
        "HR": Pattern(#/(?i)\b[O0]IB\W{0,3}\d{11}\b/#),
        "IT": Pattern(#/(?i)\bP\.? ?IVA\D{0,6}\d{11}\b/#),
        "DE": Pattern(#/\bDE[ :]?\d{3} ?\d{3} ?\d{3}\b/#),
        "AT": Pattern(#/\bATU ?\d{8}\b/#),
        "BE": Pattern(#/\bBE ?[01]?\d{3}[ .]?\d{3}[ .]?\d{3}\b/#),
        "NL": Pattern(#/\bNL ?\d{9} ?B ?\d\d\b/#),
        "CH": Pattern(#/\bCHE-\d{3}\.\d{3}\.\d{3}\b/#),
        "GB": Pattern(#/\bGB ?\d{3} ?\d{4} ?\d\d\b/#),
        "CL": Pattern(#/(?i)\bR\.?U\.?T\.?\D{0,6}\d{1,2}\.?\d{3}\.?\d{3}-[\dK]\b/#),
        "ES": Pattern(
            #/(?i)\b[CN]\.?\s?I\.?\s?F\.?\W{0,4}(?:[A-HJNP-SUVW]-?\s?\d{7}[\dA-J]|\d{8}-?\s?[A-Z])\b/#),
        "PL": Pattern(#/(?i)\bNIP\D{0,3}(?:\d-?){9}\d\b/#),
        "RO": Pattern(#/(?i)\b(?:CIF|CUI|fiscal[aă]?)\W{0,3}R[O0] ?\d{6,10}\b/#),
    ]
    /// A date whose second number can only be the day, before or behind a 12-hour time: "5/16/22. 9:14 PM".
    private static let monthFirst = Pattern(
        #/(?i)\b(?:0?[1-9]|1[0-2])\/(?:1[3-9]|2\d|3[01])\/(?:20)?\d{2}\b.*\d:\d{2}(?::\d{2})?\s?[AP]\.?M\b|\d:\d{2}(?::\d{2})?\s?[AP]\.?M\b.*\b(?:0?[1-9]|1[0-2])\/(?:1[3-9]|2\d|3[01])\/(?:20)?\d{2}\b/#
    )
    /// "888-345-2725"
    private static let tollFree = Pattern(#/\b8(?:00|33|44|55|66|77|88)\)?[-. ]{1,2}\d{3}[-. ]\d{4}\b/#)
    private static let canadianTaxes: Set<String> = ["hst", "qst", "tps", "tvq", "tvh"]
    private static let businessNumber = Pattern(#/\b\d{4,5}\s?\d{4}\s?RT\s?\d{4}\b/#)
    private static let stateAndCode = Pattern(
        #/\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])[.,]?\s{0,2}\d{5}(?:-\d{4})?\b|\bCa(?:lif)?[.,]?\s\d{5}\b/#
    )
    /// A state of the United States in full behind a town: "ASHLAND, OREGON".
    private static let stateName = Pattern(
        #/(?i)\p{L}{3},\s?(?:Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico|York)|(?:North|South) (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|(?:West )?Virginia|Washington|Wisconsin|Wyoming)\.?$/#
    )
    private static let canadianCode = Pattern(
        #/\b(?:ON|QC|BC|AB|MB|SK|NS|NB|NL|PE|Ontario|Quebec|Québec|Alberta|Manitoba)?[.,]?\s{0,2}[ABCEGHJ-NPRSTVXY]\d[A-Z]\s?\d[A-Z]\d\b/#
    )
    /// A province of Canada behind a town: "TORONTO ON", "Victoria BC Canada".
    private static let province = Pattern(
        #/\p{L}{3},?\s(?:ON|QC|BC|AB|MB|SK|NS|NB|PE)(?:\.?$|,?\sCanada\b)/#)
    private static let provinceAndCode = Pattern(
        #/\b(?:ON|QC|BC|AB|MB|SK|NS|NB|NL|PE)[.,]?\s{1,2}[ABCEGHJ-NPRSTVXY]\d[A-Z]\s?\d[A-Z]\d\b/#)
    /// Whether a text holds the number of a Korean business, "142-85-08846", with its check digit right.
    private static func holdsKoreanNumber(_ text: String) -> Bool {
        text.matches(of: koreanNumber.regex).contains { match in
            let digits = match.1.compactMap(\.wholeNumberValue)
            let sum = zip(digits, [1, 3, 7, 1, 3, 7, 1, 3, 5]).reduce(digits[8] * 5 / 10) { $0 + $1.0 * $1.1 }
            return (sum + digits[9]) % 10 == 0
        }
    }

    private static let koreanNumber = Pattern(#/(?:^|[^\d-])([0-9]{3}-[0-9]{2}-[0-9]{5})(?![\d-])/#)

    /// Whether a text holds the number of an Australian business, "97 367 902 126", with its check digits right.
    private static func holdsAustralianNumber(_ text: String) -> Bool {
        text.matches(of: australianNumber.regex).contains { match in
            let digits = match.1.compactMap(\.wholeNumberValue)
            let sum = zip(digits, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]).reduce(-10) { $0 + $1.0 * $1.1 }
            return sum % 89 == 0
        }
    }

    private static let australianNumber = Pattern(
        #/(?:^|[^\d ] ?)([0-9]{2} [0-9]{3} [0-9]{3} [0-9]{3})(?![ \d])/#)

    /// Whether a text holds the number of an Argentine seller, "30-65485516-8", with its check digit right.
    private static func holdsArgentineNumber(_ text: String) -> Bool {
        text.matches(of: argentineNumber.regex).contains { match in
            let digits = match.1.compactMap(\.wholeNumberValue)
            let sum = zip(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]).reduce(0) { $0 + $1.0 * $1.1 }
            return sum % 11 == 0
        }
    }

    /// Its first two digits tell persons from companies. Without hyphens it may be a number of Peru, which has the same digits.
    private static let argentineNumber = Pattern(
        #/(?:^|[^\d-])((?:20|23|24|27|30|33|34)-[0-9]{8}-[0-9])(?![\d-])/#)

    /// An amount with South Africa's sign: "R35.00".
    private static let rands = Pattern(#/(?:^|[\s@#])R\d{1,3}(?: ?\d{3})*\.\d{2}$/#)
    /// Fewest rows with such an amount: in one row the letter may be a misread mark.
    private static let fewestRands = 3

    /// An amount in words, as Mexico writes it: "SEISCIENTOS PESOS 00/100 M.N."
    private static let pesosInWords = Pattern(#/(?i)\bpesos\b(?: con)? ?\d{2}\/100 ?M\.? ?N\b/#)

    /// A state of Australia and one of its postcodes: "Brisbane QLD 4000".
    private static let australianCode = Pattern(
        #/\b(?:(?:NSW|ACT) 2|VIC 3|QLD 4|SA 5|WA 6|TAS 7|NT 0)\d{3}\b/#)
    /// A town of India right before its postcode: "Bengaluru-560070". Other countries with six digits write them apart.
    private static let indianCode = Pattern(#/\p{L}{4,}\s?-\s?[1-8]\d{2}\s?\d{3}\b/#)
    private static let americanPhone = Pattern(
        #/(?:^|[^\d])\(?\s?[2-9]\d{2}\s?\)?[\s.-]{0,2}[2-9]\d{2}\s?[\s.-]\s?\d{4}(?!\d)/#)

    /// The top-level domains of websites and mail addresses on a page, without those of mail providers.
    private static func hosts(in rows: [ReceiptRow]) -> Set<String> {
        Set(
            rows.flatMap { row -> [String] in
                guard row.text.contains(".") else { return [] }
                return PrintedLink.all(in: row.text, besides: []).map(\.url)
                    + PrintedMail.all(in: row.text).map(\.address)
            }.filter { !DomainName.isOfMail($0) }.compactMap { url in
                let host = url.split(separator: "/").dropFirst(url.contains("://") ? 1 : 0).first ?? ""
                let labels = host.split(separator: ".").map { $0.lowercased() }
                guard let domain = labels.last else { return nil }
                let isCountrys = labels.count > 2 && Self.registries.contains(labels[labels.count - 2])
                return Self.sold.contains(domain) && !isCountrys ? nil : domain
            })
    }

    /// Top-level domains of countries that anybody may have; ".co" is also the rest of ".com".
    private static let sold: Set<String> = ["co", "me"]
    /// Second-level domains below which a country registers its own companies: "tienda.com.co".
    private static let registries: Set<String> = ["com", "org", "net", "gov", "edu", "co"]

    /// Fewest marks of a country that a page must have to be from there.
    private static let leastEvidence = 2

    /// Where a page may be from, judged by its marks.
    struct Origin {
        /// The number of marks of each country on the page, highest first.
        fileprivate let marks: [(country: Country, count: Int)]

        /// The country with the most marks.
        var country: Country { marks[0].country }
        /// How many more marks it has than the next country; 0 where several have as many.
        var lead: Int { marks[0].count - marks[1].count }

        /// How many more marks it has than the next country that pays in another currency on a day, ISO 8601.
        func leadOfCurrency(on day: String?) -> Int {
            let own = country.currency(on: day)
            return marks[0].count - (marks.first { $0.country.currency(on: day) != own }?.count ?? 0)
        }
    }

    /// Finds where a page is from; nil if it has too few marks.
    /// - Parameter hasThousandths: whether amounts have three digits after the mark.
    static func origin(of rows: [ReceiptRow], signs: CurrencySigns, hasThousandths: Bool) -> Origin? {
        let hosts = hosts(in: rows)
        let text = Vocabulary.folded(rows.map(\.text).joined(separator: "\n"))
        let phrases = phrasesByLanguage(rows)
        let written = countriesByScript(text)
        let marks = all.map { country in
            (
                country: country,
                count: country.evidence(
                    rows, text: text, signs: signs, hosts: hosts, phrases: phrases, written: written)
                    + (hasThousandths ? country.marksOfDinars(phrases) : 0)
            )
        }.sorted { ($0.count, $1.country.code) > ($1.count, $0.country.code) }
        return marks[0].count >= leastEvidence ? Origin(marks: marks) : nil
    }
}
