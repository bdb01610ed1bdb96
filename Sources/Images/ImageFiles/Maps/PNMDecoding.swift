import Diagnostics
import LocalFiles
import Imaging

/// Portable grey and colour maps: P5 and P6 in bytes, P2 and P3 in decimal digits, 8 or 16 bits.
///
/// netpbm.sourceforge.net/doc/pgm.html and ppm.html: magic number, width, height and maximum value, separated by white
/// space and comments ("#" to the end of the line). After one more white space character come the values, row by row: one
/// byte each, or two if the maximum is above 255, the more significant byte first.
enum PNMDecoding {
    private static let stage = FlatteningError.Stage.pnm

    private struct Header {
        var hasColors: Bool
        var isPlain: Bool
        var width: Int
        var height: Int
        var greatest: Int
        /// Bytes before the values.
        var length: Int

        /// Number of values.
        var count: Int { width * height * (hasColors ? 3 : 1) }
        /// Number of values in a row.
        var rowCount: Int { width * (hasColors ? 3 : 1) }
        /// Bytes of a value in the binary kinds.
        var bytesPerValue: Int { greatest > 255 ? 2 : 1 }
    }

    /// Decodes an image; values are scaled so that the maximum becomes 255.
    static func color(_ bytes: [UInt8], limits: FlatteningLimits) throws(FlatteningError) -> ColorPicture {
        let header = try header(bytes, purpose: .color, limits: limits)
        var image = RGBImage(width: header.width, height: header.height, filledWith: .white)
        let greatest = UInt32(header.greatest)
        var channels = SIMD3<UInt8>()
        let end = try read(bytes, header, limits) { index, value in
            let level = UInt8((UInt32(value) * 255 + greatest / 2) / greatest)
            guard header.hasColors else {
                image.elements[index] = RGB(red: level, green: level, blue: level)
                return
            }
            channels[index % 3] = level
            if index % 3 == 2 {
                image.elements[index / 3] = RGB(red: channels.x, green: channels.y, blue: channels.z)
            }
        }
        let isWhole = bytes[end...].allSatisfy(isBlank)
        return ColorPicture(
            image: image,
            warnings: isWhole ? [] : ["what follows the first picture in the file is passed over"])
    }

    /// Decodes the values as stored: 8 bits if the maximum is at most 255, else 16.
    static func map(_ bytes: [UInt8], limits: FlatteningLimits) throws(FlatteningError) -> SampleMap {
        let header = try header(bytes, purpose: .map, limits: limits)
        guard !header.hasColors else {
            throw FlatteningError(
                .badInput, "a map holds one value per pixel, not colours", stage: stage, seen: "PPM",
                allowed: "PGM", advice: "Save the depth itself, not a rendering of it in colours")
        }
        var values = [UInt16](repeating: 0, count: header.count)
        let end = try read(bytes, header, limits) { values[$0] = $1 }
        guard bytes[end...].allSatisfy(isBlank) else {
            throw FlatteningError(
                .badInput, "the map's size does not fit its header", stage: stage,
                seen: "\(bytes.count - end) bytes behind \(header.width) x \(header.height) values")
        }
        return header.bytesPerValue == 2
            ? .uint16(Raster(width: header.width, height: header.height, elements: values))
            : .uint8(
                Raster(
                    width: header.width, height: header.height,
                    elements: values.map { UInt8(truncatingIfNeeded: $0) }))
    }

    // MARK: - Values

