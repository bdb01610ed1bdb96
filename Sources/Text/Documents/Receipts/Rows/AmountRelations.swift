import Platform

/// How each row's amount fits those of the other rows: sums and differences identify a total better than words do.
struct AmountRelations {
    private let amounts: [Int?]
    private let largest: Int

    /// - Parameter amounts: each row's amount in cents; nil where a row has none.
    init(_ amounts: [Int?]) {
        self.amounts = amounts
        largest = amounts.lazy.compactMap { $0 }.max() ?? 0
    }

    /// The value in hundredths; nil if it is too large for a receipt.
    static func cents(_ value: Decimal) -> Int? {
        let number = (value * 100).double.rounded()
        return abs(number) < 1e12 ? Int(number) : nil
    }

    /// Largest change of a total by rounding, in cents: countries without small coins round to five or ten.
    static let greatestRounding = 5

    func features(at index: Int) -> [Float] {
        guard let amount = amounts[index] else { return [Float](repeating: 0, count: 14) }
        let above = amounts[..<index].compactMap { $0 }
        let below = amounts[(index + 1)...].compactMap { $0 }
        func flag(_ value: Bool) -> Float { value && amount != 0 ? 1 : 0 }
        let share = largest > 0 ? Float(min(max(Double(amount) / Double(largest), -1), 1)) : 0
        return [
            share, flag(amount == largest), flag(above.contains(amount)), flag(below.contains(amount)),
            flag(above.last == amount), flag(below.first == amount),
            flag(isSum(of: above, amount)), flag(above.count >= 2 && isSum(of: above.dropLast(), amount)),
            // Tendered less change, below or above.
            flag(below.count >= 2 && holdsDifference(amount, in: below.prefix(5))),
            flag(above.count >= 2 && above.suffix(4).contains { $0 == above.last.map { $0 - amount } }),
            flag(above.suffix(6).contains { $0 != amount && abs($0 - amount) <= Self.greatestRounding }),
            flag(below.prefix(4).contains { $0 != amount && abs($0 - amount) <= Self.greatestRounding }),
            // Two of the amounts above make it: subtotal and tax.
            flag(isSumOfTwo(in: Array(above.suffix(6)), amount)),
            flag(above.contains { $0 > amount }),
        ]
    }

    /// Whether two or more amounts at the end of a list add up to this one.
    private func isSum(of list: some BidirectionalCollection<Int>, _ amount: Int) -> Bool {
        var sum = 0
        var count = 0
        for value in list.reversed() {
            sum += value
            count += 1
            if count >= 2, sum == amount { return true }
        }
        return false
    }

    /// Whether an amount of a list less a later one makes this amount.
    private func holdsDifference(_ amount: Int, in list: some Collection<Int>) -> Bool {
        let values = Array(list)
        return values.indices.contains { first in
            values[(first + 1)...].contains { $0 != 0 && values[first] - $0 == amount }
        }
    }

    private func isSumOfTwo(in list: [Int], _ amount: Int) -> Bool {
        list.indices.contains { first in
            list[(first + 1)...].contains { $0 != 0 && list[first] != 0 && list[first] + $0 == amount }
        }
    }
}
