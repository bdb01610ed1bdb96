package import Platform

/// What is known about a receipt besides its print.
package struct ReceiptContext: Codable, Sendable {
    /// The latest date that a receipt may have.
    package var today: Date
    /// The country to assume where the print leaves it open, ISO 3166-1: two letters.
    package var country: String?
    /// The currency to assume where the print leaves it open, ISO 4217; nil for the country's.
    package var currency: String?

    package init(today: Date = Date(), country: String? = nil, currency: String? = nil) {
        self.today = today
        self.country = country
        self.currency = currency
    }

    /// The countries that can be named.
    package static let countries = Country.all.map(\.code).sorted()
    /// The currencies that can be named.
    package static let currencies = Set(PrintedAmount.currencies.map(\.code) + Country.all.map(\.currency))
        .sorted()

    /// The country that is assumed.
    var assumedCountry: Country? { country.flatMap { code in Country.all.first { $0.code == code } } }
    /// The currency that is assumed.
    var assumedCurrency: String? { currency ?? assumedCountry?.currency }
}
