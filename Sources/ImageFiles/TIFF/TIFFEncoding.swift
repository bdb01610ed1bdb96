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

/// TIFF out: deflate with horizontal differences, which every reader knows.
enum TIFFEncoding {
    private static let stage = FlatteningError.Stage.tiff

    static func write(
        _ pixels: ImageWriter.Pixels, to file: AtomicFile, pixelsPerMeter: Double?
    ) throws(FlatteningError) {
        // libtiff goes back to write its directory's place into the header: the file is made in memory.
        let memory = UnsafeMutablePointer<ctiff_memory>.allocate(capacity: 1)
        memory.initialize(to: ctiff_memory())
        defer {
            free(memory.pointee.bytes)
            memory.deallocate()
        }
        memory.pointee.writable = 1
        func failure() -> FlatteningError {
            let words = withUnsafeBytes(of: &memory.pointee.message) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            return .codec(
                .internalInconsistency, "the TIFF cannot be encoded", stage: stage,
                words: words.isEmpty ? nil : words)
        }
        // No limit on single allocations: the sizes are our own.
        guard let tiff = ctiff_open(memory, "w", 0, 0) else { throw failure() }
        var isOpen = true
        defer { if isOpen { TIFFClose(tiff) } }

        let channels = pixels.kind.rawValue
        let stride = pixels.size.width * channels
        let rowsPerStrip = max(1, (1 << 18) / stride)
        let isSet = [
            (TIFFTAG_IMAGEWIDTH, UInt32(pixels.size.width)),
            (TIFFTAG_IMAGELENGTH, UInt32(pixels.size.height)),
            (TIFFTAG_BITSPERSAMPLE, 8), (TIFFTAG_SAMPLESPERPIXEL, UInt32(channels)),
            (TIFFTAG_PHOTOMETRIC, UInt32(channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB)),
            (TIFFTAG_PLANARCONFIG, UInt32(PLANARCONFIG_CONTIG)),
            (TIFFTAG_COMPRESSION, UInt32(COMPRESSION_ADOBE_DEFLATE)),
            (TIFFTAG_PREDICTOR, UInt32(PREDICTOR_HORIZONTAL)), (TIFFTAG_ROWSPERSTRIP, UInt32(rowsPerStrip)),
            (TIFFTAG_ORIENTATION, UInt32(ORIENTATION_TOPLEFT)),
        ].allSatisfy { ctiff_set_uint32(tiff, UInt32($0.0), $0.1) != 0 }
        guard isSet else { throw failure() }
        if let pixelsPerMeter, pixelsPerMeter.isFinite, pixelsPerMeter > 0 {
            let dotsPerInch = pixelsPerMeter * 0.0254
            guard ctiff_set_uint32(tiff, UInt32(TIFFTAG_RESOLUTIONUNIT), UInt32(RESUNIT_INCH)) != 0,
                ctiff_set_double(tiff, UInt32(TIFFTAG_XRESOLUTION), dotsPerInch) != 0,
                ctiff_set_double(tiff, UInt32(TIFFTAG_YRESOLUTION), dotsPerInch) != 0
            else { throw failure() }
        }

        // The predictor works in place, so each row is copied first.
        let row = UnsafeMutableRawPointer.allocate(byteCount: stride, alignment: 16)
        defer { row.deallocate() }
        let isWritten = try pixels.withBytes { (bytes) throws(FlatteningError) -> Bool in
            for y in 0..<pixels.size.height {
                guard let start = bytes.baseAddress?.advanced(by: y * stride) else { return false }
                row.copyMemory(from: start, byteCount: stride)
                guard TIFFWriteScanline(tiff, row, UInt32(y), 0) == 1 else { return false }
            }
            return true
        }
        guard isWritten, TIFFFlush(tiff) == 1 else { throw failure() }
        TIFFClose(tiff)
        isOpen = false
        guard memory.pointee.message.0 == 0 else { throw failure() }
        try file.write(UnsafeRawBufferPointer(start: memory.pointee.bytes, count: Int(memory.pointee.count)))
    }
}
