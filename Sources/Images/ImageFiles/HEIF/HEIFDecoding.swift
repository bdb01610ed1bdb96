package import Diagnostics
package import LocalFiles
import CHEIF
package import Imaging
import ScalarText

/// Decodes HEIC and AVIF images with their depth, by libheif if it is installed.
package enum HEIFDecoding {
    private static let stage = FlatteningError.Stage.heic

    /// Decodes the visible part of an image, as stored, with its orientation.
    /// - Parameter page: counted from 1; nil for the primary image, with a warning if there are others.
    package static func color(
        _ bytes: [UInt8], page: Int? = nil, limits: FlatteningLimits
    ) throws(FlatteningError) -> ColorPicture {
        let pages = HEIFStructure.pages(in: bytes)
        let file = try HEIFFile(bytes, limits: limits)
        let item = try page.map { (page) throws(FlatteningError) in
            guard pages.indices.contains(page - 1) else {
                throw FlatteningError(
                    .badInput, "the HEIC file has no such picture", stage: stage, seen: "\(page)",
                    allowed: "1 to \(max(pages.count, 1))")
            }
            return pages[page - 1]
        }
        let handle = try item.map(file.handle(of:)) ?? file.primary
        let (width, height) = try checkedSize(of: handle, purpose: .color, limits: limits)
        let shown = HEIFTransformations(
            of: bytes, item: item, storedSize: PixelSize(width: width, height: height))
        let image = try file.decode(
            handle, colorspace: heif_colorspace_RGB, chroma: heif_chroma_interleaved_RGB,
            channel: heif_channel_interleaved, width: width, height: height
        ) { plane, stride, _ in
            RGBImage(width: shown.columns.count, height: shown.rows.count) { pixels in
                let target = UnsafeMutableRawBufferPointer(pixels)
                let length = 3 * shown.columns.count
                for (y, stored) in shown.rows.enumerated() {
                    let row = UnsafeRawBufferPointer(
                        start: plane + stored * stride + 3 * shown.columns.lowerBound, count: length)
                    UnsafeMutableRawBufferPointer(rebasing: target[(y * length)...]).copyMemory(from: row)
                }
            }
        }
        // The block begins with the offset of its TIFF structure (ISO/IEC 23008-12, A.2.1).
        let block = file.metadata(of: handle, type: "Exif", limits: limits).first ?? []
        let offset = block.count >= 4 ? block[..<4].reduce(0) { $0 << 8 | Int($1) } : block.count
        let exif = ExifMetadata(tiff: block.dropFirst(4).dropFirst(min(offset, block.count)))
        return ColorPicture(
            image: image, orientation: shown.orientation,
            focalLengthIn35mmFilm: exif.focalLengthIn35mmFilm,
            warnings: page == nil && pages.count > 1
                ? ["only the main one of \(pages.count) pictures in the HEIC file is shown"] : [])
    }

    /// A grey auxiliary image as its file stores it, not turned.
    package struct AuxiliaryDepth {
        /// The stored numbers.
        package var samples: Raster<Float>
        /// Bits of each number.
        package var bits: Int
        /// The XMP packets that describe it.
        package var xmp: [[UInt8]]
    }

    /// The depth image beside the primary image; nil if there is none.
    /// - Parameter isDescribed: whether its XMP packets say what its numbers mean; if not, it is not decoded.
    package static func auxiliaryDepth(
        _ bytes: [UInt8], limits: FlatteningLimits, isDescribed: ([[UInt8]]) -> Bool
    ) throws(FlatteningError) -> AuxiliaryDepth? {
        let file = try HEIFFile(bytes, limits: limits)
        guard let depth = try file.depthHandle() else { return nil }
        let packets = file.metadata(of: depth, type: "mime", limits: limits)
        guard isDescribed(packets) else { return nil }
        let (width, height) = try checkedSize(of: depth, purpose: .map, limits: limits)
        let (samples, bits) = try file.decode(
            depth, colorspace: heif_colorspace_monochrome, chroma: heif_chroma_monochrome,
            channel: heif_channel_Y, width: width, height: height
        ) { plane, stride, bits in
            let samples = Raster<Float>(width: width, height: height) { output in
                for y in 0..<height {
                    let row = UnsafeRawPointer(plane + y * stride)
                    for x in 0..<width {
                        // More than 8 bits take two bytes, the low byte first.
                        output[y * width + x] =
                            bits <= 8
                            ? Float(row.load(fromByteOffset: x, as: UInt8.self))
                            : Float(
                                UInt16(
                                    littleEndian: row.loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self)))
                    }
                }
            }
            return (samples, bits)
        }
        return AuxiliaryDepth(samples: samples, bits: bits, xmp: packets)
    }

    /// The size of an image before it is turned, checked against the limits.
    private static func checkedSize(
        of handle: HEIFFile.Handle, purpose: FlatteningLimits.Purpose, limits: FlatteningLimits
    ) throws(FlatteningError) -> (width: Int, height: Int) {
        let (width, height) = handle.storedSize
        try limits.check(width: width, height: height, purpose: purpose, stage: stage)
        // libheif keeps tiles, planes and the interleaved image. Planes of more than 8 bits take twice as much, and exist
        // twice during conversion. Measured: 6 and 12 bytes a pixel.
        let memory = width * height * (handle.bits > 8 ? 12 : 8)
        guard memory <= limits.maximumDecodingBytes else {
            throw FlatteningError(
                .limitExceeded, "decoding the HEIC file would take too much memory", stage: stage,
                seen: "\(width) x \(height) of \(handle.bits) bits: \(memory)",
                allowed: "\(limits.maximumDecodingBytes) (maximumDecodingBytes)",
                advice: "Save it smaller, or in 8 bits")
        }
        return (width, height)
    }
}

