import CTIFF
import Diagnostics
@testable import ImageFiles
import Imaging
import LocalFiles
import TestSupport
import Testing

@Suite("Pictures written and read again")
struct ImageWriterTests {
    /// Every byte differs from its neighbours, so that a swapped channel or a lost row shows.
    private static func pattern(width: Int, height: Int) -> RGBImage {
        RGBImage(width: width, height: height) { pixels in
            for index in 0..<width * height {
                pixels.initializeElement(
                    at: index,
                    to: RGB(
                        red: UInt8(truncatingIfNeeded: index &* 7),
                        green: UInt8(truncatingIfNeeded: index &* 31),
                        blue: UInt8(truncatingIfNeeded: index / width)))
            }
        }
    }

    @Test("PNG and TIFF keep every pixel and the density", arguments: ["flat.png", "flat.tif", "flat.tiff"])
    func lossless(name: String) throws {
        let folder = try ScratchFolder()
        let image = Self.pattern(width: 131, height: 67)
        try ImageWriter.write(image, to: folder.path(name), pixelsPerMeter: 5906)
        let read = try ColorPicture.decode(try InputFile.read(path: folder.path(name)))
        #expect(read.image == image)
        // TIFF holds the density as a fraction of 32-bit integers, single precision on the way.
        #expect(abs((read.pixelsPerMeter ?? 0) / 5906 - 1) < 1e-6)
        #expect(read.orientation == .up)
        #expect(try folder.contents == [name])
    }

    @Test("Nothing is claimed where no density is known", arguments: ["flat.png", "flat.tif", "flat.jpg"])
    func noDensity(name: String) throws {
        let folder = try ScratchFolder()
        try ImageWriter.write(Self.pattern(width: 16, height: 16), to: folder.path(name))
        let read = try ColorPicture.decode(try InputFile.read(path: folder.path(name)))
        #expect(read.pixelsPerMeter == nil)
    }

    @Test("JPEG keeps a smooth picture within a few levels, and its density to the whole number")
    func jpeg() throws {
        let folder = try ScratchFolder()
        let image = RGBImage(width: 120, height: 90) { pixels in
            for index in 0..<120 * 90 {
                let x = index % 120
                let y = index / 120
                pixels.initializeElement(
                    at: index, to: RGB(red: UInt8(2 * x), green: UInt8(2 * y), blue: UInt8(255 - x - y)))
            }
        }
        for (density, stored) in [(10_000.0, 10_000.0), (150 / 0.0254, 150 / 0.0254)] {
            try ImageWriter.write(image, to: folder.path("a.jpg"), pixelsPerMeter: density)
            let read = try ColorPicture.decode(try InputFile.read(path: folder.path("a.jpg")))
            // Quality 92 quantises the smallest coefficients by 2 or 3.
            let worst = zip(read.image.elements, image.elements).map {
                max(
                    abs(Int($0.red) - Int($1.red)), abs(Int($0.green) - Int($1.green)),
                    abs(Int($0.blue) - Int($1.blue)))
            }.max()
            #expect(try #require(worst) <= 6)
            #expect(abs(try #require(read.pixelsPerMeter) - stored) < 1e-6)
        }
    }

    @Test("Grey pictures are written as such", arguments: ["a.png", "a.jpg", "a.tif"])
    func gray(name: String) throws {
        let folder = try ScratchFolder()
        let image = GrayImage(width: 50, height: 40, elements: (0..<2000).map { UInt8($0 % 50 * 5) })
        try ImageWriter.write(image, to: folder.path(name), pixelsPerMeter: 8000)
        let file = try InputFile.read(path: folder.path(name))
        let read = try ColorPicture.decode(file)
        #expect(read.image.elements.allSatisfy { $0.red == $0.green && $0.red == $0.blue })
        if name != "a.jpg" {
            #expect(read.image.gray() == image)
            #expect(try SampleMap.decode(file) == .uint8(image))
        }
    }

