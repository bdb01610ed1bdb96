import TextRecognition
import Platform

/// Finds the items: rows that name them, rows that price them, and rows that count them, in any order.
extension ReceiptFieldParser {
    mutating func findItems() {
        let lines = itemLines()
        var list = ItemList(isBelow: isDescribedBelow(lines))
        for place in lines.indices {
            let next = lines[(place + 1)...].lazy.compactMap(\.amount).first
            list.add(lines[place], next: next, in: self)
        }
        let sums = sureSums
        list.dropBracketed(toMake: sums.map(\.value))
        list.settle(toMake: sums, in: self)
        asides = list.asides.union(rows.indices.filter { Self.saysFormerPrice(rows[$0]) })
        fields.items = Self.taxedByColumn(Self.countedByColumn(list.items))
        Self.tie(&fields.items)
    }

    /// Drops the items where most of the print, theirs included, was not read. Called late, because their amounts help to find
    /// the total.
    mutating func leaveOutUnreadItems() {
        if isMostlyUnread, !fields.items.allSatisfy({ $0.confidence >= Self.leastOfUnread }) {
            fields.items = []
        }
    }

    /// Lowest confidence that each item must then have. Chosen on 34 such receipts to keep lists in Latin letters and drop most
    /// in other letters.
    private static let leastOfUnread = 0.6

    /// The first row of sums: items end there.
    private var firstSum: Int {
        rows.firstIndex { [.subtotal, .sum, .total].contains($0.rowClass) } ?? rows.count
    }

    /// The sums that the items may add up to.
    private var sureSums: [(value: Decimal, row: Int)] {
        let said = [RowClass.subtotal, .sum, .total].flatMap { rowClass in
            sums(rowClass).filter { $0.likelihood > Self.leastOfSum }.map { (value: $0.value, row: $0.row) }
        }
        // A sum below charges for service holds them too.
        return said
            + said.compactMap { sum in
                let services = rows[..<sum.row]
                    .filter { $0.rowClass == .service && $0.meanings.contains(.service) }
                    .compactMap(\.amount?.value)
                return services.isEmpty ? nil : (sum.value - services.reduce(0, +), sum.row)
            }
    }

    /// Probability above which a row's sum is compared with the items: likelier than anything else.
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

