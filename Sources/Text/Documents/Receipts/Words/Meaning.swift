/// What a word or phrase on a receipt is about. The raw value is its key in the files of `CReceiptTables/words`. A new meaning
/// is a new input of the row model, which must then be trained anew (`make train-fields`).
enum Meaning: String, CaseIterable {
    case total, payable, subtotal, exclusive, inclusive, tax, summary, discount, service, rounding, tip, paid
    case cash, card, cheque, voucher, wallet, change, count, points
    case registration, taxNumber = "taxnumber", phone, fax, mail, web, date, time, number
    case receipt, invoice, order, staff, place, customer, columns
    case street, town, company, trade, unit, closing, approval, hours, alias

    /// Means of payment.
    static let payments: [Meaning] = [.cash, .card, .cheque, .voucher, .wallet]

    fileprivate var bit: UInt64 { 1 << UInt64(Self.positions[self] ?? 0) }
    private static let positions = Dictionary(
        uniqueKeysWithValues: Self.allCases.enumerated().map { ($0.element, $0.offset) })
}

/// A set of meanings.
struct Meanings: Equatable {
    private var bits: UInt64 = 0

    init() {}
    init(_ meanings: some Sequence<Meaning>) { for meaning in meanings { insert(meaning) } }

    mutating func insert(_ meaning: Meaning) { bits |= meaning.bit }
    func contains(_ meaning: Meaning) -> Bool { bits & meaning.bit != 0 }
    func contains(anyOf meanings: [Meaning]) -> Bool { meanings.contains(where: contains) }
    var isEmpty: Bool { bits == 0 }
}
