import Testing

@testable import Imaging

@Suite struct GrayImageEnlargingTests {
    @Test(
        "A place p comes to lie at p times the factor, and straight slopes stay straight",
        arguments: [1.5, 2, 3])
    func slope(factor: Double) {
        var picture = GrayImage(width: 24, height: 16, filledWith: 0)
        for y in 0..<16 {
            for x in 0..<24 { picture[x: x, y: y] = UInt8(20 + 4 * x + 6 * y) }
        }
        let large = picture.enlarged(by: factor)
        #expect(large.width == Int((24 * factor).rounded(.up)))
        #expect(large.height == Int((16 * factor).rounded(.up)))
        // Two pixels from the rim, which goes on as it ends; half a grey level is lost in rounding.
        for y in Int(2.5 * factor)..<Int(13.5 * factor) {
            for x in Int(2.5 * factor)..<Int(21.5 * factor) {
                let place = (SIMD2(Double(x), Double(y)) + 0.5) / factor - 0.5
                let expected = 20 + 4 * place.x + 6 * place.y
                #expect(abs(Double(large[x: x, y: y]) - expected) <= 0.51)
            }
        }
    }

    @Test("A line of light is spread by the weights of cubic convolution")
    func impulse() {
        var picture = GrayImage(width: 9, height: 5, filledWith: 0)
        for y in 0..<5 { picture[x: 4, y: y] = 200 }
        let large = picture.enlarged(by: 2)
        // Keys' weights at a quarter and three quarters of a pixel: 111/128, 29/128, and -9/128, -3/128 beside them.
        #expect(
            (0..<18).map { large[x: $0, y: 4] } == [
                0, 0, 0, 0, 0, 0, 0, 45, 173, 173, 45, 0, 0, 0, 0, 0, 0, 0,
            ])
    }

    @Test("By 1 a picture stays as it is, one of a single pixel too")
    func unchanged() {
        let picture = GrayImage(width: 3, height: 2, elements: [1, 50, 255, 0, 7, 128])
        #expect(picture.enlarged(by: 1) == picture)
        #expect(
            GrayImage(width: 1, height: 1, elements: [77]).enlarged(by: 2.5).elements
                == [UInt8](repeating: 77, count: 9))
    }
}
