package import Diagnostics
import LocalFiles
package import Imaging

/// Writes point clouds as binary little-endian PLY (Turk, The PLY Polygon File Format, 1994), which MeshLab, CloudCompare
/// and Open3D read.
package enum PLYWriter {
    /// Writes a cloud to `path`, atomically.
    /// - Parameters:
    ///   - path: the file, as the caller names it.
    ///   - positions: in metres, camera frame: x right, y down, z forward.
    ///   - colors: one for each position, or nil.
    /// - Precondition: as many colours as positions, if any.
    package static func write(
        positions: [SIMD3<Float>], colors: [RGB]? = nil, to path: String
    ) throws(FlatteningError) {
        precondition(colors.map { $0.count == positions.count } ?? true, "a colour for each position")
        precondition(UInt16(1).littleEndian == 1, "big-endian machines are not supported")

        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            try file.write(header(count: positions.count, hasColors: colors != nil))
            let size = colors == nil ? 12 : 15
            let block = 4096
            var bytes = [UInt8](repeating: 0, count: block * size)
            for start in stride(from: 0, to: positions.count, by: block) {
                let end = min(start + block, positions.count)
                bytes.withUnsafeMutableBytes { raw in
                    var offset = 0
                    for index in start..<end {
                        let position = positions[index]
                        raw.storeBytes(of: position.x, toByteOffset: offset, as: Float.self)
                        raw.storeBytes(of: position.y, toByteOffset: offset + 4, as: Float.self)
                        raw.storeBytes(of: position.z, toByteOffset: offset + 8, as: Float.self)
                        offset += 12
                        if let colors {
                            raw[offset] = colors[index].red
                            raw[offset + 1] = colors[index].green
                            raw[offset + 2] = colors[index].blue
                            offset += 3
                        }
                    }
                }
                try bytes.withTypedBytes { (raw) throws(FlatteningError) in
                    try file.write(UnsafeRawBufferPointer(rebasing: raw[..<((end - start) * size)]))
                }
            }
        }
    }

    private static func header(count: Int, hasColors: Bool) -> [UInt8] {
        var lines = ["ply", "format binary_little_endian 1.0", "comment metres; x right, y down, z forward"]
        lines += ["element vertex \(count)"]
        lines += ["x", "y", "z"].map { "property float \($0)" }
        if hasColors { lines += ["red", "green", "blue"].map { "property uchar \($0)" } }
        lines += ["end_header", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }
}
