import Documents
import Imaging

extension FlatteningReport {
    /// The machine-readable zone that was found.
    package struct ZoneSummary: Codable, Equatable, Sendable {
        /// The zone's lines as printed.
        package var lines: [String]
        /// "TD1", "TD2", "TD3", "MRV-A" or "MRV-B".
        package var format: String
        /// Such as "P", "V" or "ID".
        package var documentCode: String
        /// Such as "UTO" or "D".
        package var issuer: String
        /// The issuer's name in English; null for an unknown code.
        package var issuerName: String?
        /// As printed; null if the zone has none.
        package var surname: String?
        /// As printed; null if the zone has none.
        package var givenNames: String?
        /// The document's number; null if the zone has none.
        package var number: String?
        /// Such as "UTO" or "D".
        package var nationality: String
        /// The nationality's name in English; null for an unknown code.
        package var nationalityName: String?
        /// ISO 8601, as far as it is printed; null if none is.
        package var birthDate: String?
        /// In years, on the day of reading; null if the day of birth is not known.
        package var age: Int?
        /// "M", "F" or "X"; null if the zone does not state it.
        package var sex: String?
        /// ISO 8601; null if none is printed.
        package var expiryDate: String?
        /// Whether the document had expired on the day of reading; null if its last day is not known.
        package var expired: Bool?
        /// Each check digit and whether it holds.
        package var checks: [CheckSummary]
        /// Probability that every character is right, 0 to 1.
        package var confidence: Double
        /// A quadrilateral around all its characters.
        package var polygon: Place

        private enum CodingKeys: String, CodingKey {
            case lines, format, documentCode, issuer, surname, givenNames, number, nationality, birthDate, sex
            case expiryDate, checks, confidence, polygon, issuerName, nationalityName, age, expired
        }

        /// Writes null for unknown values.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lines, forKey: .lines)
            try container.encode(format, forKey: .format)
            try container.encode(documentCode, forKey: .documentCode)
            try container.encode(issuer, forKey: .issuer)
            try container.encode(issuerName, forKey: .issuerName)
            try container.encode(surname, forKey: .surname)
            try container.encode(givenNames, forKey: .givenNames)
            try container.encode(number, forKey: .number)
            try container.encode(nationality, forKey: .nationality)
            try container.encode(nationalityName, forKey: .nationalityName)
            try container.encode(birthDate, forKey: .birthDate)
            try container.encode(age, forKey: .age)
            try container.encode(sex, forKey: .sex)
            try container.encode(expiryDate, forKey: .expiryDate)
            try container.encode(expired, forKey: .expired)
            try container.encode(checks, forKey: .checks)
            try container.encode(confidence, forKey: .confidence)
            try container.encode(polygon, forKey: .polygon)
        }

        /// - Parameter map: maps the flat image's pixels to the photograph's.
        init(_ found: RecognizedZone, map: SamplingMap, pixelsPerMillimeter: Double?) {
            let zone = found.zone
            lines = zone.lines
            format = zone.format.rawValue
            documentCode = zone.documentCode
            issuer = zone.issuer
            issuerName = zone.issuerName
            surname = zone.surname
            givenNames = zone.givenNames
            number = zone.number
            nationality = zone.nationality
            nationalityName = zone.nationalityName
            birthDate = zone.birthDate?.description
            age = zone.age
            sex = zone.sex?.rawValue
            expiryDate = zone.expiryDate?.description
            expired = zone.isExpired
            checks = zone.checks.map { CheckSummary(field: $0.field.rawValue, holds: $0.holds) }
            confidence = found.confidence
            polygon = Place(corners: found.corners, map: map, pixelsPerMillimeter: pixelsPerMillimeter)
        }
    }

    /// One check digit.
    package struct CheckSummary: Codable, Equatable, Sendable {
        /// "number", "birth_date", "expiry_date", "optional_data" or "composite".
        package var field: String
        /// Whether it holds.
        package var holds: Bool
    }
}
