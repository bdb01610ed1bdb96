import TextRecognition
import Platform

/// What was bought: rows that name things, rows that price them, and rows that count them, in whichever order.
extension ReceiptFieldParser {
    mutating func findItems() {
        let lines = itemLines()
        var list = ItemList(isBelow: isDescribedBelow(lines))
        for place in lines.indices {
            let next = lines[(place + 1)...].lazy.compactMap(\.amount).first
            list.add(lines[place], next: next, in: self)
        }
        let sums = sureSums
        list.dropBracketed(toMake: sums)
        for (index, row) in rows.enumerated() where list.mayLack(index, row: row, firstSum: firstSum) {
            if list.isClosed(by: row, toMake: sums) {
                list.insert(row, at: index, in: self)
                break
            }
        }
        asides = list.asides
        fields.items = Self.taxedByColumn(Self.countedByColumn(list.items))
        Self.tie(&fields.items)
    }

    /// The first row of sums: items end there.
    private var firstSum: Int {
        rows.firstIndex { [.subtotal, .sum, .total].contains($0.rowClass) } ?? rows.count
    }

    /// The sums that items may make.
    private var sureSums: [Decimal] {
        [RowClass.subtotal, .sum, .total].flatMap { rowClass in
            sums(rowClass).filter { $0.likelihood > Self.leastOfSum }.map(\.value)
        }
    }

    /// How likely a row must be a sum for items to be held against it: likelier than anything else.
    private static let leastOfSum = 0.5

    // MARK: - Rows

    /// What a row among the items says.
    enum ItemLine {
        case text(ReceiptRow)
        case code(String)
        case quantity(Quantity, ReceiptRow)
        case priced(ReceiptRow, PrintedAmount, ItemColumns, index: Int)

        var amount: Decimal? {
            if case .priced(_, let amount, _, _) = self { amount.value } else { nil }
        }

        /// Whether it prices a thing that it does not name.
        var isBare: Bool {
            if case .priced(_, _, let columns, _) = self { columns.isBare } else { false }
        }
    }

    /// The rows of items, a discount among them being one.
    private func itemLines() -> [ItemLine] {
        let firstSum = firstSum
        let lastItem = rows.lastIndex { $0.rowClass == .item } ?? -1
        var lines = rows.indices.filter { $0 <= max(lastItem, firstSum - 1) }
            .compactMap { line(at: $0, firstSum: firstSum) }
        // Where most amounts stand in rows of numbers, an amount beside a name is part of the name: "SUSHI 1.30".
        if case .priced(let row, _, _, _) = lines.last, saysPayment(row) { lines.removeLast() }
        let priced = lines.count { $0.amount != nil }
        let bare = lines.count(where: \.isBare)
        guard bare >= 2, Double(bare) >= Self.leastShareOfBare * Double(priced) else { return lines }
        lines = lines.map { line in
            guard case .priced(let row, _, let columns, _) = line, !columns.isBare, !columns.isProven,
                row.probability(.itemPart) + row.probability(.item) > row.probability(.discount),
                row.rowClass == .itemPart || row.probability(.item) < Self.clearlyItem
            else { return line }
            return .text(row)
        }
        return lines
    }

    /// So many of the rows with an amount must be numbers alone for names to stand in rows of their own.
    private static let leastShareOfBare = 0.6
    /// How likely a row must be an item to stay one among rows of another layout.
    private static let clearlyItem = 0.9

    private func line(at index: Int, firstSum: Int) -> ItemLine? {
        let row = rows[index]
        switch row.rowClass {
        case .item, .itemPart: break
        case .discount where index < firstSum: break
        default: return lineByCode(at: index)
        }
        guard !isSum(row), !isTaxedSum(row) else { return nil }
        if let quantity = Quantity.alone(in: row.words, style: style),
            row.amount == nil || quantity.unitPrice != nil
        {
            return .quantity(quantity, row)
        }
        if index + 1 < rows.count, let next = rows[index + 1].amount?.value,
            let quantity = Quantity.withOwnUnit(in: row.words, style: style), quantity.makes(next)
        {
            return .quantity(quantity, row)
        }
        guard let amount = row.amount else {
            if let code = Self.articleNumber(row) { return .code(code) }
            let isName = row.words.contains {
                $0.text.contains(where: \.isLetter) && !ItemColumns.isUnit($0.text)
                    && !ItemColumns.isPricePerUnit($0.text)
            }
            return isName ? .text(row) : nil
        }
        if row.rowClass == .discount, amount.value == 0 { return nil }
        if row.rowClass == .itemPart, row.letterCount < ItemColumns.leastLetters, amount.value == 0 {
            return nil
        }
        return .priced(
            row, amount, ItemColumns(row.label, amount: amount.value, style: style), index: index)
    }

