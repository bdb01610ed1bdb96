import Diagnostics
import LocalFiles
import CTIFF
import Imaging

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Encodes TIFF: deflate with horizontal differences, which every reader supports; one bit a pixel in fax group 4.
enum TIFFEncoding {
    private static let stage = FlatteningError.Stage.tiff

    static func write(
        _ pixels: ImageWriter.Pixels, to file: AtomicFile, pixelsPerMeter: Double?
    ) throws(FlatteningError) {
        // libtiff seeks back to write the directory's position into the header, so the file is made in memory.
        let memory = Memory()
        try encode(pixels, into: memory, rowsPerStrip: max(1, (1 << 18) / pixels.bytesPerRow), pixelsPerMeter)
        try file.write(memory.bytes)
    }

    /// The data of an image of one bit a pixel, without a file around it.
    static func group4(_ pixels: ImageWriter.Pixels) throws(FlatteningError) -> [UInt8] {
        let memory = Memory()
        try encode(pixels, into: memory, rowsPerStrip: pixels.size.height, nil)
        let library = try TIFFLibrary.shared.load()
        // Read the written file back, because libtiff does not tell where it put the single strip.
        memory.pointer.pointee.position = 0
        guard let tiff = ctiff_open(library, memory.pointer, "r", 0, 0) else { throw memory.failure }
        defer { library.TIFFClose(tiff) }
        let count = Int(library.TIFFRawStripSize(tiff, 0))
        let data = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            filled = max(
                Int(library.TIFFReadRawStrip(tiff, 0, buffer.baseAddress, tmsize_t(buffer.count))), 0)
        }
        guard count > 0, data.count == count else { throw memory.failure }
        return data
    }

    /// A file in memory, freed with its owner.
    private final class Memory {
        let pointer: UnsafeMutablePointer<ctiff_memory>

        init() {
            pointer = .allocate(capacity: 1)
            pointer.initialize(to: ctiff_memory())
            pointer.pointee.writable = 1
        }

        deinit {
            free(pointer.pointee.bytes)
            pointer.deallocate()
        }

        var bytes: UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: pointer.pointee.bytes, count: Int(pointer.pointee.count))
        }

        var hasFailed: Bool { pointer.pointee.message.0 != 0 }

        /// The error with libtiff's message.
        var failure: FlatteningError {
            let words = withUnsafeBytes(of: &pointer.pointee.message) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            return .codec(
                .internalInconsistency, "the TIFF cannot be encoded", stage: stage,
                words: words.isEmpty ? nil : words)
        }
    }

    private static func encode(
        _ pixels: ImageWriter.Pixels, into memory: Memory, rowsPerStrip: Int, _ pixelsPerMeter: Double?
    ) throws(FlatteningError) {
        let library = try TIFFLibrary.shared.load()
        // No limit on single allocations: the sizes are our own.
        guard let tiff = ctiff_open(library, memory.pointer, "w", 0, 0) else { throw memory.failure }
        var isOpen = true
        defer { if isOpen { library.TIFFClose(tiff) } }

        let isBilevel = pixels.kind == .bilevel
        let channels = isBilevel ? 1 : pixels.kind.rawValue / 8
        let stride = pixels.bytesPerRow
        let fields =
            [
                (TIFFTAG_IMAGEWIDTH, UInt32(pixels.size.width)),
                (TIFFTAG_IMAGELENGTH, UInt32(pixels.size.height)),
                (TIFFTAG_BITSPERSAMPLE, isBilevel ? 1 : 8), (TIFFTAG_SAMPLESPERPIXEL, UInt32(channels)),
                (TIFFTAG_PLANARCONFIG, UInt32(PLANARCONFIG_CONTIG)),
                (TIFFTAG_ROWSPERSTRIP, UInt32(rowsPerStrip)),
                (TIFFTAG_ORIENTATION, UInt32(ORIENTATION_TOPLEFT)),
            ]
            + (isBilevel
                ? [
                    // Fax readers expect white to be 0.
                    (TIFFTAG_PHOTOMETRIC, UInt32(PHOTOMETRIC_MINISWHITE)),
                    (TIFFTAG_COMPRESSION, UInt32(COMPRESSION_CCITTFAX4)),
                ]
                : [
                    (TIFFTAG_PHOTOMETRIC, UInt32(channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB)),
                    (TIFFTAG_COMPRESSION, UInt32(COMPRESSION_ADOBE_DEFLATE)),
                    (TIFFTAG_PREDICTOR, UInt32(PREDICTOR_HORIZONTAL)),
                ])
        guard fields.allSatisfy({ ctiff_set_uint32(library, tiff, UInt32($0.0), $0.1) != 0 }) else {
            throw memory.failure
        }
        if let pixelsPerMeter, pixelsPerMeter.isFinite, pixelsPerMeter > 0 {
            let dotsPerInch = pixelsPerMeter * Inch.meters
            guard ctiff_set_uint32(library, tiff, UInt32(TIFFTAG_RESOLUTIONUNIT), UInt32(RESUNIT_INCH)) != 0,
                ctiff_set_double(library, tiff, UInt32(TIFFTAG_XRESOLUTION), dotsPerInch) != 0,
                ctiff_set_double(library, tiff, UInt32(TIFFTAG_YRESOLUTION), dotsPerInch) != 0
            else { throw memory.failure }
        }

        // The predictor works in place, and white is inverted to 0, so each row is copied first.
        let row = UnsafeMutableRawBufferPointer.allocate(byteCount: stride, alignment: 16)
        defer { row.deallocate() }
        let isWritten = try pixels.withBytes { (bytes) throws(FlatteningError) -> Bool in
            for y in 0..<pixels.size.height {
                row.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[y * stride..<(y + 1) * stride]))
                if isBilevel {
                    for place in row.indices { row[place] = ~row[place] }
                }
                guard library.TIFFWriteScanline(tiff, row.baseAddress, UInt32(y), 0) == 1 else {
                    return false
                }
            }
            return true
        }
        guard isWritten, library.TIFFFlush(tiff) == 1 else { throw memory.failure }
        library.TIFFClose(tiff)
        isOpen = false
        guard !memory.hasFailed else { throw memory.failure }
    }
}
