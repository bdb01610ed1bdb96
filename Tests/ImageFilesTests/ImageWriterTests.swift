import ImageFiles
import Imaging
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
        try ImageWriter.write(image, to: folder.path + name, pixelsPerMeter: 5906)
        let read = try ColorPicture.decode(try InputFile.read(path: folder.path + name))
        #expect(read.image == image)
        // TIFF holds the density as a fraction of 32-bit integers, single precision on the way.
        #expect(abs((read.pixelsPerMeter ?? 0) / 5906 - 1) < 1e-6)
        #expect(read.orientation == .up)
        #expect(try folder.content == [name])
    }

    @Test("Nothing is claimed where no density is known", arguments: ["flat.png", "flat.tif", "flat.jpg"])
    func noDensity(name: String) throws {
        let folder = try ScratchFolder()
        try ImageWriter.write(Self.pattern(width: 16, height: 16), to: folder.path + name)
        let read = try ColorPicture.decode(try InputFile.read(path: folder.path + name))
        #expect(read.pixelsPerMeter == nil)
    }
}
