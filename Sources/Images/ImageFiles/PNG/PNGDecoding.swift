import Diagnostics
import LocalFiles
import CPNGCodec
import Imaging

/// Decodes PNG images and maps, by libpng (see `CPNGCodec`).
enum PNGDecoding {
    private static let stage = FlatteningError.Stage.png

    /// The content of the IHDR chunk. PNG specification, 3rd ed., 11.2.1.
    struct Header: Equatable {
        var width: Int
        var height: Int
        var bitDepth: Int
        var colorType: Int

        var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1 }
        var kind: String {
            let names = [0: "grey", 2: "RGB", 3: "palette", 4: "grey with alpha", 6: "RGB with alpha"]
            return "\(bitDepth)-bit \(names[colorType] ?? "unknown kind")"
        }
    }

    static func header(_ bytes: [UInt8]) throws(FlatteningError) -> Header {
        func uint32(at position: Int) -> Int {
            bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= 33, uint32(at: 8) == 13, bytes[12..<16].elementsEqual("IHDR".utf8) else {
            throw FlatteningError(.badInput, "the PNG file has no header", stage: stage)
        }
        let header = Header(
            width: uint32(at: 16), height: uint32(at: 20), bitDepth: Int(bytes[24]), colorType: Int(bytes[25])
        )
        // libpng's message would only say that the header is invalid.
        let depths = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        guard depths[header.colorType]?.contains(header.bitDepth) == true else {
            throw FlatteningError(
                .badInput, "the PNG file states a kind of pixels that does not exist", stage: stage,
                seen: "colour type \(header.colorType) of \(header.bitDepth) bits",
                allowed: "types 0, 2, 3, 4 and 6 with their depths of 1 to 16 bits")
        }
        return header
    }

    static func color(
        _ bytes: [UInt8], limits: FlatteningLimits
    ) throws(FlatteningError) -> ColorPicture {
        let header = try checkedHeader(bytes, purpose: .color, limits: limits)
        var metadata = Metadata()
        let image = try RGBImage.decoded(width: header.width, height: header.height) { pixels in
            decode(
                bytes, header, CPNG_LAYOUT_RGB8, into: UnsafeMutableRawBufferPointer(pixels), limits,
                &metadata)
        }
        return ColorPicture(
            image: image, orientation: metadata.exif.orientation ?? .up,
            focalLengthIn35mmFilm: metadata.exif.focalLengthIn35mmFilm,
            pixelsPerMeter: metadata.pixelsPerMeter)
    }

    /// - Parameter takesFirstChannel: whether to use the first channel of a map in colours; otherwise its channels must be
    ///   equal, and opaque.
    static func map(
        _ bytes: [UInt8], limits: FlatteningLimits, takesFirstChannel: Bool
    ) throws(FlatteningError) -> SampleMap.File {
        let header = try checkedHeader(bytes, purpose: .map, limits: limits)
        func inColors() -> FlatteningError {
            FlatteningError(
                .badInput, "a map holds one value per pixel, not colours", stage: stage, seen: header.kind,
                allowed: "16-bit or 8-bit grey, or colours with equal channels",
                advice: "Save the depth itself, not a rendering of it in colours")
        }
        guard header.colorType != paletteType else { throw inColors() }
        var metadata = Metadata()
        let map: SampleMap
        if header.bitDepth == 16 {
            map = .uint16(
                try Raster<UInt16>.decoded(width: header.width, height: header.height) { values in
                    decode(
                        bytes, header, CPNG_LAYOUT_STORED_GRAY16,
                        into: UnsafeMutableRawBufferPointer(values), limits, &metadata)
                })
        } else {
            map = .uint8(
                try Raster<UInt8>.decoded(width: header.width, height: header.height) { values in
                    decode(
                        bytes, header, CPNG_LAYOUT_STORED_GRAY8,
                        into: UnsafeMutableRawBufferPointer(values), limits, &metadata)
                })
        }
        guard takesFirstChannel || !metadata.channelsDiffer else { throw inColors() }
        return SampleMap.File(map: map, orientation: metadata.exif.orientation)
    }

    private struct Metadata {
        var exif = ExifMetadata()
        var pixelsPerMeter: Double?
        var channelsDiffer = false
    }

    /// The colour type of images with a palette.
    private static let paletteType = 3

    private static func checkedHeader(
        _ bytes: [UInt8], purpose: FlatteningLimits.Purpose, limits: FlatteningLimits
    ) throws(FlatteningError) -> Header {
        let header = try header(bytes)
        try limits.check(width: header.width, height: header.height, purpose: purpose, stage: stage)
        // One byte of deflate yields at most 1,032 (zlib's technical details); the chunks around it only add bytes.
        let bits = header.width * header.height * header.channels * header.bitDepth
        try FlatteningLimits.checkRatio(
            declared: bits / 8, fileBytes: bytes.count, ratio: 1032, stage: stage)
        return header
    }

    private static func decode(
        _ bytes: [UInt8], _ header: Header, _ layout: cpng_layout,
        into pixels: UnsafeMutableRawBufferPointer, _ limits: FlatteningLimits, _ metadata: inout Metadata
    ) -> FlatteningError? {
        var found = cpng_metadata()
        defer { cpng_metadata_free(&found) }
        var text = ErrorText()
        let result = cpng_decode(
            bytes, bytes.count, layout, UInt32(header.width), UInt32(header.height),
            pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), pixels.count,
            limits.maximumMetadataBytes, &found, &text.buffer, text.buffer.count)
        if Int(result) == CPNG_DATA_GOES_ON {
            return FlatteningError(
                .badInput, "the picture's data goes on after its last row", stage: stage,
                seen: "\(found.data_left) bytes of data from its last row on",
                allowed: "\(found.data_left_allowed) bytes", advice: "Save the picture anew")
        }
        guard result == 0 else {
            return .codec(.badInput, "the PNG file is broken", stage: stage, words: text.words)
        }
        if let exif = found.exif {
            metadata.exif = ExifMetadata(tiff: UnsafeBufferPointer(start: exif, count: found.exif_size))
        }
        metadata.channelsDiffer = found.channels_differ != 0
        if found.pixels_per_meter_x > 0 && found.pixels_per_meter_x == found.pixels_per_meter_y {
            metadata.pixelsPerMeter = Double(found.pixels_per_meter_x)
        }
        return nil
    }
}
