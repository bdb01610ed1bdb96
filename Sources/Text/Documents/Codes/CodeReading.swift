import Platform
import ScalarText

/// What an engine read from one code, with places in the image it was given.
struct CodeReading {
    var symbology: SheetCode.Symbology
    var bytes: [UInt8]
    /// The engine's own text; nil to take it from the bytes.
    var text: String?
    /// Whether the symbol says that its content follows GS1's rules.
    var isGS1 = false
    var engine: SheetCode.Engine
    /// The number of scans that agree; nil where the symbol's own redundancy corrects errors.
    var agreement: Int?
    /// Points on the code, or its corners, in pixels of the image.
    var points: [SIMD2<Double>]

    /// Scans that must agree on a code whose characters carry no check, since a line through print may look like one. On
    /// photographs of products and of parts of codes, zbar's false readings have 1 to 7 scans that agree, its true ones 24 to
    /// 232.
    static let agreementWithoutCheck = 12
    /// Minimum length, in characters, of a code without a check; shorter ones are read in any print.
    static let lengthWithoutCheck = 6

    /// Whether the reading is trustworthy.
    var isBelievable: Bool {
        switch symbology {
        case .ean13, .ean8, .upcA: return GS1Element.checkDigitHolds(bytes)
        case .itf, .codabar:
            // GS1's case number (ITF-14) has a check digit.
            if symbology == .itf, bytes.count == 14, GS1Element.checkDigitHolds(bytes) { return true }
            return bytes.count >= Self.lengthWithoutCheck
                && agreement.map { $0 >= Self.agreementWithoutCheck } ?? true
        default: return !bytes.isEmpty
        }
    }

    /// The reading as a code, without its place.
    var code: SheetCode {
        var content = bytes
        var isGS1 = isGS1
        switch symbology {
        case .dataBar:
            // The content comes with or without the identifier "01" before its 14 digits.
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

/// Decodes the bytes of a code as text.
enum CodeText {
    /// Decodes the bytes as UTF-8 if they are valid UTF-8; else as Shift JIS if that reads as Japanese; else as ISO 8859-1, the
    /// default of ISO/IEC 18004. Returns nil for bytes that hold control characters other than those used in text.
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

    /// Whether all bytes beyond ASCII form Shift JIS characters, and most of these stand in runs of several; in Western European
    /// text such bytes stand alone.
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
