import CPNGCodec
public import Imaging

/// A PNG written row by row, so that a picture never has to be in memory as a whole.
///
/// 8 or 16 bits a channel, RGB or grey. The density goes to pHYs only if it is known: nothing is claimed otherwise.
public final class PNGWriter {
    private let width: Int
    private let bytesPerPixel: Int
    private let file: AtomicFile
    private let sink: Sink
    private var encoder: OpaquePointer?

    /// Where libpng's bytes go. Kept apart so that the encoder's pointer to it never keeps the writer alive.
    private final class Sink {
        let file: AtomicFile
        var failure: FlatteningError?
        init(file: AtomicFile) { self.file = file }
    }

    /// The kinds of pixels that can be written.
    public enum Pixels: Int, Sendable {
        /// One byte a pixel.
        case gray = 1
        /// Two bytes a pixel, in the machine's byte order: depth.
        case gray16 = 2
        /// Three bytes a pixel.
        case rgb = 3
        /// Six bytes a pixel, in the machine's byte order.
        case rgb16 = 6
    }

    /// Starts a PNG in `file`, which is neither committed nor discarded by the writer.
    /// - Parameters:
    ///   - file: the file.
    ///   - pixels: what a pixel consists of.
    ///   - size: at least 1 x 1; the rows that will come.
    ///   - pixelsPerMeter: true density of the picture, nil if unknown. Stored as a whole number.
    public init(
        to file: AtomicFile, size: PixelSize, pixels: Pixels = .rgb, pixelsPerMeter: Double? = nil
    ) throws(FlatteningError) {
        guard size.width > 0, size.height > 0, size.width <= 1 << 24, size.height <= 1 << 24 else {
            throw FlatteningError(
                .limitExceeded, "a PNG cannot have this size", stage: "png", seen: "\(size)")
        }
        self.file = file
        width = size.width
        bytesPerPixel = pixels.rawValue
        sink = Sink(file: file)
        var text = ErrorText()
        let density = pixelsPerMeter.flatMap { $0.isFinite && $0 > 0 ? UInt32(min($0.rounded(), 1e9)) : nil }
        encoder = cpng_writer_create(
            UInt32(size.width), UInt32(size.height), Int32(pixels.rawValue), density ?? 0,
            { context, bytes, count in
                guard let context, let bytes else { return -1 }
                let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
                do throws(FlatteningError) {
                    try sink.file.write(UnsafeRawBufferPointer(start: bytes, count: count))
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
    /// - Throws: what the file throws; the writer can then only be dropped.
    public func write(rows bytes: UnsafeRawBufferPointer) throws(FlatteningError) {
        let stride = width * bytesPerPixel
        precondition(bytes.count % stride == 0, "whole rows are written")
        var text = ErrorText()
        let result = cpng_writer_write(
            encoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count / stride,
            &text.buffer, text.buffer.count)
        if result != 0 { throw failure(text) }
    }

    /// Ends the PNG: every row must have come.
    public func finish() throws(FlatteningError) {
        var text = ErrorText()
        if cpng_writer_finish(encoder, &text.buffer, text.buffer.count) != 0 { throw failure(text) }
    }

    private func failure(_ text: ErrorText) -> FlatteningError {
        sink.failure
            ?? .codec(
                .internalInconsistency, "the PNG cannot be encoded", file: file.path, stage: "png",
                words: text.words)
    }
}
