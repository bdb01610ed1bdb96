import Foundation

/// Takes a form (multipart/form-data, RFC 7578) apart as its bytes come; of a part no more than a chunk and its head are held.
///
/// By ourselves, as the frameworks' parsers for such streams are not stable yet.
struct FormParser {
    /// What is met next.
    enum Event {
        /// A field of a part's head.
        case header(String, String)
        /// Some of a part's bytes.
        case body(ArraySlice<UInt8>)
        /// The end of a part.
        case end
    }

    private enum Place { case preamble, head, body, after, over }

    private let delimiter: [UInt8]
    private var place = Place.preamble
    private var rest: [UInt8]

    /// The longest head of a part, and the most parts: a form of ours has six.
    private static let (longestHead, mostParts) = (4096, 16)
    private var parts = 0
    private static let lineEnd = Array("\r\n".utf8)

    init(boundary: String) {
        delimiter = Array(("\r\n--" + boundary).utf8)
        // The first delimiter may stand at the very beginning.
        rest = Array("\r\n".utf8)
    }

    /// What a chunk brings.
    /// - Throws: 400 for what is no form.
    mutating func read(_ chunk: [UInt8]) throws(Problem) -> [Event] {
        rest += chunk
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Throws where the form broke off.
    func requireEnd() throws(Problem) {
        guard place == .over else { throw Problem(.badRequest, "the form breaks off") }
    }

    /// One step on; false where more bytes are needed.
    private mutating func step(_ events: inout [Event]) throws(Problem) -> Bool {
        switch place {
        case .preamble:
            guard let found = rest.place(of: delimiter) else {
                rest = Array(rest.suffix(delimiter.count - 1))
                return false
            }
            rest.removeSubrange(..<found.upperBound)
            place = .after
        case .after:
            guard rest.count >= 2 else { return false }
            if rest.starts(with: Array("--".utf8)) {
                rest = []
                place = .over
                return false
            }
            // Blanks may follow a boundary.
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                guard rest.count < 64 else { throw Self.broken }
                return false
            }
            guard
                rest[..<end].allSatisfy({
                    [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0)
                })
            else { throw Self.broken }
            parts += 1
            guard parts <= Self.mostParts else { throw Problem(.badRequest, "the form has too many parts") }
            rest.removeSubrange(...end)
            place = .head
        case .head:
            guard let end = rest.place(of: Self.lineEnd) else {
                guard rest.count < Self.longestHead else { throw Self.broken }
                return false
            }
            let line = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            rest.removeSubrange(..<end.upperBound)
            if line.isEmpty {
                // A part without bytes ends where it begins.
                rest = Array("\r\n".utf8) + rest
                place = .body
                isFresh = true
                return true
            }
            guard line.utf8.count <= Self.longestHead, let colon = line.firstIndex(of: ":") else {
                throw Self.broken
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            events.append(.header(String(line[..<colon]), String(value)))
        case .body:
            if let found = rest.place(of: delimiter) {
                emit(rest[..<found.lowerBound], &events)
                events.append(.end)
                rest.removeSubrange(..<found.upperBound)
                place = .after
            } else {
                // What may be the beginning of a delimiter waits for the next chunk.
                let sure = rest.count - (delimiter.count - 1)
                guard sure > 2 else { return false }
                emit(rest[..<sure], &events)
                rest.removeSubrange(..<sure)
                return false
            }
        case .over:
            rest = []
            return false
        }
        return true
    }

    /// Whether a part's bytes begin with the two that were set before them.
    private var isFresh = false

    private mutating func emit(_ bytes: ArraySlice<UInt8>, _ events: inout [Event]) {
        let own = isFresh ? bytes.dropFirst(2) : bytes
        isFresh = false
        if !own.isEmpty { events.append(.body(own)) }
    }

    private static let broken = Problem(.badRequest, "the form is broken")
}

extension [UInt8] {
    /// Where other bytes stand first. By the system's search for a byte: the standard library's search for several takes 55 ms a megabyte.
    fileprivate func place(of other: [UInt8]) -> Range<Int>? {
        guard let first = other.first else { return nil }
        return withUnsafeBytes { bytes in
            other.withUnsafeBytes { sought in
                guard let base = bytes.baseAddress, let key = sought.baseAddress else { return nil }
                var place = 0
                while place + sought.count <= bytes.count,
                    let found = memchr(base + place, Int32(first), bytes.count - sought.count + 1 - place)
                {
                    place = UnsafeRawPointer(found) - base
                    if memcmp(found, key, sought.count) == 0 { return place..<place + sought.count }
                    place += 1
                }
                return nil
            }
        }
    }
}
