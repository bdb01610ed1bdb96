import TextRecognition
import Platform

/// Collects the items of a receipt row by row.
struct ItemList {
    /// An item with the row that prices it.
    private struct Entry {
        var item: ReceiptFields.LineItem
        var row: Int
        var isBracketed: Bool
        /// Whether it is taken for a deduction although no dash is printed, or its amount stands behind "off".
        var isUnsigned: Bool
    }

    /// Whether names stand below their amounts.
    let isBelow: Bool
    private var entries: [Entry] = []
    private var pending: Quantity?
    private var code: String?
    private var texts: [ReceiptRow] = []

    /// The rows whose amounts other items already include.
    private(set) var asides: Set<Int> = []

    init(isBelow: Bool) { self.isBelow = isBelow }

    var items: [ReceiptFields.LineItem] { entries.map(\.item) }
    private var sum: Decimal { entries.reduce(0) { $0 + $1.item.amount } }

    mutating func add(_ line: ReceiptFieldParser.ItemLine, next: Decimal?, in parser: ReceiptFieldParser) {
        switch line {
        case .text(let row):
            if isBelow, let last = entries.last?.item,
                last.description.count(where: \.isLetter) <= ReceiptFieldParser.lettersOfCode
            {
                entries[entries.count - 1].item.describe(row)
            } else {
                texts.append(row)
            }
        case .code(let code): self.code = code
        case .quantity(let quantity, _):
            let ofNext = next.map { quantity.makes($0) } ?? false
            if let last = entries.last?.item, last.quantity == nil, quantity.makes(last.amount),
                pending == nil,
                !ofNext || texts.isEmpty
            {
                entries[entries.count - 1].item.count(quantity)
            } else {
                pending = quantity
            }
        case .priced(let row, let amount, let columns, let index):
            add(row, amount, columns, at: index, in: parser)
            (pending, code, texts) = (nil, nil, [])
        }
    }

    private mutating func add(
        _ row: ReceiptRow, _ amount: PrintedAmount, _ columns: ItemColumns, at index: Int,
        in parser: ReceiptFieldParser
    ) {
        func append(_ name: [RecognizedWord], _ quantity: Quantity?, code: String?, amount: PrintedAmount) {
            entries.append(
                Entry(
                    item: parser.item(
                        description: name, quantity: quantity, row: row, amount: amount,
                        code: code ?? self.code),
                    row: index, isBracketed: row.amountWords.first?.text.hasPrefix("(") == true,
                    isUnsigned: amount.value > 0
                        && (row.rowClass == .discount || row.label.last?.text.lowercased() == "off")))
        }
        guard columns.isBare else {
            let (quantity, name) =
                columns.quantity.map { ($0, columns.name) }
                ?? Quantity.leading(in: columns.name, style: parser.style, amount: amount.value)
            append(name, quantity ?? pending, code: columns.code, amount: amount)
            return
        }
        var amount = amount
        // A dash before the amount of a weighed item is not its sign: "0,158 1,19 - 0,19".
        if let quantity = columns.quantity, columns.isProven, row.letterCount == 0, amount.value < 0,
            ["-", "−", "–"].contains(row.amountWords.first?.text)
        {
            amount.value = abs(quantity.count * (quantity.unitPrice ?? 0)) == 0 ? amount.value : -amount.value
        }
        let quantity = columns.quantity ?? pending
        if !isBelow, let above = nameAbove ?? (columns.isProven ? parser.nameRow(above: index) : nil) {
            var name = above.words
            var code = columns.code
            if let first = name.first, name.count > 1, ItemColumns.isCode(first.text) {
                code = code ?? first.text
                name.removeFirst()
            } else if let article = ItemColumns.article(behind: name) {
                code = code ?? article.code
                name = article.name
            }
            append(name, quantity, code: code, amount: amount)
        } else if !isBelow, let last = entries.last?.item, last.quantity == nil, let quantity,
            quantity.unitPrice != nil,
            last.amount == amount.value || quantity.makes(last.amount)
        {
            entries[entries.count - 1].item.count(quantity)
        } else if row.letterCount >= ItemColumns.leastLetters, !columns.isProven {
            // The word for a unit is the name if there is no other: "Box".
            append(row.label, nil, code: columns.code, amount: amount)
        } else if isBelow || columns.isProven {
            append([], quantity, code: columns.code, amount: amount)
        } else if row.label.contains(where: { ItemColumns.isArticleNumber($0.text) }),
            amount.value < 0 || row.probability(.item) > ReceiptFieldParser.clearlyItem
        {
            // A deduction, or an item, is named by its article number: "0000370371 / 1423302 4.00-".
            append(row.label, nil, code: nil, amount: amount)
        }
    }

