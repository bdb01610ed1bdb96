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

    /// Likelihood that a street with a town below it is an address. Whether it is given then depends on how surely it was read.
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
            // Below a town, only a state or a country follows.
            var last = town
            if isAboveCode(town) { last += 1 }
            if last + 1 < rows.count, isPart(rows[last + 1]), !rows[last + 1].text.contains(where: \.isNumber)
            {
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
        if Self.plot.stands(in: row.text) { return false }
        return RowShapes.holdsState(row.text) || RowShapes.holdsPostcode(row.text) || isPolishTown(row)
            || Self.americanTown.stands(in: row.text) || Self.brazilianTown.stands(in: row.text)
            || isAboveCode(index)
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
    private static let plot = Pattern(#/(?i)\b(?:lot|no|unit|shop|store)\b[\s.:]*(?:p\.?t\.?d?[\s.]*)?\d{4}/#)

    /// A town of the United States with a state in small letters: "Pittsburgh, Pa 15232".
    private static let americanTown = Pattern(#/\p{L}{3,},?\s+[A-Z][a-z]\.?,?\s+\d{5}(?:-\d{4})?\b/#)

    /// Whether a row with a town names the street too: it has a house number beside the postcode.
    private func holdsStreetAndTown(_ row: ReceiptRow) -> Bool {
        if isUnit(row) { return true }
        return (row.meanings.contains(.street) || RowShapes.holdsStreet(row.text))
            && (RowShapes.holdsState(row.text) || row.text.split { !$0.isNumber }.count > 1)
    }

    /// Whether the row above a town is a street: by its number, or because the row model is sure of it.
    private func isStreet(_ index: Int) -> Bool {
        let row = rows[index]
        guard row.amount?.isCertain != true else { return false }
        return isStreetAboveTown(index) || isUnit(row)
            || row.probability(.address) >= Self.surelyAddress
                && row.letterCount * 2 > row.text.count
            || RowShapes.holdsHouseNumber(row.text)
                && (row.meanings.contains(.street) || RowShapes.holdsStreet(row.text)
                    || row.rowClass == .address)
    }

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
