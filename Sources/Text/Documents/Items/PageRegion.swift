import TextRecognition

/// Finds the region of a page, which telephone numbers without country code need.
enum PageRegion {
    /// Returns the region that most of the page's numbers, hosts, country names, postal codes and words point to, else the
    /// language's.
    static func find(in text: RecognizedText, country: String?) -> String? {
        var votes: [String: Int] = [:]
        let rows = text.lines.map(\.text).filter { $0.count <= RowText.longest }
        for row in rows {
            for phone in PrintedPhone.all(in: row, region: nil, isFree: { _ in true })
            where phone.printed.contains("+") {
                if let region = phone.number?.region { votes[region, default: 0] += 2 }
            }
            let mails = PrintedMail.all(in: row)
            let hosts =
                mails.map(\.address) + PrintedLink.all(in: row, besides: mails.map(\.range)).map(\.url)
            for host in hosts {
                if let region = region(ofHost: host) { votes[region, default: 0] += 1 }
            }
        }
        for row in rows {
            if let region = CountryNames.region(namedIn: row) { votes[region, default: 0] += 2 }
            for (region, pattern) in forms where pattern.stands(in: row) {
                votes[region, default: 0] += 1
            }
        }
        // A receipt's words outweigh a form that one row has by chance.
        if let country { votes[country, default: 0] += 2 }
        let best = votes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        return best ?? languages.first { text.language.hasPrefix($0.language) }?.region
    }

    /// Forms of postal codes and telephone numbers that only one country uses.
    private static let forms: [(region: String, pattern: Pattern<Substring>)] = [
        ("US", Pattern(#/(?:^|[\s:.])(?:\([2-9]\d{2}\)\s?|[2-9]\d{2}[\-.])\d{3}[\-.]\d{4}\b/#)),
        ("US", Pattern(#/\p{L},?\s[A-Z]{2}\s\d{5}(?:-\d{4})?\b/#)),
        ("GB", Pattern(#/\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b/#)),
        ("NL", Pattern(#/\b[1-9]\d{3}\s[A-Z]{2}\s\p{Lu}\p{L}/#)),
        ("AU", Pattern(#/\b(?:NSW|VIC|QLD|TAS)\s\d{4}\b/#)),
        ("BR", Pattern(#/\b\d{5}-\d{3}(?![\d\-])/#)),
        ("PT", Pattern(#/(?:^|\s)\d{4}-\d{3}\s\p{Lu}/#)),
    ]

    /// Returns the region of a host's top-level domain; "io", "ai", "tv", "me" and "co" are sold to anyone.
    private static func region(ofHost host: String) -> String? {
        guard !DomainName.isOfMail(host),
            let end = host.split(separator: "/").first(where: { $0.contains(".") })?.split(separator: ".")
                .last,
            end.count == 2, !["io", "ai", "tv", "me", "co", "eu"].contains(end)
        else { return nil }
        return NumberingPlan.shared.region(end == "uk" ? "GB" : end.uppercased())?.code
    }

    /// The region with most speakers of a language, by tesseract's language code; English is missing because many regions speak
    /// it.
    private static let languages: [(language: String, region: String)] = [
        ("deu", "DE"), ("fra", "FR"), ("ita", "IT"), ("nld", "NL"), ("spa", "ES"), ("jpn", "JP"),
        ("msa", "MY"),
        ("pol", "PL"),
        ("ces", "CZ"), ("dan", "DK"), ("swe", "SE"), ("nor", "NO"), ("fin", "FI"),
    ]
}