    /// The row above that names the item: the last with at least half as many letters as any, because shelf codes stand below
    /// some names.
    private var nameAbove: ReceiptRow? {
        let most = texts.map(\.letterCountOfAll).max() ?? 0
        guard most >= ItemColumns.leastLetters else { return nil }
        return texts.last { 2 * $0.letterCountOfAll >= most }
    }

    // MARK: - Sums

    /// Drops amounts in brackets if the others make a sum: "Grilled Onion ($0.75)" is included in the price above.
    mutating func dropBracketed(toMake sums: [Decimal]) {
        let rest = entries.filter { !$0.isBracketed }
        guard rest.count < entries.count, !sums.contains(sum) else { return }
        guard sums.contains(rest.reduce(0, { $0 + $1.item.amount })) else { return }
        asides = Set(entries.filter(\.isBracketed).map(\.row))
        entries = rest
    }

    /// Changes the list by a step or two if it makes no sum as read, and makes one then. Such steps are: a row of another class
    /// is an item; an amount without a dash is no deduction, or is in the price already, "Saved $13.99 off $27.99"; a unit price
    /// is not an item of its own; a dollar sign was read as a digit; a mark or a digit was not read.
    mutating func settle(toMake sums: [(value: Decimal, row: Int)], in parser: ReceiptFieldParser) {
        guard let settled = settled(toMake: sums, in: parser) else { return }
        asides.formUnion(Set(entries.map(\.row)).subtracting(settled.map(\.row)))
        entries = settled
    }

    private func settled(toMake sums: [(value: Decimal, row: Int)], in parser: ReceiptFieldParser) -> [Entry]?
    {
        func make(_ entries: [Entry], below row: Int = -1) -> Bool {
            let made = entries.reduce(0) { $0 + $1.item.amount }
            return sums.contains { $0.value == made && row < $0.row }
        }
        func made(_ more: [Entry]) -> [Entry]? {
            let all = with(more)
            return make(all, below: more.map(\.row).max() ?? -1) ? all : nil
        }
        guard !entries.isEmpty, let end = sums.map(\.row).max(), !make(entries) else { return nil }
        let rows = 0..<end
        let lacking = rows.filter { mayLack($0, row: parser.rows[$0]) }.compactMap {
            entry(at: $0, in: parser)
        }
        for thing in lacking { if let all = made([thing]) { return all } }
        let others =
            [
                withoutCounts(in: parser), withoutUnsigned, withoutDigitsForDollars(in: parser),
                entries.filter { $0.item.amount >= 0 }, withoutPayments(in: parser),
            ] + singleChanges
        if let all = others.first(where: { !$0.isEmpty && make($0) }) { return all }
        let marks = rows.flatMap { withMark(at: $0, in: parser) }
        for more in [lacking] + marks.map({ [$0] }) + pairs(of: lacking + marks) {
            if let all = made(more) { return all }
        }
        for thing in rows.flatMap({ withDigit(at: $0, in: parser) }) {
            if let all = made([thing]) { return all }
        }
        // No item costs more than the sum.
        guard let most = sums.map(\.value).max(), entries.contains(where: { $0.item.amount > most }) else {
            return nil
        }
        let corrected = withoutDigitsForDollars(in: parser)
        return corrected.isEmpty ? nil : zip(entries, corrected).map { $0.item.amount > most ? $1 : $0 }
    }

