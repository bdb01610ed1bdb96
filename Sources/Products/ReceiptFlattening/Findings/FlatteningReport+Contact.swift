import Documents
import Imaging

extension FlatteningReport {
    /// The contents of a business card.
    package struct ContactSummary: Codable, Equatable, Sendable {
        /// A person's name.
        package struct Name: Codable, Equatable, Sendable {
            /// The name as it is spoken.
            package var full: String
            /// Given names; "" where not known.
            package var given: String
            /// The family name; "" where not known.
            package var family: String
            /// The part before the name, such as a title; "" if there is none.
            package var prefix: String
            /// The part after the name; "" if there is none.
            package var suffix: String
            /// The words as printed.
            package var printed: String
            /// Confidence, 0 to 1.
            package var confidence: Double
            /// Where the words stand on the sheet.
            package var polygon: Place
        }

        /// A telephone number.
        package struct Phone: Codable, Equatable, Sendable {
            /// The number in E.164, or as printed.
            package var value: String
            /// work, mobile or fax.
            package var kind: String
            /// The words as printed.
            package var printed: String
            /// Confidence, 0 to 1.
            package var confidence: Double
            /// Where the words stand on the sheet.
            package var polygon: Place
        }

        /// A postal address.
        package struct Address: Codable, Equatable, Sendable {
            /// The whole address, its rows joined by ", ".
            package var full: String
            /// Street and number.
            package var street: String
            /// The town.
            package var locality: String
            /// The postal code.
            package var postalCode: String
            /// The country as printed; "" if none is printed.
            package var country: String
            /// The words as printed.
            package var printed: String
            /// Confidence, 0 to 1.
            package var confidence: Double
            /// Where the words stand on the sheet.
            package var polygon: Place
        }

        /// The person's names; empty if none is certain.
        package var names: [Name]
        /// The company; null if none is certain.
        package var organisation: FieldSummary?
        /// The job title; null if none is certain.
        package var title: FieldSummary?
        /// Telephone and fax numbers in reading order.
        package var phones: [Phone]
        /// Mail addresses in reading order.
        package var emails: [FieldSummary]
        /// Web addresses in reading order.
        package var urls: [FieldSummary]
        /// The postal address; null if none is certain.
        package var address: Address?

        private enum CodingKeys: String, CodingKey {
            case names, organisation, title, phones, emails, urls, address
        }

        /// Writes null for unknown values.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(names, forKey: .names)
            try container.encode(organisation, forKey: .organisation)
            try container.encode(title, forKey: .title)
            try container.encode(phones, forKey: .phones)
            try container.encode(emails, forKey: .emails)
            try container.encode(urls, forKey: .urls)
            try container.encode(address, forKey: .address)
        }
    }
}

extension FlatteningReport.ContactSummary {
    /// Creates a summary of the values read. A value without a place on the page is left out.
    init(_ contact: Contact, map: SamplingMap, pixelsPerMillimeter: Double?) {
        func place(_ box: Box) -> FlatteningReport.Place {
            .init(box, map: map, pixelsPerMillimeter: pixelsPerMillimeter)
        }
        func field(_ reading: Contact.Reading<String>) -> FlatteningReport.FieldSummary? {
            reading.box.map {
                .init(
                    value: reading.value, confidence: reading.confidence, printed: reading.printed,
                    polygon: place($0))
            }
        }
        self.init(
            names: contact.names.compactMap { reading in
                reading.box.map {
                    Name(
                        full: reading.value.full, given: reading.value.given, family: reading.value.family,
                        prefix: reading.value.prefix, suffix: reading.value.suffix, printed: reading.printed,
                        confidence: reading.confidence, polygon: place($0))
                }
            },
            organisation: contact.organisation.flatMap(field), title: contact.title.flatMap(field),
            phones: contact.phones.compactMap { reading in
                reading.box.map {
                    Phone(
                        value: reading.value.number, kind: reading.value.kind.rawValue,
                        printed: reading.printed,
                        confidence: reading.confidence, polygon: place($0))
                }
            },
            emails: contact.emails.compactMap(field), urls: contact.urls.compactMap(field),
            address: contact.address.flatMap { reading in
                reading.box.map {
                    Address(
                        full: reading.value.full, street: reading.value.street,
                        locality: reading.value.locality,
                        postalCode: reading.value.postalCode, country: reading.value.country,
                        printed: reading.printed, confidence: reading.confidence, polygon: place($0))
                }
            })
    }
}
