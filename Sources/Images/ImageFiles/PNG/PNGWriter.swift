package import Diagnostics
package import LocalFiles
import CPNGCodec
package import Imaging

/// A PNG written row by row, so that an image never has to be in memory as a whole.
///
/// 8 or 16 bits a channel, RGB or grey, or one bit a pixel. The density is written to pHYs only if it is known.
package final class PNGWriter {
    private let bytesPerRow: Int
    private let name: String?
    private let sink: Sink
    private var encoder: OpaquePointer?

    /// The destination of libpng's bytes. A separate object, so that the encoder's pointer to it never keeps the writer
    /// alive.
    private final class Sink {
        let write: (UnsafeRawBufferPointer) throws(FlatteningError) -> Void
        var failure: FlatteningError?
        init(write: @escaping (UnsafeRawBufferPointer) throws(FlatteningError) -> Void) { self.write = write }
    }

    /// The kinds of pixels that can be written; raw values are bits per pixel.
    package enum Pixels: Int, Sendable {
        /// Black and white as `BilevelImage` holds them.
        case bilevel = 1
        /// One byte a pixel.
        case gray = 8
        /// Two bytes a pixel, in the machine's byte order: depth.
        case gray16 = 16
        /// Three bytes a pixel.
        case rgb = 24
        /// Six bytes a pixel, in the machine's byte order.
        case rgb16 = 48

        /// Bytes of a row of `width` pixels.
        func bytesPerRow(width: Int) -> Int { (width * rawValue + 7) / 8 }
    }

    /// Starts a PNG in `file`, which the writer neither commits nor discards.
    /// - Parameters:
    ///   - file: the file.
    ///   - pixels: what a pixel consists of.
    ///   - size: at least 1 x 1; the size of the rows to be written.
    ///   - pixelsPerMeter: true density of the image, nil if unknown. Stored as a whole number.
    package convenience init(
        to file: AtomicFile, size: PixelSize, pixels: Pixels = .rgb, pixelsPerMeter: Double? = nil
    ) throws(FlatteningError) {
        try self.init(size: size, pixels: pixels, pixelsPerMeter: pixelsPerMeter, name: file.path) {
            (bytes) throws(FlatteningError) in try file.write(bytes)
        }
    }

    /// Starts a PNG whose bytes are passed to a function.
    /// - Parameters:
    ///   - name: the name of the destination, for messages.
    ///   - write: receives the next bytes; an error that it throws ends the writing.
    package init(
        size: PixelSize, pixels: Pixels, pixelsPerMeter: Double?, name: String?,
        write: @escaping (UnsafeRawBufferPointer) throws(FlatteningError) -> Void
    ) throws(FlatteningError) {
        guard size.width > 0, size.height > 0, size.width <= 1 << 24, size.height <= 1 << 24 else {
            throw FlatteningError(
                .limitExceeded, "a PNG cannot have this size", stage: .png, seen: "\(size)")
        }
        self.name = name
        bytesPerRow = pixels.bytesPerRow(width: size.width)
        sink = Sink(write: write)
        var text = ErrorText()
        let density = pixelsPerMeter.flatMap { $0.isFinite && $0 > 0 ? UInt32(min($0.rounded(), 1e9)) : nil }
        encoder = cpng_writer_create(
            UInt32(size.width), UInt32(size.height), Int32(pixels.rawValue), density ?? 0,
            { context, bytes, count in
                guard let context, let bytes else { return -1 }
                let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
                do throws(FlatteningError) {
                    try sink.write(UnsafeRawBufferPointer(start: bytes, count: count))
                    return 0
                } catch {
                    sink.failure = error
                    return -1
                }
            }, Unmanaged.passUnretained(sink).toOpaque(), &text.buffer, text.buffer.count)
        if encoder == nil { throw failure(text) }
    }

    deinit { cpng_writer_destroy(encoder) }

    /// Adds whole rows, from the top.
    /// - Precondition: the count is a multiple of the bytes of a row.
    /// - Throws: the file's errors; after one the writer can only be dropped.
    package func write(rows bytes: UnsafeRawBufferPointer) throws(FlatteningError) {
        precondition(bytes.count % bytesPerRow == 0, "whole rows are written")
        var text = ErrorText()
        let result = cpng_writer_write(
            encoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count / bytesPerRow,
            &text.buffer, text.buffer.count)
        if result != 0 { throw failure(text) }
    }

    /// Ends the PNG; every row must have been written.
    package func finish() throws(FlatteningError) {
        var text = ErrorText()
        if cpng_writer_finish(encoder, &text.buffer, text.buffer.count) != 0 { throw failure(text) }
    }

    private func failure(_ text: ErrorText) -> FlatteningError {
        sink.failure
            ?? .codec(
                .internalInconsistency, "the PNG cannot be encoded", file: name, stage: .png,
                words: text.words)
    }
}
