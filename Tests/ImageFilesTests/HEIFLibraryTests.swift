import Diagnostics
import Imaging
import LocalFiles
import Testing

@testable import ImageFiles

@Suite struct HEIFLibraryTests {
    @Test("Without libheif the message says how to install it and how to convert")
    func missingLibrary() {
        #expect {
            try HEIFLibrary.shared.open(anyOf: ["libheif-that-is-not-there.so"])
        } throws: {
            let error = $0 as? FlatteningError
            return error?.code == .missingDependency
                && error?.advice?.contains("apt-get install libheif1") == true
                && error?.advice?.contains("heif-convert") == true
        }
    }

    private static let hasLibrary = (try? HEIFLibrary.shared.load()) != nil

    @Test("A HEIC's picture is read as stored, with the turn of its own property", .enabled(if: hasLibrary))
    func picture() throws {
        let name = "apple-disparity.heic"
        let picture = try ColorPicture.decode(InputFile(name: name, bytes: Fixture.bytes(name)))
        #expect(picture.image.size == PixelSize(width: 192, height: 144))
        // Three quarter turns against the clock are one with it.
        #expect(picture.orientation == .right)
        for (x, y) in [(10, 10), (150, 20), (90, 110)] {
            let color = picture.image[x: x, y: y]
            // YCbCr in 8 bits and back.
            #expect(
                abs(Int(color.red) - x) <= 3 && abs(Int(color.green) - y) <= 3
                    && abs(Int(color.blue) - 128) <= 3)
        }
    }

    @Test(
        "Turns one after the other are one turn", arguments: ImageOrientation.allCases,
        ImageOrientation.allCases)
    func turns(first: ImageOrientation, second: ImageOrientation) {
        let picture = Raster<UInt8>(width: 3, height: 2, elements: Array(0..<6))
        #expect(
            picture.oriented(by: first).oriented(by: second)
                == picture.oriented(by: first.followed(by: second)))
    }
}
