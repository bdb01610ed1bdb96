import Imaging
import Testing

@Suite struct RGBImageBytesTests {
    private static let pixels = [
        RGB(red: 1, green: 2, blue: 3), RGB(red: 4, green: 5, blue: 6), RGB(red: 0, green: 128, blue: 255),
        .white, RGB(red: 9, green: 8, blue: 7), RGB(red: 200, green: 100, blue: 50),
    ]
    private static let image = RGBImage(width: 3, height: 2, elements: pixels)

    @Test func threeBytesAreAPixelRowAfterRow() {
        let bytes: [UInt8] = Self.pixels.flatMap { [$0.red, $0.green, $0.blue] }
        #expect(RGBImage(rgb: bytes, width: 3, height: 2) == Self.image)
        // Any collection serves, one whose indices do not begin at 0 as well.
        #expect(RGBImage(rgb: ([UInt8(99)] + bytes).dropFirst(), width: 3, height: 2) == Self.image)
    }

    @Test func theFourthByteIsPassedOverAndComesBackOpaque() {
        let clear = Self.pixels.flatMap { [$0.red, $0.green, $0.blue, 17] as [UInt8] }
        #expect(RGBImage(rgba: clear, width: 3, height: 2) == Self.image)
        let opaque = Self.pixels.flatMap { [$0.red, $0.green, $0.blue, 255] as [UInt8] }
        #expect(Self.image.rgbaBytes() == opaque)
        #expect(RGBImage(rgba: Self.image.rgbaBytes(), width: 3, height: 2) == Self.image)
    }

    @Test func aPictureWithoutPixelsHasNoBytes() {
        let none = RGBImage(rgb: [UInt8](), width: 0, height: 2)
        #expect(none.elements.isEmpty && none.rgbaBytes().isEmpty)
    }
}
