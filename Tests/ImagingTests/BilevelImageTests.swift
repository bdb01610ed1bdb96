import Imaging
import Testing

@Suite struct BilevelImageTests {
    @Test(
        "A pixel goes to the nearer of black and white, eight to a byte from the left, the rest of a row white"
    )
    func packing() {
        let image = BilevelImage(
            GrayImage(
                width: 10, height: 2,
                elements: [0, 127, 128, 255, 0, 255, 0, 255, 0, 255] + [UInt8](repeating: 0, count: 10)))
        #expect(image.size == PixelSize(width: 10, height: 2) && image.bytesPerRow == 2)
        #expect(image.bytes == [0b0011_0101, 0b0111_1111, 0b0000_0000, 0b0011_1111])
        #expect(
            (0..<10).map { image.isWhite(x: $0, y: 0) } == [1, 1, 0, 0, 1, 0, 1, 0, 1, 0].map { $0 == 0 })
    }

    @Test("A picture without pixels has no bytes", arguments: [(0, 3), (3, 0)])
    func empty(width: Int, height: Int) {
        #expect(BilevelImage(GrayImage(width: width, height: height, filledWith: 0)).bytes.isEmpty)
    }
}
