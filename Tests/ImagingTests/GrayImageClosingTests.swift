import RobustStatistics
import Testing

@testable import Imaging

/// Running extremes against the definition.
@Suite struct GrayImageClosingTests {
    @Test(arguments: [(1, 1, 3), (7, 5, 1), (16, 9, 2), (40, 33, 4), (23, 50, 9)])
    func extremesAreThoseOfTheSquare(width: Int, height: Int, radius: Int) {
        var generator = SplitMix64(seed: 11)
        let image = GrayImage(
            width: width, height: height,
            elements: (0..<width * height).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let (dilated, eroded) = (image.dilated(radius: radius), image.eroded(radius: radius))
        for y in 0..<height {
            for x in 0..<width {
                var (least, greatest): (UInt8, UInt8) = (255, 0)
                for j in max(y - radius, 0)...min(y + radius, height - 1) {
                    for i in max(x - radius, 0)...min(x + radius, width - 1) {
                        least = min(least, image[x: i, y: j])
                        greatest = max(greatest, image[x: i, y: j])
                    }
                }
                #expect(dilated[x: x, y: y] == greatest && eroded[x: x, y: y] == least, "(\(x), \(y))")
            }
        }
    }

    @Test func closingKeepsASlantingEdgeAndTakesStrokes() {
        let edge = GrayImage(
            width: 60, height: 60, elements: (0..<3600).map { $0 % 60 + $0 / 60 / 2 < 40 ? 200 : 90 })
        var printed = edge
        for y in 10..<50 { for x in 8..<12 { printed[x: x, y: y] = 30 } }
        // Squares reach beyond the rim and see less there.
        let inside = (3..<57).flatMap { y in (3..<57).map { (x: $0, y: y) } }
        for closed in [edge.closed(radius: 3), printed.closed(radius: 3)] {
            #expect(inside.allSatisfy { closed[x: $0.x, y: $0.y] == edge[x: $0.x, y: $0.y] })
        }
    }
}
