import Diagnostics
import Foundation
import ImageFiles
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures

/// Google's GDepth: miniatures (make-embedded-depth.py of ImageFilesTests) and packets put together here.
@Suite struct GoogleDepthTests {
    /// A PNG of 16 bits with the pixels 0 and 65535, written by Python's struct and zlib.
    private static let twoPixels =
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABEAAAAACB2fwVAAAADUlEQVR4nGNgYPj/HwADAgH/5ncLrgAAAABJRU5ErkJggg=="

    private func read(_ name: String) throws -> EmbeddedCapture {
        try #require(try EmbeddedCapture.read(InputFile(name: name, bytes: Fixture.imageFile(name))))
    }

    @Test("GDepth's inverse range is disparity, of no unit unless one is stated")
    func inverseRange() throws {
        let depth = try #require(try read("gdepth-inverse.jpg").depth)
        #expect(depth.isDisparity && !depth.isAbsolute)
        for (x, y) in [(0, 0), (31, 23), (7, 4)] {
            // The specification's own formula, solved for distance.
            let (near, far) = (0.25, 2.0)
            let value = Double(40 + 4 * x + 2 * y) / 255
            let distance = far * near / (far - value * (far - near))
            #expect(abs(1 / Double(depth.readings[x: x, y: y]) / distance - 1) < 1e-5)
        }
    }

    @Test("GDepth's linear range is distance, metres where it says so")
    func linearRange() throws {
        let depth = try #require(try read("gdepth-linear.jpg").depth)
        #expect(!depth.isDisparity && depth.isAbsolute)
        let expected = 0.25 + Float(40 + 4 * 9 + 2 * 5) / 255 * 1.75
        #expect(abs(depth.readings[x: 9, y: 5] - expected) < 0.008, "one step of 255 in JPEG")
    }

    private static func read(_ segments: [UInt8]) throws -> EmbeddedCapture? {
        let bytes = HandmadeJPEG.inserting(segments, into: try Fixture.imageFile("gray.jpg"))
        return try EmbeddedCapture.read(InputFile(name: "photo.jpg", bytes: bytes))
    }

    private static func gdepth(_ changes: [String: String?]) throws -> EmbeddedCapture? {
        var properties: [String: String] = [
            "Format": "RangeLinear", "Near": "1", "Far": "3", "Units": "m", "Mime": "image/png",
            "Data": twoPixels,
        ]
        for (key, value) in changes { properties[key] = value }
        return try read(HandmadeJPEG.gdepth(properties))
    }

    @Test func aDepthMapOf16BitsReachesFromNearToFar() throws {
        let depth = try #require(try Self.gdepth([:])?.depth)
        #expect(depth.readings.elements == [1, 3] && depth.isAbsolute && !depth.isDisparity)
        // One over 1 and one over 3 metres, rounded to Float.
        let inverse = try #require(try Self.gdepth(["Format": "RangeInverse", "Units": "mm"])?.depth)
        #expect(inverse.isDisparity && inverse.isAbsolute)
        for (reading, expected) in zip(inverse.readings.elements, [1000, 1000.0 / 3]) {
            #expect(abs(Double(reading) / expected - 1) < 1e-6)
        }
        #expect(try Self.gdepth(["MeasureType": "OpticRay"])?.depth?.isRadial == true)
    }

    /// Google's camera wrote its maps as RGB with alpha; of channels that differ the first counts.
    @Test(arguments: [2, 6])
    func aDepthMapInColorsIsItsFirstChannel(colorType: Int) throws {
        let png = HandmadePNG(width: 3, height: 2, bitDepth: 8, colorType: colorType) { x, y, channel in
            channel == 0 ? 100 * x + 20 * y : 7
        }
        let data = Data(png.bytes).base64EncodedString()
        let depth = try #require(try Self.gdepth(["Data": data])?.depth)
        let expected = [0, 100, 200, 20, 120, 220].map { 1 + Float($0) * Float(2.0 / 255) }
        #expect(depth.readings.elements == expected)
    }

    @Test(arguments: [(0.25, 2.0, false), (0.1, 50.0, true)])
    func stepsOfEightBitsAreToldAndWarnedOfWhereTheyAreCoarse(near: Double, far: Double, isCoarse: Bool)
        throws
    {
        // In dioptres: a step, and the number nearest to half a metre, all over the map.
        let step = (1 / near - 1 / far) / 255
        let number = Int(((1 / near - 2) / step).rounded())
        let png = HandmadePNG(width: 8, height: 8, bitDepth: 8, colorType: 0) { _, _, _ in number }
        let depth = try #require(
            try Self.gdepth([
                "Format": "RangeInverse", "Near": "\(near)", "Far": "\(far)",
                "Data": Data(png.bytes).base64EncodedString(),
            ])?.depth)
        let reading = DepthReading(depth)
        let percent = String(format: "%.2g", step / (1 / near - Double(number) * step) * 100)
        #expect(reading.form.contains("in steps of \(percent) % of the distance"), "\(reading.form)")
        #expect(reading.warnings.count == (isCoarse ? 1 : 0))
        #expect(reading.warnings.allSatisfy { $0.contains("coarse") && $0.contains("\(percent) %") })
    }

    @Test func whatIsMissingIsNoDepth() throws {
        #expect(try Self.gdepth(["Format": nil]) == nil)
        #expect(try Self.gdepth(["Data": nil]) == nil)
    }

    @Test(
        arguments: [
            (["Format": "RangeSquared"], "format"), (["Near": "0"], "range"), (["Near": "-1"], "range"),
            (["Far": "1"], "range"), (["Far": "inf"], "range"), (["Near": "nan"], "range"),
            (["Near": nil], "range"),
            (["Data": "a"], "base64"),
        ] as [([String: String?], String)])
    func whatCannotBeIsNamed(changes: [String: String?], word: String) throws {
        let error = try #require(throws: FlatteningError.self) { try Self.gdepth(changes) }
        #expect(error.code == .badInput && error.file == "photo.jpg" && error.message.contains(word))
    }

    @Test func aDepthMapOfFloatsIsNotRead() throws {
        let floats = Data(try Fixture.imageFile("depth32.npy")).base64EncodedString()
        let error = try #require(throws: FlatteningError.self) { try Self.gdepth(["Data": floats]) }
        #expect(error.code == .unsupported && error.stage == .embeddedDepth)
    }
}
