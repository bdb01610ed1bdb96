import Platform
import ScalarText

extension CodeContent {
    /// Parses text that begins with a scheme: a link, a number to call, a network to join.
    static func addressed(_ text: String) -> CodeContent? {
        guard let colon = text.firstIndex(ofScalar: ":") else { return nil }
        let rest = String(text[text.index(afterScalar: colon)...])
        switch text[..<colon].lowercased() {
        case "http", "https": return link(text)
        case "tel": return CodeContent(.phone, ["number": unescaped(rest)])
        case "mailto":
            let (address, query) = parted(rest)
            return CodeContent(
                .email, ["address": unescaped(address), "subject": query["subject"], "text": query["body"]])
        case "matmsg":
            let fields = CodedFields(rest)
            return CodeContent(
                .email, ["address": fields["TO"], "subject": fields["SUB"], "text": fields["BODY"]])
        case "sms", "smsto":
            let parts = rest.split(atScalar: ":", maxSplits: 1).map { String($0) }
            let (number, query) = parted(parts.first ?? "")
            return CodeContent(
                .message,
                ["number": unescaped(number), "text": parts.count > 1 ? parts[1] : query["body"]])
        case "wifi":
            let fields = CodedFields(rest)
            guard let network = fields["S"] else { return nil }
            return CodeContent(
                .wifi, ["network": network, "security": fields["T"], "password": fields["P"]])
        case "geo":
            let numbers = (parted(rest).path).split(atScalar: ",").compactMap { Double($0) }
            guard numbers.count >= 2, abs(numbers[0]) <= 90, abs(numbers[1]) <= 180 else { return nil }
            return CodeContent(.place, ["latitude": "\(numbers[0])", "longitude": "\(numbers[1])"])
        default: return nil
        }
    }

    /// Parses a web address, and the GS1 Digital Link (standard 1.2) in its path: "/01/" and a product's number, then pairs.
    private static func link(_ text: String) -> CodeContent? {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty else { return nil }
        var values: [String: String?] = ["url": text]
        let parts = parted(text).path.split(atScalar: "/").map { unescaped($0) }
        if let place = parts.firstIndex(of: "01"), place + 1 < parts.count {
            let digits = Array(parts[place + 1].utf8)
            // Shorter numbers are padded with zeros on the left.
            let number = [UInt8](repeating: UInt8(ascii: "0"), count: max(14 - digits.count, 0)) + digits
            if number.count == 14, GS1Element.checkDigitHolds(number) {
                values["gtin"] = String(decoding: number, as: UTF8.self)
                var pairs = parts[(place + 2)...]
                while let key = pairs.popFirst(), let value = pairs.popFirst() {
                    if let name = ["10": "lot", "21": "serial"][key] { values[name] = value }
                }
                values["expiry"] = parted(text).query["17"]
            }
        }
        return CodeContent(.link, values)
    }

    /// Splits text at "?" into the path and the query values, keyed by their names in lower case.
    private static func parted(_ text: String) -> (path: String, query: [String: String]) {
        let halves = text.split(atScalar: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var query: [String: String] = [:]
        for pair in halves.dropFirst().first?.split(atScalar: "&") ?? [] {
            let parts = pair.split(atScalar: "=", maxSplits: 1)
            if parts.count == 2 { query[parts[0].lowercased()] = unescaped(parts[1]) }
        }
        return (halves.first.map { String($0) } ?? "", query)
    }

    /// Decodes a URL's escapes, such as "%20".
    private static func unescaped(_ text: some StringProtocol) -> String {
        text.decodingHex(after: "%")
    }
}

/// "N:Doe,John;TEL:+1;;" as in MECARD, WIFI and MATMSG; a backslash marks the next character as literal.
struct CodedFields {
    private var fields: [(name: String, value: String)] = []

    init(_ text: String) {
        var (name, value): (String?, String) = (nil, "")
        var isEscaped = false
        func append(_ scalar: Unicode.Scalar) { value.unicodeScalars.append(scalar) }
        for scalar in text.unicodeScalars {
            if isEscaped {
                append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == ":", name == nil {
                (name, value) = (value.uppercased(), "")
            } else if scalar == ";" {
                if let name { fields.append((name, value)) }
                (name, value) = (nil, "")
            } else {
                append(scalar)
            }
        }
        if let name { fields.append((name, value)) }
    }

    /// The first value of a name; nil where there is none.
    subscript(name: String) -> String? { all(name).first }

    /// All values of a name.
    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
