package import Platform

/// The fields of a receipt that have one value, each with its place in `ReceiptFields` and its name on the results page.
///
/// This is the only list of them, in the order of a table's columns: report, tables, results page, overlay and calibration loop
/// over it.
package enum ReceiptFieldName: String, CaseIterable, CodingKey, Sendable {
    case merchant, address, phone, email, web, registrationNumber, taxNumber
    case date, time, currency, country, language
    case subtotal, discount, service, tax, tip, rounding, total
    case cashGiven, change, payment, cardKind, cardNumber
    case receiptNumber, invoiceNumber
    case brand, category

    /// Where a field's value is kept, by its type.
    package enum Property {
        case text(WritableKeyPath<ReceiptFields, ReceiptFields.Field<String>?>)
        case amount(WritableKeyPath<ReceiptFields, ReceiptFields.Field<Decimal>?>)
    }

    /// What the list says of a field.
    private struct Row {
        let label: String
        let property: Property
        var isConcluded = false
    }

    private var row: Row {
        switch self {
        case .merchant: Row(label: "Merchant", property: .text(\.merchant))
        case .address: Row(label: "Address", property: .text(\.address))
        case .phone: Row(label: "Phone", property: .text(\.phone))
        case .email: Row(label: "Mail", property: .text(\.email))
        case .web: Row(label: "Web", property: .text(\.web))
        case .registrationNumber: Row(label: "Registration number", property: .text(\.registrationNumber))
        case .taxNumber: Row(label: "Tax number", property: .text(\.taxNumber))
        case .date: Row(label: "Date", property: .text(\.date))
        case .time: Row(label: "Time", property: .text(\.time))
        case .currency: Row(label: "Currency", property: .text(\.currency), isConcluded: true)
        case .country: Row(label: "Country", property: .text(\.country), isConcluded: true)
        case .language: Row(label: "Language", property: .text(\.language), isConcluded: true)
        case .subtotal: Row(label: "Subtotal", property: .amount(\.subtotal))
        case .discount: Row(label: "Discount", property: .amount(\.discount))
        case .service: Row(label: "Service", property: .amount(\.service))
        case .tax: Row(label: "Tax", property: .amount(\.tax))
        case .tip: Row(label: "Tip", property: .amount(\.tip))
        case .rounding: Row(label: "Rounding", property: .amount(\.rounding))
        case .total: Row(label: "Total", property: .amount(\.total))
        case .cashGiven: Row(label: "Cash", property: .amount(\.cashGiven))
        case .change: Row(label: "Change", property: .amount(\.change))
        case .payment: Row(label: "Payment", property: .text(\.payment))
        case .cardKind: Row(label: "Kind of card", property: .text(\.cardKind))
        case .cardNumber: Row(label: "Card", property: .text(\.cardNumber))
        case .receiptNumber: Row(label: "Receipt number", property: .text(\.receiptNumber))
        case .invoiceNumber: Row(label: "Invoice number", property: .text(\.invoiceNumber))
        case .brand: Row(label: "Chain", property: .text(\.brand), isConcluded: true)
        case .category: Row(label: "Category", property: .text(\.category), isConcluded: true)
        }
    }

    /// Where its value is kept.
    package var property: Property { row.property }

    /// What people call it, with a capital letter: "Card".
    package var label: String { row.label }

    /// Whether it may follow from words all over the page, so that its box shows nothing.
    package var isConcluded: Bool { row.isConcluded }

    /// Whether its value is an amount of money.
    package var isAmount: Bool { if case .amount = property { true } else { false } }

    /// Its key where outputs have keys: "card_number".
    package var key: String {
        rawValue.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}
