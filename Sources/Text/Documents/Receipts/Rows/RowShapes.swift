import Platform

/// The shapes of print that a row can hold, whatever its language.
enum RowShapes {
    /// Whether a text holds a registration number: "(126926-H)", "HRB 12345", "201901012345", "DE123456789".
    static func holdsRegistration(_ text: String) -> Bool {
        bracketedRegistration.stands(in: text)
            || dashedRegistration.stands(in: text)
    }

    /// Whether a text is a registration number and nothing else.
    static func isRegistration(_ text: String) -> Bool {
        registration.stands(in: text)
    }

    /// Whether a text holds a European tax number: two letters and eight digits or more.
    static func holdsTaxNumber(_ text: String) -> Bool {
        europeanTaxNumber.stands(in: text)
            || plainTaxNumber.stands(in: text)
    }

    static func holdsWeb(_ text: String) -> Bool {
        guard text.contains(".") || text.contains(":") else { return false }
        return web.stands(in: text)
    }

    static func holdsMail(_ text: String) -> Bool { text.contains("@") && mail.stands(in: text) }

    /// Whether a text holds digits and marks that may be a telephone number.
    static func holdsPhone(_ text: String) -> Bool {
        phone.stands(in: text)
    }

    /// Whether a text holds a postcode: five digits (four in some countries) beside a word, or the letters and digits of the
    /// United Kingdom, the Netherlands or Canada.
    static func holdsPostcode(_ text: String) -> Bool {
        placeBehindCode.stands(in: text)
            || codeBehindPlace.stands(in: text)
            || britishCode.stands(in: text)
            || dutchCode.stands(in: text) || portugueseCode.stands(in: text)
            || canadianCode.stands(in: text)
    }

    /// Whether a text holds a house number before or behind a street's name.
    static func holdsHouseNumber(_ text: String) -> Bool {
        numberBeforeStreet.stands(in: text)
            || numberBehindStreet.stands(in: text)
            || dividedNumber.stands(in: text)
    }

    /// Whether a text holds a street, by the endings of words for streets: "Warburger Straße", "Storgatan", "Keizersgracht".
    static func holdsStreet(_ text: String) -> Bool { street.stands(in: text) }

    /// Whether a text holds a town with its state: "Fairview, NJ".
    static func holdsState(_ text: String) -> Bool { townAndState.stands(in: text) }

    /// The town of a row that names it with its state: "Fairview, NJ 07022".
    static func town(in text: String) -> Substring? { text.firstMatch(of: townAndState.regex)?.1 }

    /// The abbreviation of a state of the United States behind a town: "MI" of "Imlay City, MI".
    static func state(in text: String) -> Substring? {
        text.firstMatch(of: townAndState.regex).flatMap { provinces.contains($0.2) ? nil : $0.2 }
    }

    /// Canada's provinces, which stand behind towns in the same way.
    private static let provinces: Set<Substring> = ["ON", "QC", "BC", "AB", "MB", "SK", "NS", "NB"]

    static func holdsPercentage(_ text: String) -> Bool { percentage.stands(in: text) }

    /// Finds a rate in percent: "19%", "8.625 %".
    static func rate(in text: String) -> Decimal? {
        text.firstMatch(of: rate.regex).flatMap { Decimal(string: String($0.1).replacing(",", with: ".")) }
    }

    /// Whether a text holds a count with its cross: "2 x", "3 @ 1.50".
    static func holdsQuantity(_ text: String) -> Bool { quantity.stands(in: text) }

    /// Whether a text holds the mask before a card's digits: stars, "**** 1234", or four capital X.
    static func holdsStars(_ text: String) -> Bool {
        text.contains("**") && stars.stands(in: text) || text.contains(mask)
    }