    /// The entries with more items, each replacing another of its row.
    private func with(_ more: [Entry]) -> [Entry] {
        let rows = Set(more.map(\.row))
        return (entries.filter { !rows.contains($0.row) } + more).sorted { $0.row < $1.row }
    }

    /// All pairs of items from different rows; none if there are so many items that some pair makes any sum by chance.
    private func pairs(of things: [Entry]) -> [[Entry]] {
        guard things.count <= Self.mostForPairs else { return [] }
        return things.indices.flatMap { first in
            things[(first + 1)...].filter { $0.row != things[first].row }.map { [things[first], $0] }
        }
    }

    /// Most items that are paired: they make 66 pairs, while sums of two amounts below 20 have some 4,000 values.
    private static let mostForPairs = 12

    /// The entries without rows that only give the count or weight and the unit price, whatever was read of the unit: "7,300 k9 X
    /// 14,99".
    private func withoutCounts(in parser: ReceiptFieldParser) -> [Entry] {
        entries.filter { entry in
            let row = parser.rows[entry.row]
            let isCount = row.labelText.contains(Self.count.regex)
            return !(isCount && row.letterCount <= Self.lettersOfUnit)
        }
    }

    /// Most letters of a unit and a cross.
    private static let lettersOfUnit = 4

    /// The entries without rows for payments and subtotals: "Gift Card Redeem $14.63".
    private func withoutPayments(in parser: ReceiptFieldParser) -> [Entry] {
        entries.filter {
            !parser.rows[$0.row].meanings.contains(anyOf: Meaning.payments + [.subtotal])
        }
    }

    /// The entries without deductions that have no printed dash.
    private var withoutUnsigned: [Entry] { entries.filter { !$0.isUnsigned } }

    /// The entries with one deduction without a dash added instead, or left out.
    private var singleChanges: [[Entry]] {
        entries.indices.filter { entries[$0].isUnsigned }.flatMap { index in
            var added = entries
            added[index].item.amount.negate()
            added[index].item.kind = .goods
            var less = entries
            less.remove(at: index)
            return [added, less]
        }
    }

    /// The entries with the first digit removed from amounts where it may be a misread dollar sign: "812.95" among "$11.95".
    private func withoutDigitsForDollars(in parser: ReceiptFieldParser) -> [Entry] {
        guard parser.style.hasDollars else { return [] }
        return entries.map { entry in
            guard let printed = parser.rows[entry.row].amountWords.last?.text, let first = printed.first,
                Self.digitsForDollars.contains(first),
                let amount = PrintedAmount(String(printed.dropFirst()), style: parser.style), amount.isCertain
            else { return entry }
            var entry = entry
            entry.item.amount = amount.value
            return entry
        }
    }

    /// Digits that a dollar sign is misread as.
    private static let digitsForDollars: Set<Character> = ["8", "5"]

    /// Whether a row of another class may be a missing item: it stands among the items, with a name and an amount, and is no sum.
    private func mayLack(_ index: Int, row: ReceiptRow) -> Bool {
        guard let first = entries.first?.row, index >= first - 1 else { return false }
        let isSum =
            Self.sums.contains(row.rowClass) && row.probability(row.rowClass) >= Self.clearly
            && !row.namesThing
        let saysSum =
            row.saysTotal || row.meanings.contains(anyOf: Meaning.payments + [.tax, .subtotal, .change])
        let isNamed =
            row.letterCount >= ItemColumns.leastLetters
            || row.label.contains { ItemColumns.isArticleNumber($0.text) } && (row.amount?.value ?? 0) < 0
        return !isSum && !entries.contains { $0.row == index } && row.amount?.isCertain == true
            && isNamed && !row.holdsDate && !row.holdsTime
            // A voucher among the items is an item too.
            && (!saysSum || (row.amount?.value ?? 0) < 0)
    }

    /// Classes whose amounts are never items.
    private static let sums: Set<RowClass> = [
        .subtotal, .sum, .total, .tax, .taxTable, .service, .rounding, .payment, .change, .card, .count,
    ]
    /// Probability from which a row of such a class is no item, whatever the items add up to.
    private static let clearly = 0.6

