import Imaging
import RobustStatistics
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

    @Test("Means of blocks of any size are those of their pixels, rounded", arguments: 1...11)
    func means(step: Int) {
        let seed: UInt64 = 0xB10C
        var generator = SplitMix64(seed: seed)
        let picture = RGBImage(
            width: 29, height: 23,
            elements: (0..<29 * 23).map { _ in
                // Mostly white: sums are as large as they get.
                RGB(red: 255, green: UInt8.random(in: 0...255, using: &generator), blue: 254)
            })
        let small = picture.blockMeans(step)
        for y in 0..<small.height {
            for x in 0..<small.width {
                let block = (y * step..<min((y + 1) * step, 23)).flatMap { y in
                    (x * step..<min((x + 1) * step, 29)).map { Int(picture[x: $0, y: y].green) }
                }
                let mean = UInt8((block.reduce(0, +) + block.count / 2) / block.count)
                #expect(
                    small[x: x, y: y] == RGB(red: 255, green: mean, blue: 254), "seed \(seed), (\(x), \(y))")
            }
        }
    }
}
