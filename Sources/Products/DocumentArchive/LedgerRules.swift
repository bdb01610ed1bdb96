import ContactStore
public import Platform
import ScalarText

/// Rules that a person writes for assigning purchases to accounts, and the journal that they produce: for hledger, and for
/// Ledger and Beancount's importers of that format.
///
/// A rule is a line, `subject pattern = account`; the first that matches decides. Subjects are `merchant`, `category`,
/// `item`, `kind`, `tag` and `payment`. A pattern is a list of words, each of which must begin a word of the subject,
/// ignoring accents and case, or `*` for anything. Rules for `payment` give the account that pays; rules for `item` split a
/// receipt's items. Lines that begin with `#` are comments.
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

    /// A document, or a part of one, that was not written, or not by a rule.
    public struct Unmatched: Equatable, Sendable {
        /// The document.
        public let document: UUID
        /// The reason, in words.
        public let reason: String
        /// Whether the journal has a transaction for it nevertheless.
        public let isWritten: Bool
    }

    private static let subjects: Set = ["merchant", "category", "item", "kind", "tag", "payment"]
    /// The accounts for sums without a rule.
    private static let unknown = (expense: "expenses:unknown", payment: "assets:unknown")

    /// Parses rules from their text.
    /// - Throws: `.badInput` for a line that is not a rule, with its number.
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

    /// Returns the account of the first rule that matches.
    private func account(_ texts: [(subject: String, text: String)]) -> String? {
        rules.first { rule in texts.contains { $0.subject == rule.subject && rule.fits($0.text) } }?.account
    }

    /// Returns the transactions of documents that have a day, a total and a currency, ordered by day; each balances.
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
            // With the number of digits that the currency has.
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

    /// Returns the number of digits after the point.
    private static func fraction(of amount: String) -> Int {
        let parts = amount.split(atScalar: ".", omittingEmptySubsequences: false)
        return parts.count > 1 ? parts[1].utf8.count : 0
    }

    /// Formats an amount with at least this many digits after the point.
    private static func amount(_ sum: Decimal, _ digits: Int) -> String {
        let text = "\(sum)"
        let there = fraction(of: text)
        guard there < digits else { return text }
        return text + (there == 0 ? "." : "") + String(repeating: "0", count: digits - there)
    }

    /// Returns a name in one line, without characters that would begin a comment.
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
