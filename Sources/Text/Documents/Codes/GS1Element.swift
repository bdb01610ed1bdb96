/// One data element of GS1's system: an application identifier and its value (GS1 General Specifications, section 3).
public struct GS1Element: Equatable, Sendable {
    /// The application identifier: two to four digits, such as "01" for the number of a trade item.
    public let identifier: String
    /// Its value, without the identifier.
    public let value: String

    /// Parses an element string; nil if it breaks a rule: an identifier that does not exist, a value of the wrong length or
    /// alphabet, a wrong check digit.
    /// - Parameter bytes: identifiers and values in sequence, with 0x1D (FNC1) after each value of variable length, and at most
    ///   one at the start.
    /// - Complexity: O(bytes).
    package static func elements(of bytes: [UInt8]) -> [GS1Element]? {
        guard bytes.count <= maximumBytes else { return nil }
        var rest = bytes[...]
        if rest.first == separator { rest = rest.dropFirst() }
        var elements: [GS1Element] = []
        while !rest.isEmpty {
            guard let form = Form.leading(rest), rest.count >= form.identifierLength else { return nil }
            let identifier = rest.prefix(form.identifierLength)
            rest = rest.dropFirst(form.identifierLength)
            let length: Int
            if form.lengths.count == 1 {
                length = form.lengths.upperBound
            } else {
                length = rest.firstIndex(of: separator).map { $0 - rest.startIndex } ?? rest.count
            }
            let value = Array(rest.prefix(length))
            guard value.count == length, form.allows(value) else { return nil }
            rest = rest.dropFirst(length)
            // Readers also report a separator after a value of fixed length.
            if rest.first == separator { rest = rest.dropFirst() }
            elements.append(
                GS1Element(
                    identifier: String(decoding: identifier, as: UTF8.self),
                    value: String(decoding: value, as: UTF8.self)))
        }
        return elements.isEmpty ? nil : elements
    }

    /// The byte that FNC1 is read as.
    static let separator: UInt8 = 0x1D
    /// Upper limit in bytes; no symbol holds more: a Data Matrix of the largest size has 3116 digits.
    static let maximumBytes = 4096