    /// Whether a row is no item whatever its shape: a total, alone or beside its tax.
    private func isSum(_ row: ReceiptRow) -> Bool {
        row.saysTotal && (row.saysTotalAlone || row.meanings.contains(.tax))
    }

    /// Whether a row says how it was paid and nothing else.
    private func saysPayment(_ row: ReceiptRow) -> Bool {
        let tokens = Vocabulary.shared.tokens(of: row.labelText)
        let paid = Set(
            row.wholeFindings.filter { Meaning.payments.contains($0.phrase.meaning) }.flatMap {
                Array($0.tokens)
            })
        return row.amount != nil && !tokens.isEmpty && tokens.indices.allSatisfy(paid.contains)
    }

    /// A row that was taken for something else, but bears an article number above an item: it is of that.
    private func lineByCode(at index: Int) -> ItemLine? {
        let row = rows[index]
        // Shorter numbers are telephones and receipts there.
        guard index + 1 < rows.count, rows[index + 1].rowClass == .item, row.amount == nil,
            row.words.contains(where: { $0.text.count >= Self.longArticleNumber })
        else { return nil }
        if let code = Self.articleNumber(row) { return .code(code) }
        let isNamed =
            row.words.first.map { ItemColumns.isArticleNumber($0.text) } == true
            && row.letterCount >= ItemColumns.leastLetters
        return isNamed ? .text(row) : nil
    }

    /// Digits of a UPC, the shortest article number with a check digit that fills a till's column.
    private static let longArticleNumber = 12

    /// The article number that is all a row says, but for a caption of a word: "ART/EAN 4002245701618".
    private static func articleNumber(_ row: ReceiptRow) -> String? {
        guard row.words.count <= 2, let last = row.words.last, ItemColumns.isArticleNumber(last.text) else {
            return nil
        }
        return last.text
    }

    /// Whether the name of a thing stands below its amount: the first row with an amount has none, and none stands above it.
    private func isDescribedBelow(_ lines: [ItemLine]) -> Bool {
        for (place, line) in lines.enumerated() {
            guard case .priced(let row, _, let columns, _) = line else { continue }
            let isBare = columns.isBare || row.letterCount <= Self.lettersOfCode
            let hasNameAbove = lines[..<place].contains { if case .text = $0 { true } else { false } }
            let isNamedBelow =
                lines[(place + 1)...].first.map { if case .text = $0 { true } else { false } } == true
            return isBare && !hasNameAbove && isNamedBelow
        }
        return false
    }

    /// So few letters beside an amount are a code rather than a name: "TP-24".
    static let lettersOfCode = 3

    // MARK: - Counts

    /// Of the things on a receipt this many must begin with a number for it to be a column of counts: a name may too.
    private static let leastShareOfCounts = 0.7

