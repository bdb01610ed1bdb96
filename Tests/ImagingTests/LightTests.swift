import Imaging
import RobustStatistics
import Testing

/// Pictures evened of their light, on paper whose reflectance and light are known.
@Suite struct LightTests {
    private static let width = 480
    private static let height = 640

    /// Reflectance of print, encoded as pictures are: letters in rows, a bar of light letters on dark, a solid logo.
    private static func reflectance(_ x: Int, _ y: Int) -> Double {
        if (40..<100).contains(y), (60..<130).contains(x) { return 0.2 }
        if (300..<340).contains(y), (30..<450).contains(x) {
            return (310..<330).contains(y) && x % 16 < 6 ? 1 : 0.15
        }
        return (140..<280).contains(y) && y % 28 < 14 && x % 14 < 5 ? 0.2 : 1
    }

    /// Light that falls to 60 % to the right, under a shadow with a soft edge below row 400 that leaves 60 % of that.
    private static func light(_ x: Int, _ y: Int) -> Double {
        let slope = 1 - 0.4 * Double(x) / Double(width)
        let shadow = 1 - 0.4 * min(max((Double(y) - 380) / 40, 0), 1)
        return slope * shadow
    }

    private static func photograph(paper: SIMD3<Double> = SIMD3(230, 228, 220)) -> RGBImage {
        RGBImage(
            width: width, height: height,
            elements: (0..<width * height).map { index in
                let (y, x) = index.quotientAndRemainder(dividingBy: width)
                let level = paper * (reflectance(x, y) * light(x, y))
                return RGB(red: UInt8(level.x), green: UInt8(level.y), blue: UInt8(level.z))
            })
    }

    @Test func shadowsVanishAndPaperBecomesBright() {
        let even = Self.photograph().withEvenLight()
        var least = 255
        for y in stride(from: 4, to: Self.height - 4, by: 5) {
            for x in stride(from: 4, to: Self.width - 4, by: 5) where Self.reflectance(x, y) == 1 {
                // Within the bar there is no paper to compare with.
                if !(290..<350).contains(y) { least = min(least, Int(even[x: x, y: y].red)) }
            }
        }
        // Paper even at the shadow's edge: 15 % below white is where black-and-white would see print.
        #expect(least > 217)
    }

    @Test func printIsNotBleached() {
        let even = Self.photograph().withEvenLight()
        // Reflectance stays what it is, to the accuracy of the light.
        #expect(abs(Double(even[x: 95, y: 70].red) / 255 - 0.2) < 0.04, "the logo's middle")
        #expect(abs(Double(even[x: 238, y: 303].red) / 255 - 0.15) < 0.04, "the bar's ground")
    }

    @Test func coloursKeepTheirProportions() {
        let yellow = SIMD3(220.0, 200, 110)
        let photograph = Self.photograph(paper: yellow)
        let even = photograph.withEvenLight()
        for (x, y) in [(20, 20), (400, 600), (240, 500), (95, 70)] {
            let (before, after) = (photograph[x: x, y: y], even[x: x, y: y])
            // One factor: green and blue grow as red does, each rounded, and the stored values truncated before.
            let factor = Double(after.red) / Double(before.red)
            #expect(abs(Double(after.green) - factor * Double(before.green)) < 1 + factor)
            #expect(abs(Double(after.blue) - factor * Double(before.blue)) < 1 + factor)
        }
    }

