import TextRecognition
import Platform

// Mail, web and telephone.

extension ContactFinder {
    /// Takes mail and web addresses and telephone numbers out of all rows, by their form.
    mutating func findReach() {
        for line in text.lines {
            for column in line.columns(gap: Gap.label) {
                let row = PrintedRow(column)
                guard row.text.count <= PrintedRow.longest else { continue }
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
                    in: row.text, region: region,
                    isFree: { range in
                        !taken.contains { $0.overlaps(range) }
                    })
                {
                    let number = phone.number?.e164 ?? String(phone.printed)
                    let kind = kind(of: phone, in: row)
                    if let same = contact.phones.firstIndex(where: { $0.value.number == number }) {
                        // "Tel/Fax" on two rows: a number that is also a telephone's is one.
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
    }

    /// What a number is for: its label says so, before or behind it, or its digits do.
    private func kind(of phone: PrintedPhone, in row: PrintedRow) -> Contact.Phone.Kind {
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

    /// The label of a host that names a firm: "huber" of "info@mail.huber.co.uk".
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