    /// Takes the numbers that most items begin with for their counts: "2 Tea", "1 Milk".
    private static func countedByColumn(_ items: [ReceiptFields.LineItem]) -> [ReceiptFields.LineItem] {
        func count(_ item: ReceiptFields.LineItem) -> (count: Decimal, rest: String)? {
            guard item.quantity == nil, let match = item.description.wholeMatch(of: #/(\d{1,2})\s+(\p{L}.*)/#)
            else { return nil }
            return Decimal(string: String(match.1)).map { ($0, String(match.2)) }
        }
        let things = items.filter { $0.amount > 0 }
        let counted = things.count { count($0) != nil || $0.quantity != nil }
        guard things.count >= 2, Double(counted) >= leastShareOfCounts * Double(things.count) else {
            return items
        }
        return items.map { item in
            guard let (count, rest) = count(item) else { return item }
            var item = item
            (item.quantity, item.description) = (count, rest)
            return item
        }
    }

    /// Takes the rates that most names end in for their taxes: "LATTE INTERO 4%".
    private static func taxedByColumn(_ items: [ReceiptFields.LineItem]) -> [ReceiptFields.LineItem] {
        func rate(_ item: ReceiptFields.LineItem) -> (rest: String, rate: String)? {
            guard item.kind == .goods, item.taxClass == nil,
                let match = item.description.wholeMatch(of: #/(.*\p{L}.*)\s(\d{1,2})(?:[.,]0{1,2})?\s?%/#)
            else { return nil }
            return (String(match.1), String(match.2))
        }
        let things = items.count { $0.kind == .goods }
        let rated = items.count { rate($0) != nil }
        guard rated >= 2, Double(rated) >= leastShareOfCounts * Double(things) else { return items }
        return items.map { item in
            guard let (rest, rate) = rate(item) else { return item }
            var item = item
            (item.description, item.taxClass) = (rest, rate)
            return item
        }
    }

    /// Says which item a deduction or a deposit belongs to: the one above it, if that is no smaller.
    private static func tie(_ items: inout [ReceiptFields.LineItem]) {
        var last: Int?
        for index in items.indices {
            switch items[index].kind {
            case .goods: last = index
            case .discount:
                if let above = last, abs(items[index].amount) <= items[above].amount {
                    items[index].ofItem = above
                }
            case .deposit:
                if items[index].amount > 0 { items[index].ofItem = last }
            }
        }
    }
}

/// The items of a receipt while its rows are gone through.
private struct ItemList {
    /// An item with the row that prices it.
    private struct Entry {
        var item: ReceiptFields.LineItem
        var row: Int
        var isBracketed: Bool
    }

    /// Whether names stand below their amounts.
    let isBelow: Bool
    private var entries: [Entry] = []
    private var pending: Quantity?
    private var code: String?
    private var texts: [ReceiptRow] = []

    /// The rows in brackets that are no items.
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
                    row: index, isBracketed: row.amountWords.first?.text.hasPrefix("(") == true))
        }
        guard columns.isBare else {
            let (quantity, name) =
                columns.quantity.map { ($0, columns.name) }
                ?? Quantity.leading(in: columns.name, style: parser.style, amount: amount.value)
            append(name, quantity ?? pending, code: columns.code, amount: amount)
            return
        }
        var amount = amount
        // Before the amount of a weight a dash is none of its sign: "0,158 1,19 - 0,19".
        if let quantity = columns.quantity, columns.isProven, row.letterCount == 0, amount.value < 0,
            ["-", "−", "–"].contains(row.amountWords.first?.text)
        {
            amount.value = abs(quantity.count * (quantity.unitPrice ?? 0)) == 0 ? amount.value : -amount.value
        }
        let quantity = columns.quantity ?? pending
        if !isBelow, let above = nameAbove {
            var name = above.words
            var code = columns.code
            if let first = name.first, name.count > 1, ItemColumns.isCode(first.text) {
                code = code ?? first.text
                name.removeFirst()
            }
            append(name, quantity, code: code, amount: amount)
        } else if !isBelow, let last = entries.last?.item, last.quantity == nil, let quantity,
            quantity.unitPrice != nil,
            last.amount == amount.value || quantity.makes(last.amount)
        {
            entries[entries.count - 1].item.count(quantity)
        } else if row.letterCount >= ItemColumns.leastLetters {
            // A unit's word is the name where no other is: "Box".
            append(row.label, nil, code: columns.code, amount: amount)
        } else if isBelow || columns.isProven {
            append([], quantity, code: columns.code, amount: amount)
        }
    }

    /// The row above that names a thing: the last with half as many letters as any, as codes of a shelf stand below some names.
    private var nameAbove: ReceiptRow? {
        let most = texts.map(\.letterCountOfAll).max() ?? 0
        guard most >= ItemColumns.leastLetters else { return nil }
        return texts.last { 2 * $0.letterCountOfAll >= most }
    }

    // MARK: - Sums

    /// Leaves out amounts in brackets where the others make a sum: "Grilled Onion ($0.75)" is in the price above.
    mutating func dropBracketed(toMake sums: [Decimal]) {
        let rest = entries.filter { !$0.isBracketed }
        guard rest.count < entries.count, !sums.contains(sum) else { return }
        guard sums.contains(rest.reduce(0, { $0 + $1.item.amount })) else { return }
        asides = Set(entries.filter(\.isBracketed).map(\.row))
        entries = rest
    }

    /// Whether a row that was taken for something else stands where items do.
    func mayLack(_ index: Int, row: ReceiptRow, firstSum: Int) -> Bool {
        guard let first = entries.first?.row, index >= first - 1, index < firstSum else { return false }
        return !entries.contains { $0.row == index } && row.amount?.isCertain == true
            && !Self.sums.contains(row.rowClass)
            && row.letterCount >= ItemColumns.leastLetters && !row.holdsDate && !row.holdsTime
            && !row.saysTotal
    }

    /// Classes whose amounts are never things bought.
    private static let sums: Set<RowClass> = [
        .subtotal, .sum, .total, .tax, .taxTable, .service, .rounding, .payment, .change, .card, .count,
    ]

    /// Whether the items make a sum with this row, and none without.
    func isClosed(by row: ReceiptRow, toMake sums: [Decimal]) -> Bool {
        guard let amount = row.amount?.value, amount != 0 else { return false }
        return !sums.contains(sum) && sums.contains(sum + amount)
    }

    mutating func insert(_ row: ReceiptRow, at index: Int, in parser: ReceiptFieldParser) {
        guard let amount = row.amount else { return }
        let columns = ItemColumns(row.label, amount: amount.value, style: parser.style)
        let item = parser.item(
            description: columns.isBare ? row.label : columns.name, quantity: columns.quantity, row: row,
            amount: amount, code: columns.code)
        let place = entries.firstIndex { $0.row > index } ?? entries.count
        entries.insert(Entry(item: item, row: index, isBracketed: false), at: place)
    }
}

