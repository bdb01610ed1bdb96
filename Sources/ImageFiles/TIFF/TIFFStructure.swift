import Diagnostics
import LocalFiles
import Imaging

/// The chain of a TIFF's directories, followed before libtiff sees the file.
///
/// TIFF 6.0, section 2; BigTIFF as in libtiff's documentation. Only the first directory is decoded.
enum TIFFStructure {
    /// Refuses files with too many directories or a chain that closes on itself.
    static func check(_ bytes: [UInt8], limits: FlatteningLimits) throws(FlatteningError) {
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
        var seen: Set<Int> = []
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
            guard let count = integer(at: position, length: countLength), count <= bytes.count else { return }
            next = integer(at: position + countLength + count * entryLength, length: pointerLength)
        }
    }
}
