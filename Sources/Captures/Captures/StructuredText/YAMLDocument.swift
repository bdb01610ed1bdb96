import Diagnostics
import Imaging
import ScalarText

/// A reader of the YAML that OpenCV and ROS write, over libyaml.
enum YAMLDocument {
    /// The most values in a file: a calibration has a hundred.
    static let maximumValues = 20_000
    /// The largest file, in bytes: a calibration takes two kilobytes, and the parser's work grows faster than its input.
    static let maximumBytes = 1 << 18
    /// The greatest nesting of values; the parser below recurses.
    static let maximumDepth = 64

    /// Parses the first document of a file.
    ///
    /// OpenCV's first line "%YAML:1.0" (which YAML itself forbids) and its type tags such as `!!opencv-matrix` are skipped.
    /// Duplicate keys, and numbers that are not finite, are errors.
    /// - Throws: `.badInput` with the parser's message.
    static func parse(_ bytes: [UInt8], name: String) throws(FlatteningError) -> StructuredValue {
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw FlatteningError(.badInput, "the file is not in UTF-8", file: name, stage: .yaml)
        }
        guard bytes.count <= maximumBytes else {
            throw FlatteningError(
                .limitExceeded, "the YAML file is too large", file: name, stage: .yaml,
                seen: "\(bytes.count) bytes", allowed: "\(maximumBytes) bytes")
        }
        guard nests(bytes, atMost: maximumDepth) else {
            throw FlatteningError(
                .badInput, "the YAML is nested too deeply", file: name, stage: .yaml,
                allowed: "\(maximumDepth) levels")
        }
        guard !usesAliases(bytes) else {
            throw FlatteningError(
                .badInput, "anchors and aliases (& and *) are not read", file: name, stage: .yaml,
                advice: "Write the values out")
        }
        if text.hasScalarPrefix("%YAML") {
            text = String(text.drop { !$0.isNewline })
        }
        text = firstDocument(of: text)
        var events = try YAMLEvents(text, name: name)
        var event = try events.next()
        while case .other = event { event = try events.next() }
        guard case .documentStart = event else {
            throw FlatteningError(.badInput, "the file holds nothing", file: name, stage: .yaml)
        }
        var remaining = maximumValues
        let value = try value(try events.next(), of: &events, depth: 0, remaining: &remaining, name: name)
        guard case .documentEnd = try events.next(), case .streamEnd = try events.next() else {
            throw FlatteningError(
                .badInput, "the file is not YAML", file: name, stage: .yaml,
                detail: "another document stands behind the first")
        }
        return value
    }

    /// Returns the text up to the mark that ends its first document; `rostopic echo` writes a mark after every message.
    private static func firstDocument(of text: String) -> String {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        func isMark(_ line: Substring) -> Bool { line == "---" || line.hasScalarPrefix("--- ") }
        guard let start = lines.firstIndex(where: { !isMark($0) && !$0.isEmpty && !$0.hasScalarPrefix("#") }),
            let end = lines[start...].firstIndex(where: isMark)
        else { return text }
        return lines[..<end].joined(separator: "\n")
    }

    /// Whether no bracket, dash or indentation can open more than `limit` levels, judged without parsing.
    ///
    /// Quotation marks and comments are not interpreted, so brackets inside them count too: a text with 64 of them is also
    /// refused.
    private static func nests(_ bytes: [UInt8], atMost limit: Int) -> Bool {
        var brackets = 0
        var markers = 0
        var isLineStart = true
        var indentation = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                brackets += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                brackets = max(brackets - 1, 0)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                markers = 0
                indentation = 0
                isLineStart = true
                continue
            case UInt8(ascii: "-"), UInt8(ascii: "?"):
                if isLineStart { markers += 1 }
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ":"):
                if isLineStart && markers == 0 { indentation += 1 }
            default:
                isLineStart = false
            }
            // Each level of blocks is indented by at least one column more than the one around it; matrices wrapped by OpenCV
            // are indented by a dozen columns.
            if brackets > limit || markers > limit || (isLineStart && indentation > 4 * limit) {
                return false
            }
        }
        return true
    }

    /// Whether a value starts like an anchor or alias. A few lines of them can expand to thousands of millions of values, and
    /// no calibration needs one.
    private static func usesAliases(_ bytes: [UInt8]) -> Bool {
        var previous = UInt8(ascii: "\n")
        var isComment = false
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { isComment = false }
            if byte == UInt8(ascii: "#") { isComment = true }
            if !isComment, byte == UInt8(ascii: "&") || byte == UInt8(ascii: "*") {
                switch previous {
                case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","):
                    return true
                default: break
                }
            }
            previous = byte
        }
        return false
    }

    /// Reads the value that begins with an event.
    private static func value(
        _ event: YAMLEvents.Event, of events: inout YAMLEvents, depth: Int, remaining: inout Int, name: String
    ) throws(FlatteningError) -> StructuredValue {
        remaining -= 1
        guard depth <= maximumDepth, remaining > 0 else {
            throw FlatteningError(
                .badInput, "the YAML holds too many values", file: name, stage: .yaml,
                allowed: "\(maximumValues) values, \(maximumDepth) levels")
        }
        switch event {
        case .scalar(let text, let isPlain):
            return isPlain ? try plain(text, name: name) : .string(text)
        case .sequenceStart:
            var elements: [StructuredValue] = []
            while true {
                let next = try events.next()
                if case .sequenceEnd = next { return .array(elements) }
                elements.append(
                    try value(next, of: &events, depth: depth + 1, remaining: &remaining, name: name))
            }
        case .mappingStart:
            var members: [String: StructuredValue] = [:]
            while true {
                let next = try events.next()
                if case .mappingEnd = next { return .object(members) }
                guard case .scalar(let key, _) = next else {
                    throw FlatteningError(.badInput, "a key is not a text", file: name, stage: .yaml)
                }
                let member = try value(
                    try events.next(), of: &events, depth: depth + 1, remaining: &remaining, name: name)
                guard members.updateValue(member, forKey: key) == nil else {
                    throw FlatteningError(
                        .badInput, "the key \"\(key.prefix(40))\" is there twice", file: name, stage: .yaml)
                }
            }
        case .alias, .sequenceEnd, .mappingEnd, .documentStart, .documentEnd, .streamEnd, .other:
            throw FlatteningError(.badInput, "an alias refers to nothing", file: name, stage: .yaml)
        }
    }

    /// Returns the value of a text without quotation marks.
    private static func plain(_ text: String, name: String) throws(FlatteningError) -> StructuredValue {
        switch text {
        case "", "~", "null": return .null
        case "true", "True": return .bool(true)
        case "false", "False": return .bool(false)
        default:
            // OpenCV writes whole numbers with a final point: "500.".
            let digits = text.dropping(scalarSuffix: ".").map(String.init) ?? text
            // By Characters: what a mark stands on is no number anyway.
            let start = digits.drop { $0 == "-" || $0 == "+" }.first
            // By Characters: as above.
            if [".nan", ".inf", "nan", "inf"].contains(text.lowercased().drop { $0 == "-" || $0 == "+" }) {
                throw FlatteningError(
                    .badInput, "a number is not finite", file: name, stage: .yaml, seen: text)
            }
            guard let start, start.isNumber || start == ".", let number = Double(digits),
                !digits.containsScalar("x")
            else { return .string(text) }
            guard number.isFinite else {
                throw FlatteningError(
                    .badInput, "a number is out of range", file: name, stage: .yaml,
                    seen: String(text.prefix(40)))
            }
            return .number(number)
        }
    }
}
