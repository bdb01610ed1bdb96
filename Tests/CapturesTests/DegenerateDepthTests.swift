import DepthGeometry
import Foundation
import Imaging
import TestSupport
import Testing

@testable import Captures

/// Depth maps that are files like any other but measure nothing: the capture goes on without depth and says why.
@Suite struct DegenerateDepthTests {
    /// An array as NumPy's format description (NEP 1, version 1.0) has it, 20 x 15.
    private func npy<Number>(_ type: String, _ numbers: [Number]) -> Data {
        var header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (15, 20), }"
        header += String(repeating: " ", count: 64 - (10 + header.utf8.count + 1) % 64) + "\n"
        let length = UInt16(header.utf8.count).littleEndian
        return Data([0x93] + Array("NUMPY".utf8) + [1, 0]) + withUnsafeBytes(of: length) { Data($0) }
            + Data(header.utf8) + numbers.withUnsafeBytes { Data($0) }
    }

    private func capture(depth: Data) throws -> Capture {
        let folder = try ScratchFolder()
        try folder.copy("picture.png")
        try depth.write(to: URL(filePath: folder.path + "/depth.npy"))
        _ = try folder.write(#"{"image": "picture.png", "depth": "depth.npy"}"#, as: "capture.json")
        return try Capture.read(folder.path)
    }

    @Test(
        arguments: [
            0, -0.5, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
            .leastNormalMagnitude,
            1e6, 1e-6,
        ] as [Float])
    func oneNumberEverywhereThatIsNoDistanceIsRefused(number: Float) throws {
        let capture = try capture(depth: npy("<f4", [Float](repeating: number, count: 300)))
        #expect(capture.depth == nil)
        #expect(capture.depthRefusal != nil)
    }

    @Test(arguments: [0, .max] as [UInt16])
    func bothEndsOfWholeNumbersAreNoReadings(number: UInt16) throws {
        let refused = try capture(depth: npy("<u2", [UInt16](repeating: number, count: 300)))
        #expect(refused.depth == nil && refused.depthRefusal != nil)
        // Among readings they are holes.
        var numbers = [UInt16](repeating: 400, count: 300)
        numbers[7] = number
        let depth = try #require(try capture(depth: npy("<u2", numbers)).depth)
        #expect(depth[x: 7, y: 0].isNaN)
        #expect(depth[x: 8, y: 0] == 0.4)
    }

    @Test(arguments: [1, 2, 15])
    func aFewReadingsAreNoSurface(count: Int) throws {
        var numbers = [Float](repeating: .nan, count: 300)
        for index in 0..<count { numbers[index * 19] = 0.4 }
        #expect(try capture(depth: npy("<f4", numbers)).depth == nil)
    }
}
