import Diagnostics
import LocalFiles
import Imaging
import ScalarText

/// Decodes NumPy arrays, format versions 1 to 3 (numpy.lib.format).
enum NPYDecoding {
    private static let stage = FlatteningError.Stage.npy
    /// NumPy itself reads headers of up to 10,000 bytes.
    private static let maximumHeaderBytes = 10_000

    static func map(_ bytes: [UInt8], limits: FlatteningLimits) throws(FlatteningError) -> SampleMap {
        let header = try header(bytes)
        guard header.shape.count == 2 else {
            throw FlatteningError(
                .badInput, "a map has two axes", stage: stage,
                seen: "\(header.shape.count) (\(header.shape.map(String.init).joined(separator: ", ")))")
        }
        let (height, width) = (header.shape[0], header.shape[1])
        try limits.check(width: width, height: height, purpose: .map, stage: stage)
        guard !header.isColumnMajor else {
            throw FlatteningError(
                .unsupported, "arrays in Fortran order are not read", stage: stage,
                advice: "Save numpy.ascontiguousarray(a)")
        }

        let type = header.type.dropFirst()
        let isBigEndian = header.type.hasScalarPrefix(">")
        guard header.type.unicodeScalars.first.map("<>|=".unicodeScalars.contains) == true,
            let size = ["u1": 1, "b1": 1, "u2": 2, "f2": 2, "f4": 4, "f8": 8][String(type)]
        else {
            throw FlatteningError(
                .unsupported, "arrays of this type are not read as a map", stage: stage, seen: header.type,
                allowed: "u1, u2, f2, f4 or f8")
        }
        guard bytes.count - header.length == width * height * size else {
            throw FlatteningError(
                .badInput, "the array's size does not fit its header", stage: stage,
                seen: "\(bytes.count - header.length) bytes", allowed: "\(width * height * size) bytes")
        }
        let content = bytes[header.length...]
        switch type {
        case "u1", "b1": return .uint8(Raster(width: width, height: height, elements: Array(content)))
        case "u2":
            return .uint16(
                Raster(width: width, height: height) { values in
                    FixedWidth.read(content, isBigEndian) { values.initializeElement(at: $0, to: $1) }
                })
        case "f2":
            return .float32(
                Raster(width: width, height: height) { values in
                    FixedWidth.read(content, isBigEndian) { (index, bits: UInt16) in
                        values.initializeElement(at: index, to: SmallFloat.float(half: bits))
                    }
                })
        case "f4":
            return .float32(
                Raster(width: width, height: height) { values in
                    FixedWidth.read(content, isBigEndian) { (index, bits: UInt32) in
                        values.initializeElement(at: index, to: Float(bitPattern: bits))
                    }
                })
        default:
            return .float32(
                Raster(width: width, height: height) { values in
                    FixedWidth.read(content, isBigEndian) { (index, bits: UInt64) in
                        values.initializeElement(at: index, to: Float(Double(bitPattern: bits)))
                    }
                })
        }
    }

    private struct Header {
        var type: String
        var isColumnMajor: Bool
        var shape: [Int]
        /// Bytes before the array.
        var length: Int
    }

    private static func header(_ bytes: [UInt8]) throws(FlatteningError) -> Header {
        func broken(_ what: String) -> FlatteningError {
            FlatteningError(.badInput, "the NPY file's header is broken", stage: stage, detail: what)
        }
        guard bytes.count >= 12 else { throw broken("too short") }
        let start: Int
        let length: Int
        switch bytes[6] {
        case 1: (start, length) = (10, Int(bytes[8]) | Int(bytes[9]) << 8)
        case 2, 3:
            length = (0..<4).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
            start = 12
        default: throw broken("unknown version \(bytes[6])")
        }
        guard length <= maximumHeaderBytes, length <= bytes.count - start else { throw broken("its length") }
        let text = String(decoding: bytes[start..<start + length], as: UTF8.self)

        guard let type = value(of: "descr", in: text).flatMap(quoted) else { throw broken("no descr") }
        guard let order = value(of: "fortran_order", in: text) else { throw broken("no fortran_order") }
        guard let tuple = value(of: "shape", in: text)?.dropping(scalarPrefix: "("),
            let end = tuple.firstIndex(ofScalar: ")")
        else { throw broken("no shape") }
        var shape: [Int] = []
        for part in tuple[..<end].split(atScalar: ",") {
            let digits = part.replacingScalars(" ", with: "")
            if digits.isEmpty { continue }
            guard digits.utf8.count <= 9, let side = Int(digits), side >= 0 else { throw broken("its shape") }
            shape.append(side)
        }
        return Header(
            type: type, isColumnMajor: order.hasScalarPrefix("True"), shape: shape, length: start + length)
    }

    /// The text after 'key': in the header's dictionary.
    private static func value(of key: String, in text: String) -> Substring? {
        for quote in ["'", "\""] {
            guard let found = text.firstRange(ofScalars: quote + key + quote) else { continue }
            func withoutBlanks(_ text: Substring) -> Substring {
                Substring(text.unicodeScalars.drop { $0 == " " })
            }
            return withoutBlanks(text[found.upperBound...]).dropping(scalarPrefix: ":").map(withoutBlanks)
        }
        return nil
    }

    private static func quoted(_ text: Substring) -> String? {
        guard let quote = text.unicodeScalars.first, quote == "'" || quote == "\"" else { return nil }
        let content = text.unicodeScalars.dropFirst()
        return content.firstIndex(of: quote).map { String(content[..<$0]) }
    }
}
