import Diagnostics
import LocalFiles
import Imaging

/// The chain of a TIFF's directories, followed before libtiff sees the file.
///
/// TIFF 6.0, section 2; BigTIFF as in libtiff's documentation. Only the first directory is decoded.
enum TIFFStructure {
    /// The tag that says what a directory's picture is, and the bits of its value for a smaller copy of another one and for a
    /// mask; and the older tag, with its value for a smaller copy.
    private static let (newSubfileType, copyOrMask) = (254, 1 | 4)
    private static let (oldSubfileType, copy) = (255, 2)

    /// Refuses files with too many directories or a chain that closes on itself.
    /// - Returns: how many pages there are: directories, but for those after the first that hold a copy or a mask.
    static func pages(in bytes: [UInt8], limits: FlatteningLimits) throws(FlatteningError) -> Int {
        let isLittleEndian = bytes.first == 0x49
        func integer(at position: Int, length: Int) -> Int? {
            guard position >= 0, position <= bytes.count - length else { return nil }
            var value: UInt64 = 0
            for step in 0..<length {
                let byte = UInt64(bytes[position + (isLittleEndian ? length - 1 - step : step)])
                value = value << 8 | byte
            }
            return Int(exactly: value)
        }

        let isBig = integer(at: 2, length: 2) == 43
        let pointerLength = isBig ? 8 : 4
        let countLength = isBig ? 8 : 2
        let entryLength = isBig ? 20 : 12
        /// Whether a directory's picture is one of its own.
        func isPage(_ position: Int, entries count: Int) -> Bool {
            for entry in 0..<count {
                let place = position + countLength + entry * entryLength
                guard let tag = integer(at: place, length: 2), tag <= oldSubfileType else { return true }
                // A SHORT or a LONG, in whose place its value stands.
                let length = integer(at: place + 2, length: 2) == 3 ? 2 : 4
                guard let value = integer(at: place + 4 + pointerLength, length: length) else { return true }
                if tag == newSubfileType { return value & copyOrMask == 0 }
                if tag == oldSubfileType { return value != copy }
            }
            return true
        }
        var seen: Set<Int> = []
        var pages = 0
        var next = integer(at: isBig ? 8 : 4, length: pointerLength)
        while let position = next, position != 0 {
            guard seen.insert(position).inserted else {
                throw FlatteningError(.badInput, "the TIFF file's directories form a loop", stage: .tiff)
            }
            guard seen.count <= limits.maximumTIFFDirectories else {
                throw FlatteningError(
                    .limitExceeded, "the TIFF file has too many directories", stage: .tiff,
                    seen: "more than \(limits.maximumTIFFDirectories)",
                    allowed: "\(limits.maximumTIFFDirectories) (maximumTIFFDirectories)",
                    advice: "Save the page that is wanted as a file of its own")
            }
            guard let count = integer(at: position, length: countLength), count <= bytes.count else { break }
            if pages == 0 || isPage(position, entries: count) { pages += 1 }
            next = integer(at: position + countLength + count * entryLength, length: pointerLength)
        }
        return pages
    }
}
