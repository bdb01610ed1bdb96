package import Diagnostics
import Imaging
package import LocalFiles
import Platform

/// The chain of a TIFF's directories, followed before libtiff reads the file.
///
/// TIFF 6.0, section 2; BigTIFF as in libtiff's documentation.
package enum TIFFStructure {
    /// The tag for the kind of a directory's image, and the bits of its value for a smaller copy of another image and for a
    /// mask; and the older tag, with its value for a smaller copy.
    private static let (newSubfileType, copyOrMask) = (254, 1 | 4)
    private static let (oldSubfileType, copy) = (255, 2)
    /// The tag for the kind of samples, with its value for floating point: a depth map is not a page.
    private static let (sampleFormat, floatingPoint) = (339, 3)
    /// Most entries of a directory that are read: images have about twenty.
    private static let mostEntries = 256

    /// Number of pages of a file on disk; 1 if it cannot be told, in which case decoding will report the error.
    ///
    /// O(directories) reads of the file; its pixels are not read.
    /// - Throws: `.badInput` for a chain that forms a loop, `.limitExceeded`; both name the file.
    package static func pageCount(
        ofFile path: String, limits: FlatteningLimits
    ) throws(FlatteningError) -> Int {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return 1 }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 1 }
        do throws(FlatteningError) {
            return max(
                try pages(size: Int(status.st_size), limits: limits) { position, length in
                    var bytes = [UInt8](repeating: 0, count: length)
                    return pread(descriptor, &bytes, length, off_t(position)) == length ? bytes[...] : nil
                }.count, 1)
        } catch {
            throw error.naming(file: path)
        }
    }

    /// The position of each page's directory.
    static func pages(in bytes: [UInt8], limits: FlatteningLimits) throws(FlatteningError) -> [Int] {
        try pages(size: bytes.count, limits: limits) { position, length in
            bytes[position..<position + length]
        }
    }

    /// The file with another directory as its first, so that libtiff reads that page.
    static func bytes(_ bytes: [UInt8], startingAt directory: Int) -> [UInt8] {
        var bytes = bytes
        let isLittleEndian = bytes.first == 0x49
        let isBig = bytes[isLittleEndian ? 2 : 3] == 43
        let (place, length) = isBig ? (8, 8) : (4, 4)
        for step in 0..<length {
            bytes[place + step] = UInt8(
                truncatingIfNeeded: directory >> (8 * (isLittleEndian ? step : length - 1 - step)))
        }
        return bytes
    }

    /// Finds the pages' directories. Refuses files with too many directories or a chain that forms a loop.
    /// - Parameter read: returns the bytes at a position within the file; nil if they cannot be read.
    /// - Returns: the positions of the pages' directories: all directories, except those after the first that hold a copy,
    ///   a mask or depth.
    private static func pages(
        size: Int, limits: FlatteningLimits, read: (_ position: Int, _ length: Int) -> ArraySlice<UInt8>?
    ) throws(FlatteningError) -> [Int] {
        let isLittleEndian = size > 0 && read(0, 1)?.first == 0x49
        func integer(at position: Int, length: Int) -> Int? {
            guard position >= 0, position <= size - length, let bytes = read(position, length) else {
                return nil
            }
            var value: UInt64 = 0
            for byte in isLittleEndian ? Array(bytes.reversed()) : Array(bytes) {
                value = value << 8 | UInt64(byte)
            }
            return Int(exactly: value)
        }

        let isBig = integer(at: 2, length: 2) == 43
        let pointerLength = isBig ? 8 : 4
        let countLength = isBig ? 8 : 2
        let entryLength = isBig ? 20 : 12
        /// Whether a directory's image is a page of its own.
        func isPage(_ position: Int, entries count: Int) -> Bool {
            for entry in 0..<min(count, mostEntries) {
                let place = position + countLength + entry * entryLength
                // Tags are in ascending order.
                guard let tag = integer(at: place, length: 2), tag <= sampleFormat else { return true }
                guard [newSubfileType, oldSubfileType, sampleFormat].contains(tag) else { continue }
                // A SHORT or a LONG, stored in the entry itself.
                let length = integer(at: place + 2, length: 2) == 3 ? 2 : 4
                guard let value = integer(at: place + 4 + pointerLength, length: length) else { return true }
                if tag == newSubfileType, value & copyOrMask != 0 { return false }
                if tag == oldSubfileType, value == copy { return false }
                if tag == sampleFormat { return value != floatingPoint }
            }
            return true
        }
        var seen: Set<Int> = []
        var pages: [Int] = []
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
            guard let count = integer(at: position, length: countLength), count <= size else { break }
            if pages.isEmpty || isPage(position, entries: count) { pages.append(position) }
            next = integer(at: position + countLength + count * entryLength, length: pointerLength)
        }
        return pages
    }
}