/// A HEIF file read by libheif. Its bytes stay at the same address for the object's lifetime.
final class HEIFFile {
    /// One image of the file, released with the object.
    final class Handle {
        fileprivate let pointer: OpaquePointer
        private let heif: CHEIFFunctions

        fileprivate init(_ pointer: OpaquePointer, _ heif: CHEIFFunctions) {
            self.pointer = pointer
            self.heif = heif
        }

        deinit { heif.heif_image_handle_release(pointer) }

        /// Width and height before any turning.
        var storedSize: (width: Int, height: Int) {
            (
                Int(heif.heif_image_handle_get_ispe_width(pointer)),
                Int(heif.heif_image_handle_get_ispe_height(pointer))
            )
        }

        /// Bits of a brightness value, as stored; -1 if the file does not say.
        var bits: Int { Int(heif.heif_image_handle_get_luma_bits_per_pixel(pointer)) }
    }

    let primary: Handle
    private let heif: CHEIFFunctions
    private let context: OpaquePointer
    private let memory: UnsafeMutableRawBufferPointer

    init(_ bytes: [UInt8], limits: FlatteningLimits) throws(FlatteningError) {
        let heif = try HEIFLibrary.shared.load()
        guard let context = heif.heif_context_alloc() else {
            throw FlatteningError(.internalInconsistency, "libheif gives no context", stage: .heic)
        }
        Self.lowerLimits(of: context, heif, to: limits)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
        memory.copyBytes(from: bytes)
        do throws(FlatteningError) {
            guard let start = UnsafeRawPointer(memory.baseAddress) else {
                throw FlatteningError(.badInput, "the file is empty", stage: .heic)
            }
            try Self.check(
                heif.heif_context_read_from_memory_without_copy(context, start, bytes.count, nil)
            )
            var primary: OpaquePointer?
            try Self.check(heif.heif_context_get_primary_image_handle(context, &primary))
            guard let primary else {
                throw FlatteningError(.badInput, "the HEIC file holds no picture", stage: .heic)
            }
            self.primary = Handle(primary, heif)
        } catch {
            heif.heif_context_free(context)
            memory.deallocate()
            throw error
        }
        self.heif = heif
        self.context = context
        self.memory = memory
    }

    deinit {
        heif.heif_context_free(context)
        memory.deallocate()
    }

    /// Lowers libheif's own limits to ours.
    static func lowerLimits(of context: OpaquePointer, _ heif: CHEIFFunctions, to limits: FlatteningLimits) {
        withUnsafePointer(to: heif) {
            cheif_lower_limits(
                $0, context, UInt64(max(limits.maximumColorPixels, 1)),
                UInt64(max(limits.maximumDecodingBytes, 1)))
        }
    }

