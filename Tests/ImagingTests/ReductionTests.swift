import Imaging
import Testing

@Suite struct ReductionTests {
    @Test("Each reduced pixel is its block's mean, rounded", arguments: [1, 2, 3, 4, 7, 50])
    func means(factor: Int) {
        let image = RGBImage.noise(width: 41, height: 29, seed: 5)
        let small = image.downsampled(by: factor)
        let gray = image.gray().downsampled(by: factor)
        #expect(small.size == PixelSize(width: (40 + factor) / factor, height: (28 + factor) / factor))
        #expect(gray.size == small.size)
        for y in 0..<small.height {
            for x in 0..<small.width {
                var sum = SIMD4<Int>.zero
                var count = 0
                for row in (y * factor)..<min(y * factor + factor, 29) {
                    for column in (x * factor)..<min(x * factor + factor, 41) {
                        let pixel = image[x: column, y: row]
                        sum &+= SIMD4(Int(pixel.red), Int(pixel.green), Int(pixel.blue), Int(pixel.luma))
                        count += 1
                    }
                }
                func mean(_ sum: Int) -> UInt8 { UInt8((2 * sum + count) / (2 * count)) }
                #expect(small[x: x, y: y] == RGB(red: mean(sum.x), green: mean(sum.y), blue: mean(sum.z)))
                #expect(gray[x: x, y: y] == mean(sum.w))
            }
        }
    }

    @Test("The largest factor does not overflow on white")
    func white() {
        let image = GrayImage(width: 300, height: 300, filledWith: 255)
        #expect(image.downsampled(by: 256) == GrayImage(width: 2, height: 2, filledWith: 255))
    }

    @Test("One thread and many give the same")
    func threads() {
        let image = RGBImage.noise(width: 100, height: 300, seed: 6)
        #expect(image.downsampled(by: 3, threading: .single) == image.downsampled(by: 3))
    }
}

@Suite struct ResizingTests {
    @Test("A constant stays constant", arguments: [(3, 90), (40, 40), (41, 20), (200, 1), (1, 7)])
    func constant(width: Int, height: Int) {
        let image = GrayImage(width: 40, height: 30, filledWith: 173)
        let resized = image.resized(to: PixelSize(width: width, height: height))
        #expect(resized == GrayImage(width: width, height: height, filledWith: 173))
    }

    @Test("A ramp stays a ramp away from the rim", arguments: [0.4, 0.77, 1.5, 2.3])
    func ramp(factor: Double) {
        let image = GrayImage(width: 120, height: 100) { x, y in UInt8(x + y) }
        let target = PixelSize(width: Int(120 * factor), height: Int(100 * factor))
        let resized = image.resized(to: target)
        let sx = 120 / Double(target.width)
        let sy = 100 / Double(target.height)
        // The filter reaches two steps of the coarser grid.
        let margin = Int((2 * max(1, factor)).rounded(.up)) + 2
        for y in margin..<(target.height - margin) {
            for x in margin..<(target.width - margin) {
                let expected = (Double(x) + 0.5) * sx - 0.5 + (Double(y) + 0.5) * sy - 0.5
                // The cubic is exact on ramps where it interpolates; stretched, its taps sum unevenly by up to a few
                // thousandths of the slope times its reach. Half a level is the rounding.
                #expect(abs(Double(resized[x: x, y: y]) - expected) < 0.6, "\(x), \(y)")
            }
        }
    }

    @Test("Stripes finer than the result come out grey")
    func stripes() {
        let image = GrayImage(width: 400, height: 20) { x, _ in x.isMultiple(of: 2) ? 255 : 0 }
        let resized = image.resized(to: PixelSize(width: 101, height: 20))
        for x in 4..<97 {
            // A cubic of 16 taps passes less than 2 % at four times the new Nyquist frequency.
            #expect(abs(Int(resized[x: x, y: 10]) - 128) <= 3)
        }
    }

