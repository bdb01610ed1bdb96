import TextRecognition
import Platform

// Person, firm and title: points decide which row is which.

extension ContactFinder {
    /// Minimum points, as in `Points`, for a row to be taken for a value. Set on drawn cards of the layouts of Training/Cards
    /// that are not held out, so that nine of ten given values are right.
    private enum Least {
        static let name = 2.5
        static let organisation = 2.5
        static let title = 1.3
        /// Minimum for hiding a row that may be a name: a row beside a job with no points against it. It is better to hide a row
        /// too many than one too few.
        static let possibleName = 1.5
    }

    /// Points for and against a row. Set by hand on the same cards, to give the right order of rows: only sums are compared, so
    /// what matters is how many of the others each outweighs.
    private enum Points {
        /// Too low for any sum to compensate: a row that cannot be a name, a pair that cannot be one.
        static let never = -10.0

        // The person.
        /// A mail address spells the whole name.
        static let mailbox = 5.0
        /// "Dr.", "PhD".
        static let titled = 1.5
        static let givenName = 2.0
        /// Another of its words is a given name too; or a firm on the card bears its family name.
        static let secondGivenName = 0.8
        static let namesFirm = 1.0
        static let largeName = 1.0
        static let besideTitle = 1.5
        static let onlyName = 1.0
        /// A host spells the row but no mail address does: the row is a firm's.
        static let hostNotMailbox = -2.0
        /// For each of up to two words of firms, or of jobs, in a name that no mail address spells.
        static let organisationWordInName = -2.0
        static let titleWordInName = -2.5
        static let addressWordInName = -1.0

        // The firm.
        static let legalForm = 3.5
        static let organisationWord = 1.2
        static let university = 1.5
        static let largeOrganisation = 0.7
        static let unlikeOrganisation = -3.0
        static let someTitleWords = -0.5
        static let namedByMailbox = -4.0
        static let likelyName = -1.0

        // How a host spells a firm: exactly; with something more or less at either end; by several words or one; by initials.
        static let hostIsAll = 3.5
        static let hostIsStart = 3.0
        static let hostHasAll = 2.5
        static let hostHasWords = 3.0
        static let hostHasWord = 2.0
        static let hostIsInitials = 2.0

        // The job.
        static let titleWord = 1.0
        static let titleBesideName = 1.0

        /// Rows whose points differ by less than this could both be the name.
        static let rivalry = 0.5
        /// Points that reduce the remaining doubt by a factor of e.
        static let certainty = 1.8
    }

    /// Shares of a name that a mail address spells, from `PersonName.match`: nearly all, and most.
    private enum Match {
        static let whole = 0.9
        static let most = 0.8
    }

    /// Letter height above which a row is large, relative to the card's median row.
    private static let large = 1.15
    /// Largest gaps between rows that belong together, in letter heights: below the name, and above it.
    private enum Beside {
        static let below = 1.5
        static let above = 1.0
    }

    /// A row, or part of one, with its points for each value.
    private struct Candidate {
        /// The indices of its rows; two if a name may span two rows.
        var rows: [Int]
        var part: CardRow
        var name: PersonName?
        var namePoints: Double
        var organisationPoints: Double
        var titlePoints: Double
    }