    /// Whether the last digit is GS1's check digit of the others: weights 3 and 1 alternate from the right.
    package static func checkDigitHolds(_ digits: some BidirectionalCollection<UInt8>) -> Bool {
        guard digits.count >= 2, digits.allSatisfy(isDigit) else { return false }
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            sum + Int(digit.element - 0x30) * (digit.offset % 2 == 0 ? 1 : 3)
        }
        return sum % 10 == 0
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension GS1Element {
    /// The format of the value that follows an application identifier.
    private struct Form {
        var identifierLength: Int
        /// Allowed lengths of the value, in bytes.
        var lengths: ClosedRange<Int>
        var isNumber = true
        /// The number of digits at the start of the value that end with a check digit; 0 for none.
        var checked = 0

        func allows(_ value: [UInt8]) -> Bool {
            guard lengths.contains(value.count) else { return false }
            // Characters of ISO/IEC 646 (table 7.11-1 of the specifications), which include those of set 39.
            let isWritten =
                isNumber
                ? value.allSatisfy(GS1Element.isDigit)
                : value.allSatisfy { (0x21...0x7E).contains($0) && !#"$@[\]^`{|}~"#.utf8.contains($0) }
            guard isWritten else { return false }
            return checked == 0
                || value.count >= checked && GS1Element.checkDigitHolds(value.prefix(checked))
        }

        /// Returns the form of the identifier at the start of the bytes.
        static func leading(_ bytes: ArraySlice<UInt8>) -> Form? {
            for length in 2...4 where bytes.count >= length {
                let head = bytes.prefix(length)
                guard head.allSatisfy(GS1Element.isDigit) else { return nil }
                let number = head.reduce(0) { 10 * $0 + Int($1 - 0x30) }
                if let form = form(number, length) { return form }
            }
            return nil
        }

        private static func digits(
            _ identifierLength: Int, _ lengths: ClosedRange<Int>, checked: Int = 0
        ) -> Form {
            Form(identifierLength: identifierLength, lengths: lengths, checked: checked)
        }

        private static func text(_ identifierLength: Int, _ lengths: ClosedRange<Int>) -> Form {
            Form(identifierLength: identifierLength, lengths: lengths, isNumber: false)
        }

        /// The table of identifiers, figure 3.2-1 of the specifications.
        private static func form(_ number: Int, _ length: Int) -> Form? {
            switch (length, number) {
            case (2, 0): digits(2, 18...18, checked: 18)
            case (2, 1...3): digits(2, 14...14, checked: 14)
            case (2, 11...13), (2, 15...17): digits(2, 6...6)
            case (2, 20): digits(2, 2...2)
            case (2, 10), (2, 21), (2, 22): text(2, 1...20)
            case (2, 30), (2, 37): digits(2, 1...8)
            case (2, 90): text(2, 1...30)
            case (2, 91...99): text(2, 1...90)
            case (3, 235): text(3, 1...28)
            case (3, 240), (3, 241), (3, 250), (3, 251), (3, 400), (3, 401), (3, 403): text(3, 1...30)
            case (3, 242): digits(3, 1...6)
            case (3, 243), (3, 254): text(3, 1...20)
            // 13 digits, then a serial number.
            case (3, 253): Form(identifierLength: 3, lengths: 13...30, isNumber: false, checked: 13)
            case (3, 255): digits(3, 13...25, checked: 13)
            case (3, 402): digits(3, 17...17, checked: 17)
            case (3, 410...417): digits(3, 13...13, checked: 13)
            case (3, 420): text(3, 1...20)
            case (3, 421): text(3, 4...12)
            case (3, 422), (3, 424), (3, 426): digits(3, 3...3)
            case (3, 423), (3, 425): digits(3, 3...15)
            case (3, 427): text(3, 1...3)
            case (3, 710...717): text(3, 1...20)
            // Measures of a trade item: six digits; the identifier's fourth digit gives the number of decimals.
            case (4, 3100...3169), (4, 3200...3379), (4, 3400...3579), (4, 3600...3699): digits(4, 6...6)
            case (4, 3900...3909), (4, 3920...3929): digits(4, 1...15)
            case (4, 3910...3919), (4, 3930...3939): digits(4, 4...18)
            case (4, 3940...3943): digits(4, 4...4)
            case (4, 3950...3955): digits(4, 6...6)
            case (4, 4300...4320): text(4, 1...70)
            case (4, 4321...4323): digits(4, 1...1)
            case (4, 4324...4325): digits(4, 10...10)
            case (4, 4326): digits(4, 6...6)
            case (4, 4330...4333): text(4, 6...7)
            case (4, 7001): digits(4, 13...13)
            case (4, 7002), (4, 7023): text(4, 1...30)
            case (4, 7003): digits(4, 10...10)
            case (4, 7004): digits(4, 1...4)
            case (4, 7005): text(4, 1...12)
            case (4, 7006): digits(4, 6...6)
            case (4, 7007): digits(4, 6...12)
            case (4, 7008): text(4, 1...3)
            case (4, 7009): text(4, 1...10)
            case (4, 7010): text(4, 1...2)
            case (4, 7011): digits(4, 6...10)
            case (4, 7020...7022): text(4, 1...20)
            case (4, 7030...7039): text(4, 4...30)
            case (4, 7040): text(4, 4...4)
            case (4, 7041): text(4, 1...4)
            case (4, 7230...7240): text(4, 1...30)
            case (4, 7241...7242): text(4, 1...25)
            case (4, 7250...7259): text(4, 1...90)
            case (4, 8001): digits(4, 14...14)
            case (4, 8002), (4, 8012): text(4, 1...20)
            case (4, 8003): Form(identifierLength: 4, lengths: 14...30, isNumber: false, checked: 14)
            case (4, 8004), (4, 8009): text(4, 1...50)
            case (4, 8005): digits(4, 6...6)
            case (4, 8006), (4, 8026): digits(4, 18...18, checked: 14)
            case (4, 8007): text(4, 1...34)
            case (4, 8008): digits(4, 8...12)
            case (4, 8010), (4, 8013), (4, 8014): text(4, 1...30)
            case (4, 8011): digits(4, 1...12)
            case (4, 8017), (4, 8018): digits(4, 18...18, checked: 18)
            case (4, 8019): digits(4, 1...10)
            case (4, 8020), (4, 8030): text(4, 1...90)
            case (4, 8110), (4, 8112): text(4, 1...70)
            case (4, 8111): digits(4, 4...4)
            case (4, 8200): text(4, 1...70)
            default: nil
            }
        }
    }
}