    /// Returns an image by its item number.
    func handle(of item: Int) throws(FlatteningError) -> Handle {
        var found: OpaquePointer?
        try Self.check(heif.heif_context_get_image_handle(context, heif_item_id(item), &found))
        guard let found else {
            throw FlatteningError(.badInput, "the HEIC file holds no such picture", stage: .heic)
        }
        return Handle(found, heif)
    }

    /// Returns the first depth image beside the primary one.
    func depthHandle() throws(FlatteningError) -> Handle? {
        var identifier: UInt32 = 0
        guard
            heif.heif_image_handle_get_list_of_depth_image_IDs(primary.pointer, &identifier, 1)
                > 0
        else { return nil }
        var depth: OpaquePointer?
        try Self.check(
            heif.heif_image_handle_get_depth_image_handle(primary.pointer, identifier, &depth))
        return depth.map { Handle($0, heif) }
    }

    /// Returns the metadata blocks of one type, without blocks that are too large or broken.
    func metadata(of handle: Handle, type: String, limits: FlatteningLimits) -> [[UInt8]] {
        var identifiers = [UInt32](repeating: 0, count: 16)
        let count = heif.heif_image_handle_get_list_of_metadata_block_IDs(
            handle.pointer, type, &identifiers, Int32(identifiers.count))
        return identifiers.prefix(Int(max(count, 0))).compactMap { identifier in
            let size = heif.heif_image_handle_get_metadata_size(handle.pointer, identifier)
            guard size > 0, size <= limits.maximumMetadataBytes else { return nil }
            var block = [UInt8](repeating: 0, count: size)
            let error = block.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map {
                    heif.heif_image_handle_get_metadata(handle.pointer, identifier, $0)
                }
            }
            return error?.code == heif_error_Ok ? block : nil
        }
    }

    /// Decodes an image without turning or cropping it, and passes one of its planes on.
    /// - Parameter body: receives the plane's first byte, the distance between its rows and the bits of a value.
    func decode<Result>(
        _ handle: Handle, colorspace: heif_colorspace, chroma: heif_chroma, channel: heif_channel, width: Int,
        height: Int,
        _ body: (_ plane: UnsafePointer<UInt8>, _ stride: Int, _ bits: Int) -> Result
    ) throws(FlatteningError) -> Result {
        guard let options = heif.heif_decoding_options_alloc() else {
            throw FlatteningError(.internalInconsistency, "libheif gives no options", stage: .heic)
        }
        defer { heif.heif_decoding_options_free(options) }
        options.pointee.ignore_transformations = 1
        var decoded: OpaquePointer?
        try Self.check(
            heif.heif_decode_image(
                handle.pointer, &decoded, colorspace, chroma, options))
        guard let decoded else {
            throw FlatteningError(.badInput, "the HEIC file holds no picture", stage: .heic)
        }
        defer { heif.heif_image_release(decoded) }
        let seen = PixelSize(
            width: Int(heif.heif_image_get_width(decoded, channel)),
            height: Int(heif.heif_image_get_height(decoded, channel)))
        var stride: Int32 = 0
        guard seen == PixelSize(width: width, height: height),
            let plane = heif.heif_image_get_plane_readonly(decoded, channel, &stride)
        else {
            throw FlatteningError(
                .badInput, "the HEIC file's picture has another size than it declares", stage: .heic,
                seen: "\(seen)", allowed: "\(width) x \(height)")
        }
        return body(
            plane, Int(stride), Int(heif.heif_image_get_bits_per_pixel_range(decoded, channel)))
    }

    private static func check(_ error: heif_error) throws(FlatteningError) {
        guard error.code != heif_error_Ok else { return }
        let words = error.message.map { String(cString: $0).split(atScalar: "\n").joined(separator: " ") }
        if error.code == heif_error_Memory_allocation_error,
            error.subcode != heif_suberror_Security_limit_exceeded
        {
            throw .shortOfMemory(stage: .heic, words: words)
        }
        // The error codes for files that this libheif cannot read.
        let isUnsupported =
            error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature
        throw FlatteningError(
            isUnsupported ? .unsupported : .badInput,
            isUnsupported ? "libheif cannot read this file" : "the HEIC file is broken", stage: .heic,
            detail: words, advice: isUnsupported ? "Convert it: heif-convert in.heic out.jpg" : nil)
    }
}