    private static let mask = String(repeating: "X", count: 4)
    private static let bracketedRegistration = Pattern(#/\(\s?[A-Z]{0,3}\d{4,}[\s-]?[A-Z]{0,2}\s?\)?/#)
    private static let dashedRegistration = Pattern(#/\b\d{5,9}\s?-\s?[A-Z]\b/#)
    private static let registration = Pattern(#/^\W{0,2}[A-Z]{0,3}\d{5,12}\s?-?\s?[A-Z]{0,2}\W{0,2}$/#)
    private static let europeanTaxNumber = Pattern(
        #/\b[A-Z]{2,3}[\s-]?U?\d{2,3}[\s.]?\d{3}[\s.]?\d{3}[\s.]?\d{0,3}\b/#)
    private static let plainTaxNumber = Pattern(#/\b[A-Z]?\d{8}[A-Z]?\b/#)
    private static let web = Pattern(
        #/(?i)\bwww\b|https?:|[a-z0-9-]{3,}\.(?:com|net|org|de|at|ch|fr|es|it|pt|nl|be|my|sg|in|uk|eu|au)\b/#)
    private static let mail = Pattern(#/[A-Za-z0-9._%-]{2,}\s?@\s?[A-Za-z0-9-]{2,}\.?[A-Za-z.]{2,}/#)
    private static let phone = Pattern(
        #/(?:\+\d{1,3}|\(?0\d{1,4}\)?|\(\d{3}\))[\s\/.-]{0,2}\d{2,4}[\s\/.-]?\d{2,4}[\s.-]?\d{0,4}/#)
    private static let placeBehindCode = Pattern(#/(?:^|[\s,.-])(?:[A-Z]{1,2}-)?\d{4,6}[\s,.]+\p{L}{3,}/#)
    private static let codeBehindPlace = Pattern(#/\p{L}{3,}[\s,.-]+(?:[A-Z]{2}[\s.]{0,2})?\d{5,6}\b/#)
    private static let britishCode = Pattern(#/\b[A-Z]{1,2}\d{1,2}[A-Z]?\s?\d[A-Z]{2}\b/#)
    private static let dutchCode = Pattern(#/\b\d{4}\s?[A-Z]{2}\s+\p{L}{3,}/#)
    private static let portugueseCode = Pattern(#/\b\d{4}-\d{3}\b/#)
    private static let canadianCode = Pattern(#/\b[A-Z]\d[A-Z]\s?\d[A-Z]\d\b/#)
    private static let numberBeforeStreet = Pattern(
        #/^\W?(?i)(?:no\.?\s?)?\d{1,5}[A-Za-z]?[\s,\/&-]+\p{L}{2,}/#)
    private static let numberBehindStreet = Pattern(
        #/\p{L}{3,}\.?,?\s+\d{1,4}\s?[A-Za-z]?(?:[-\/]\d{1,4})?[A-Za-z]?\s?,?$/#)
    private static let street = Pattern(
        #/(?i)(?:stra(?:ß|ss)e|str\.|gasse|platz|gatan|gata|gaten|vägen|veien|vej|gade|straat|laan|gracht|katu|utca)(?:\s|$|,)|\b\d{1,6}\s(?:[NSEW]\.?\s)?\p{L}[\p{L}.'’ ]*\s(?:st|street|ave?|avenue|blvd|boulevard|rd|road|dr|drive|hwy|pkwy|parkway|tpke|turnpike|ln|lane|way)\b/#
    )
    private static let townAndState = Pattern(
        #/^\W?(\p{L}[\p{L} .'-]+),\s?(A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|ON|QC|BC|AB|MB|SK|NS|NB)\.?(?:\s|$)/#
    )
    private static let dividedNumber = Pattern(#/\b\d{1,4}[A-Z]?\/\d{1,4}[A-Z]?\b/#)
    private static let percentage = Pattern(#/\d\s?%/#)
    private static let rate = Pattern(#/(?:^|[^\d.,])(\d{1,2}(?:[.,]\d{1,4})?)\s?%/#)
    private static let quantity = Pattern(
        #/(?i)(?:^|\s)\d{1,4}(?:[.,]\d{1,3})?\s?(?:kg|g|l|pcs?|nos|st|ud|pz|un)?\s?[x×*@]\s?/#)
    private static let stars = Pattern(#/[*Xx#]{4,}/#)
}