extension ReceiptFieldParser {
    fileprivate func item(
        description: [RecognizedWord], quantity: Quantity?, row: ReceiptRow, amount: PrintedAmount,
        code: String? = nil
    ) -> ReceiptFields.LineItem {
        var description = description
        // A class before the count and once more behind the amount: "CHLEB C 1 x3,99 3,99C".
        if description.count > 1, let taxClass = row.taxClass, description.last?.text == taxClass {
            description.removeLast()
        }
        let isDeduction = row.rowClass == .discount && quantity == nil
        let isDeposit = !Self.deposits.isDisjoint(with: Vocabulary.words(of: row.text))
        return .init(
            quantity: quantity?.count, unit: quantity?.unit, unitPrice: quantity?.unitPrice, code: code,
            description: description.map(\.text).joined(separator: " "),
            amount: isDeduction && !isDeposit && amount.value > 0 ? -amount.value : amount.value,
            kind: isDeposit
                ? .deposit
                : isDeduction || amount.value < 0 && row.meanings.contains(.discount) ? .discount : .goods,
            taxClass: row.taxClass,
            confidence: max(row.probability(.item), row.probability(row.rowClass))
                * RecognizedText.meanConfidence(of: row.words),
            printed: row.labelText, box: Self.box(of: row.words))
    }

    /// Words for the deposit of bottles and crates, in small letters without accents.
    private static let deposits: Set<String> = [
        "pfand", "leergut", "mehrweg", "einweg", "einwegpfand", "mehrwegpfand", "pfandartikel", "deposit",
        "crv",
        "statiegeld", "emballage", "consigne", "pant", "pantti", "kaucja", "zaloha", "zalohy", "depozito",
        "kaucija",
        "deposito", "cauzione", "sgr", "pf",
    ]
}

extension Quantity {
    /// Whether count and price of one make an amount.
    fileprivate func makes(_ amount: Decimal) -> Bool {
        unitPrice.map { ItemColumns.makes(count, $0, amount: amount) } ?? false
    }
}

extension ReceiptRow {
    /// Letters in all its words.
    fileprivate var letterCountOfAll: Int { ItemColumns.letters(words) }
}

extension ReceiptFields.LineItem {
    /// Takes its name from the row below; the few letters that it had are its code.
    fileprivate mutating func describe(_ row: ReceiptRow) {
        if code == nil, description.contains(where: \.isNumber) { code = description }
        description = row.text
        box = box.union(row.box)
    }

    fileprivate mutating func count(_ quantity: Quantity) {
        (self.quantity, unit, unitPrice) = (quantity.count, quantity.unit, quantity.unitPrice)
    }
}
