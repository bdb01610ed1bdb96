import Diagnostics
import Imaging

// JSON exactly as in RFC 8259, in UTF-8. Foundation's reader accepts trailing commas and uses the last of duplicate keys; a
// camera file that states fx twice has no focal length that can be trusted.

/// A JSON reader that accepts nothing but valid JSON.
struct StrictJSON {
    /// The greatest nesting of arrays and objects. Camera files need five levels; each costs a stack frame.
    static let maximumDepth = 64
    /// The most values in a file, each of which takes many times its bytes. Twenty minutes of 60 frames a second with a pose,
    /// a camera and a time each have a million and a half.
    static let maximumValues = 5_000_000

    private let bytes: [UInt8]
    private var position = 0
    private let name: String
    private var valuesLeft: Int

    /// Parses a file.
    /// - Parameter name: the file's name for messages.
    /// - Throws: `.badInput` with the line and column, `.limitExceeded` for too many values. O(bytes).
    static func parse(
        _ bytes: [UInt8], name: String, maximumValues: Int = maximumValues
    ) throws(FlatteningError) -> StructuredValue {
        var parser = StrictJSON(bytes: bytes, name: name, valuesLeft: maximumValues)
        return try parser.document()
    }

    private init(bytes: [UInt8], name: String, valuesLeft: Int) {
        self.bytes = bytes
        self.name = name
        self.valuesLeft = valuesLeft
    }

    private mutating func document() throws(FlatteningError) -> StructuredValue {
        // UTF-16 and UTF-32 are recognised by their byte order mark or by the zero bytes beside the first character.
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(2).contains(0)
        {
            throw failure(
                "the file is not in UTF-8", seen: "UTF-16 or binary data", advice: "Save it as UTF-8")
        }
        // Some Windows editors mark UTF-8 with a byte order mark; readers may ignore it (RFC 8259, 8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let value = try self.value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw failure("there is more after the JSON value ends") }
        return value
    }

    private mutating func value(depth: Int) throws(FlatteningError) -> StructuredValue {
        skipSpace()
        guard position < bytes.count else { throw failure("the JSON ends too early") }
        guard depth <= Self.maximumDepth else {
            throw failure("the JSON is nested too deeply", allowed: "\(Self.maximumDepth) levels")
        }
        valuesLeft -= 1
        guard valuesLeft >= 0 else {
            throw failure("the JSON holds too many values", code: .limitExceeded)
        }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default:
            for (word, value) in [
                ("true", StructuredValue.bool(true)), ("false", .bool(false)), ("null", .null),
            ] where bytes[position...].starts(with: word.utf8) {
                position += word.utf8.count
                return value
            }
            for word in ["NaN", "Infinity", "nan", "inf"] where bytes[position...].starts(with: word.utf8) {
                throw failure("\(word) is not a JSON number")
            }
            throw failure("this is not JSON")
        }
    }

    private mutating func object(depth: Int) throws(FlatteningError) -> StructuredValue {
        position += 1
        var members: [String: StructuredValue] = [:]
        if skipped(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                let isTrailing = position < bytes.count && bytes[position] == UInt8(ascii: "}")
                throw failure(isTrailing ? "a comma stands before }" : "a key in quotation marks is missing")
            }
            let key = try string()
            guard skipped(UInt8(ascii: ":")) else {
                throw failure("a colon is missing after \"\(key.prefix(40))\"")
            }
            let value = try self.value(depth: depth + 1)
            guard members.updateValue(value, forKey: key) == nil else {
                throw failure("the key \"\(key.prefix(40))\" is there twice")
            }
            if skipped(UInt8(ascii: "}")) { return .object(members) }
            guard skipped(UInt8(ascii: ",")) else { throw failure("a comma or } is missing") }
        }
    }

    private mutating func array(depth: Int) throws(FlatteningError) -> StructuredValue {
        position += 1
        var elements: [StructuredValue] = []
        if skipped(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            skipSpace()
            if position < bytes.count, bytes[position] == UInt8(ascii: "]") {
                throw failure("a comma stands before ]")
            }
            elements.append(try value(depth: depth + 1))
            if skipped(UInt8(ascii: "]")) { return .array(elements) }
            guard skipped(UInt8(ascii: ",")) else { throw failure("a comma or ] is missing") }
        }
    }

    private mutating func number() throws(FlatteningError) -> Double {
        let start = position
        func failed() -> FlatteningError { failure("a number is malformed") }
        _ = taken(UInt8(ascii: "-"))
        if taken(UInt8(ascii: "0")) {
            if position < bytes.count, isDigit(bytes[position]) { throw failed() }
        } else if !takeDigits() {
            throw failed()
        }
        if taken(UInt8(ascii: ".")), !takeDigits() { throw failed() }
        if taken(UInt8(ascii: "e")) || taken(UInt8(ascii: "E")) {
            if !taken(UInt8(ascii: "+")) { _ = taken(UInt8(ascii: "-")) }
            if !takeDigits() { throw failed() }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw failure("a number is out of range", seen: String(text.prefix(40)))
        }
        return number
    }

    private mutating func string() throws(FlatteningError) -> String {
        position += 1
        var content: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw failure("a text is not valid UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                content.append(contentsOf: Array(String(try escape()).utf8))
            case 0..<0x20:
                throw failure("a text holds a control character")
            default:
                content.append(byte)
            }
        }
        throw failure("a text does not end")
    }

    private mutating func escape() throws(FlatteningError) -> Character {
        guard position < bytes.count else { throw failure("a text does not end") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var code = UInt32(try codeUnit())
            if (0xD800..<0xDC00).contains(code), bytes[position...].starts(with: "\\u".utf8) {
                position += 2
                let low = UInt32(try codeUnit())
                guard (0xDC00..<0xE000).contains(low) else { throw failure("half a character is escaped") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw failure("half a character is escaped") }
            return Character(scalar)
        default: throw failure("an unknown escape stands in a text")
        }
    }

    private mutating func codeUnit() throws(FlatteningError) -> UInt16 {
        guard position + 4 <= bytes.count else { throw failure("a text does not end") }
        let digits = String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
        // The conversion would accept a sign.
        guard bytes[position] != UInt8(ascii: "+"), let unit = UInt16(digits, radix: 16) else {
            throw failure("an escape is malformed")
        }
        position += 4
        return unit
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Skips spaces and then `byte`, if it comes next; returns whether it did.
    private mutating func skipped(_ byte: UInt8) -> Bool {
        skipSpace()
        return taken(byte)
    }

    private mutating func taken(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func takeDigits() -> Bool {
        let start = position
        while position < bytes.count, isDigit(bytes[position]) { position += 1 }
        return position > start
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private func failure(
        _ message: String, code: FlatteningError.Code = .badInput, seen: String? = nil,
        allowed: String? = nil, advice: String? = nil
    ) -> FlatteningError {
        let before = bytes.prefix(position)
        let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        let column = before.reversed().prefix { $0 != 0x0A }.count + 1
        return FlatteningError(
            code, message, file: name, stage: .json, seen: seen, allowed: allowed,
            detail: "line \(line), column \(column)", advice: advice)
    }
}
