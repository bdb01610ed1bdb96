/// The boxes of a HEIF file (ISO/IEC 14496-12). Never reads outside the file; broken boxes count as absent.
struct HEIFBoxes {
    /// The file, from its start.
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The description of the images (`meta` box), without version and flags.
    var meta: Range<Int>? { child("meta", of: 0..<bytes.count).map { $0.dropFirst(4) } }

    /// The image to show by default.
    var primaryItem: Int? {
        guard let meta, let primary = child("pitm", of: meta), let version = bytes[primary].first else {
            return nil
        }
        return number(at: primary.lowerBound + 4, length: version == 0 ? 2 : 4, in: primary)
    }

    func child(_ type: String, of range: Range<Int>) -> Range<Int>? {
        children(of: range).first { $0.type == type }?.content
    }

    /// The boxes that follow one another in a range.
    func children(of range: Range<Int>) -> [(type: String, content: Range<Int>)] {
        var found: [(String, Range<Int>)] = []
        var position = range.lowerBound
        while let size = number(at: position, length: 4, in: range), position + 8 <= range.upperBound {
            var start = position + 8
            var end = size == 0 ? range.upperBound : position + size
            if size == 1 {
                guard let high = number(at: position + 8, length: 4, in: range), high == 0,
                    let low = number(at: position + 12, length: 4, in: range)
                else { break }
                (start, end) = (position + 16, position + low)
            }
            guard start <= end, end <= range.upperBound else { break }
            found.append((String(decoding: bytes[position + 4..<position + 8], as: UTF8.self), start..<end))
            position = end
        }
        return found
    }

    /// A big-endian number; nil if it does not lie within the range.
    func number(at position: Int, length: Int, in range: Range<Int>) -> Int? {
        guard position >= range.lowerBound, position <= range.upperBound - length else { return nil }
        return bytes[position..<position + length].reduce(0) { $0 << 8 | Int($1) }
    }
}
