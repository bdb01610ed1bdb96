import Imaging
import TextRecognition
import Platform

// The row model sees how rows look, and an item may look like a registration or a tax: "B/S BRST LG 020546690943 F 9.43 Y". Its
// place in the column of items is a better sign.

extension [ReceiptRow] {
    /// Reclassifies rows as items that stand among items with their amounts in one column, and have no word for a sum.
    mutating func takeThings(style: NumberStyle) {
        for index in indices.filter({ isAmongThings($0) }) { self[index].takeForThing() }
        // A row whose count and price make its amount is an item too; done from the top, so that each may support the next.
        for index in indices where isAmongThings(index, isProven: true) && self[index].isProvenThing(style) {
            self[index].takeForThing()
        }
    }

    /// - Parameter isProven: whether the row's count and price already show that it is an item, so that one item beside it is
    ///   enough.
    private func isAmongThings(_ index: Int, isProven: Bool = false) -> Bool {
        let row = self[index]
        guard ![.item, .discount].contains(row.rowClass), row.namesThing else { return false }
        func thing(in range: some Collection<Int>) -> ReceiptRow? {
            for place in range {
                if self[place].rowClass == .item, self[place].amount?.isCertain == true { return self[place] }
                guard self[place].amount == nil || self[place].namesThing else { return nil }
            }
            return nil
        }
        let above = thing(in: (Swift.max(index - Self.reach, 0)..<index).reversed())
        let below = thing(in: (index + 1)..<Swift.min(index + 1 + Self.reach, count))
        let things = [above, below].compactMap(\.self)
        return things.allSatisfy { row.isInColumn(of: $0) }
            && (things.count == 2 || isProven && things.count == 1
                || row.taxClass != nil && things.first?.taxClass != nil)
    }

    /// Largest distance to another item, in rows: names, counts and article numbers have rows of their own.
    private static var reach: Int { 8 }
}

extension ReceiptRow {
    fileprivate mutating func takeForThing() {
        if !probabilities.isEmpty { probabilities.swapAt(RowClass.item.rawValue, rowClass.rawValue) }
        rowClass = .item
    }

    /// Whether a row names an item, and count and price before its amount make it: "LIFE COLOR 1.00 6.35 6.35".
    fileprivate func isProvenThing(_ style: NumberStyle) -> Bool {
        guard let amount else { return false }
        let columns = ItemColumns(label, amount: amount.value, style: style)
        return columns.isProven && !columns.isBare
    }

    /// Whether a row has a name and an amount, and no word for a sum, a payment or a day.
    var namesThing: Bool { amount?.isCertain == true && mayNameThing }

    /// Whether a row may be an item's name. Words for sums, payments and days rule it out, except where an article number stands
    /// behind them: "MC CELERY SE 005210000218 F".
    var mayNameThing: Bool {
        guard letterCount > ItemColumns.leastLetters, !holdsDate, !holdsTime else { return false }
        return ItemColumns.article(behind: label) != nil
            || !saysTotal && !meanings.contains(anyOf: Meaning.payments + Self.meaningsOfSums)
    }

    /// Meanings of words that stand beside sums and never in items.
    private static let meaningsOfSums: [Meaning] = [
        .tax, .subtotal, .exclusive, .inclusive, .summary, .discount, .service, .rounding, .tip, .paid,
        .change,
        .count, .points,
    ]

    /// Whether the amounts of two rows end in one column.
    fileprivate func isInColumn(of other: ReceiptRow) -> Bool {
        let height = max(box.height, other.box.height)
        return abs(
            ReceiptFieldParser.box(of: amountWords).right
                - ReceiptFieldParser.box(of: other.amountWords).right)
            < Self.widthOfColumn * height
    }

    /// Largest distance between the right ends of amounts in one column, in heights of their rows: one may have a tax class more,
    /// or the page may slope.
    private static let widthOfColumn = 1.0
}
