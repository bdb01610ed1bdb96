import Platform
import ScalarText

extension CodeContent {
    /// A payment: EPC069-12 (version 2.1) or the Swiss QR-bill (implementation guidelines 2.2).
    static func payment(_ text: String) -> CodeContent? {
        let lines = text.codeLines.map(\.trimmingWhitespace)
        func line(_ index: Int) -> String { index < lines.count ? lines[index] : "" }
        switch line(0) {
        case "BCD":
            guard ["001", "002"].contains(line(1)), line(3) == "SCT", let iban = iban(line(6)),
                !line(5).isEmpty
            else { return nil }
            var amount: String?
            if !line(7).isEmpty {
                guard let number = line(7).dropping(scalarPrefix: "EUR"), isAmount(number) else { return nil }
                amount = String(number)
            }
            return CodeContent(
                .payment,
                [
                    "scheme": "epc", "iban": iban, "bic": line(4), "name": line(5), "amount": amount,
                    "currency": "EUR", "reference": line(9), "text": line(10),
                ])
        case "SPC":
            guard line(1).hasScalarPrefix("02"), let iban = iban(line(3)),
                iban.hasScalarPrefix("CH") || iban.hasScalarPrefix("LI"),
                ["CHF", "EUR"].contains(line(19)), line(18).isEmpty || isAmount(line(18)), line(30) == "EPD"
            else { return nil }
            return CodeContent(
                .payment,
                [
                    "scheme": "swiss", "iban": iban, "name": line(5), "amount": line(18),
                    "currency": line(19),
                    "debtor": line(21), "reference": line(28), "text": line(29),
                ])
        default: return nil
        }
    }

    /// Whether the text is digits, with at most two after a decimal point.
    private static func isAmount(_ text: some StringProtocol) -> Bool {
        let parts = text.split(atScalar: ".", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }
            && (parts.count == 1 || parts[1].utf8.count <= 2)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns an account number without spaces if its check holds: with the first four characters moved to the end and letters
    /// replaced by numbers, it is 1 modulo 97 (ISO 13616). Returns nil for any other text.
    static func iban(_ text: String) -> String? {
        let signs = Array(text.uppercased().utf8.filter { $0 != UInt8(ascii: " ") })
        guard (15...34).contains(signs.count) else { return nil }
        var remainder = 0
        for sign in signs[4...] + signs[..<4] {
            switch sign {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                remainder = (remainder * 10 + Int(sign - UInt8(ascii: "0"))) % 97
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                remainder = (remainder * 100 + Int(sign - UInt8(ascii: "A")) + 10) % 97
            default: return nil
            }
        }
        return remainder == 1 ? String(decoding: signs, as: UTF8.self) : nil
    }
}
