import Diagnostics

/// Writes the objects of a PDF one after another and keeps only their places (ISO 32000-1, 7.5).
struct PDFFile {
    /// Takes the next bytes.
    typealias Sink = ([UInt8]) throws(FlatteningError) -> Void

    /// Largest place: the table of objects has ten digits for each.
    private static let greatestPlace = 9_999_999_999

    private let sink: Sink
    /// The start of each object, indexed by its number from 1; nil for one not yet written.
    private var places: [Int?]
    private var position = 0
    private var hashes: [UInt64] = [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4]

    /// Begins a file whose first objects, 1 to `count`, may be written in any order.
    init(reserving count: Int, sink: @escaping Sink) throws(FlatteningError) {
        self.sink = sink
        places = Array(repeating: nil, count: count)
        // Bytes beyond ASCII tell programs that the file is not text.
        try write(Array("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3] + Array("\n".utf8))
    }

    /// Returns a new object number.
    mutating func newNumber() -> Int {
        places.append(nil)
        return places.count
    }

    /// Adds an object.
    mutating func add(_ number: Int, _ content: String) throws(FlatteningError) {
        try begin(number)
        try write(Array("\(content)\nendobj\n".utf8))
    }

    /// Adds a stream; `entries` are those of its dictionary except the length.
    mutating func add(_ number: Int, _ entries: String = "", stream: [UInt8]) throws(FlatteningError) {
        try begin(number)
        let space = entries.isEmpty ? "" : " "
        try write(Array("<< \(entries)\(space)/Length \(stream.count) >>\nstream\n".utf8))
        try write(stream)
        try write(Array("\nendstream\nendobj\n".utf8))
    }

    /// Ends the file with the table of objects. By then every number must have its object.
    mutating func finish(root: Int, information: Int) throws(FlatteningError) {
        let start = position
        // The identifier depends on the file's content, so that equal content gives equal identifiers.
        let name = hashes.map { String($0, radix: 16, uppercase: true).leftPadded(to: 16) }.joined()
        try write(Array("xref\n0 \(places.count + 1)\n0000000000 65535 f \n".utf8))
        for (index, place) in places.enumerated() {
            guard let place else { preconditionFailure("object \(index + 1) was not written") }
            // Each row of the table is exactly 20 bytes long.
            try write(Array("\(String(place).leftPadded(to: 10)) 00000 n \n".utf8))
        }
        let trailer =
            "trailer\n<< /Size \(places.count + 1) /Root \(root) 0 R /Info \(information) 0 R"
            + " /ID [<\(name)> <\(name)>] >>\nstartxref\n\(start)\n%%EOF\n"
        try write(Array(trailer.utf8))
    }

    private mutating func begin(_ number: Int) throws(FlatteningError) {
        precondition(places[number - 1] == nil, "an object is written once")
        guard position <= Self.greatestPlace else {
            throw FlatteningError(
                .limitExceeded, "a PDF cannot be this large", stage: .write, seen: "\(position) bytes",
                allowed: "\(Self.greatestPlace)")
        }
        places[number - 1] = position
        try write(Array("\(number) 0 obj\n".utf8))
    }

    private mutating func write(_ bytes: [UInt8]) throws(FlatteningError) {
        // FNV-1a with two start values: tells files apart, but does not resist forgery.
        for index in hashes.indices {
            var hash = hashes[index]
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hashes[index] = hash
        }
        position += bytes.count
        try sink(bytes)
    }
}

/// Formats values for a PDF (ISO 32000-1, 7.3).
enum PDFSyntax {
    /// Formats a number, never with an exponent.
    static func number(_ value: Double) -> String {
        let thousandths = Int((min(max(value, -1e9), 1e9) * 1000).rounded())
        return (thousandths < 0 ? "-" : "") + "\(abs(thousandths) / 1000)."
            + String(abs(thousandths) % 1000).leftPadded(to: 3)
    }

    /// Formats two bytes as four hexadecimal digits.
    static func hexadecimal(_ unit: UInt16) -> String {
        String(unit, radix: 16, uppercase: true).leftPadded(to: 4)
    }

    /// Formats text of any script.
    static func text(_ string: String) -> String {
        "<FEFF" + string.utf16.map(hexadecimal).joined() + ">"
    }
}

extension String {
    /// Pads the string with leading zeros to a length.
    func leftPadded(to length: Int) -> String {
        String(repeating: "0", count: Swift.max(length - count, 0)) + self
    }
}
