import TextRecognition

/// Finds the seller's address.
extension ReceiptFieldParser {
    mutating func findAddress() {
        guard let run = addressRun() else { return }
        let parts = addressParts(run.rows)
        // A comma at a row's end would be doubled.
        let text = parts.map {
            $0.map(\.text).joined(separator: " ").trimmingSuffix { ",;:. ".contains($0) }
        }
        .joined(separator: ", ")
        guard text.contains(where: \.isNumber) || parts.count > 1 else { return }
        fields.address = field(
            .address, text,
            Evidence(
                likelihood: run.likelihood, words: parts.flatMap { $0 }, support: support(of: run.rows)))
    }

    /// The rows that the row model takes for an address, or those that a town with its postcode or state makes one.
    private func addressRun() -> Run? {
        let modelled = bestRun(
            of: .address, bridging: [.contact, .registration, .brand, .other, .closing])
        let likely = Set(modelled?.rows ?? [])
        let proven = provenAddresses()
        if let address = proven.first(where: { !likely.isDisjoint(with: $0) }) {
            var first = address.lowerBound
            while likely.contains(first - 1), !isTown(first - 1) { first -= 1 }
            return Run(rows: Array(first...address.upperBound), likelihood: Self.likelihoodOfAddress)
        }
        // Of several that the model does not know, one may be the customer's.
        guard proven.count == 1, !isLetter else { return modelled }
        return Run(rows: Array(proven[0]), likelihood: Self.likelihoodOfAddress)
    }

    /// Most rows of an address below its town: a state and a country.
    private static let rowsBelowTown = 2

    /// Likelihood that a street with a town below it is an address: all 59 that it adds on 314 texts are one, some with a row too
    /// many. Whether it is given then depends on how surely it was read.
    private static let likelihoodOfAddress = 0.999

    /// The streets above, or in one row with, a town with its postcode or state, in the order of the page; each with the rows
    /// around it that the model takes for a part of the address.
    private func provenAddresses() -> [ClosedRange<Int>] {
        let priced = rows.indices.filter { rows[$0].amount?.isCertain == true }
        return rows.indices.compactMap { town in
            // Among the amounts, a number before a word is an item's.
            guard town < priced.first ?? rows.count || town > priced.last ?? -1, isTown(town) else {
                return nil
            }
            var first = town
            if holdsStreetAndTown(rows[town]) {
                // A house number before its street looks like a postcode, until the town follows.
                if isTown(town + 1), !holdsStreetAndTown(rows[town + 1]) { return nil }
            } else {
                guard town > 0, isStreet(town - 1) else { return nil }
                first = town - 1
            }
            if first > 0, isPart(rows[first - 1]) { first -= 1 }
            // Below a town, only its state and country follow.
            var last = town
            if isAboveCode(town) { last += 1 }
            for next in rows[(last + 1)...].prefix(Self.rowsBelowTown) {
                guard isPart(next), !next.text.contains(where: \.isNumber) else { break }
                last += 1
            }
            return first...last
        }
    }

    private func isPart(_ row: ReceiptRow) -> Bool {
        row.rowClass == .address && row.amount?.isCertain != true && Self.mayBeOfName(row)
            && !RowShapes.holdsWeb(row.text) && !RowShapes.holdsMail(row.text)
    }

    /// Whether a row names a town with its postcode or state, and is neither the customer's nor a label with a number.
    private func isTown(_ index: Int) -> Bool {
        guard rows.indices.contains(index) else { return false }
        let row = rows[index]
        guard row.amount?.isCertain != true, !row.holdsDate, !buyerRows.contains(index),
            !row.meanings.contains(anyOf: [
                .receipt, .invoice, .order, .number, .phone, .taxNumber, .registration, .company,
            ])
        else { return false }
        if RowShapes.holdsState(row.text) || isAboveCode(index) { return true }
        if country?.country.code == "BR", Self.brazilianTown.stands(in: row.text) { return true }
        guard row.text.contains(where: \.isNumber), !Self.plot.stands(in: row.text) else { return false }
        return RowShapes.holdsPostcode(row.text) || isPolishTown(row) || Self.holdsSmallState(row.text)
    }

    /// Whether a row of letters stands above a row that is nothing but a postcode: "PARIS" above "75012".
    private func isAboveCode(_ index: Int) -> Bool {
        index + 1 < rows.count && !rows[index].text.contains(where: \.isNumber)
            && Self.mayBeOfName(rows[index])
            && rows[index + 1].text.wholeMatch(of: Self.bareCode.regex) != nil
    }

