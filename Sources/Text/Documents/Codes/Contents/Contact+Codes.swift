import Imaging

extension Contact {
    /// Returns the contact completed by the codes on the same sheet. A code's values are exact: they replace nearly equal values
    /// that were read, and come first where there are several.
    package func completed(by codes: [SheetCode]) -> Contact {
        var contact = self
        for code in codes {
            guard let coded = code.text.flatMap({ CodedContact(text: $0) }) else { continue }
            contact.take(coded, box: code.corners.map(Box.init(around:)))
        }
        return contact
    }

    private mutating func take(_ coded: CodedContact, box: Box?) {
        func reading<Value>(_ value: Value) -> Reading<Value> { Reading(value, box: box) }
        if !coded.name.full.isEmpty {
            names = [reading(coded.name)] + names.filter { !Self.isAlike($0.value.full, coded.name.full) }
        }
        if !coded.organisation.isEmpty,
            organisation.map({ Self.isAlike($0.value, coded.organisation) }) ?? true
        {
            organisation = reading(coded.organisation)
        }
        if !coded.title.isEmpty, title.map({ Self.isAlike($0.value, coded.title) }) ?? true {
            title = reading(coded.title)
        }
        if !coded.address.full.isEmpty, address == nil { address = reading(coded.address) }
        let numbers = coded.phones.map(\.number)
        phones =
            coded.phones.map(reading)
            + phones.filter { phone in !numbers.contains { Self.isAlike($0, phone.value.number) } }
        emails = Self.joined(coded.emails.map { $0.lowercased() }.map(reading), emails)
        urls = Self.joined(coded.urls.map(reading), urls)
    }

    private static func joined(_ coded: [Reading<String>], _ read: [Reading<String>]) -> [Reading<String>] {
        coded + read.filter { reading in !coded.contains { isAlike($0.value, reading.value) } }
    }

    /// Largest share of misread letters at which two values count as the same: two of ten.
    private static let greatestShareMisread = 0.2

    private static func isAlike(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.lowercased()), Array(other.lowercased()))
        return Double(SpelledWords.mistakes(in: one, for: other))
            <= greatestShareMisread * Double(max(one.count, other.count))
    }
}