    @Test func blackAndWhiteIsGreyOnlyAtTheRims() {
        let blackAndWhite = Self.photograph().inBlackAndWhite()
        for y in stride(from: 2, to: Self.height - 2, by: 3) {
            for x in stride(from: 2, to: Self.width - 2, by: 3) where !(370..<430).contains(y) {
                let around = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)].map {
                    Self.reflectance(x + $0.0, y + $0.1)
                }
                guard Set(around).count == 1 else { continue }
                #expect(blackAndWhite[x: x, y: y] == (around[0] == 1 ? 255 : 0), "at (\(x), \(y))")
            }
        }
    }

    @Test func inOneBitPrintBarsAndLogosAreBlackAndPaperWhite() {
        let image = Self.photograph().inOneBit()
        for y in stride(from: 2, to: Self.height - 2, by: 3) {
            for x in stride(from: 2, to: Self.width - 2, by: 3) where !(370..<430).contains(y) {
                let around = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)].map {
                    Self.reflectance(x + $0.0, y + $0.1)
                }
                guard Set(around).count == 1 else { continue }
                #expect(image.isWhite(x: x, y: y) == (around[0] == 1), "at (\(x), \(y))")
            }
        }
    }

    /// Thermal print that has faded to 8 % darker than its paper, in light that falls to 60 %, under a sensor's noise of two
    /// levels.
    @Test func fadedPrintStaysAndNoiseDoesNot() {
        let seed: UInt64 = 8
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        func isPrint(_ x: Int, _ y: Int) -> Bool {
            (140..<280).contains(y) && y % 28 < 14 && x % 14 < 5
        }
        let photograph = RGBImage(
            width: Self.width, height: Self.height,
            elements: (0..<Self.width * Self.height).map { index in
                let (y, x) = index.quotientAndRemainder(dividingBy: Self.width)
                // A sum of twelve even numbers is nearly normal, with a deviation of 1.
                let noise = (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator)
                }
                let light = 1 - 0.4 * Double(x) / Double(Self.width)
                let level = 225 * (isPrint(x, y) ? 0.92 : 1) * light + 2 * noise
                return RGB(red: UInt8(level), green: UInt8(level), blue: UInt8(level))
            })
        let image = photograph.inOneBit()
        var (kept, printed, specks, bare) = (0, 0, 0, 0)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                if isPrint(x, y) {
                    printed += 1
                    kept += image.isWhite(x: x, y: y) ? 0 : 1
                } else {
                    bare += 1
                    specks += image.isWhite(x: x, y: y) ? 0 : 1
                }
            }
        }
        // In the darkest light print is 11 levels darker, five deviations of the noise, and the threshold some two
        // deviations below the paper: by a simulation in numpy all print is kept and 0.7 % of the paper is black.
        #expect(Double(kept) > 0.98 * Double(printed), "\(kept) of \(printed)")
        #expect(Double(specks) < 0.02 * Double(bare), "\(specks) of \(bare)")
    }

    @Test func aBarePageStaysWhite() {
        var generator = SplitMix64(seed: 9)
        let bare = RGBImage(
            width: 300, height: 400,
            elements: (0..<300 * 400).map { _ in
                let level = UInt8.random(in: 215...225, using: &generator)
                return RGB(red: level, green: level, blue: level)
            })
        let image = bare.inOneBit()
        let black = (0..<400).reduce(0) { sum, y in sum + (0..<300).count { !image.isWhite(x: $0, y: y) } }
        #expect(black < 120, "a thousandth: \(black)")
    }

    @Test("Nothing to even stays as it is", arguments: [(0, 0), (1, 1), (3, 40)])
    func small(width: Int, height: Int) {
        let white = RGBImage(width: width, height: height, filledWith: .white)
        #expect(white.withEvenLight() == white)
        let black = RGBImage(width: width, height: height, filledWith: RGB(red: 0, green: 0, blue: 0))
        #expect(black.withEvenLight() == black)
        #expect(black.inBlackAndWhite().elements.allSatisfy { $0 == 0 })
        #expect(
            black.inOneBit() == BilevelImage(black.gray()) && white.inOneBit() == BilevelImage(white.gray()))
    }

    @Test func threadsDoNotMatter() {
        let photograph = Self.photograph()
        #expect(photograph.withEvenLight() == photograph.withEvenLight(threading: .single))
        #expect(photograph.inBlackAndWhite() == photograph.inBlackAndWhite(threading: .single))
        #expect(photograph.inOneBit() == photograph.inOneBit(threading: .single))
    }
}