    private static let bareCode = Pattern(#/\d{5,6}/#)
    /// A town of Brazil with its state or postcode: "BOTAFOGO, RIO DE JANEIRO - RJ", "CEP:36880-000 - MURIAE".
    private static let brazilianTown = Pattern(
        #/\p{L}{3,} ?[-\/,] ?(?:A[CLMP]|BA|CE|DF|ES|GO|M[AGST]|P[ABEIR]|R[JNORS]|S[CEP]|TO)$|\bCEP:? ?\d{5}-?\d{3}\b/#
    )

    /// A number that stands where a postcode might: "LOT P.T. 2811, JALAN ANGSA".
    private static let plot = Pattern(#/(?i)\b(?:lot|no\.|unit|shop|store)[\s.:]*(?:p\.?t\.?d?[\s.]*)?\d{4}/#)

    /// Whether a text names a town of the United States with its state in small letters: "Pittsburgh, Pa 15232".
    private static func holdsSmallState(_ text: String) -> Bool {
        guard let state = text.firstMatch(of: smallState.regex)?.1 else { return false }
        var spelled = text
        spelled.replaceSubrange(state.startIndex..<state.endIndex, with: state.uppercased())
        return RowShapes.holdsState(spelled)
    }

    private static let smallState = Pattern(#/,\s?([A-Z][a-z])\.?\s+\d{5}\b/#)

    /// Whether a row with a town names the street too, with a house number.
    private func holdsStreetAndTown(_ row: ReceiptRow) -> Bool {
        if isUnit(row) { return true }
        let numbers = row.text.split { !$0.isNumber }.count
        return (row.meanings.contains(.street) || RowShapes.holdsStreet(row.text))
            && (RowShapes.holdsHouseNumber(row.text) || Self.numberBeforeTown.stands(in: row.text))
            && (numbers > 1 || RowShapes.holdsState(row.text))
    }

    /// "Wołoska 16, 02-583 Warszawa"
    private static let numberBeforeTown = Pattern(#/\p{L}{3,}\.? \d{1,4}[A-Za-z]?,/#)

    /// Whether the row above a town is a street: by its number, or because the row model is sure of it.
    private func isStreet(_ index: Int) -> Bool {
        let row = rows[index]
        guard row.amount?.isCertain != true else { return false }
        return isStreetAboveTown(index) || isUnit(row)
            || row.probability(.address) >= Self.surelyAddress && isMostlyLetters(row)
            || RowShapes.holdsHouseNumber(row.text)
                && (row.meanings.contains(.street) || RowShapes.holdsStreet(row.text)
                    || row.rowClass == .address)
    }

    /// Whether a row is no code, such as "ORI MO920670Z".
    private func isMostlyLetters(_ row: ReceiptRow) -> Bool { 2 * row.letterCount > row.text.count }

    /// Probability from which a row above a town with its postcode is a street without a house number, as in India. A guess
    /// above half.
    private static let surelyAddress = 0.8

    /// The words of an address, row by row, without rows that hold only a registration number, and up to the country's name.
    private func addressParts(_ indices: [Int]) -> [[RecognizedWord]] {
        var parts: [[RecognizedWord]] = []
        for row in indices.map({ rows[$0] }) {
            // A number in brackets is a registration number; one without may be a postcode.
            if row.text.hasPrefix("("), RowShapes.holdsRegistration(row.text), row.words.count == 1 {
                continue
            }
            let words = Self.addressWords(row)
            if !words.isEmpty { parts.append(words) }
            if country?.country.isNamed(atEndOf: words.map(\.text).joined(separator: " ")) ?? false { break }
        }
        return parts
    }

    /// A telephone number of North America, which stands behind a town without a word for it.
    private static let barePhone = Pattern(#/\(?\d{3}\)?[-.]\d{3}[-.]\d{4}/#)

    /// An address row without a telephone or tax number behind it.
    private static func addressWords(_ row: ReceiptRow) -> [RecognizedWord] {
        let words = row.words
        let end = words.indices.first { index in
            index > 0
                && (words[index].text.wholeMatch(of: barePhone.regex) != nil
                    || words[index].text.contains(
                        #/(?i)^[\(\[]?(?:tel|phone|fax|gst|vat|sst|co\.?reg|reg\.?no|tél|h\/p|p\.?iva|nif|cif)\b/#
                    ))
        }
        return Array(words[..<(end ?? words.count)]).trimmingSpecks()
    }
}
