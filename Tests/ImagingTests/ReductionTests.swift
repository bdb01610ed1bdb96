import Imaging
import Testing

@Suite("Pictures made smaller")
struct ReductionTests {
    @Test("Halving takes the rounded mean of four pixels and leaves out an odd row and column")
    func halving() {
        let fine = GrayImage(width: 3, height: 3, elements: [1, 2, 99, 3, 4, 99, 99, 99, 99])
        let half = fine.halved()
        #expect(half == GrayImage(width: 1, height: 1, elements: [3]), "10 / 4 = 2.5 is rounded up")
        #expect(GrayImage(width: 2, height: 2, filledWith: 255).halved().elements == [255])
        #expect(GrayImage(width: 1, height: 5, filledWith: 7).halved().size == PixelSize(width: 0, height: 2))
    }

    @Test("A pyramid halves until its longer side has 48 pixels")
    func pyramid() {
        let pyramid = LumaPyramid(RGBImage(width: 200, height: 120, filledWith: .white))
        #expect(pyramid.levels.map(\.width) == [200, 100, 50, 25])
        #expect(pyramid.level(9) == pyramid.levels[3], "the coarsest where there is none so coarse")
        #expect(pyramid.levels.allSatisfy { $0.elements.allSatisfy { $0 == 255 } })
    }

    @Test("Means of blocks that are cut off count their own pixels only")
    func blocks() {
        var picture = RGBImage(width: 3, height: 1, filledWith: RGB(red: 10, green: 0, blue: 0))
        picture[x: 2, y: 0] = RGB(red: 200, green: 100, blue: 50)
        let small = picture.blockMeans(2)
        #expect(
            small.elements == [
                RGB(red: 10, green: 0, blue: 0), RGB(red: 200, green: 100, blue: 50),
            ])
    }
}
