import Diagnostics
import LocalFiles
import CTIFF
import Imaging

/// An image of a TIFF in memory: its tags and its pixels, run by run, read with libtiff.
///
/// Valid only within `open`, whose bytes it borrows.
final class TIFFReader {
    static let stage = FlatteningError.Stage.tiff

    let width: Int
    let height: Int
    let bitsPerSample: Int
    let samplesPerPixel: Int
    let sampleFormat: Int32
    let photometric: Int32
    let isPlanar: Bool
    private let compression: Int32
    private let library: CTIFFFunctions
    private let handle: OpaquePointer
    private let memory: UnsafeMutablePointer<ctiff_memory>
    private let deadline: ContinuousClock.Instant?
    /// Number of pages in the file.
    let pages: Int

    /// A piece of one row: pixels `x ..< x + count` of row `y`, of one plane if the planes are separate.
    struct Run {
        var x: Int
        var y: Int
        var count: Int
        var plane: Int
    }

    /// Opens a page of `bytes` for the duration of `body`.
    /// - Parameter page: counted from 1.
    static func open<Result>(
        _ bytes: [UInt8], page: Int = 1, purpose: FlatteningLimits.Purpose, limits: FlatteningLimits,
        _ body: (TIFFReader) throws(FlatteningError) -> Result
    ) throws(FlatteningError) -> Result {
        let directories = try TIFFStructure.pages(in: bytes, limits: limits)
        let pages = directories.count
        guard page == 1 || directories.indices.contains(page - 1) else {
            throw FlatteningError(
                .badInput, "the TIFF file has no such page", stage: stage, seen: "page \(page)",
                allowed: "1 to \(pages)")
        }
        let bytes = page == 1 ? bytes : TIFFStructure.bytes(bytes, startingAt: directories[page - 1])
        let library = try TIFFLibrary.shared.load()
        let memory = UnsafeMutablePointer<ctiff_memory>.allocate(capacity: 1)
        memory.initialize(to: ctiff_memory())
        defer { memory.deallocate() }

        var outcome: Swift.Result<Result, FlatteningError>?
        bytes.withUnsafeBufferPointer { buffer in
            // The file is opened for reading, so libtiff never writes through this pointer.
            memory.pointee.bytes = UnsafeMutablePointer(mutating: buffer.baseAddress)
            memory.pointee.count = UInt64(buffer.count)
            do throws(FlatteningError) {
                let reader = try TIFFReader(
                    library, memory: memory, pages: pages, purpose: purpose, limits: limits)
                defer { library.TIFFClose(reader.handle) }
                outcome = .success(try body(reader))
            } catch {
                outcome = .failure(error)
            }
        }
        guard let outcome else {
            throw FlatteningError(.internalInconsistency, "the TIFF file was not read", stage: stage)
        }
        return try outcome.get()
    }

    private init(
        _ library: CTIFFFunctions, memory: UnsafeMutablePointer<ctiff_memory>, pages: Int,
        purpose: FlatteningLimits.Purpose, limits: FlatteningLimits
    ) throws(FlatteningError) {
        // "m": no memory mapping. libtiff's largest single allocation is a compressed strip, so at most the file's size.
        let fileBytes = Int(memory.pointee.count)
        let largest = max(fileBytes + (1 << 16), 32 << 20)
        guard
            let handle = ctiff_open(
                library, memory, "rm", tmsize_t(largest), tmsize_t(max(largest, limits.maximumDecodingBytes)))
        else {
            throw Self.broken("the TIFF file is broken", memory)
        }
        self.library = library
        self.handle = handle
        self.memory = memory
        deadline = limits.deadline
        self.pages = pages
        width = Int(ctiff_get_uint32(library, handle, UInt32(TIFFTAG_IMAGEWIDTH), 0))
        height = Int(ctiff_get_uint32(library, handle, UInt32(TIFFTAG_IMAGELENGTH), 0))
        bitsPerSample = Int(ctiff_get_uint16(library, handle, UInt32(TIFFTAG_BITSPERSAMPLE), 1))
        samplesPerPixel = Int(ctiff_get_uint16(library, handle, UInt32(TIFFTAG_SAMPLESPERPIXEL), 1))
        sampleFormat = Int32(
            ctiff_get_uint16(library, handle, UInt32(TIFFTAG_SAMPLEFORMAT), UInt16(SAMPLEFORMAT_UINT)))
        photometric = Int32(
            ctiff_get_uint16(library, handle, UInt32(TIFFTAG_PHOTOMETRIC), UInt16(PHOTOMETRIC_MINISBLACK)))
        compression = Int32(
            ctiff_get_uint16(library, handle, UInt32(TIFFTAG_COMPRESSION), UInt16(COMPRESSION_NONE)))
        isPlanar =
            ctiff_get_uint16(library, handle, UInt32(TIFFTAG_PLANARCONFIG), UInt16(PLANARCONFIG_CONTIG))
            == UInt16(PLANARCONFIG_SEPARATE) && samplesPerPixel > 1
        do throws(FlatteningError) {
            try check(purpose: purpose, limits: limits, fileBytes: fileBytes)
        } catch {
            library.TIFFClose(handle)
            throw error
        }
    }

