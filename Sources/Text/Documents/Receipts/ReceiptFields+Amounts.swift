package import Platform

/// Values as text; amounts keep their digits: "76.80" stays "76.80".
extension ReceiptFields {
    /// The value of a field as outputs write it; nil where it was not found.
    package func text(of name: ReceiptFieldName) -> String? {
        switch name.property {
        case .text(let path): self[keyPath: path]?.value
        case .amount(let path): self[keyPath: path].map { text(of: $0.value) }
        }
    }

    /// Writes an amount with a point and as many digits after it as its currency has, or more where the amount has more.
    ///
    /// Where no currency is known, it has two digits, or none if no amount of the receipt has a fraction.
    package func text(of amount: Decimal) -> String { amount.text(leastFractionDigits: fractionDigits) }

    /// The digits after the point that amounts of this receipt have.
    private var fractionDigits: Int {
        if let code = currency?.value { return Currency.fractionDigits(of: code) }
        let sums = ReceiptFieldName.allCases.compactMap { name in
            if case .amount(let path) = name.property { self[keyPath: path]?.value } else { nil }
        }
        let amounts = sums + items.map(\.amount)
        return amounts.contains { $0.fractionDigitCount > 0 } ? 2 : 0
    }
}

/// The facts about currencies from ISO 4217.
package enum Currency {
    /// Currencies without a smaller unit, and those divided into thousandths.
    private static let (none, three): (Set<String>, Set<String>) = (
        [
            "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV",
            "XAF", "XOF", "XPF",
        ],
        ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
    )

    /// The digits after the point of a currency's amounts.
    package static func fractionDigits(of code: String) -> Int {
        none.contains(code) ? 0 : three.contains(code) ? 3 : 2
    }
}

extension Decimal {
    /// The digits after the point that the number needs.
    var fractionDigitCount: Int {
        let text = description
        guard let point = text.firstIndex(of: ".") else { return 0 }
        return text.distance(from: point, to: text.endIndex) - 1
    }

    /// Writes the number with at least this many digits after the point, filled up with zeros.
    package func text(leastFractionDigits least: Int) -> String {
        let zeros = String(repeating: "0", count: max(least - fractionDigitCount, 0))
        return description + (zeros.isEmpty || fractionDigitCount > 0 ? "" : ".") + zeros
    }
}