    @Test("Enlarging keeps sharp edges in place")
    func edge() {
        // Levels that the cubic's overshoot (7 % of the step) does not push out of range.
        let image = GrayImage(width: 20, height: 4) { x, _ in x < 10 ? 40 : 200 }
        let resized = image.resized(to: PixelSize(width: 60, height: 12))
        // The edge lies at column 9.5, which is 29.5 of the enlarged picture: the same by symmetry on both sides.
        for x in 0..<30 {
            #expect(abs(Int(resized[x: x, y: 6]) + Int(resized[x: 59 - x, y: 6]) - 240) <= 1, "\(x)")
        }
        #expect(resized[x: 28, y: 6] < 120 && resized[x: 31, y: 6] > 120)
    }

    @Test("One thread and many give the same, and the same size the same picture")
    func identities() {
        let image = RGBImage.noise(width: 90, height: 140, seed: 8).gray()
        let target = PixelSize(width: 71, height: 203)
        #expect(image.resized(to: target, threading: .single) == image.resized(to: target))
        #expect(image.resized(to: image.size) == image)
    }
}

@Suite struct BlurringTests {
    static func noise(width: Int, height: Int, seed: UInt64) -> Raster<Float> {
        var generator = SeededGenerator(seed: seed)
        return Raster(width: width, height: height) { _, _ in Float.random(in: -1...1, using: &generator) }
    }

    @Test("A running mean is the mean of the window", arguments: [0, 1, 4, 30])
    func windows(radius: Int) {
        let raster = Self.noise(width: 23, height: 17, seed: 3)
        let mean = raster.boxMean(radius: radius)
        for y in 0..<17 {
            for x in 0..<23 {
                var sum = 0.0
                var count = 0.0
                for row in max(y - radius, 0)...min(y + radius, 16) {
                    for column in max(x - radius, 0)...min(x + radius, 22) {
                        sum += Double(raster[x: column, y: row])
                        count += 1
                    }
                }
                // Sums run in Double; what is left is the result's rounding to Float.
                #expect(abs(Double(mean[x: x, y: y]) - sum / count) < 1e-6)
            }
        }
    }

    @Test("Elements that do not count have no say, NaN among them")
    func masked() {
        var raster = Self.noise(width: 20, height: 20, seed: 4)
        var mask = Raster(width: 20, height: 20, filledWith: true)
        for index in 0..<130 { mask.elements[index] = false }
        raster.elements[7] = .nan
        let mean = raster.boxMean(radius: 2, counting: mask)
        #expect(mean[x: 3, y: 2].isNaN)
        var sum = 0.0
        for x in 0...4 { sum += Double(raster[x: x, y: 7]) + Double(raster[x: x, y: 8]) }
        // Of rows 4 to 8 around (2, 6) only 7 and 8 count, and 6 from column 10 on.
        #expect(abs(Double(mean[x: 2, y: 6]) - sum / 10) < 1e-5)
    }

    @Test("A blurred point has the sigma asked for and keeps its sum", arguments: [0.8, 1.7, 5.0, 12.3])
    func spread(sigma: Double) {
        var point = Raster<Float>(width: 121, height: 121, filledWith: 0)
        point[x: 60, y: 60] = 1
        let blurred = point.gaussianBlurred(sigma: sigma)
        var sum = 0.0
        var variance = 0.0
        for y in 0..<121 {
            for x in 0..<121 {
                let value = Double(blurred[x: x, y: y])
                sum += value
                variance += value * Double((x - 60) * (x - 60))
            }
        }
        // A sum of 10^4 values rounded to Float.
        #expect(abs(sum - 1) < 1e-4)
        // Whole windows: of three, one step from narrow to wide changes the variance by 2 (r + 1) / 3, so it is met
        // within half of that, which is below a quarter of an element in sigma at these sizes.
        #expect(abs(variance.squareRoot() - sigma) < 0.25, "\(variance.squareRoot())")
    }
}
