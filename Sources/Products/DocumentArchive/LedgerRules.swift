import ContactStore
public import Platform
import ScalarText

/// Which accounts what was bought belongs to, by rules that a person writes, and the journal that follows: for hledger, and
/// Ledger and Beancount's importers of its form.
///
/// A rule is a line, `subject pattern = account`; the first that fits decides. Subjects are `merchant`, `category`, `item`, `kind`, `tag`
/// and `payment`; a pattern is words that all must begin a word there, accents and capitals aside, or `*` for anything. Rules of
/// `payment` say what is paid from, those of `item` part a receipt's items. Lines that begin with `#` are remarks.
public struct LedgerRules: Sendable {
    private struct Rule: Sendable {
        let subject: String
        let words: [String]
        let account: String

        func fits(_ text: String) -> Bool {
            let found = text.foldedWords
            return words.allSatisfy { word in found.contains { $0.hasScalarPrefix(word) } }
        }
    }

    private let rules: [Rule]

    /// What of a document was not written, or not by a rule.
    public struct Unmatched: Equatable, Sendable {
        /// The document.
        public let document: UUID
        /// Why, in words.
        public let reason: String
        /// Whether the journal has a transaction of it all the same.
        public let isWritten: Bool
    }

    private static let subjects: Set = ["merchant", "category", "item", "kind", "tag", "payment"]
    /// Where sums without a rule go.
    private static let unknown = (expense: "expenses:unknown", payment: "assets:unknown")

    /// Rules from their text.
    /// - Throws: `.badInput` for a line that is no rule, with its number.
    public init(_ text: String) throws(FlatteningError) {
        var rules: [Rule] = []
        for (number, line) in text.split(atScalar: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = String(line).trimmingSpaces
            guard !line.isEmpty, !line.hasScalarPrefix("#") else { continue }
            guard let match = line.wholeMatch(of: /([a-z]+)\s+(.+?)\s*=\s*(\S.*)/),
                Self.subjects.contains(String(match.1))
            else {
                throw FlatteningError(
                    .badInput, "line \(number + 1) is no rule", stage: .documents, seen: line,
                    allowed: "merchant, category, item, kind, tag or payment, a pattern, =, an account")
            }
            rules.append(
                Rule(
                    subject: String(match.1), words: match.2 == "*" ? [] : String(match.2).foldedWords,
                    account: String(match.3)))
        }
        self.rules = rules
    }

    /// The account of the first rule that fits.
    private func account(_ texts: [(subject: String, text: String)]) -> String? {
        rules.first { rule in texts.contains { $0.subject == rule.subject && rule.fits($0.text) } }?.account
    }

    /// The transactions of documents that have a day, a sum and a currency, by days; each balances.
    public func journal(_ documents: [ArchivedDocument]) -> (text: String, unmatched: [Unmatched]) {
        var unmatched: [Unmatched] = []
        var entries: [(day: String, text: String)] = []
        for document in documents {
            let values = document.values
            guard let day = values["date"]?.text, ArchiveQuery.isDay(day),
                let total = values["total"].flatMap({ Decimal(string: $0.text) }),
                let currency = values["currency"]?.text
            else {
                unmatched.append(
                    Unmatched(
                        document: document.id, reason: "it has no day, no sum or no currency",
                        isWritten: false))
                continue
            }
            let merchant = values["merchant"]?.text ?? ""
            let whole =
                [("merchant", merchant), ("kind", values["kind"]?.text ?? "")]
                + (values["category"].map { [("category", $0.text)] } ?? [])
                + document.tags.map { ("tag", $0) }
            let general = account(whole)
            var sums: [(account: String, sum: Decimal)] = []
            func add(_ sum: Decimal, to account: String) {
                if let place = sums.firstIndex(where: { $0.account == account }) {
                    sums[place].sum += sum
                } else {
                    sums.append((account, sum))
                }
            }
            var rest = total
            for item in ReportItems(document.report).items {
                guard let amount = Decimal(string: item.amount),
                    let account = account([("item", item.description)])
                else { continue }
                add(amount, to: account)
                rest -= amount
            }
            if rest != 0 || sums.isEmpty {
                if general == nil {
                    unmatched.append(
                        Unmatched(
                            document: document.id,
                            reason:
                                "no rule says where \(rest) \(currency) of \(merchant.isEmpty ? "it" : merchant) belong",
                            isWritten: true))
                }
                add(rest, to: general ?? Self.unknown.expense)
            }
            let payment = account([("payment", values["payment"]?.text ?? "")]) ?? Self.unknown.payment
            var text =
                "\(day) \(Self.plain(merchant.isEmpty ? "receipt" : merchant))  ; document: \(document.id.uuidString)\n"
            // With the digits that the currency has.
            let digits = values["total"].map { Self.fraction(of: $0.text) } ?? 0
            for entry in sums where entry.sum != 0 {
                text += "    \(entry.account)  \(Self.amount(entry.sum, digits)) \(currency)\n"
            }
            text += "    \(payment)  \(Self.amount(-total, digits)) \(currency)\n"
            entries.append((day, text))
        }
        let sorted = entries.enumerated().sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }
        return (sorted.map(\.element.text).joined(separator: "\n"), unmatched)
    }

    /// How many digits stand behind the point.
    private static func fraction(of amount: String) -> Int {
        let parts = amount.split(atScalar: ".", omittingEmptySubsequences: false)
        return parts.count > 1 ? parts[1].utf8.count : 0
    }

    /// An amount with at least so many digits behind the point.
    private static func amount(_ sum: Decimal, _ digits: Int) -> String {
        let text = "\(sum)"
        let there = fraction(of: text)
        guard there < digits else { return text }
        return text + (there == 0 ? "." : "") + String(repeating: "0", count: digits - there)
    }

    /// A name that is neither a remark nor a part of one, in one line.
    private static func plain(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: name.unicodeScalars.map { endsNames.contains($0) ? " " : $0 })
        return String(scalars).trimmingSpaces
    }

    private static let endsNames = Set(";|\n\r\t\u{85}\u{2028}\u{2029}".unicodeScalars)
}

/// The items of a report.
struct ReportItems {
    struct Item: Decodable {
        let description: String
        let amount: String
    }

    var items: [Item] = []

    init(_ report: String) {
        struct Report: Decodable {
            struct Fields: Decodable { let items: [Item]? }
            let fields: Fields?
        }
        items = (try? JSONDecoder().decode(Report.self, from: Data(report.utf8)))?.fields?.items ?? []
    }
}