    private func check(
        purpose: FlatteningLimits.Purpose, limits: FlatteningLimits, fileBytes: Int
    ) throws(FlatteningError) {
        try limits.check(width: width, height: height, purpose: purpose, stage: Self.stage)
        guard (1...8).contains(samplesPerPixel), (1...64).contains(bitsPerSample) else {
            throw FlatteningError(
                .unsupported, "TIFF files with such samples are not read", stage: Self.stage,
                seen: "\(samplesPerPixel) samples of \(bitsPerSample) bits")
        }
        try FlatteningLimits.checkRatio(
            declared: width * height * samplesPerPixel * bitsPerSample / 8, fileBytes: fileBytes,
            ratio: limits.maximumTIFFRatio, stage: Self.stage)

        var known = [
            COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
            COMPRESSION_PACKBITS, COMPRESSION_ZSTD,
        ]
        if purpose == .color { known += [COMPRESSION_JPEG, COMPRESSION_CCITTFAX4] }
        guard known.contains(compression), library.TIFFIsCODECConfigured(UInt16(compression)) != 0 else {
            throw FlatteningError(
                .unsupported, "TIFF files with this compression are not read", stage: Self.stage,
                seen: "compression \(compression)",
                allowed: "none, LZW, deflate, PackBits, ZSTD"
                    + (purpose == .color ? ", JPEG, fax group 4" : ""),
                advice: "Convert it: tiffcp -c zip in.tif out.tif")
        }
    }

    /// Whether the pixels are JPEG's YCbCr; asks libtiff to convert them to RGB.
    func decodesYCbCrAsRGB() -> Bool {
        photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG
            && ctiff_set_uint32(library, handle, UInt32(TIFFTAG_JPEGCOLORMODE), UInt32(JPEGCOLORMODE_RGB))
                != 0
    }

    /// The Orientation tag; 1 if absent.
    var orientation: ImageOrientation {
        ImageOrientation(rawValue: Int(ctiff_get_uint16(library, handle, UInt32(TIFFTAG_ORIENTATION), 1)))
            ?? .up
    }

    /// XResolution in pixels per metre, if its unit is known and YResolution is equal.
    var pixelsPerMeter: Double? {
        let x = Double(ctiff_get_float(library, handle, UInt32(TIFFTAG_XRESOLUTION), 0))
        let y = Double(ctiff_get_float(library, handle, UInt32(TIFFTAG_YRESOLUTION), 0))
        guard x == y, x > 0, x.isFinite else { return nil }
        switch Int32(ctiff_get_uint16(library, handle, UInt32(TIFFTAG_RESOLUTIONUNIT), UInt16(RESUNIT_NONE)))
        {
        case RESUNIT_INCH: return x / Inch.meters
        case RESUNIT_CENTIMETER: return x * 100
        default: return nil
        }
    }

    /// The meanings of the samples beyond the colours (EXTRASAMPLE_...).
    var extraSamples: [Int32] {
        var kinds: UnsafePointer<UInt16>?
        let count = Int(ctiff_get_extra_samples(library, handle, &kinds))
        return UnsafeBufferPointer(start: kinds, count: kinds == nil ? 0 : count).map(Int32.init)
    }

