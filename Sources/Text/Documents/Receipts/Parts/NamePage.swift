import TextRecognition

/// What on a page helps to choose the seller's name.
struct NamePage {
    let head: [Int]
    let usualHeight: Double
    let greatestHeight: Double
    let firstAmount: Int
    /// Websites of the form "www", name and top-level domain above the first amount, each once, with row and name. Further below
    /// stand those of others too: the maker of the card terminal, a survey.
    let sites: [(row: Int, name: String)]
    /// The letters of the towns that rows give with their state or postcode.
    let towns: Set<String>
    private let links: [[Character]]
    /// The rows that hold only a website or mail address.
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

    /// The town of a row that is a postcode and a town: "33110 LE BOUSCAT".
    private static func townBehindCode(in text: String) -> Substring? {
        text.wholeMatch(of: #/(?:[A-Z]{1,2}-)?\d{4,5}\s+(\p{L}[\p{L} .'-]+)/#)?.1
    }

    /// Whether a website or mail address begins like a name, or a name begins like it.
    func isNamedByLink(_ letters: String) -> Bool {
        let name = Array(Vocabulary.folded(letters))
        guard name.count >= ReceiptFieldParser.fewestRepeated else { return false }
        return links.contains { link in
            let begun = name.count > link.count ? Array(name.prefix(link.count)) : name
            let part = name.count < link.count ? Array(link.prefix(name.count)) : link
            return ReceiptFieldParser.areAlike(begun, part)
        }
    }

    /// Whether a row is only a website or mail address, and another row of the head is the name in it.
    func isLinkOfName(_ row: Int) -> Bool {
        isLink.contains(row)
            && head.contains { $0 != row && !isLink.contains($0) && isNamedByLink(texts[$0]) }
    }

    /// Whether another row repeats a name, or the beginning of a name of one row, like a logo above a company's full name.
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
