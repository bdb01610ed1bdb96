import Foundation
public import RobustStatistics

extension ReceiptDocument {
    /// Returns an invented receipt: store, date, items, sums that add up, and the usual lines below.
    ///
    /// The names of stores, streets and towns are invented; any similarity to real ones is accidental.
    /// - Parameters:
    ///   - paper: the size and kind of the sheet.
    ///   - itemCount: the number of different items; nil picks 4 to 14.
    ///   - generator: the source of everything that varies.
    public static func generated(
        paper: Paper, itemCount: Int? = nil, using generator: inout SeededGenerator
    ) -> ReceiptDocument {
        var page = Page(columns: paper.columns)
        let phrases = Phrases.all
        let count = itemCount ?? Int.random(in: 4...14, using: &generator)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }

        let store = pick(phrases.storeNames, &generator) + " " + pick(phrases.storeKinds, &generator)
        page.center(store.uppercased(), isBold: true, isDoubleHeight: number(0...2) == 0)
        page.center("\(number(1...198)) " + pick(phrases.streets, &generator))
        page.center(pick(phrases.towns, &generator) + " " + padded(number(10000...98999), 5))
        page.center("Tel 0\(number(20...98)) \(number(200...999)) \(number(1000...9999))")
        page.blank()

        let year = number(2019...2026)
        let month = padded(number(1...12), 2)
        let day = padded(number(1...28), 2)
        let date = number(0...1) == 0 ? "\(day)/\(month)/\(year)" : "\(year)-\(month)-\(day)"
        page.spread("Date " + date, "\(padded(number(8...21), 2)):\(padded(number(0...59), 2))")
        page.spread("Receipt \(number(10000...989999))", "Till \(number(1...9))")
        page.rule("-")

        var items: [Facts.Item] = []
        for name in phrases.goods.shuffled(using: &generator).prefix(count) {
            let single = number(79...1899)
            let pieces = number(0...3) == 0 ? number(2...4) : 1
            let label = pieces > 1 ? "\(pieces)x \(name)" : name
            items.append(Facts.Item(name: label, price: single * pieces))
            page.spread(label, money(single * pieces))
        }
        page.rule("-")

        let subtotal = items.reduce(0) { $0 + $1.price }
        let percent = pick([5, 7, 8, 10, 19, 20], &generator)
        let tax = (subtotal * percent + 50) / 100
        page.spread("Subtotal", money(subtotal))
        page.spread(pick(["Sales tax", "VAT", "Tax"], &generator) + " \(percent)%", money(tax))
        page.spread("TOTAL", money(subtotal + tax), isBold: true, isDoubleHeight: number(0...3) == 0)
        if number(0...1) == 0 { page.rule("=") } else { page.blank() }
        if number(0...2) > 0 {
            page.spread("Card ****\(number(1000...9899))", "APPROVED")
            page.left("Auth code \(number(100000...989999))")
        } else {
            let given = (subtotal + tax + 999) / 1000 * 1000
            page.spread("Cash", money(given))
            page.spread("Change", money(given - subtotal - tax))
        }
        page.blank()
        page.center(pick(phrases.thanks, &generator))
        page.center(pick(phrases.policies, &generator))

        let facts = Facts(
            store: store.uppercased(), date: date, items: items, subtotal: subtotal, tax: tax,
            total: subtotal + tax, printedTotal: money(subtotal + tax))
        return ReceiptDocument(paper: paper, lines: page.lines, facts: facts)
    }

    private static func pick<Value>(_ values: [Value], _ generator: inout SplitMix64) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    private static func money(_ cents: Int) -> String {
        let rest = cents % 100
        return "\(cents / 100)." + (rest < 10 ? "0" : "") + "\(rest)"
    }

    /// Lines of a fixed number of columns.
    private struct Page {
        let columns: Int
        var lines: [Line] = []

        init(columns: Int) {
            self.columns = columns
        }

        mutating func left(_ text: String) {
            lines.append(Line(String(text.prefix(columns))))
        }

        mutating func blank() {
            lines.append(Line(""))
        }

        mutating func rule(_ character: Character) {
            lines.append(Line(String(repeating: character, count: columns)))
        }

        mutating func center(_ text: String, isBold: Bool = false, isDoubleHeight: Bool = false) {
            let cut = String(text.prefix(columns))
            let indent = String(repeating: " ", count: (columns - cut.count) / 2)
            lines.append(Line(indent + cut, isBold: isBold, isDoubleHeight: isDoubleHeight))
        }

        /// Appends a label at the left and a value at the right end of a line, with at least one space between.
        mutating func spread(
            _ label: String, _ value: String, isBold: Bool = false, isDoubleHeight: Bool = false
        ) {
            let cut = label.prefix(columns - value.count - 1)
            let gap = String(repeating: " ", count: columns - value.count - cut.count)
            lines.append(Line(cut + gap + value, isBold: isBold, isDoubleHeight: isDoubleHeight))
        }
    }

    private struct Phrases {
        static let all = Phrases()
        let storeNames = [
            "Quiet Heron", "Copper Kettle", "Lantern Lane", "Hollow Oak", "Tin Sparrow", "Maple & Moss",
            "Northgate", "Salt Barn", "Velvet Fox", "Harbour Row", "Pebble Gate", "Old Orchard",
        ]
        let storeKinds = ["Market", "Grocer", "Deli", "Hardware", "Bakery", "Pharmacy", "Bistro", "Books"]
        let streets = [
            "Millbrook Road", "Tanner Street", "Wharf Lane", "Abbot Close", "Cedar Avenue", "Quarry Hill",
            "Lower Weir Street", "Priory Square",
        ]
        let towns = [
            "Ashenford", "Wyndale", "Merrowport", "Coldharrow", "Eastmere", "Brackley Vale", "Tolverne",
        ]
        let goods = [
            "Rye Bread 750g", "Salted Butter", "Oat Milk 1L", "Plum Jam", "Red Lentils 500g", "Free Eggs x10",
            "Cheddar Mature", "Vine Tomatoes", "Baby Spinach", "Olive Oil 0.5L", "Basil Pot", "Green Tea 20",
            "Espresso Beans", "Dark Chocolate", "Sparkling Water", "Apple Juice", "Frozen Peas",
            "Ginger Root",
            "Dish Soap", "Paper Towels", "Light Bulb E27", "Batteries AA 4", "Masking Tape", "Wood Glue",
            "Paint Brush 40", "Hex Bolts M6", "Notebook A5", "Gel Pen Blue", "Pain Relief 16", "Hand Cream",
            "Soup of the Day", "Grilled Salmon", "Side Salad", "Flat White", "Lemon Tart", "House Red 175",
        ]
        let thanks = [
            "Thank you for your visit", "Thank you, come again", "Have a pleasant day", "Many thanks",
        ]
        let policies = [
            "Returns within 14 days", "Please keep this receipt", "Open daily 8 to 20",
            "Prices include service",
        ]
    }
}
