public import Platform

/// The content of the machine-readable zone of a passport, visa or identity card (ICAO 9303).
public struct MachineReadableZone: Equatable, Sendable {
    /// The format of the zone.
    public let format: ZoneFormat
    /// The lines as printed, each of the format's length, made of capitals, digits and "<".
    public let lines: [String]
    /// The kind of document, such as "P", "V" or "ID".
    public let documentCode: String
    /// The state or organisation that issued it, such as "UTO" or "D".
    public let issuer: String
    /// The surname as printed, in capitals without accents; nil where the zone has none.
    public let surname: String?
    /// The given names as printed; nil where the zone has none.
    public let givenNames: String?
    /// The document's number; nil where the zone has none.
    public let number: String?
    /// The holder's nationality, such as "UTO" or "D".
    public let nationality: String
    /// The day of birth; nil where none is printed.
    public let birthDate: ZoneDate?
    /// The sex; nil where it is not stated.
    public let sex: Sex?
    /// The last day on which the document is valid; nil where none is printed.
    public let expiryDate: ZoneDate?
    /// The holder's age in years on the day of reading; nil where the day of birth is not known.
    public let age: Int?
    /// Whether the document had expired on the day of reading; nil where its last day is not known.
    public let isExpired: Bool?
    /// Optional data of each line that has some, without trailing fillers.
    public let optionalData: [String]
    /// All check digits of the zone.
    public let checks: [Check]

    /// A sex as stated in a zone.
    public enum Sex: String, Codable, Sendable {
        /// Male.
        case male = "M"
        /// Female.
        case female = "F"
        /// Neither or not stated, if printed as "X".
        case unspecified = "X"
    }

    /// A check digit.
    public struct Check: Codable, Hashable, Sendable {
        /// The field that a check digit covers.
        public enum Field: String, Codable, Sendable {
            /// The document's number.
            case number
            /// The day of birth.
            case birthDate = "birth_date"
            /// The last day on which the document is valid.
            case expiryDate = "expiry_date"
            /// The optional data of a passport.
            case optionalData = "optional_data"
            /// The other fields together.
            case composite
        }

        /// The field it covers.
        public let field: Field
        /// Whether it is correct.
        public let holds: Bool
    }

    /// The issuer's name in English, "Germany"; nil for a code that is not known.
    public var issuerName: String? { StateCode.name(of: issuer) }
    /// The nationality's state in English; nil for a code that is not known.
    public var nationalityName: String? { StateCode.name(of: nationality) }

    /// Whether all check digits are correct.
    public var holds: Bool { checks.allSatisfy(\.holds) }

    /// Parses the lines of a zone; nil if their number, length or alphabet fits no format.
    ///
    /// Wrong check digits are listed in `checks`; they do not make the lines invalid.
    /// - Parameters:
    ///   - lines: two or three lines as printed.
    ///   - today: decides the century of years: a birth date is not later, an expiry date at most 20 years later.
    public init?(lines: [String], today: Date = Date()) {
        let characters = lines.map { $0.compactMap(ZoneAlphabet.index) }
        guard let length = characters.first?.count,
            zip(characters, lines).allSatisfy({ $0.count == $1.count }),
            let first = lines.first?.first
        else { return nil }
        let format = ZoneFormat.allCases.first {
            $0.lines == lines.count && $0.lineLength == length && ($0 == .td1 || $0.isVisa == (first == "V"))
        }
        guard let format, characters.allSatisfy({ $0.count == length }) else { return nil }
        let layout = ZoneLayout(format)
        let cells = characters.flatMap(\.self)
        func text(_ range: Range<Int>) -> String { ZoneAlphabet.text(cells[range]) }
        func field(_ range: Range<Int>) -> String { Self.unfilled(text(range)) }
        self.format = format
        self.lines = lines
        documentCode = field(layout.documentCode)
        issuer = field(layout.issuer)
        nationality = field(layout.nationality)
        (surname, givenNames) = Self.names(text(layout.names))
        let number = Self.number(cells, layout)
        self.number = number.text.isEmpty ? nil : number.text
        let day = CalendarDay.parts(of: today)
        birthDate = ZoneDate(text(layout.birthDate)[...], .past, today: day)
        expiryDate = ZoneDate(text(layout.expiryDate)[...], .expiry, today: day)
        age = birthDate?.years(until: day)
        isExpired = expiryDate?.isBefore(day)
        sex = Sex(rawValue: text(layout.sex..<layout.sex + 1))
        optionalData = layout.optional.enumerated().map { index, range in
            field(index == 0 ? range.lowerBound + number.overflow..<range.upperBound : range)
        }.filter { !$0.isEmpty }

        func holds(_ range: some Sequence<Int>, _ check: Int) -> Bool {
            ZoneAlphabet.checkDigit(of: range.map { cells[$0] }) == cells[check]
        }
        var checks = [
            Check(field: .number, holds: number.holds),
            Check(field: .birthDate, holds: holds(layout.birthDate, layout.birthCheck)),
            Check(field: .expiryDate, holds: holds(layout.expiryDate, layout.expiryCheck)),
        ]
        if let check = layout.optionalCheck {
            // The check digit of empty optional data may be left out.
            let isLeftOut = cells[check] == ZoneAlphabet.filler && field(layout.optional[0]).isEmpty
            checks.append(Check(field: .optionalData, holds: isLeftOut || holds(layout.optional[0], check)))
        }
        if let check = layout.compositeCheck {
            checks.append(Check(field: .composite, holds: holds(layout.composite.flatMap(Array.init), check)))
        }
        self.checks = checks
    }

    /// Removes fillers at the end; those within the text stand for spaces and hyphens.
    private static func unfilled(_ text: String) -> String {
        var text = text[...]
        while text.last == "<" { text.removeLast() }
        return String(text.map { $0 == "<" ? " " : $0 })
    }

    /// Splits names: two fillers separate the surname from the given names, one filler separates the parts of each.
    private static func names(_ text: String) -> (surname: String?, givenNames: String?) {
        let parts = text.split(separator: "<<", maxSplits: 1, omittingEmptySubsequences: false)
        func name(_ index: Int) -> String? {
            guard parts.indices.contains(index) else { return nil }
            let words = parts[index].split(separator: "<")
            return words.isEmpty ? nil : words.joined(separator: " ")
        }
        return (name(0), name(1))
    }

    /// Returns the number, whether its check digit is correct, and how many optional characters belong to it.
    private static func number(
        _ cells: [Int], _ layout: ZoneLayout
    ) -> (text: String, holds: Bool, overflow: Int) {
        let first = cells[layout.number]
        if cells[layout.numberCheck] == ZoneAlphabet.filler, let rest = layout.overflow {
            // A number of more than nine characters continues, with its check digit, at the start of the optional data, up to a
            // filler.
            let more = cells[rest].prefix { $0 != ZoneAlphabet.filler }
            if more.count >= 2, let check = more.last {
                let all = Array(first) + more.dropLast()
                return (
                    unfilled(ZoneAlphabet.text(all)), ZoneAlphabet.checkDigit(of: all) == check, more.count
                )
            }
        }
        return (
            unfilled(ZoneAlphabet.text(first)),
            ZoneAlphabet.checkDigit(of: first) == cells[layout.numberCheck], 0
        )
    }
}
