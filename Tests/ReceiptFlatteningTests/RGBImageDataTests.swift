import Diagnostics
import Foundation
import Imaging
import ReceiptFlattening
import TestSupport
import Testing

/// Pictures and depth maps as the bytes of files.
@Suite struct RGBImageDataTests {
    /// No two neighbours alike, so that JPEG has something to lose.
    private static let image = RGBImage(
        width: 48, height: 32,
        elements: (0..<48 * 32).map { (index: Int) -> RGB in
            let (red, green, blue) = (index * 37 % 256, index * 91 % 256, index * index % 251)
            return RGB(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
        })

    @Test func aPNGKeepsEveryPixel() throws {
        let image = Self.image
        #expect(try RGBImage(data: image.pngData()) == image)
        #expect(try RGBImage(data: image.pngData(pixelsPerMeter: 11_811)) == image)
    }

    @Test func aJPEGsSizeFallsWithItsQuality() throws {
        let sizes = try [1, 0.92, 0.5, 0].map { try Self.image.jpegData(quality: $0).count }
        for (better, worse) in zip(sizes, sizes.dropFirst()) { #expect(better > worse, "\(sizes)") }
        #expect(try Self.image.jpegData().count == sizes[1], "0.92 is the default")
        #expect(try RGBImage(data: Self.image.jpegData(quality: 0.5)).size == Self.image.size)
    }

    @Test(arguments: [1.5, -0.01, .nan] as [Double])
    func aQualityThatThereIsNotIsRefused(quality: Double) throws {
        let error = try #require(failure { try Self.image.jpegData(quality: quality) })
        #expect(error.code == .badInput && error.allowed == "0 to 1")
    }

    @Test func whatIsNoPictureIsRefused() {
        #expect(failure { try RGBImage(data: Data("no picture".utf8)) } != nil)
        #expect(failure { try RGBImage(data: Self.image.pngData().prefix(100)) }?.code == .badInput)
        #expect(failure { try RGBImage(width: 0, height: 0, elements: []).pngData() }?.code == .badInput)
    }

    @Test func sixteenBitsOfAPNGAreDepthInTheUnitGiven() throws {
        let png = HandmadePNG(width: 5, height: 3, bitDepth: 16, colorType: 0) { x, y, _ in
            x == 0 && y == 0 ? 0 : 300 + x + 1000 * y
        }
        let depth = try DepthMap(data: Data(png.bytes), metersPerUnit: 0.001)
        #expect(depth.size == PixelSize(width: 5, height: 3) && depth.scale == .metric)
        #expect(depth[x: 0, y: 0].isNaN, "0 is no reading")
        for y in 0..<3 {
            for x in 0..<5 where (x, y) != (0, 0) {
                // One rounding to single precision each, of the unit and of the product.
                #expect(abs(Double(depth[x: x, y: y]) - (0.3 + 0.001 * Double(x) + Double(y))) < 1e-6)
            }
        }
    }
}
