import Foundation
import ImageFiles
import Imaging
import LocalFiles
import TestSupport
import Testing

@Suite("Arrays and clouds written")
struct ArrayAndCloudTests {
    private func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test("An array has NumPy's own bytes")
    func likeNumPy() throws {
        let folder = try ScratchFolder()
        let fixture = try #require(Fixture.all.first { $0.file == "gray16.npy" })
        let values = try fixture.expectedValues(as: UInt16.self)
        try NPYWriter.write(
            Raster(width: fixture.width, height: fixture.height, elements: values), to: folder.path("a.npy"))
        // NumPy pads its headers to 64 bytes too, with the same keys in the same order (some versions leave room for
        // a growing first axis: 128 bytes then).
        let written = try bytes(folder.path("a.npy"))
        let expected = try Fixture.bytes("gray16.npy")
        #expect(written.suffix(values.count * 2) == expected.suffix(values.count * 2))
        let dictionary = Array("{'descr': '<u2', 'fortran_order': False, 'shape': (21, 37), }".utf8)
        #expect(written[10...].starts(with: dictionary))
        #expect(expected[10...].starts(with: dictionary))
        #expect((written.count - values.count * 2) % 64 == 0)
    }

    @Test("A map of floats comes back, NaN included")
    func floats() throws {
        let folder = try ScratchFolder()
        let map = Raster<Float>(
            width: 3, height: 2, elements: [1, -2.5, .nan, .infinity, 0, .leastNonzeroMagnitude])
        try NPYWriter.write(map, to: folder.path("a.npy"))
        guard case .float32(let read) = try SampleMap.decode(try InputFile.read(path: folder.path("a.npy")))
        else {
            Issue.record("not a map of floats")
            return
        }
        #expect(read.elements.map(\.bitPattern) == map.elements.map(\.bitPattern))
    }

    @Test("A sampling map is written densely, one position for each output pixel")
    func samplingMap() throws {
        let folder = try ScratchFolder()
        // Affine, so bilinear interpolation between nodes is exact; whole numbers of eighths, so rounding is too.
        let map = SamplingMap(outputSize: PixelSize(width: 11, height: 7), spacing: 4) { point in
            point.x > 8 ? SIMD2(.nan, .nan) : SIMD2(2 * point.x + 1, 0.5 * point.y - 3)
        }
        try NPYWriter.write(map, to: folder.path("map.npy"))
        let written = try bytes(folder.path("map.npy"))
        let start = written.count - 11 * 7 * 8
        #expect(start % 64 == 0)
        #expect(String(decoding: written[10..<start], as: UTF8.self).contains("'shape': (7, 11, 2)"))
        written.withUnsafeBytes { raw in
            for y in 0..<7 {
                for x in 0..<11 {
                    let offset = start + (y * 11 + x) * 8
                    let column = raw.loadUnaligned(fromByteOffset: offset, as: Float.self)
                    let row = raw.loadUnaligned(fromByteOffset: offset + 4, as: Float.self)
                    if x <= 8 {
                        #expect(column == Float(2 * x + 1) && row == Float(y) * 0.5 - 3)
                    } else {
                        #expect(column.isNaN && row.isNaN)
                    }
                }
            }
        }
    }

    @Test(
        "A cloud's file is its header and its records",
        arguments: [false, true])
    func cloud(hasColors: Bool) throws {
        let folder = try ScratchFolder()
        // More than one block of the writer.
        let count = 5000
        let positions = (0..<count).map { SIMD3(Float($0), Float($0) * 0.5, -Float($0)) }
        let colors = (0..<count).map { RGB(red: UInt8($0 % 256), green: 1, blue: UInt8($0 / 256)) }
        try PLYWriter.write(
            positions: positions, colors: hasColors ? colors : nil, to: folder.path("cloud.ply"))
        let written = try bytes(folder.path("cloud.ply"))
        let end = Array("end_header\n".utf8)
        let start =
            try #require(
                (0..<600).first { written[$0...].starts(with: end) }) + end.count
        let header = String(decoding: written[..<start], as: UTF8.self)
        #expect(header.hasPrefix("ply\nformat binary_little_endian 1.0\n"))
        #expect(header.contains("element vertex \(count)\n"))
        let size = hasColors ? 15 : 12
        #expect(written.count == start + count * size)
        written.withUnsafeBytes { raw in
            for index in [0, 1, 4095, 4096, 4999] {
                let offset = start + index * size
                #expect(raw.loadUnaligned(fromByteOffset: offset + 4, as: Float.self) == Float(index) * 0.5)
                if hasColors {
                    #expect(raw[offset + size - 3] == UInt8(index % 256))
                    #expect(raw[offset + size - 1] == UInt8(index / 256))
                }
            }
        }
    }

    @Test("An empty cloud is a file without records")
    func emptyCloud() throws {
        let folder = try ScratchFolder()
        try PLYWriter.write(positions: [], to: folder.path("cloud.ply"))
        #expect(
            String(decoding: try bytes(folder.path("cloud.ply")), as: UTF8.self).hasSuffix("end_header\n"))
    }
}
