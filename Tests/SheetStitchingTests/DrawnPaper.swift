import Imaging
import RobustStatistics

@testable import SheetStitching

/// Paper with words, seen without a camera: a picture of `density` pixels a unit, and parts of it that are moved and
/// bent by known amounts.
struct DrawnPaper {
    static let density = 6.0
    static let size = SIMD2(80.0, 300.0)
    let picture: RGBImage

    /// - Parameter period: after how many rows the print repeats; nil for never.
    init(seed: UInt64 = 17, period: Int? = nil) {
        var generator = SplitMix64(seed: seed)
        let (width, height) = (Int(Self.size.x * Self.density), Int(Self.size.y * Self.density))
        var picture = RGBImage(width: width, height: height, filledWith: RGB(red: 230, green: 228, blue: 220))
        var rows: [[Range<Int>]] = []
        func drawn() -> [Range<Int>] {
            var strokes: [Range<Int>] = []
            var x = 30
            while x < width - 40 {
                // Letters of two to four strokes, and now and then a space.
                let stroke = Int.random(in: 2...4, using: &generator)
                if Int.random(in: 0..<5, using: &generator) > 0 { strokes.append(x..<x + stroke) }
                x += stroke + Int.random(in: 3...9, using: &generator)
            }
            return strokes
        }
        var y = 24
        while y < height - 30 {
            let strokes = period.flatMap { rows.count >= $0 ? rows[rows.count - $0] : nil } ?? drawn()
            rows.append(strokes)
            for line in y..<y + 12 {
                for stroke in strokes {
                    for x in stroke { picture[x: x, y: line] = RGB(red: 40, green: 40, blue: 44) }
                }
            }
            // Rows of 3.8 units.
            y += 23
        }
        self.picture = picture
    }

    /// A part of the paper.
    /// - Parameters:
    ///   - heights: what it shows.
    ///   - scale: what its own lengths are multiplied by to be true.
    ///   - turn: what its own places are turned by, about its corner, to be true.
    ///   - bend: what is added to the true place, in units.
    ///   - brightness: what its photograph is multiplied by.
    func part(
        _ heights: ClosedRange<Double>, scale: Double = 1, turn: Double = 0, isTurned: Bool = false,
        brightness: Double = 1, bend: @escaping (SIMD2<Double>) -> SIMD2<Double> = { _ in .zero }
    ) -> FlatPart {
        let length = heights.upperBound - heights.lowerBound
        let (width, height) = (Self.size.x / scale, length / scale)
        let size = PixelSize(width: Int(width * Self.density), height: Int(height * Self.density))
        let truth = Similarity(
            factor: SIMD2(cosine(turn), turn) * scale, shift: SIMD2(0, heights.lowerBound))
        let map = SamplingMap(outputSize: size, spacing: 4) { pixel in
            var place = (pixel + 0.5) / Self.density
            if isTurned { place = SIMD2(Double(size.width), Double(size.height)) / Self.density - place }
            let seen = truth(place) + bend(truth(place))
            return seen * Self.density - 0.5
        }
        let lit = picture.map { pixel in
            func times(_ value: UInt8) -> UInt8 { UInt8(min(255, (Double(value) * brightness).rounded())) }
            return RGB(red: times(pixel.red), green: times(pixel.green), blue: times(pixel.blue))
        }
        return FlatPart(
            photograph: lit, map: map, unitsPerPixel: 1 / Self.density, sides: nil, isOnSheet: nil,
            certainty: 1,
            uprightness: isTurned ? 0 : 1)
    }

    private func cosine(_ sine: Double) -> Double { (1 - sine * sine).squareRoot() }
}

/// The options of the tests: as dense as the paper, nothing around it.
func options(density: Double = DrawnPaper.density) -> StitchedSheet.Options {
    .init(density: density, margin: 0, maximumPixels: 64_000_000, filter: .bicubic)
}