    /// Takes the rows with the most points as the person, the job and the firm; skips rows already used.
    mutating func findPersonAndFirm(besides used: Set<Int>) {
        let heights = rows.map(\.height).sorted(by: >)
        let median = heights.isEmpty ? 1 : heights[heights.count / 2]
        var candidates: [Candidate] = []
        for index in rows.indices where !used.contains(index) && !rows[index].holdsReach {
            let whole = rows[index]
            for part in whole.parts where part.text.contains(where: \.isLetter) {
                let size = part.height / median
                candidates.append(candidate(part, rows: [index], size: size))
                if let start = part.capitalisedStart {
                    candidates.append(candidate(start, rows: [index], size: start.height / median))
                }
            }
        }
        addFirmsOfNames(&candidates)
        candidates += pairs(of: candidates, median: median)
        // The job is below or beside the name, and a card names one person: the fewer rows could be a name, the likelier each of
        // them is.
        let titles = candidates.filter { $0.titlePoints > Least.title && $0.namePoints < Least.name }
        let nameable = candidates.count { $0.namePoints >= 0 && $0.rows.count == 1 }
        for index in candidates.indices
        where candidates[index].namePoints >= 0 && candidates[index].rows.count == 1 {
            let candidate = candidates[index]
            if titles.contains(where: {
                $0.rows == candidate.rows || candidate.part.isAbove($0.part, within: Beside.below)
            }) {
                candidates[index].namePoints += Points.besideTitle
            }
            if nameable == 1 { candidates[index].namePoints += Points.onlyName }
        }
        let mailboxes = Self.mailboxes(in: text)
        possibleNames = candidates.filter { candidate in
            let match =
                candidate.name.map { name in mailboxes.map { name.match(mailbox: $0) }.max() ?? 0 } ?? 0
            return candidate.namePoints + Points.mailbox * match >= Least.possibleName
        }.compactMap { candidate in
            candidate.name.map {
                reading(
                    $0.name, of: candidate.part.row.words, rows: candidate.rows,
                    certainty: certainty(candidate.namePoints))
            }
        }
        let best = candidates.indices.max { candidates[$0].namePoints < candidates[$1].namePoints }
        var person: Candidate?
        if let best, candidates[best].namePoints >= Least.name, let name = candidates[best].name {
            let rivals = candidates.indices.filter {
                $0 != best && candidates[$0].namePoints > candidates[best].namePoints - Points.rivalry
                    && Set(candidates[$0].rows).isDisjoint(with: candidates[best].rows)
            }
            // If two rows could equally be the name, neither is given, unless they say the same.
            if rivals.allSatisfy({ candidates[$0].part.folded == candidates[best].part.folded }) {
                let chosen = candidates[best]
                person = chosen
                contact.names = [
                    reading(
                        name.name, of: chosen.part.row.words, rows: chosen.rows,
                        certainty: certainty(chosen.namePoints))
                ]
                // The other parts of its row may be the job.
                candidates.removeAll { other in
                    !Set(other.rows).isDisjoint(with: chosen.rows)
                        && (other.rows.count + chosen.rows.count > 2 || other.part.box == chosen.part.box)
                }
            }
        }
        // The job is close to the name.
        if let person {
            for index in candidates.indices where candidates[index].titlePoints > 0 {
                let part = candidates[index].part
                if candidates[index].rows == person.rows {
                    candidates[index].titlePoints += Points.titleBesideName
                }
                if person.part.isAbove(part, within: Beside.below)
                    || part.isAbove(person.part, within: Beside.above)
                {
                    candidates[index].titlePoints += Points.titleBesideName
                }
            }
        }
        if let best = candidates.indices.max(by: { candidates[$0].titlePoints < candidates[$1].titlePoints }),
            candidates[best].titlePoints >= Least.title
        {
            let part = candidates[best].part
            contact.title = reading(
                part.text.trimmingMarks(keepingPoint: true), of: part.row.words,
                certainty: certainty(candidates[best].titlePoints))
            candidates.remove(at: best)
        }
        findOrganisation(candidates)
    }

    /// Adds points to a name whose family name a firm on the card bears: "Tony Alamo" of "Alamo Productions".
    private func addFirmsOfNames(_ candidates: inout [Candidate]) {
        for index in candidates.indices where candidates[index].namePoints > Points.never {
            guard let family = candidates[index].name.map({ Vocabulary.words(of: $0.name.family).joined() }),
                family.count >= Self.lettersOfFirm,
                candidates.contains(where: { other in
                    other.rows != candidates[index].rows && other.part.folded.contains(family)
                        && (other.part.count(.organisation) > 0 || Self.holdsLegalForm(other.part))
                })
            else { continue }
            candidates[index].namePoints += Points.namesFirm
        }
    }

    /// Minimum length of a family name for a firm with the same word to count as named after it.
    private static let lettersOfFirm = 4

    private mutating func findOrganisation(_ candidates: [Candidate]) {
        guard let best = candidates.max(by: { $0.organisationPoints < $1.organisationPoints }),
            best.organisationPoints >= Least.organisation
        else { return }
        let words = best.part.row.words
        contact.organisation = reading(
            LegalForm.repaired(words.map(\.text)).joined(separator: " ").trimmingMarks(keepingPoint: true),
            of: words, rows: best.rows, certainty: certainty(best.organisationPoints))
    }

    /// How far the two rows of one name may differ in height, and the gap between them in letter heights.
    private enum Pair {
        static let height = 0.15
        static let gap = 0.9
        /// Points deducted, so that a single row wins over two that add nothing.
        static let penalty = 0.5
        /// Minimum match of a two-row name with the mail address.
        static let match = 0.9
    }