    /// Makes an item of a row, with the amount that was read, or with another whose print begins at `start` of the row's text.
    private func entry(
        at index: Int, amount: PrintedAmount? = nil, from start: String.Index? = nil,
        in parser: ReceiptFieldParser
    ) -> Entry? {
        let row = parser.rows[index]
        guard let amount = amount ?? row.amount else { return nil }
        var label = row.label
        if let start {
            label = Array(row.words.prefix(row.text[..<start].count { $0 == " " }))
        }
        let columns = ItemColumns(label, amount: amount.value, style: parser.style)
        let item = parser.item(
            description: columns.isBare ? label : columns.name, quantity: columns.quantity, row: row,
            amount: amount, code: columns.code)
        return Entry(item: item, row: index, isBracketed: false, isUnsigned: false)
    }

    /// Makes an item of a row whose amount has lost its mark, "DONUT 145", "MILK 1 00 Y", or has it misread as a digit, "*0165";
    /// or makes the amount positive in a row of numbers whose dash is no sign.
    private func withMark(at index: Int, in parser: ReceiptFieldParser) -> [Entry] {
        let row = parser.rows[index]
        guard row.rowClass == .item || row.rowClass == .discount else { return [] }
        if var entry = entries.first(where: { $0.row == index }) {
            guard row.letterCount == 0, entry.item.amount < 0 else { return [] }
            entry.item.amount.negate()
            entry.item.kind = .goods
            return [entry]
        }
        guard row.amount == nil, row.letterCount > ItemColumns.leastLetters,
            let mark = parser.style.decimalMark,
            let match = row.text.firstMatch(of: Self.centsAtEnd.regex)
        else { return [] }
        let start = match.1.isEmpty ? match.2.startIndex : match.1.startIndex
        let units = [String(match.1), match.1 == "01" ? "0" : ""].filter { !$0.isEmpty }
        return (units.isEmpty ? ["0"] : units).compactMap { units in
            PrintedAmount(units + String(mark) + match.2, style: parser.style).flatMap {
                entry(at: index, amount: $0, from: start, in: parser)
            }
        }
    }

    private static let count = Pattern(#/^\W?\d{1,4}(?:[.,]\d{1,3})?\W*\p{L}{0,3}\d?\W*[xX×*@]?$/#)
    private static let centsAtEnd = Pattern(#/(\d{0,3})[ \/.,]?(\d\d)(?: ?\p{L}{1,2})?$/#)
    private static let tenthAtEnd = Pattern(#/(\d{1,3})[.,](\d)(?: ?\p{L}{1,2})?$/#)

    /// Makes an item of a row whose amount has lost a digit, one for each reading that is possible: "3,0 E".
    private func withDigit(at index: Int, in parser: ReceiptFieldParser) -> [Entry] {
        let row = parser.rows[index]
        guard row.rowClass == .item, let mark = parser.style.decimalMark,
            let match = row.text.firstMatch(of: Self.tenthAtEnd.regex)
        else { return [] }
        let digits = String(match.1 + match.2)
        let readings = digits.indices.dropFirst().map { digits[..<$0] } + [digits[...]]
        return readings.flatMap { head in
            (0...9).compactMap { digit in
                let all = head + "\(digit)" + digits[head.endIndex...]
                return PrintedAmount(all.dropLast(2) + String(mark) + all.suffix(2), style: parser.style)
                    .flatMap {
                        entry(at: index, amount: $0, from: match.range.lowerBound, in: parser)
                    }
            }
        }
    }
}

extension ReceiptRow {
    /// Letters in all its words.
    fileprivate var letterCountOfAll: Int { ItemColumns.letters(words) }
}

extension ReceiptFields.LineItem {
    /// Takes the item's name from the row below; the few letters that were its name become its code.
    fileprivate mutating func describe(_ row: ReceiptRow) {
        if code == nil, description.contains(where: \.isNumber) { code = description }
        description = row.text
        box = box.union(row.box)
    }

    fileprivate mutating func count(_ quantity: Quantity) {
        (self.quantity, unit, unitPrice) = (quantity.count, quantity.unit, quantity.unitPrice)
    }
}