    /// 0 to 9 pixels past a whole byte; each row differs from its neighbours.
    @Test("One bit a pixel comes back as it was, in PNG and in TIFF")
    func bilevel() throws {
        let folder = try ScratchFolder()
        for width in [1, 7, 8, 9, 130] {
            let gray = GrayImage(
                width: width, height: 33, elements: (0..<width * 33).map { $0 * $0 % 7 < 3 ? 0 : 255 })
            let image = BilevelImage(gray)
            for name in ["a.png", "a.tif"] {
                try ImageWriter.write(image, to: folder.path(name), pixelsPerMeter: 8000)
            }
            let file = try InputFile.read(path: folder.path("a.png"))
            for name in ["a.png", "a.tif"] {
                let read = try ColorPicture.decode(try InputFile.read(path: folder.path(name)))
                #expect(read.image.gray() == gray, "\(name), \(width) pixels wide")
                // TIFF has pixels per inch, as a float.
                #expect(abs((read.pixelsPerMeter ?? 0) / 8000 - 1) < 1e-6)
            }
            // IHDR's bit depth and colour type.
            #expect(file.bytes[24] == 1 && file.bytes[25] == 0)
            #expect(
                try faxRows(folder.path("a.tif"), bytesPerRow: image.bytesPerRow) == image.bytes.map { ~$0 })
        }
    }

    /// The rows of a TIFF in group 4, whose 1 is black, as libtiff decodes them.
    private func faxRows(_ path: String, bytesPerRow: Int) throws -> [UInt8] {
        let library = try TIFFLibrary.shared.load()
        var bytes = try InputFile.read(path: path).bytes
        var memory = ctiff_memory()
        let count = bytes.count
        return try bytes.withUnsafeMutableBufferPointer { bytes in
            memory.bytes = bytes.baseAddress
            memory.count = UInt64(count)
            return try withUnsafeMutablePointer(to: &memory) { memory in
                let tiff = try #require(ctiff_open(library, memory, "r", 0, 0))
                defer { library.TIFFClose(tiff) }
                return try faxRows(of: tiff, library, bytesPerRow: bytesPerRow)
            }
        }
    }

    private func faxRows(
        of tiff: OpaquePointer, _ library: CTIFFFunctions, bytesPerRow: Int
    ) throws -> [UInt8] {
        #expect(ctiff_get_uint16(library, tiff, UInt32(TIFFTAG_BITSPERSAMPLE), 0) == 1)
        #expect(ctiff_get_uint16(library, tiff, UInt32(TIFFTAG_COMPRESSION), 0) == COMPRESSION_CCITTFAX4)
        #expect(ctiff_get_uint16(library, tiff, UInt32(TIFFTAG_PHOTOMETRIC), 9) == PHOTOMETRIC_MINISWHITE)
        #expect(
            abs(ctiff_get_float(library, tiff, UInt32(TIFFTAG_XRESOLUTION), 0) / (8000 * 0.0254) - 1) < 1e-6)
        let height = ctiff_get_uint32(library, tiff, UInt32(TIFFTAG_IMAGELENGTH), 0)
        return try (0..<height).flatMap { y in
            var row = [UInt8](repeating: 0, count: bytesPerRow)
            try #require(library.TIFFReadScanline(tiff, &row, y, 0) == 1)
            return row
        }
    }

    @Test("JPEG takes no picture of one bit a pixel, and nothing is written")
    func bilevelJPEG() throws {
        let folder = try ScratchFolder()
        let image = BilevelImage(GrayImage(width: 8, height: 8, filledWith: 255))
        let error = #expect(throws: FlatteningError.self) {
            try ImageWriter.write(image, to: folder.path("a.jpg"))
        }
        #expect(error?.code == .unsupported)
        #expect(try folder.contents.isEmpty)
    }

    /// Group 4 codes a white row like the white row above it, imagined above the first, by the one bit 1 (T.6, 2.2.3); the
    /// end of the picture is twice 000000000001.
    @Test("A white picture in group 4 is one bit a row, and the end")
    func group4() throws {
        let white = BilevelImage(GrayImage(width: 100, height: 16, filledWith: 255))
        #expect(try ImageWriter.group4(white) == [0xFF, 0xFF, 0x00, 0x10, 0x01])
        #expect(throws: FlatteningError.self) {
            try ImageWriter.group4(BilevelImage(GrayImage(width: 0, height: 3, filledWith: 0)))
        }
    }

    @Test(
        "Other extensions and pictures without pixels are refused, and nothing is written",
        arguments: [
            "a.bmp", "a", "png", ".png/a", "a.heic",
        ])
    func refused(name: String) throws {
        let folder = try ScratchFolder()
        let image = Self.pattern(width: 2, height: 2)
        let error = try #require(throws: FlatteningError.self) {
            try ImageWriter.write(image, to: folder.path(name))
        }
        #expect(error.code == .unsupported)
        #expect(throws: FlatteningError.self) {
            try ImageWriter.write(Self.pattern(width: 0, height: 2), to: folder.path("a.png"))
        }
        #expect(try folder.contents.isEmpty)
    }

    @Test("A picture can replace the file that it was read from")
    func inputIsOutput() throws {
        let folder = try ScratchFolder()
        let path = folder.path("a.png")
        try AtomicFile.replace(path, with: try Fixture.bytes("rgb8.png"))
        let picture = try ColorPicture.decode(try InputFile.read(path: path))
        try ImageWriter.write(picture.image, to: path)
        #expect(try ColorPicture.decode(try InputFile.read(path: path)).image == picture.image)
    }
}