    /// Returns names that may span two rows of one size, one close above the other.
    private func pairs(of candidates: [Candidate], median: Double) -> [Candidate] {
        var found: [Candidate] = []
        for above in candidates where above.titlePoints == 0 && above.part.folded.count <= 4 {
            for below in candidates
            where below.titlePoints == 0 && below.part.folded.count <= 4 && above.rows != below.rows
                && above.part.isAbove(below.part, within: Pair.gap)
                && abs(above.part.height / below.part.height - 1) < Pair.height
            {
                let words = above.part.row.words + below.part.row.words
                var pair = candidate(
                    CardRow(words), rows: above.rows + below.rows, size: above.part.height / median)
                pair.organisationPoints -= Pair.penalty
                pair.namePoints -= Pair.penalty
                pair.titlePoints = 0
                // A two-row name needs the mail address as evidence: two separate names, one below the other, look the same.
                let match = pair.name.map(mailboxMatch) ?? 0
                if match < Pair.match || above.name.map(mailboxMatch) ?? 0 >= match {
                    pair.namePoints = Points.never
                }
                // A firm's second row is its legal form, or both rows are in the host.
                let isFirm = Self.holdsLegalForm(pair.part) && !Self.holdsLegalForm(above.part)
                if !isFirm, hostPoints(pair.part) <= max(hostPoints(above.part), hostPoints(below.part)) {
                    pair.organisationPoints = Points.never
                }
                found.append(pair)
            }
        }
        return found
    }

