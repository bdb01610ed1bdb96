public import Diagnostics
import LocalFiles
public import Imaging

/// Writes arrays for NumPy (numpy.lib.format, version 1.0): little-endian, C order.
public enum NPYWriter {
    /// Writes a map of Float32, shape (height, width), to `path`, atomically.
    public static func write(_ map: Raster<Float>, to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            try file.write(header(type: "<f4", shape: [map.height, map.width]))
            try write(map.elements, to: file)
        }
    }

    /// Writes a map of UInt16, shape (height, width), to `path`, atomically.
    public static func write(_ map: Raster<UInt16>, to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            try file.write(header(type: "<u2", shape: [map.height, map.width]))
            try write(map.elements, to: file)
        }
    }

    /// Writes a sampling map densely: Float32 of shape (height, width, 2), for each output pixel the column and row in the
    /// input image (pixel centres at whole numbers), NaN where there is no source.
    ///
    /// Interpolates row by row, so the dense map is never in memory.
    public static func write(_ map: SamplingMap, to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            let size = map.outputSize
            try file.write(header(type: "<f4", shape: [size.height, size.width, 2]))
            var row = [SIMD2<Float>](repeating: SIMD2(0, 0), count: size.width)
            for y in 0..<size.height {
                row.withUnsafeMutableBufferPointer { map.writeRow(y, into: $0) }
                try write(row, to: file)
            }
        }
    }

    /// The header, padded so that the array starts at a multiple of 64 bytes.
    /// - Parameters:
    ///   - type: NumPy's name of the element type, such as "<f8".
    ///   - shape: row-major.
    package static func header(type: String, shape: [Int]) -> [UInt8] {
        let sides = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
        let dictionary = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(sides)), }"
        let unpadded = 10 + dictionary.utf8.count + 1
        let length = (unpadded + 63) / 64 * 64 - 10
        var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0]
        bytes += [UInt8(length & 0xFF), UInt8(length >> 8)]
        bytes += Array(dictionary.utf8)
        bytes += Array(repeating: 0x20, count: length - dictionary.utf8.count - 1)
        return bytes + [0x0A]
    }

    /// Writes elements of 2, 4 or 2 x 4 bytes in the file's byte order, which is that of every supported machine.
    private static func write<Element>(_ elements: [Element], to file: AtomicFile) throws(FlatteningError) {
        precondition(UInt16(1).littleEndian == 1, "big-endian machines are not supported")
        try elements.withTypedBytes { (raw) throws(FlatteningError) in try file.write(raw) }
    }
}
