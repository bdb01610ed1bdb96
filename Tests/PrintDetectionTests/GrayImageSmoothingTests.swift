import Imaging
import Testing

@testable import PrintDetection

@Suite struct GrayImageSmoothingTests {
    @Test func aDotIsSpreadOverItsNeighbours() {
        var picture = GrayImage(width: 5, height: 5, filledWith: 0)
        picture[x: 2, y: 2] = 160
        // The products of 1/4, 1/2 and 1/4.
        let expected: [UInt8] = [
            0, 0, 0, 0, 0, 0, 10, 20, 10, 0, 0, 20, 40, 20, 0, 0, 10, 20, 10, 0, 0, 0, 0, 0, 0,
        ]
        #expect(picture.smoothed().elements == expected)
    }

    @Test("An even picture stays as it is", arguments: [(1, 1), (2, 9), (9, 2), (3, 3), (17, 11)])
    func even(width: Int, height: Int) {
        let picture = GrayImage(width: width, height: height, filledWith: 255)
        #expect(picture.smoothed() == picture)
    }
}