    /// Calls `body` with the index and the value of each sample.
    /// - Returns: the position after the last value.
    /// - Throws: `.badInput` if a value is missing or greater than the header allows, `.timeout`.
    private static func read(
        _ bytes: [UInt8], _ header: Header, _ limits: FlatteningLimits, _ body: (Int, UInt16) -> Void
    ) throws(FlatteningError) -> Int {
        func tooGreat(_ value: Int, _ index: Int) -> FlatteningError {
            FlatteningError(
                .badInput, "a value is greater than the file's header allows", stage: stage,
                seen: "\(value) as number \(index)", allowed: "0 ... \(header.greatest)")
        }
        if header.isPlain {
            var position = header.length
            for index in 0..<header.count {
                if index.isMultiple(of: header.rowCount) { try limits.deadline.check(before: stage) }
                guard let value = number(bytes, &position) else {
                    throw FlatteningError(
                        .badInput, "the file ends before its picture does, or holds no number", stage: stage,
                        seen: "\(index) values", allowed: "\(header.count)")
                }
                guard value <= header.greatest else { throw tooGreat(value, index) }
                body(index, UInt16(value))
            }
            return position
        }
        let width = header.bytesPerValue
        var wrong: (value: Int, index: Int)?
        for row in 0..<header.height {
            try limits.deadline.check(before: stage)
            bytes.withUnsafeBufferPointer { bytes in
                for index in row * header.rowCount..<(row + 1) * header.rowCount {
                    let at = header.length + index * width
                    let value = width == 2 ? Int(bytes[at]) << 8 | Int(bytes[at + 1]) : Int(bytes[at])
                    guard value <= header.greatest else {
                        wrong = (value, index)
                        return
                    }
                    body(index, UInt16(value))
                }
            }
            if let wrong { throw tooGreat(wrong.value, wrong.index) }
        }
        return header.length + header.count * width
    }

    // MARK: - Header

    private static func header(
        _ bytes: [UInt8], purpose: FlatteningLimits.Purpose, limits: FlatteningLimits
    ) throws(FlatteningError) -> Header {
        // Callers have checked the first two bytes.
        guard let kind = ["2", "3", "5", "6"].first(where: { UInt8(ascii: $0) == bytes[1] })
        else {
            throw FlatteningError(
                .unsupported, "this kind of portable map is not read", stage: stage,
                seen: String(decoding: bytes.prefix(2), as: UTF8.self),
                allowed: "P2, P3, P5, P6 (PGM and PPM)",
                advice: "Convert it: magick in.\(bytes[1] == UInt8(ascii: "7") ? "pam" : "pbm") out.png")
        }
        var position = 2
        var numbers: [Int] = []
        for name in ["width", "height", "greatest value"] {
            guard let number = number(bytes, &position) else {
                throw FlatteningError(
                    .badInput, "the header of the portable map is broken", stage: stage, seen: "no \(name)")
            }
            numbers.append(number)
        }
        let (width, height, greatest) = (numbers[0], numbers[1], numbers[2])
        guard (1...65_535).contains(greatest), position < bytes.count, isBlank(bytes[position]) else {
            throw FlatteningError(
                .badInput, "the header of the portable map is broken", stage: stage,
                seen: "greatest value \(greatest)", allowed: "1 ... 65535 and a white space character")
        }
        try limits.check(width: width, height: height, purpose: purpose, stage: stage)
        let header = Header(
            hasColors: kind == "3" || kind == "6", isPlain: kind == "2" || kind == "3", width: width,
            height: height, greatest: greatest, length: position + 1)
        // A digit and a space for each value; the last needs no space.
        let least = header.isPlain ? 2 * header.count - 1 : header.count * header.bytesPerValue
        guard bytes.count - header.length >= least else {
            throw FlatteningError(
                .badInput, "the file is too small for the picture that it declares", stage: stage,
                seen: "\(bytes.count - header.length) bytes",
                allowed: "\(least) bytes for \(width) x \(height)")
        }
        return header
    }

    /// The next whole number after white space and comments; nil if something else comes, or more digits than a number of
    /// this format can have.
    private static func number(_ bytes: [UInt8], _ position: inout Int) -> Int? {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "#") {
                position = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            } else if isBlank(bytes[position]) {
                position += 1
            } else {
                break
            }
        }
        let start = position
        var value = 0
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
            // Ten digits and more exceed every limit; leading zeros do not count.
            guard value < 100_000_000 else { return nil }
            value = value * 10 + Int(bytes[position] - 0x30)
            position += 1
        }
        return position > start ? value : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
