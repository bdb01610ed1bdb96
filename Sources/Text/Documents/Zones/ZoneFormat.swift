/// The formats of machine-readable zones in ICAO 9303.
public enum ZoneFormat: String, CaseIterable, Codable, Hashable, Sendable {
    /// Identity cards: three lines of 30.
    case td1 = "TD1"
    /// Larger identity cards: two lines of 36.
    case td2 = "TD2"
    /// Passports: two lines of 44.
    case td3 = "TD3"
    /// Visas of a passport's width: two lines of 44.
    case mrvA = "MRV-A"
    /// Smaller visas: two lines of 36.
    case mrvB = "MRV-B"

    /// The number of lines of a zone.
    public var lines: Int { self == .td1 ? 3 : 2 }

    /// The number of characters of a line.
    public var lineLength: Int {
        switch self {
        case .td1: 30
        case .td2, .mrvB: 36
        case .td3, .mrvA: 44
        }
    }

    var isVisa: Bool { self == .mrvA || self == .mrvB }
}

/// The places of a zone's fields, as character positions counted through all its lines.
struct ZoneLayout {
    let format: ZoneFormat
    let documentCode: Range<Int>
    let issuer: Range<Int>
    let names: Range<Int>
    let number: Range<Int>
    let nationality: Range<Int>
    let birthDate: Range<Int>
    let sex: Int
    let expiryDate: Range<Int>
    /// Optional data, upper line first.
    let optional: [Range<Int>]
    /// The check digit of the optional data; passports only.
    let optionalCheck: Int?
    /// The composite check digit over other fields; visas have none.
    let compositeCheck: Int?
    /// The ranges that this digit covers, in this order.
    let composite: [Range<Int>]

    var numberCheck: Int { number.upperBound }
    var birthCheck: Int { birthDate.upperBound }
    var expiryCheck: Int { expiryDate.upperBound }
    /// Where a number longer than nine characters continues; nil where it cannot.
    var overflow: Range<Int>? {
        format == .td1 || format == .td2 ? optional[0] : nil
    }

    init(_ format: ZoneFormat) {
        self.format = format
        let length = format.lineLength
        documentCode = 0..<2
        issuer = 2..<5
        guard format != .td1 else {
            names = 60..<90
            number = 5..<14
            nationality = 45..<48
            birthDate = 30..<36
            sex = 37
            expiryDate = 38..<44
            optional = [15..<30, 48..<59]
            optionalCheck = nil
            compositeCheck = 59
            composite = [5..<30, 30..<37, 38..<45, 48..<59]
            return
        }
        func second(_ range: Range<Int>) -> Range<Int> {
            length + range.lowerBound..<length + range.upperBound
        }
        names = 5..<length
        number = second(0..<9)
        nationality = second(10..<13)
        birthDate = second(13..<19)
        sex = length + 20
        expiryDate = second(21..<27)
        let end = format == .td3 ? 42 : format == .td2 ? 35 : length
        optional = [second(28..<end)]
        optionalCheck = format == .td3 ? length + 42 : nil
        compositeCheck = format.isVisa ? nil : 2 * length - 1
        composite = format.isVisa ? [] : [second(0..<10), second(13..<20), second(21..<length - 1)]
    }
}
