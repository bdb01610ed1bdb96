import Diagnostics
import LocalFiles
import ImageFiles
import Imaging

/// Depth as dumped by the RealSense SDK, without a header: `.raw` holds Z16 (16-bit little-endian units of the sensor), the
/// `.bin` of rs-convert holds metres as 32-bit little-endian floats; both row by row, 0 = no reading.
enum RealSenseRawDepth {
    /// The sizes of RealSense streams (Intel RealSense D400 Series datasheet, "Depth" and "RGB" video stream formats; L515).
    /// No two have the same number of pixels, so a dump's length tells its size if nothing states it.
    static let sizes = [
        (1920, 1080), (1280, 800), (1280, 720), (1024, 768), (960, 540), (848, 480), (640, 480), (640, 400),
        (640, 360), (480, 270), (424, 240), (320, 240), (320, 180), (256, 144),
    ].map { PixelSize(width: $0.0, height: $0.1) }

    /// Reads the map of a dump.
    /// - Parameter stated: its size, if a file beside it states one.
    /// - Throws: `.badInput` if its length fits no size, `.limitExceeded`.
    static func map(
        _ file: InputFile, isFloatingPoint: Bool, stated: PixelSize?, limits: FlatteningLimits
    ) throws(FlatteningError) -> SampleMap {
        let width = isFloatingPoint ? 4 : 2
        let size = stated ?? sizes.first { $0.pixelCount * width == file.bytes.count }
        guard let size, size.pixelCount * width == file.bytes.count else {
            throw FlatteningError(
                .badInput, "the raw depth map's length does not fit its size", file: file.name,
                stage: .depth,
                seen: "\(file.bytes.count) bytes",
                allowed: stated.map { "\($0.pixelCount * width) bytes for \($0)" }
                    ?? "that of a size in which RealSense cameras send depth",
                advice: "Keep the metadata file beside it, or save the depth map as 16-bit PNG")
        }
        do throws(FlatteningError) {
            try limits.check(width: size.width, height: size.height, purpose: .map, stage: .depth)
        } catch {
            throw error.naming(file: file.name)
        }
        func value<Integer: FixedWidthInteger>(_ index: Int, _ type: Integer.Type) -> Integer {
            (0..<MemoryLayout<Integer>.size).reduce(0) {
                $0 | Integer(truncatingIfNeeded: file.bytes[index * width + $1]) << (8 * $1)
            }
        }
        if isFloatingPoint {
            return .float32(
                Raster(
                    width: size.width, height: size.height,
                    elements: (0..<size.pixelCount).map { Float(bitPattern: value($0, UInt32.self)) }))
        }
        return .uint16(
            Raster(
                width: size.width, height: size.height,
                elements: (0..<size.pixelCount).map { value($0, UInt16.self) }))
    }
}
