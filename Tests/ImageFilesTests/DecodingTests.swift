import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import Testing

@Suite("Files written by other programs")
struct DecodingTests {
    @Test(
        "A picture has the pixels that its writer meant", arguments: Fixture.all.filter { $0.kind == .color })
    func picture(fixture: Fixture) throws {
        let picture = try ColorPicture.decode(try fixture.load())
        #expect(picture.image.size == PixelSize(width: fixture.width, height: fixture.height))
        let expected = try fixture.expectedValues(as: UInt8.self)
        let worst = picture.image.withBytes { bytes in
            zip(bytes, expected).map { abs(Int($0) - Int($1)) }.max() ?? .max
        }
        #expect(worst <= fixture.tolerance ?? 0)
        #expect(picture.orientation.rawValue == fixture.orientation ?? 1)
        #expect(picture.focalLengthIn35mmFilm == fixture.focalLengthIn35mmFilm)
        #expect(picture.warnings.isEmpty)
        if let density = fixture.pixelsPerMeter {
            // Whole numbers per inch in the file; TIFF's fractions pass through single precision.
            #expect(abs((picture.pixelsPerMeter ?? 0) / density - 1) < 1e-6)
        }
    }

    @Test("A map has the values that were stored", arguments: Fixture.all.filter { $0.kind != .color })
    func map(fixture: Fixture) throws {
        let file = try SampleMap.decodeFile(try fixture.load())
        #expect(file.map.size == PixelSize(width: fixture.width, height: fixture.height))
        #expect(file.orientation?.rawValue == fixture.orientation)
        switch (file.map, fixture.kind) {
        case (.uint8(let values), .uint8):
            #expect(values.elements == (try fixture.expectedValues(as: UInt8.self)))
        case (.uint16(let values), .uint16):
            #expect(values.elements == (try fixture.expectedValues(as: UInt16.self)))
        case (.float32(let values), .float32):
            let expected = try fixture.expectedValues(as: Float.self)
            // NaN equals NaN here: "no reading" must stay what it is.
            let isEqual = zip(values.elements, expected).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
            #expect(isEqual)
        default:
            Issue.record("decoded as \(file.map)")
        }
    }

    @Test("Colours are not taken for depth", arguments: ["rgb16.png", "rgb8.tif", "palette4.png", "la8.png"])
    func colorsAsMap(name: String) throws {
        let file = InputFile(name: name, bytes: try Fixture.bytes(name))
        let error = try #require(throws: FlatteningError.self) { try SampleMap.decode(file) }
        #expect(error.code == .badInput)
        #expect(error.file == name)
    }

    @Test("A lossy picture is refused as a map, with advice")
    func jpegAsMap() throws {
        let file = InputFile(name: "depth.jpg", bytes: try Fixture.bytes("gray.jpg"))
        let error = try #require(throws: FlatteningError.self) { try SampleMap.decode(file) }
        #expect(error.code == .unsupported)
        #expect(error.advice?.contains("16-bit PNG") == true)
    }

    @Test("A depth map is refused as a picture")
    func depthAsPicture() throws {
        let file = InputFile(name: "depth32.tif", bytes: try Fixture.bytes("depth32.tif"))
        let error = try #require(throws: FlatteningError.self) { try ColorPicture.decode(file) }
        #expect(error.code == .unsupported)
        #expect(error.message.contains("depth map"))
    }

    @Test("A JPEG without its end marker is whole if its picture is")
    func missingEnd() throws {
        let bytes = try Fixture.bytes("full-color.jpg")
        let whole = try ColorPicture.decode(InputFile(name: "whole", bytes: bytes))
        let open = try ColorPicture.decode(InputFile(name: "open", bytes: Array(bytes.dropLast(2))))
        #expect(open.image == whole.image)
        #expect(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "cut", bytes: Array(bytes.prefix(bytes.count * 2 / 3))))
        }
    }

    @Test(
        "An array's second and third format versions differ by a longer length only",
        arguments: [2, 3] as [UInt8])
    func arrayVersions(version: UInt8) throws {
        var bytes = try Fixture.bytes("gray16.npy")
        let first = try SampleMap.decode(InputFile(name: "1", bytes: bytes))
        bytes[6] = version
        bytes.insert(contentsOf: [0, 0], at: 10)
        #expect(try SampleMap.decode(InputFile(name: "\(version)", bytes: bytes)) == first)
    }

    @Test("Formats are told by content")
    func formats() throws {
        for (name, format) in [
            ("rgb8.png", ImageFileFormat.png), ("gray.jpg", .jpeg), ("rgb8.tif", .tiff),
            ("depth32-big-endian.tif", .tiff), ("depth32-bigtiff.tif", .tiff), ("depth32.npy", .npy),
        ] {
            #expect(ImageFileFormat.sniff(try Fixture.bytes(name)) == format, "\(name)")
        }
    }
}
