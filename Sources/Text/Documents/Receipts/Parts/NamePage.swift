import TextRecognition

/// What of the page says which name is meant.
struct NamePage {
    let head: [Int]
    let usualHeight: Double
    let greatestHeight: Double
    let firstAmount: Int
    /// Websites of "www" and an end above the first amount, each once: what they are called, and the row. Further below
    /// stand those of others too: who made the card's terminal, who asks how it was.
    let sites: [(row: Int, name: String)]
    /// The letters of the towns in rows of their own.
    let towns: Set<String>
    private let links: [[Character]]
    /// The rows that are websites alone.
    private let isLink: Set<Int>
    private let texts: [String]

    init(_ parser: ReceiptFieldParser, head: [Int]) {
        let rows = parser.rows
        self.head = head
        let metrics = PageMetrics(rows.map(\.box))
        usualHeight = metrics.usualHeight
        greatestHeight =
            head.map { rows[$0].words.map(\.box.height).max() ?? 0 }.max() ?? metrics.usualHeight
        firstAmount = parser.firstAmount
        towns = Set(
            rows.compactMap { RowShapes.town(in: $0.text) ?? Self.townBehindCode(in: $0.text) }.map {
                Vocabulary.folded(String($0)).filter { $0.isLetter || $0.isNumber }
            })
        texts = rows.map { Vocabulary.folded($0.text).filter { $0.isLetter || $0.isNumber } }
        let hosts = parser.hosts
        isLink = Set(hosts.map(\.row).filter { rows[$0].words.count == 1 })
        links = hosts.compactMap { $0.labels.first { $0 != "www" } }.map { label in
            Array(Vocabulary.folded(String(label)).filter { $0.isLetter || $0.isNumber })
        }.filter { $0.count >= ReceiptFieldParser.fewestRepeated }
        var sites: [(row: Int, name: String)] = []
        for (row, labels) in hosts where row < firstAmount && labels.count == 3 && labels[0] == "www" {
            let name = labels[1].split(separator: "-").joined(separator: " ")
            if !sites.contains(where: { $0.name == name }) { sites.append((row, name)) }
        }
        self.sites = sites
    }

    /// The town of a row that is its code and name: "33110 LE BOUSCAT".
    private static func townBehindCode(in text: String) -> Substring? {
        text.wholeMatch(of: #/(?:[A-Z]{1,2}-)?\d{4,5}\s+(\p{L}[\p{L} .'-]+)/#)?.1
    }

    /// Whether a website or mail address is named as a name is, or by the beginning of it.
    func isNamedByLink(_ letters: String) -> Bool {
        let name = Array(Vocabulary.folded(letters))
        guard name.count >= ReceiptFieldParser.fewestRepeated else { return false }
        return links.contains { link in
            let begun = name.count > link.count ? Array(name.prefix(link.count)) : name
            let part = name.count < link.count ? Array(link.prefix(name.count)) : link
            return ReceiptFieldParser.areAlike(begun, part)
        }
    }

    /// Whether a row is a website alone, and another one of the head the name that it is called by.
    func isLinkOfName(_ row: Int) -> Bool {
        isLink.contains(row)
            && head.contains { $0 != row && !isLink.contains($0) && isNamedByLink(texts[$0]) }
    }

    /// Whether another row says a name again, or the beginning of one row's, as a logo above a company's full name does.
    func isRepeated(_ letters: String, besides run: Set<Int>) -> Bool {
        let name = Vocabulary.folded(letters)
        guard name.count >= ReceiptFieldParser.fewestRepeated else { return false }
        return texts.indices.contains { index in
            let text = texts[index]
            return !run.contains(index)
                && (text.contains(name)
                    || ReceiptFieldParser.areAlike(Array(text), Array(name))
                    || (run.count == 1 && text.count >= ReceiptFieldParser.fewestRepeated
                        && text.allSatisfy(\.isLetter)
                        && ReceiptFieldParser.areAlike(Array(text), Array(name.prefix(text.count)))))
        }
    }
}
