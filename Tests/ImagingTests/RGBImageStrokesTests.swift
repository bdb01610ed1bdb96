import Imaging
import Testing

/// Lines and numbers drawn into pictures.
@Suite struct RGBImageStrokesTests {
    private let black = RGB(red: 0, green: 0, blue: 0)

    @Test(arguments: [0.2, 1, 1.5, 3]) func aLineRunsFromPointToPointWhateverItsPen(_ pen: Double) {
        var image = RGBImage(width: 20, height: 10, filledWith: .white)
        image.draw([SIMD2(2, 5), SIMD2(17, 5)], color: black, width: pen)
        #expect((2...17).allSatisfy { image[x: $0, y: 5] == black })
        #expect(image[x: 2, y: 0] == .white && image[x: 19, y: 9] == .white)
    }

    @Test func whatLiesOutsideIsLeftOut() {
        var image = RGBImage(width: 4, height: 4, filledWith: .white)
        let far = [SIMD2(-9, -9), SIMD2(-1e300, 2), SIMD2(.nan, 1), SIMD2(50, 2), SIMD2(2, 1e7)]
        for (from, to) in zip(far, far.dropFirst()) { image.draw([from, to], color: black, width: 1) }
        #expect(image.elements.allSatisfy { $0 == .white })
        image.draw([SIMD2(-5, 1), SIMD2(9, 1)], color: black, width: 1)
        #expect((0..<4).allSatisfy { image[x: $0, y: 1] == black && image[x: $0, y: 3] == .white })
    }

    @Test func numbersStandOnTheirFoot() {
        var image = RGBImage(width: 60, height: 20, filledWith: .white)
        let end = image.write("+10 mm", at: SIMD2(2, 15), size: 12, color: black)
        #expect(end.x == 2 + 6 * 9)
        let inked = (0..<20).filter { y in (0..<60).contains { image[x: $0, y: y] == black } }
        #expect(inked.first == 3 && inked.last == 15)
    }
}