    /// The palette of 2^bits colours, nil if there is none.
    ///
    /// Its values have 16 bits and are rounded to 8. Some programs write unscaled bytes, others bytes shifted by 8; a
    /// palette with only such values is taken to mean the bytes.
    func palette() -> [RGB]? {
        var red: UnsafePointer<UInt16>?
        var green: UnsafePointer<UInt16>?
        var blue: UnsafePointer<UInt16>?
        guard bitsPerSample <= 8, ctiff_get_color_map(library, handle, &red, &green, &blue) != 0, let red,
            let green,
            let blue
        else { return nil }
        let indices = 0..<1 << bitsPerSample
        func all(_ isTrue: (UInt16) -> Bool) -> Bool {
            indices.allSatisfy { isTrue(red[$0]) && isTrue(green[$0]) && isTrue(blue[$0]) }
        }
        let byte: (UInt16) -> UInt8
        if all({ $0 <= 0xFF }) {
            byte = { UInt8(truncatingIfNeeded: $0) }
        } else if all({ $0 & 0xFF == 0 }) {
            byte = { UInt8($0 >> 8) }
        } else {
            byte = TIFFDecoding.byte
        }
        return indices.map { RGB(red: byte(red[$0]), green: byte(green[$0]), blue: byte(blue[$0])) }
    }

    /// Calls `body` with every run of pixels, in host byte order; separate planes come one after another.
    func forEachRun(_ body: (Run, UnsafeRawPointer) -> Void) throws(FlatteningError) {
        if library.TIFFIsTiled(handle) != 0 { try forEachTileRun(body) } else { try forEachRow(body) }
    }

    /// Bytes of `count` pixels of one run.
    private func bytes(of count: Int) -> Int {
        (count * (isPlanar ? 1 : samplesPerPixel) * bitsPerSample + 7) / 8
    }

    private func forEachRow(_ body: (Run, UnsafeRawPointer) -> Void) throws(FlatteningError) {
        let size = Int(library.TIFFScanlineSize(handle))
        guard size >= bytes(of: width), size <= bytes(of: width) * 4 + 64 else {
            throw Self.broken("the TIFF file's rows have an unexpected length", memory)
        }
        let row = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { row.deallocate() }
        for plane in 0..<(isPlanar ? samplesPerPixel : 1) {
            for y in 0..<height {
                try deadline.check(before: Self.stage)
                guard library.TIFFReadScanline(handle, row, UInt32(y), UInt16(plane)) == 1 else {
                    throw Self.broken("the TIFF file is broken", memory)
                }
                body(Run(x: 0, y: y, count: width, plane: plane), row)
            }
        }
    }

    private func forEachTileRun(_ body: (Run, UnsafeRawPointer) -> Void) throws(FlatteningError) {
        let tileWidth = Int(ctiff_get_uint32(library, handle, UInt32(TIFFTAG_TILEWIDTH), 0))
        let tileHeight = Int(ctiff_get_uint32(library, handle, UInt32(TIFFTAG_TILELENGTH), 0))
        // A tile may extend beyond the image, but not by much: there is no reason for a tile far larger than the image.
        guard tileWidth > 0, tileHeight > 0, tileWidth <= width + 4096, tileHeight <= height + 4096 else {
            throw FlatteningError(
                .badInput, "the TIFF file's tiles have an impossible size", stage: Self.stage,
                seen: "\(tileWidth) x \(tileHeight)")
        }
        let size = Int(library.TIFFTileSize(handle))
        let rowSize = Int(library.TIFFTileRowSize(handle))
        guard rowSize >= bytes(of: tileWidth), rowSize <= size / tileHeight, size <= 256 << 20 else {
            throw Self.broken("the TIFF file's tiles have an unexpected length", memory)
        }
        let tile = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { tile.deallocate() }
        for plane in 0..<(isPlanar ? samplesPerPixel : 1) {
            for top in stride(from: 0, to: height, by: tileHeight) {
                for left in stride(from: 0, to: width, by: tileWidth) {
                    try deadline.check(before: Self.stage)
                    guard
                        library.TIFFReadTile(handle, tile, UInt32(left), UInt32(top), 0, UInt16(plane)) >= 0
                    else { throw Self.broken("the TIFF file is broken", memory) }
                    for y in top..<min(top + tileHeight, height) {
                        body(
                            Run(x: left, y: y, count: min(tileWidth, width - left), plane: plane),
                            tile + (y - top) * rowSize)
                    }
                }
            }
        }
    }

    private static func broken(
        _ message: String, _ memory: UnsafeMutablePointer<ctiff_memory>
    ) -> FlatteningError {
        let words = withUnsafeBytes(of: &memory.pointee.message) { raw in
            String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
        return .codec(.badInput, message, stage: stage, words: words.isEmpty ? nil : words)
    }
}
