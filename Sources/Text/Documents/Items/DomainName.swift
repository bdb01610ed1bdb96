/// Finds host names as they are printed, and where they end.
enum DomainName {
    /// Generic top-level domains most common among shops, firms and people.
    private static let general: Set<String> = [
        "com", "org", "net", "info", "biz", "edu", "gov", "int", "mil", "eu", "io", "ai", "app", "dev",
        "shop", "store",
        "online", "site", "website", "cloud", "tech", "agency", "studio", "design", "digital", "media",
        "consulting",
        "solutions", "services", "company", "group", "team", "works", "world", "global", "law", "legal",
        "clinic", "dental",
        "hotel", "travel", "cafe", "restaurant", "bar", "pizza", "salon", "photo", "photography", "art",
        "museum",
        "academy", "school", "university", "institute", "foundation", "bank", "finance", "capital",
        "ventures", "energy",
        "engineering", "systems", "software", "pro", "coop", "mobi", "xyz", "club", "life",
        "live", "care", "health", "immo", "haus", "gmbh", "bayern", "berlin", "hamburg", "koeln", "wien",
        "tirol", "swiss",
        "paris", "bzh", "cat", "london", "scot", "wales", "amsterdam", "gent", "vlaanderen", "brussels",
        "nyc", "sydney",
        "tokyo",
    ]

    /// Two-letter top-level domains: country codes of ISO 3166-1, and "uk".
    private static let countries: Set<String> = Set(
        NumberingPlan.shared.regionCodes.map { $0.lowercased() }
    ).union(["uk"])

    /// Second-level domains before a country's: "co.uk", "com.my".
    private static let secondLevel: Set<String> = ["com", "co", "net", "org", "gov", "edu", "ac"]

    /// Common misreadings of top-level domains; none is a real one.
    private static let misread: [String: String] = ["corn": "com", "c0m": "com", "con": "com", "om": "com"]

    /// The kind of a name's ending, which tells how reliable it is.
    enum Ending {
        case general
        case country
        /// "co.uk", "com.my".
        case secondLevel
    }

    /// Finds the longest prefix of printed text that is a host name, with misreadings corrected.
    /// - Parameter printed: labels with marks and perhaps spaces between them: "popular . com. my".
    /// - Returns: the name in lower case, the part of the text it covers, its ending, and whether text and name differ by more
    ///   than case; nil if there is none.
    static func find(in printed: Substring) -> (
        name: String, part: Substring, ending: Ending, isRepaired: Bool
    )? {
        var labels: [Substring] = []
        var label = printed.startIndex
        var best: (labels: [String], end: String.Index, ending: Ending)?
        var index = printed.startIndex
        func consider(_ end: String.Index) {
            guard labels.count > 1, let last = labels.last else { return }
            let spelled = last.lowercased()
            // After a space, a name continues only to "co. uk"; anything else is the next word.
            if let best, printed[best.end..<end].contains(where: \.isWhitespace),
                !secondLevel.contains(best.labels.last ?? "") || !countries.contains(spelled)
            {
                return
            }
            let top = misread[spelled] ?? spelled
            let names = labels.dropLast().map { $0.lowercased() } + [top]
            guard names.allSatisfy({ !$0.hasPrefix("-") && !$0.hasSuffix("-") }) else { return }
            if countries.contains(top) {
                let isSecond = labels.count > 2 && secondLevel.contains(names[names.count - 2])
                best = (names, end, isSecond ? .secondLevel : .country)
            } else if general.contains(top) {
                best = (names, end, .general)
            }
        }
        while index <= printed.endIndex {
            let isMark =
                index == printed.endIndex || ".,".contains(printed[index]) || printed[index].isWhitespace
            if isMark {
                if label < index {
                    labels.append(printed[label..<index])
                    consider(index)
                }
                if index == printed.endIndex { break }
                label = printed.index(after: index)
            }
            index = printed.index(after: index)
        }
        guard let best, let first = best.labels.first, first.contains(where: { $0.isLetter || $0.isNumber })
        else { return nil }
        let name = best.labels.joined(separator: ".")
        let part = printed[..<best.end]
        return (name, part, best.ending, name != part.lowercased())
    }

    /// Hosts where anyone can have a mail account; they name no firm.
    static let mailHosts: Set<String> = [
        "gmail", "googlemail", "hotmail", "outlook", "live", "msn", "yahoo", "ymail", "icloud", "aol", "gmx",
        "web", "freenet",
        "arcor", "posteo", "mailbox", "proton", "protonmail", "orange", "wanadoo", "laposte", "free", "sfr",
        "libero",
        "virgilio", "alice", "tiscali", "tin", "uol", "bol", "terra", "ig", "sapo", "telefonica", "ziggo",
        "kpnmail", "planet",
        "hetnet", "xs4all", "telenet", "skynet", "bluewin", "sunrise", "comcast", "verizon", "btinternet",
        "facebook",
        "linkedin", "instagram", "twitter", "xing", "youtube",
    ]

    /// Whether a host, or the host of a mail or web address, is one where anyone can have a mail account.
    static func isOfMail(_ address: String) -> Bool {
        let host = address.split(separator: "@").last ?? ""
        return host.split(whereSeparator: { "./".contains($0) }).contains { mailHosts.contains(String($0)) }
    }
}
