/// A web address as printed, with or without its scheme.
struct PrintedLink {
    /// The address with its scheme, "https" if none is printed; the host in lower case.
    let url: String
    /// Its place in the row's text.
    let range: Range<String.Index>
    /// Whether spaces were removed or marks replaced.
    let isRepaired: Bool

    /// Finds the web addresses in a row of text: those that begin with "http" or "www", and those that end like hosts.
    /// O(letters).
    static func all(in text: String, besides taken: [Range<String.Index>]) -> [PrintedLink] {
        guard text.contains(where: { ".,".contains($0) }) else { return [] }
        var found: [PrintedLink] = []
        func add(scheme: Substring?, prefix: String, host: Substring, isBare: Bool) {
            guard let domain = DomainName.find(in: host) else { return }
            let start = scheme?.startIndex ?? text.index(host.startIndex, offsetBy: -prefix.count)
            var end = domain.part.endIndex
            // The path, if it directly follows the host.
            if end < text.endIndex, "/?#".contains(text[end]) {
                let rest = text[end...].prefix { !$0.isWhitespace }
                end = rest.lastIndex { !".,;:)]}>\"'".contains($0) }.map(text.index(after:)) ?? rest.endIndex
            }
            let range = start..<end
            guard !(taken + found.map(\.range)).contains(where: { $0.overlaps(range) }) else { return }
            // Country domains are also words: "inc.in", "No.de"; not with two longer labels before them:
            // "SURVEY.WALMART.CA".
            if isBare, domain.ending == .country {
                let labels = domain.name.split(separator: ".").dropLast()
                let isLong = labels.count > 1 && labels.allSatisfy { $0.count > shortestBare }
                guard end > domain.part.endIndex || labels.first.map({ $0.count >= shortestBare }) == true,
                    isLong || domain.part == domain.part.lowercased()
                else { return }
            }
            let path = text[domain.part.endIndex..<end]
            let named = (scheme.map { $0.lowercased().hasPrefix("https") ? "https" : "http" }) ?? "https"
            found.append(
                PrintedLink(
                    url: named + "://" + (prefix.isEmpty ? "" : "www.") + domain.name
                        + (path == "/" ? "" : path),
                    range: range,
                    isRepaired: domain.isRepaired || prefix.contains(where: \.isWhitespace)
                        || prefix.contains(",")))
        }
        for match in text.matches(of: prefixed.regex) {
            let www = match.2.map(String.init) ?? ""
            guard match.1 != nil || !www.isEmpty else { continue }
            add(scheme: match.1, prefix: www, host: match.3, isBare: false)
        }
        for match in text.matches(of: bare.regex) {
            add(scheme: nil, prefix: "", host: match.1, isBare: true)
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Minimum length of a name before a country domain to be a host without "www".
    private static let shortestBare = 3

    private static let prefixed = Pattern(
        #/(?i)(?:^|[^\p{L}\d@.\-])(https?\s?:\s?\/\/\s?)?(www\s?[.,]\s?)?([a-z0-9äöüéèñç\-]+(?:\s?[.,]\s?[a-z0-9äöüéèñç\-]+)+)/#
    )
    private static let bare = Pattern(
        #/(?i)(?:^|[^\p{L}\d@.\-\/])([a-z0-9äöüéèñç\-]{2,}(?:\.[a-z0-9äöüéèñç\-]{2,})+)(?![@\p{L}\d\-])/#)
}
