import Platform
import ScalarText

extension CodeContent {
    /// Parses a boarding pass: IATA resolution 792, format M, first leg only, fields of fixed length.
    static func boardingPass(_ text: String) -> CodeContent? {
        let signs = Array(text.utf8)
        func field(_ range: Range<Int>) -> String {
            String(decoding: signs[range], as: UTF8.self).trimmingWhitespace
        }
        func isLetters(_ text: String) -> Bool { text.utf8.allSatisfy { (0x41...0x5A).contains($0) } }
        // The mandatory part of one leg ends with the length of what follows, as two hexadecimal digits.
        guard signs.count >= 60, signs[0] == UInt8(ascii: "M"), (0x31...0x34).contains(signs[1]),
            signs.allSatisfy({ $0 < 0x80 }), Int(field(58..<60), radix: 16) != nil
        else { return nil }
        let (from, to) = (field(30..<33), field(33..<36))
        guard from.utf8.count == 3, to.utf8.count == 3, isLetters(from + to),
            let day = Int(field(44..<47)), (1...366).contains(day)
        else { return nil }
        func withoutZeros(_ text: String) -> String { String(text.unicodeScalars.drop { $0 == "0" }) }
        // "LAST/FIRST".
        let name = field(2..<22).split(atScalar: "/", maxSplits: 1).map { $0.trimmingWhitespace }
        return CodeContent(
            .boardingPass,
            [
                "name": name.reversed().joined(separator: " "), "booking": field(23..<30), "from": from,
                "to": to,
                "carrier": field(36..<39), "flight": withoutZeros(field(39..<44)), "day_of_year": "\(day)",
                "cabin": field(47..<48), "seat": withoutZeros(field(48..<52)),
                "sequence": withoutZeros(field(52..<57)),
            ])
    }

    /// Parses a driving licence: AAMVA's DL/ID card design standard, elements with names of three letters, one per line.
    static func drivingLicence(_ text: String) -> CodeContent? {
        guard text.hasScalarPrefix("@"),
            let head = text.firstRange(ofScalars: "ANSI ") ?? text.firstRange(ofScalars: "AAMVA")
        else { return nil }
        var elements: [String: String] = [:]
        for (index, line) in text[head.upperBound...].codeLines.enumerated() {
            var line = line[...]
            // The first line continues the header and the name of its part, "DL" or "ID".
            if index == 0 {
                guard let number = line.firstRange(ofScalars: "DAQ") ?? line.firstRange(ofScalars: "DAA")
                else {
                    continue
                }
                line = line[number.lowerBound...]
            }
            let name = String(line.prefix(3))
            guard name.utf8.count == 3, name.hasScalarPrefix("D"), elements[name] == nil else { continue }
            let value = line.dropFirst(3).trimmingWhitespace
            if value.lowercased() != "none", value.lowercased() != "unavl" { elements[name] = value }
        }
        guard let number = elements["DAQ"], !number.isEmpty else { return nil }
        let isCanadian = elements["DCG"] == "CAN"
        func day(_ name: String) -> String? { elements[name].flatMap { isoDay($0, yearFirst: isCanadian) } }
        let given = [elements["DAC"] ?? elements["DCT"], elements["DAD"]].compactMap(\.self)
        return CodeContent(
            .drivingLicence,
            [
                "number": number, "family_name": elements["DCS"] ?? elements["DAB"],
                "given_names": given.joined(separator: " "),
                "birth": day("DBB"), "issue": day("DBD"), "expiry": day("DBA"),
                "sex": elements["DBC"].flatMap {
                    ["1": "M", "2": "F", "9": "X", "M": "M", "F": "F", "X": "X"][$0]
                },
                "street": elements["DAG"], "town": elements["DAI"], "state": elements["DAJ"],
                "postal_code": elements["DAK"]?.trimmingZeros, "country": elements["DCG"],
            ])
    }

    /// Reads eight digits as a day, MMDDYYYY or YYYYMMDD; tries the other order if the given one yields no valid day.
    private static func isoDay(_ text: String, yearFirst: Bool) -> String? {
        let digits = Array(text.utf8)
        guard digits.count == 8, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { 10 * $0 + Int($1 - 0x30) } }
        func day(_ yearFirst: Bool) -> String? {
            let (year, month, day) =
                yearFirst
                ? (number(0..<4), number(4..<6), number(6..<8))
                : (number(4..<8), number(0..<2), number(2..<4))
            guard (1900...2199).contains(year), (1...12).contains(month), (1...31).contains(day) else {
                return nil
            }
            func two(_ value: Int) -> String { (value < 10 ? "0" : "") + "\(value)" }
            return "\(year)-\(two(month))-\(two(day))"
        }
        return day(yearFirst) ?? day(!yearFirst)
    }
}

extension String {
    /// A nine-digit postal code without the trailing zeros that stand for an unknown part.
    fileprivate var trimmingZeros: String {
        utf8.count == 9 ? dropping(scalarSuffix: "0000").map { String($0) } ?? self : self
    }
}
