import Imaging
import Testing

@Suite("Smoothing over neighbours")
struct SmoothingTests {
    @Test("The binomial filter spreads a point by 1 2 1, and keeps its sum away from the rim")
    func binomial() {
        var point = Raster<Float>(width: 5, height: 5, filledWith: 0)
        point[x: 2, y: 2] = 16
        let smooth = point.smoothed { ($0 + 2 * $1 + $2) / 4 }
        #expect(smooth.elements.reduce(0, +) == 16)
        #expect((1...3).map { smooth[x: $0, y: 2] } == [2, 4, 2])
        #expect((1...3).map { smooth[x: $0, y: 1] } == [1, 2, 1])
    }

    @Test("The rim repeats: an even raster stays as it is, also one of a single element")
    func rim() {
        for (width, height) in [(1, 1), (1, 4), (3, 1), (4, 3)] {
            let even = Raster<Float>(width: width, height: height, filledWith: 6)
            #expect(even.smoothed { ($0 + $1 + $2) / 3 } == even)
        }
        let edge = Raster<Float>(width: 3, height: 1, elements: [9, 0, 0])
        #expect(edge.smoothed { ($0 + $1 + $2) / 3 }.elements == [6, 3, 0])
    }
}
