import TextRecognition
import Platform

// Mail addresses, web addresses and telephone numbers.

extension ContactFinder {
    /// Finds mail addresses, web addresses and telephone numbers in all rows, by their form.
    mutating func findReach() {
        for line in text.lines {
            for column in line.columns(gap: Gap.label) {
                let row = RowText(column)
                guard row.text.count <= RowText.longest else { continue }
                var taken: [Range<String.Index>] = []
                for mail in PrintedMail.all(in: row.text) {
                    taken.append(mail.range)
                    guard !contact.emails.contains(where: { $0.value == mail.address }) else { continue }
                    contact.emails.append(
                        reading(
                            mail.address, of: row.words(of: mail.range),
                            certainty: mail.isRepaired ? Certainty.repaired : 1)
                    )
                }
                for link in PrintedLink.all(in: row.text, besides: taken) {
                    taken.append(link.range)
                    guard !contact.urls.contains(where: { $0.value == link.url }) else { continue }
                    contact.urls.append(
                        reading(
                            link.url, of: row.words(of: link.range),
                            certainty: link.isRepaired ? Certainty.repaired : 1)
                    )
                }
                for phone in PrintedPhone.all(
                    in: row.text, region: region, isCard: true,
                    isFree: { range in
                        !taken.contains { $0.overlaps(range) }
                    })
                {
                    let number = phone.number?.e164 ?? String(phone.printed)
                    let kind = kind(of: phone, in: row)
                    if let same = contact.phones.firstIndex(where: { $0.value.number == number }) {
                        // "Tel/Fax" on two rows: a number that serves both counts as a telephone.
                        if contact.phones[same].value.kind == .fax { contact.phones[same].value.kind = kind }
                        continue
                    }
                    contact.phones.append(
                        reading(
                            Contact.Phone(number: number, kind: kind),
                            of: row.words(of: phone.range),
                            certainty: phone.number == nil
                                ? Certainty.unknownRegion : phone.isRepaired ? Certainty.repaired : 1))
                }
            }
        }
        weighMail()
    }

    /// Compares the addresses with each other. Two at one host that differ in one lookalike letter are one address printed
    /// twice; the one with the higher confidence is kept. If one name equals another without its first or last letter, the
    /// reader may have lost that letter, or it may be a private address: its confidence drops.
    private mutating func weighMail() {
        var doubled: Set<Int> = []
        for (one, other) in contact.emails.indices.flatMap({ one in contact.emails.indices.map { (one, $0) } }
        )
        where one != other {
            let (first, second) = (mail(one), mail(other))
            let differing = zip(first.name, second.name).filter { $0 != $1 }
            if one < other, first.host == second.host, first.name.count == second.name.count,
                differing.count == 1,
                Self.lookalikes.contains(where: { group in
                    group.contains(differing[0].0) && group.contains(differing[0].1)
                })
            {
                doubled.insert(
                    contact.emails[one].confidence < contact.emails[other].confidence ? one : other)
            } else if second.name.count >= Self.lettersOfName,
                [first.name.dropFirst(), first.name.dropLast()].contains(second.name)
            {
                contact.emails[other].confidence *= Certainty.repaired
            }
        }
        contact.emails = contact.emails.indices.filter { !doubled.contains($0) }.map { contact.emails[$0] }
    }

    /// Splits an address at "@".
    private func mail(_ index: Int) -> (name: Substring, host: Substring) {
        let halves = contact.emails[index].value.split(separator: "@", maxSplits: 1)
        return (halves.first ?? "", halves.last ?? "")
    }

    /// Groups of lower-case letters that are misread for each other.
    private static let lookalikes = ["hbk", "ceo", "iljt", "nu", "vy", "gq"]
    /// Minimum length of a name before "@" that may have lost a letter.
    private static let lettersOfName = 5

    /// Returns what a number is for, from the label before or after it, or from its digits.
    private func kind(of phone: PrintedPhone, in row: RowText) -> Contact.Phone.Kind {
        let behind = row.text[phone.range.upperBound...].prefix { !$0.isNumber && $0 != "+" }
        let next = Vocabulary.words(of: String(behind)).prefix(1)
        let isLast =
            phone.range.upperBound == row.text.endIndex
            || row.text[phone.range.upperBound...].count == behind.count
        switch phone.label {
        case .fax?: return .fax
        case .mobile?: return .mobile
        case .phone?, nil:
            if phone.label == nil, isLast, CardWords.shared.isPhrase(next, .fax) { return .fax }
            if phone.label == nil, isLast, CardWords.shared.isPhrase(next, .mobile) { return .mobile }
            return phone.number?.use == .mobile ? .mobile : .work
        }
    }

    /// Returns the label of a host that names a firm: "huber" of "info@mail.huber.co.uk".
    static func firm(ofHost host: String) -> String? {
        let name = host.split(separator: "@").last?.split(separator: "/").first { $0.contains(".") }
        var labels = (name ?? "").lowercased().split(separator: ".").map(String.init)
        if labels.first == "www" { labels.removeFirst() }
        guard labels.count >= 2 else { return nil }
        labels.removeLast()
        if labels.count > 1,
            ["co", "com", "org", "net", "ac", "gov", "edu"].contains(labels[labels.count - 1])
        {
            labels.removeLast()
        }
        guard let label = labels.last, !DomainName.mailHosts.contains(label) else { return nil }
        if label.hasPrefix("t-online") { return nil }
        return label
    }
}
