import Platform
import ScalarText

/// What an engine read of one code, in the picture that it was given.
struct CodeReading {
    var symbology: SheetCode.Symbology
    var bytes: [UInt8]
    /// The engine's own text; nil to take it from the bytes.
    var text: String?
    /// Whether the symbol says that its content follows GS1's rules.
    var isGS1 = false
    var engine: SheetCode.Engine
    /// How many scans agree; nil where the symbol's own redundancy corrects errors.
    var agreement: Int?
    /// Places on it or its corners, in pixels of the picture.
    var points: [SIMD2<Double>]

    /// Scans that have to agree on a symbology whose characters carry no check: a line through print may look like one.
    /// zbar's false readings of photographs of products and of parts of codes have 1 to 7, its true ones 24 to 232.
    static let agreementWithoutCheck = 12
    /// Characters that such a code has at least; shorter ones are read in any print.
    static let lengthWithoutCheck = 6

    /// Whether it may be believed.
    var isBelievable: Bool {
        switch symbology {
        case .ean13, .ean8, .upcA: return GS1Element.checkDigitHolds(bytes)
        case .itf, .codabar:
            // GS1's number of a case has a check digit.
            if symbology == .itf, bytes.count == 14, GS1Element.checkDigitHolds(bytes) { return true }
            return bytes.count >= Self.lengthWithoutCheck
                && agreement.map { $0 >= Self.agreementWithoutCheck } ?? true
        default: return !bytes.isEmpty
        }
    }

    /// The reading as a code, without a place.
    var code: SheetCode {
        var content = bytes
        var isGS1 = isGS1
        switch symbology {
        case .dataBar:
            // With or without the identifier: "01" and 14 digits.
            if content.count == 14 { content = Array("01".utf8) + content }
            isGS1 = true
        case .dataBarExpanded: isGS1 = true
        default: break
        }
        let elements = isGS1 ? GS1Element.elements(of: content) : nil
        var text = text ?? CodeText.text(of: bytes)
        switch symbology {
        case .codabar: text = text?.trimming("ABCDabcd")
        case .dataBar:
            text = content.count == 16 ? String(decoding: content.dropFirst(2), as: UTF8.self) : text
        default: text = text.map { $0.dropping(scalarPrefix: "\u{1D}").map(String.init) ?? $0 }
        }
        return SheetCode(
            symbology: symbology, bytes: bytes, text: text, elements: elements, engine: engine)
    }
}

/// What text the bytes of a code are.
enum CodeText {
    /// UTF-8 if they are that; else Shift JIS if that reads as Japanese; else ISO 8859-1, which ISO/IEC 18004 takes for
    /// granted; nil for bytes that hold control characters other than those of text.
    static func text(of bytes: [UInt8]) -> String? {
        let isText = bytes.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D, 0x1D, 0x1E, 0x04].contains($0)
        }
        guard isText else { return nil }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        if isShiftJIS(bytes), let text = ShiftJIS.text(of: bytes) { return text }
        return bytes.contains { (0x80...0x9F).contains($0) }
            ? nil : String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Whether all bytes beyond ASCII make characters of Shift JIS, most of them more than one after the other: in a text of
    /// Western Europe they stand alone.
    private static func isShiftJIS(_ bytes: [UInt8]) -> Bool {
        var (characters, runs, isInRun) = (0, 0, false)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x81...0x9F, 0xE0...0xEF:
                guard let second = rest.popFirst(),
                    (0x40...0x7E).contains(second) || (0x80...0xFC).contains(second)
                else { return false }
            case 0xA1...0xDF: break
            case 0x80, 0xA0, 0xF0...0xFF: return false
            default:
                isInRun = false
                continue
            }
            characters += 1
            if !isInRun { runs += 1 }
            isInRun = true
        }
        return characters >= 2 * runs
    }
}