    /// Returns the part before "@" of every word shaped like a mail address, whether or not its domain exists. With one letter
    /// misread, or a firm's private network, it is no usable address, but it still names the person.
    private static func mailboxes(in text: RecognizedText) -> [String] {
        text.lines.flatMap(\.words).compactMap { word in
            word.text.firstMatch(of: #/([^\s@]+)@[^\s@]+\.\p{L}{2,}/#).map { String($0.1) }
        }
    }

    /// Returns how well the best-matching mail address spells a name, 0 to 1.
    private func mailboxMatch(_ name: PersonName) -> Double {
        contact.emails.map { name.match(mailbox: String($0.value.prefix { $0 != "@" })) }.max() ?? 0
    }

    /// Converts points to a confidence, comparable between values of one kind: 2.5 points give 0.75.
    private func certainty(_ points: Double) -> Double { 1 - exp(-points / Points.certainty) }

    private func candidate(_ part: CardRow, rows: [Int], size: Double) -> Candidate {
        let titleWords = Double(part.count(.title))
        let organisationWords = Double(part.count(.organisation))
        let isStreet =
            part.text.contains(where: \.isNumber)
            && (part.count(.address) > 0
                || part.folded.contains { word in PrintedAddress.streetEnds.contains(where: word.hasSuffix) })
        let legal = Self.holdsLegalForm(part)
        let host = hostPoints(part)
        let isLarge = size > Self.large
        var titlePoints =
            titleWords > 0 ? Points.titleWord + titleWords / Double(max(part.folded.count, 1)) : 0
        if legal || isStreet || part.text.count(where: \.isNumber) > 1 { titlePoints = 0 }

        var organisationPoints =
            host + (legal ? Points.legalForm : 0)
            + min(organisationWords, 2) * Points.organisationWord
        if isLarge { organisationPoints += Points.largeOrganisation }
        if isStreet || part.text.count(where: \.isNumber) > 3 {
            organisationPoints += Points.unlikeOrganisation
        }
        if titleWords > 0, !legal {
            organisationPoints +=
                titleWords >= organisationWords && host < Points.hostIsStart
                ? Points.unlikeOrganisation : Points.someTitleWords
        }
        if part.folded.contains(where: Self.universities.contains) {
            organisationPoints += Points.university
        }
        if part.folded.count > 7 || part.text.count(where: \.isLetter) < 2 || isOfAnother(part) {
            organisationPoints += Points.unlikeOrganisation
        }

        var namePoints = Points.never
        let name = legal || isStreet ? nil : PersonName(part.row.words, region: region)
        if let name {
            let match = mailboxMatch(name)
            namePoints =
                Points.mailbox * match + (name.isTitled ? Points.titled : 0)
                + (isLarge ? Points.largeName : 0)
            let given = Vocabulary.words(of: name.name.given)
            if given.contains(where: GivenNames.contains) {
                namePoints += Points.givenName
                let known = Vocabulary.words(of: name.name.given + " " + name.name.family)
                    .count(where: GivenNames.contains)
                if known > 1 { namePoints += Points.secondGivenName }
            }
            if host > Points.hostIsStart, match < Match.whole { namePoints += Points.hostNotMailbox }
            if match < Match.whole {
                namePoints +=
                    min(2, organisationWords) * Points.organisationWordInName
                    + min(2, titleWords) * Points.titleWordInName
                    + Double(part.count(.address)) * Points.addressWordInName
            }
            if namePoints > Least.name {
                organisationPoints += match > Match.most ? Points.namedByMailbox : Points.likelyName
            }
            if match > Match.most { titlePoints = 0 }
        }
        return Candidate(
            rows: rows, part: part, name: name, namePoints: namePoints,
            organisationPoints: organisationPoints,
            titlePoints: titlePoints)
    }

    /// Words for "university" in the languages of cards.
    private static let universities: Set<String> = [
        "university", "universitat", "universite", "universidad", "universidade", "universita",
        "universiteit",
    ]

    /// Whether a row names the firm's owner or partner instead of the firm itself.
    private func isOfAnother(_ part: CardRow) -> Bool {
        zip(part.folded, part.folded.dropFirst()).contains { Self.relations.contains([$0, $1]) }
    }

    private static let relations: Set<[String]> = [
        ["subsidiary", "of"], ["owned", "by"], ["member", "of"], ["division", "of"], ["part", "of"],
        ["association", "with"], ["initiative", "by"], ["powered", "by"],
    ]

    /// Whether a row contains a legal form of a firm. Short forms, which may also be words ("co", "se"), count only at the end
    /// and with a capital.
    private static func holdsLegalForm(_ part: CardRow) -> Bool {
        let words = part.row.words.map { ($0.text, Vocabulary.words(of: $0.text).joined()) }
        let folded = part.folded
        // "U.S.A./U.K." has no name that a legal form could belong to.
        guard folded.contains(where: { $0.count > 2 }) else { return false }
        return folded.indices.dropFirst().contains { start in
            legalForms.contains { form in
                guard folded[start...].starts(with: form) else { return false }
                guard form.joined().count < 3 else { return true }
                let joined = form.joined()
                return start + form.count == folded.count
                    && words.contains { $0.1 == joined && $0.0.first?.isUppercase == true }
            }
        }
    }

    /// Legal forms proper: the vocabulary's words for firms also hold "group", "sons" and "partners".
    private static let legalForms: [[String]] = Vocabulary.shared.phrases(of: .company)
        .union([
            ["lda"], ["ltda"], ["srl"], ["s", "r", "l"], ["spa"], ["s", "p", "a"], ["sas"], ["sarl"], ["sa"],
            ["s", "a"],
            ["s", "l"], ["sl"], ["bv"], ["b", "v"], ["nv"], ["n", "v"], ["bvba"], ["vof"], ["eirl"], ["sasu"],
            ["snc"],
            ["cv"], ["de", "cv"], ["me"], ["epp"], ["kft"], ["oy"], ["ab"], ["as"], ["aps"],
        ])
        .subtracting([
            ["group"], ["sons"], ["partners"], ["brothers"], ["company"], ["inh"], ["inhaber"], ["me"],
            ["op"], ["co"], ["holdings"],
        ])
        .sorted { ($0.count, $1.joined()) > ($1.count, $0.joined()) }

    /// Returns points for how well a host spells a row: all its words, its first, its initials.
    private func hostPoints(_ part: CardRow) -> Double {
        let words = part.folded.filter { word in
            !["and", "und", "et", "y", "e", "the"].contains(word) && !Self.legalForms.contains([word])
        }
        guard !words.isEmpty else { return 0 }
        let joined = words.joined()
        let initials = String(words.compactMap(\.first))
        return hosts.map { host in
            let plain = host.filter { $0.isLetter || $0.isNumber }
            let short = plain.replacing("ae", with: "a").replacing("oe", with: "o").replacing("ue", with: "u")
            let best = [plain, short].map { name -> Double in
                if name.count >= 3, name == joined { return Points.hostIsAll }
                if name.count >= 4, joined.hasPrefix(name) || joined.hasSuffix(name) {
                    return Points.hostIsStart
                }
                if joined.count >= 4, name.hasPrefix(joined) || name.hasSuffix(joined) {
                    return Points.hostHasAll
                }
                // A word of the row is contained in the host.
                let parts = host.split(separator: "-").map(String.init)
                let shared = words.filter { $0.count >= 4 && (name.contains($0) || parts.contains($0)) }
                if !shared.isEmpty { return shared.count > 1 ? Points.hostHasWords : Points.hostHasWord }
                if words.count >= 2, initials.count >= 2,
                    name == initials || parts.contains(initials) && initials.count > 2
                {
                    return Points.hostIsInitials
                }
                return 0
            }
            return best.max() ?? 0
        }.max() ?? 0
    }
}