        /// Whether it prices an item without naming it.
        var isBare: Bool {
            if case .priced(_, _, let columns, _) = self { columns.isBare } else { false }
        }
    }

    /// The rows of items, including discounts among them.
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

    /// Least share of numbers alone among the rows with an amount, for names to stand in rows of their own.
    private static let leastShareOfBare = 0.6
    /// How likely a row must be an item to stay one among rows of another layout.
    static let clearlyItem = 0.9

    private func line(at index: Int, firstSum: Int) -> ItemLine? {
        let row = rows[index]
        switch row.rowClass {
        case .item, .itemPart: break
        case .discount where index < firstSum: break
        default: return lineByCode(at: index)
        }
        guard !isSum(row), !isTaxedSum(row), !Self.saysFormerPrice(row) else { return nil }
        if let quantity = Quantity.alone(in: row.words, style: style),
            row.amount == nil || quantity.unitPrice != nil
        {
            return .quantity(quantity, row)
        }
        if let quantity = Quantity.withOwnUnit(in: row.words, style: style),
            [index - 1, index + 1].contains(where: { rows.indices.contains($0) && quantity.makes(rows[$0]) })
        {
            return .quantity(quantity, row)
        }
        guard let amount = row.amount else {
            if let code = Self.articleNumber(row) { return .code(code) }
            let isName =
                !row.isWordsForTotal
                && row.words.contains {
                    $0.text.contains(where: \.isLetter) && !ItemColumns.isUnit($0.text)
                        && !ItemColumns.isPricePerUnit($0.text)
                }
            return isName ? .text(row) : nil
        }
        if row.rowClass == .discount, amount.value == 0 { return nil }
        if row.rowClass == .itemPart, row.letterCount < ItemColumns.leastLetters, amount.value == 0 {
            return nil
        }
        var columns = ItemColumns(row.label, amount: amount.value, style: style)
        // "$5.00 10.00" above "Qty 2 @ $5.00 each".
        if columns.isBare, rows.indices.contains(index + 1),
            Quantity.alone(in: rows[index + 1].words, style: style)?.makes(amount.value) == true
        {
            columns.isProven = true
        }
        return .priced(row, amount, columns, index: index)
    }

    /// Whether a row gives the former price of an item: "Reg $5.49", "Cartwheel 15% off $3.62", "Saved $1.71 off $6.21".
    private static func saysFormerPrice(_ row: ReceiptRow) -> Bool {
        let words = Vocabulary.words(of: row.labelText)
        guard let amount = row.amount, !words.isEmpty else { return false }
        return words.allSatisfy(formerPrice.contains)
            || amount.value > 0 && words.last == "off"
                && row.label.contains { $0.text.contains("%") || PrintedAmount.looksCertain($0.text) }
    }

    private static let formerPrice: Set<String> = [
        "reg", "regular", "was", "orig", "normal", "usual", "price",
    ]

    /// The row above, if it has no amount and may name the item whose count and price stand below it, whatever its class.
    func nameRow(above index: Int) -> ReceiptRow? {
        guard index > 0, !isMostlyUnread else { return nil }
        let row = rows[index - 1]
        return row.amount == nil && row.rowClass != .columns && row.mayNameThing ? row : nil
    }

    /// Whether a row is a total, alone or beside its tax, and so no item whatever its shape.
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

    /// A row of another class that has an article number and stands above an item: it belongs to that item.
    private func lineByCode(at index: Int) -> ItemLine? {
        let row = rows[index]
        // Shorter numbers in such rows are telephone and receipt numbers.
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

    /// The article number of a row that has nothing else but a caption of one word: "ART/EAN 4002245701618".
    private static func articleNumber(_ row: ReceiptRow) -> String? {
        guard row.words.count <= 2, let last = row.words.last, ItemColumns.isArticleNumber(last.text) else {
            return nil
        }
        return last.text
    }

    /// Whether items' names stand below their amounts: the first row with an amount has no name, and none stands above it.
    private func isDescribedBelow(_ lines: [ItemLine]) -> Bool {
        for (place, line) in lines.enumerated() {
            guard case .priced(let row, _, let columns, let index) = line else { continue }
            let isBare = columns.isBare || row.letterCount <= Self.lettersOfCode
            let hasNameAbove =
                lines[..<place].contains { if case .text = $0 { true } else { false } }
                || columns.isProven && nameRow(above: index) != nil
            let isNamedBelow =
                lines[(place + 1)...].first.map { if case .text = $0 { true } else { false } } == true
            return isBare && !hasNameAbove && isNamedBelow
        }
        return false
    }

    /// Most letters beside an amount that are a code rather than a name: "TP-24".
    static let lettersOfCode = 3

    // MARK: - Counts

    /// Least share of a receipt's items that must begin with a number for it to be a column of counts: a name may begin with one
    /// too.
    private static let leastShareOfCounts = 0.7

    /// Takes the numbers that most items begin with for their counts: "2 Tea", "1 Milk".
    private static func countedByColumn(_ items: [ReceiptFields.LineItem]) -> [ReceiptFields.LineItem] {
        func count(_ item: ReceiptFields.LineItem) -> (count: Decimal, rest: String)? {
            guard item.quantity == nil, let match = item.description.wholeMatch(of: Self.countAndName.regex)
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

    private static let countAndName = Pattern(#/(\d{1,2})\s+([\p{L}*('"].*)/#)
    private static let nameAndRate = Pattern(
        #/(.*\p{L}.*)\s(?:(\d{1,2})(?:[.,]0{1,2})?\s?%|%\s?(\d{1,2})|[xX§$](\d\d))/#)
    /// Takes the rates that most names end in for their taxes: "LATTE INTERO 4%".
    private static func taxedByColumn(_ items: [ReceiptFields.LineItem]) -> [ReceiptFields.LineItem] {
        func rate(_ item: ReceiptFields.LineItem) -> (rest: String, rate: String)? {
            guard item.kind == .goods, item.taxClass == nil,
                let match = item.description.wholeMatch(
                    of: Self.nameAndRate.regex),
                let rate = match.2 ?? match.3 ?? match.4
            else { return nil }
            return (String(match.1), String(rate.count > 1 ? rate.drop { $0 == "0" } : rate))
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

    /// Links a deduction or a deposit to the item above it; a deduction only if it is not larger than the item.
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

extension ReceiptFieldParser {
    func item(
        description: [RecognizedWord], quantity: Quantity?, row: ReceiptRow, amount: PrintedAmount,
        code: String? = nil
    ) -> ReceiptFields.LineItem {
        var description = description
        // The tax class stands before the count and again behind the amount: "CHLEB C 1 x3,99 3,99C".
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
                : isDeduction
                    || amount.value < 0 && (row.meanings.contains(.discount) || row.letterCount == 0)
                    ? .discount : .goods,
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
        "deposito", "cauzione", "sgr", "pf", "pullopantti", "tolkkipantti",
    ]
}

extension Quantity {
    /// Whether count and unit price make an amount.
    func makes(_ amount: Decimal) -> Bool {
        unitPrice.map { ItemColumns.makes(count, $0, amount: amount) } ?? false
    }

    /// Whether count and unit price make a row's amount.
    func makes(_ row: ReceiptRow) -> Bool { row.amount.map { makes($0.value) } ?? false }
}
