import Diagnostics
import Foundation
import Parallelism
import Testing

@testable import Imaging

@Suite struct ResamplingTests {
    static let seed: UInt64 = 20_260_611

    static func resampled(
        _ image: RGBImage, through map: SamplingMap, filter: ResamplingFilter, kernel: ResamplingKernel,
        background: RGB = .white, threading: Threading = .single
    ) -> RGBImage {
        let rows = 0..<map.outputSize.height
        return RGBImage(width: map.outputSize.width, height: map.outputSize.height) { output in
            var job = ResamplingJob(
                map: map, rows: rows, filter: filter, background: background, isGray: false)
            job.kernel = kernel
            job.run(on: image, threading: threading, into: UnsafeMutableRawBufferPointer(output))
        }
    }

    /// Filter and kernel, every pair.
    static let variants: [(ResamplingFilter, ResamplingKernel)] = ResamplingFilter.allCases.flatMap {
        filter in
        ResamplingKernel.available.map { (filter, $0) }
    }

    @Test("The identity returns the picture bit for bit", arguments: variants)
    func identity(filter: ResamplingFilter, kernel: ResamplingKernel) {
        for (width, height, spacing) in [(61, 43, 16), (64, 33, 10), (5, 4, 1), (1, 1, 16), (3, 200, 130)] {
            let image = RGBImage.noise(width: width, height: height, seed: Self.seed)
            let map = SamplingMap(outputSize: image.size, spacing: spacing) { $0 }
            #expect(Self.resampled(image, through: map, filter: filter, kernel: kernel) == image)
        }
    }

    @Test("A shift by whole pixels moves them and leaves the background", arguments: variants)
    func wholeShift(filter: ResamplingFilter, kernel: ResamplingKernel) {
        let image = RGBImage.noise(width: 40, height: 30, seed: Self.seed)
        let background = RGB(red: 1, green: 2, blue: 3)
        let map = SamplingMap(outputSize: image.size, spacing: 16) { $0 + SIMD2(7, -4) }
        let moved = Self.resampled(
            image, through: map, filter: filter, kernel: kernel, background: background)
        for y in 0..<30 {
            for x in 0..<40 {
                let inside = x + 7 < 40 && y - 4 >= 0
                #expect(moved[x: x, y: y] == (inside ? image[x: x + 7, y: y - 4] : background), "\(x), \(y)")
            }
        }
    }

    @Test("Turns and mirrors through a map equal the turned picture", arguments: ImageOrientation.allCases)
    func turning(orientation: ImageOrientation) {
        let image = RGBImage.noise(width: 33, height: 21, seed: Self.seed)
        let turned = orientation.size(turning: image.size)
        let map = SamplingMap(outputSize: turned, spacing: 8) { orientation.inverse.turn($0, in: turned) }
        for (filter, kernel) in Self.variants {
            #expect(
                Self.resampled(image, through: map, filter: filter, kernel: kernel)
                    == image.oriented(by: orientation))
        }
    }

    @Test("Bicubic reproduces a parabola, bilinear a ramp", arguments: ResamplingKernel.available)
    func polynomials(kernel: ResamplingKernel) {
        let size = 64
        func ramp(_ x: Double, _ y: Double) -> Double { 20 + 1.5 * x + 2 * y }
        func parabola(_ x: Double, _ y: Double) -> Double {
            200 - 0.1 * (x - 30) * (x - 30) - 0.08 * (y - 25) * (y - 25) + 0.02 * x * y
        }
        for (filter, surface) in [(ResamplingFilter.bilinear, ramp), (.bicubic, ramp), (.bicubic, parabola)] {
            let image = RGBImage(width: size, height: size) { x, y in
                let value = UInt8(min(max(surface(Double(x), Double(y)).rounded(), 0), 255))
                return RGB(red: value, green: 255 - value, blue: value / 2)
            }
            let map = SamplingMap(outputSize: PixelSize(width: 50, height: 50), spacing: 7) {
                SIMD2(5.3 + 0.9 * $0.x + 0.1 * $0.y, 4.8 - 0.05 * $0.x + 0.85 * $0.y)
            }
            let result = Self.resampled(image, through: map, filter: filter, kernel: kernel)
            for y in 0..<50 {
                for x in 0..<50 {
                    let source = map.source(of: SIMD2(Double(x), Double(y)))
                    let expected = surface(source.x, source.y)
                    // Half a level from rounding the input (times the cubic's gain of at most 1.25^2 for noise at
                    // the worst phase), half from rounding the output.
                    #expect(abs(Double(result[x: x, y: y].red) - expected) < 1.3, "\(filter) \(x), \(y)")
                }
            }
        }
    }

    /// The definition, in double precision and without any grid: what both kernels must come near.
    static func reference(
        _ image: RGBImage, at source: SIMD2<Double>, filter: ResamplingFilter
    ) -> SIMD3<Double>? {
        guard source.x >= -0.5, source.y >= -0.5, source.x <= Double(image.width) - 0.5,
            source.y <= Double(image.height) - 0.5
        else { return nil }
        func weight(_ distance: Double) -> Double {
            let d = abs(distance)
            if filter == .bilinear { return max(1 - d, 0) }
            if d < 1 { return 1.5 * d * d * d - 2.5 * d * d + 1 }
            return d < 2 ? -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2 : 0
        }
        let column = Int(source.x.rounded(.down))
        let row = Int(source.y.rounded(.down))
        var sum = SIMD3<Double>.zero
        for y in (row - 1)...(row + 2) {
            for x in (column - 1)...(column + 2) {
                let pixel = image[x: min(max(x, 0), image.width - 1), y: min(max(y, 0), image.height - 1)]
                let color = SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue))
                sum += color * weight(source.x - Double(x)) * weight(source.y - Double(y))
            }
        }
        return sum.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
    }

    @Test(
        "Both kernels agree with the definition within one level, rims and gaps included", arguments: variants
    )
    func agreement(filter: ResamplingFilter, kernel: ResamplingKernel) {
        let image = RGBImage.noise(width: 70, height: 50, seed: Self.seed)
        let background = RGB(red: 9, green: 99, blue: 199)
        let map = SamplingMap(outputSize: PixelSize(width: 130, height: 90), spacing: 9) {
            // Magnified, turned a little, past the rim on all sides, and with a hole.
            let bent = SIMD2(
                0.6 * $0.x + 0.05 * $0.y - 5 + 0.001 * $0.x * $0.y, 0.62 * $0.y - 0.04 * $0.x - 2)
            return abs($0.x - 63) < 10 && abs($0.y - 45) < 10 ? SIMD2(.nan, .nan) : bent
        }
        let result = Self.resampled(
            image, through: map, filter: filter, kernel: kernel, background: background)
        for y in 0..<90 {
            for x in 0..<130 {
                let source = map.source(of: SIMD2(Double(x), Double(y)))
                // Within the rounding of positions the rim's edge may fall to either side.
                let toRim = min(
                    abs(source.x + 0.5), abs(source.y + 0.5), abs(source.x - 69.5), abs(source.y - 49.5))
                if toRim < 1e-4 { continue }
                let pixel = result[x: x, y: y]
                if let expected = Self.reference(image, at: source, filter: filter) {
                    let color = SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue))
                    let difference = expected - color
                    // Half a level from rounding; weights of 2^-14 and positions of 2^-17 pixels add less than 0.1.
                    #expect(
                        max(difference.max(), -difference.min()) < 0.6, "\(x), \(y), seed \(Self.seed)")
                } else {
                    #expect(pixel == background, "\(x), \(y)")
                }
            }
        }
    }

    @Test("A reduction by whole factors keeps the mean, whatever the pattern", arguments: variants)
    func energy(filter: ResamplingFilter, kernel: ResamplingKernel) {
        let image = RGBImage.noise(width: 240, height: 240, seed: Self.seed)
        for factor in [2, 3, 5, 8] {
            let size = PixelSize(width: 240 / factor, height: 240 / factor)
            let map = SamplingMap(outputSize: size, spacing: 16) {
                ($0 + 0.5) * Double(factor) - 0.5
            }
            let small = Self.resampled(image, through: map, filter: filter, kernel: kernel)
            func statistics(_ picture: RGBImage) -> (mean: Double, variance: Double) {
                let values = picture.elements.map { Double($0.green) }
                let mean = values.reduce(0, +) / Double(values.count)
                return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1))
            }
            let before = statistics(image)
            let after = statistics(small)
            // Samples fall on pixel centres, so each output is the mean of factor^2 independent values: its variance
            // is theirs by factor^2, known to sqrt(2 / n) of itself. Rounding adds 1/12. For even factors samples lie
            // half between pixels where the noise partly averages, so only an upper bound holds.
            let count = Double(size.pixelCount)
            let bound = before.variance / Double(factor * factor) * (1 + 4 * (2 / count).squareRoot()) + 0.1
            #expect(after.variance < bound, "\(factor): \(after.variance) of \(before.variance)")
            // The mean of all is kept but for the rounding (uniform, 1/12) and the rim's replicated pixels.
            #expect(abs(after.mean - before.mean) < 0.5, "\(factor)")
        }
    }

    @Test("Stripes finer than the output come out grey", arguments: variants)
    func stripes(filter: ResamplingFilter, kernel: ResamplingKernel) {
        // One pixel black, one white: at 1 : 4 no output pixel can show them.
        let image = RGBImage(width: 256, height: 256) { x, _ in
            x.isMultiple(of: 2) ? .white : RGB(red: 0, green: 0, blue: 0)
        }
        for scale in [3.9, 4.0, 4.1, 6.3] {
            let map = SamplingMap(outputSize: PixelSize(width: 40, height: 40), spacing: 8) {
                $0 * scale + 2.2
            }
            let small = Self.resampled(image, through: map, filter: filter, kernel: kernel)
            // An area of s columns holds at most half a column more of one colour than of the other: 127.5 / s levels;
            // sampled at round(s) places instead of all along, once more of that.
            let bound = 127.5 * 2 / scale
            for pixel in small.elements { #expect(abs(Double(pixel.green) - 127.5) <= bound) }
        }
    }

    @Test("A zone plate seen smaller has no false rings", arguments: ResamplingKernel.available)
    func zonePlate(kernel: ResamplingKernel) {
        // cos(pi r^2 / n): the frequency at radius r is r / n cycles a pixel, so 0.45 at the rim.
        let size = 360
        let middle = Double(size - 1) / 2
        let plate = RGBImage(width: size, height: size) { x, y in
            let dx = Double(x) - middle
            let dy = Double(y) - middle
            let value = UInt8((127.5 + 127 * cos(.pi * (dx * dx + dy * dy) / Double(size) * 0.9)).rounded())
            return RGB(red: value, green: value, blue: value)
        }
        let factor = 4.0
        let map = SamplingMap(outputSize: PixelSize(width: 90, height: 90), spacing: 8) {
            ($0 + 0.5) * factor - 0.5
        }
        let filtered = Self.resampled(plate, through: map, filter: .bicubic, kernel: kernel)
        var unfiltered = 0.0
        var energy = 0.0
        var count = 0.0
        for y in 0..<90 {
            for x in 0..<90 {
                let dx = (Double(x) + 0.5) * factor - 0.5 - middle
                let dy = (Double(y) + 0.5) * factor - 0.5 - middle
                let cycles = (dx * dx + dy * dy).squareRoot() / Double(size) * 0.9
                // Between the first zero of the area filter's response (1/4) and what is above twice the output's
                // Nyquist frequency (1/8): all of it is false.
                guard cycles > 0.2, cycles < 0.45 else { continue }
                let seen = Double(filtered[x: x, y: y].green) - 127.5
                let taken = Double(plate[x: x * 4 + 1, y: y * 4 + 1].green) - 127.5
                energy += seen * seen
                unfiltered += taken * taken
                count += 1
            }
        }
        // An area filter's side lobes pass at most 0.22 along an axis and less aslant: under 4 % of the energy.
        #expect(count > 1000)
        #expect(energy < 0.04 * unfiltered, "\(energy / unfiltered)")
    }

    @Test("A white sheet has no dark rim where the picture ends", arguments: variants)
    func rim(filter: ResamplingFilter, kernel: ResamplingKernel) {
        let image = RGBImage(width: 30, height: 30, filledWith: RGB(red: 250, green: 240, blue: 230))
        for scale in [0.3, 1.3, 2.6, 5] {
            let map = SamplingMap(outputSize: PixelSize(width: 40, height: 40), spacing: 16) {
                $0 * scale - 3.7
            }
            let result = Self.resampled(
                image, through: map, filter: filter, kernel: kernel,
                background: RGB(red: 0, green: 0, blue: 0))
            for pixel in result.elements {
                #expect(
                    pixel == RGB(red: 250, green: 240, blue: 230) || pixel == RGB(red: 0, green: 0, blue: 0))
            }
        }
    }

    @Test("Bands, threads and the whole give the same pixels")
    func determinism() {
        let image = RGBImage.noise(width: 200, height: 150, seed: Self.seed)
        let map = SamplingMap(outputSize: PixelSize(width: 120, height: 101), spacing: 16) {
            SIMD2($0.x * 1.7 + 0.3, $0.y * 1.4 + 0.002 * $0.x * $0.x - 1)
        }
        let whole = image.resampled(through: map, threading: .single)
        #expect(image.resampled(through: map, threading: .allCores) == whole)
        var banded: [RGB] = []
        for start in stride(from: 0, to: 101, by: 13) {
            let rows = start..<min(start + 13, 101)
            banded += [RGB](unsafeUninitializedCapacity: rows.count * 120) { buffer, count in
                image.resample(
                    through: map, rows: rows,
                    into: UnsafeMutableBufferPointer(rebasing: buffer[..<(rows.count * 120)]))
                count = rows.count * 120
            }
        }
        #expect(banded == whole.elements)
    }

    @Test("Grey output is the colour output's luma", arguments: ResamplingFilter.allCases)
    func gray(filter: ResamplingFilter) {
        let image = RGBImage.noise(width: 90, height: 70, seed: Self.seed)
        let background = RGB(red: 200, green: 100, blue: 50)
        let map = SamplingMap(outputSize: PixelSize(width: 77, height: 66), spacing: 16) { $0 * 1.9 - 4 }
        let color = image.resampled(through: map, filter: filter, background: background)
        #expect(image.resampledGray(through: map, filter: filter, background: background) == color.gray())
    }

    @Test("Empty pictures and wild maps give background, never a trap", arguments: variants)
    func degenerate(filter: ResamplingFilter, kernel: ResamplingKernel) {
        let background = RGB(red: 4, green: 5, blue: 6)
        let empty = RGBImage(width: 0, height: 0, elements: [])
        let identity = SamplingMap(outputSize: PixelSize(width: 3, height: 2), spacing: 4) { $0 }
        let nothing = Self.resampled(
            empty, through: identity, filter: filter, kernel: kernel, background: background)
        #expect(nothing == RGBImage(width: 3, height: 2, filledWith: background))

        let image = RGBImage.noise(width: 9, height: 9, seed: Self.seed)
        for wild: Double in [.infinity, -.infinity, 1e30, -1e30, 3e9, .nan] {
            let map = SamplingMap(outputSize: PixelSize(width: 20, height: 20), spacing: 4) {
                $0.x < 9 ? SIMD2(wild, $0.y) : SIMD2($0.x, wild)
            }
            let result = Self.resampled(
                image, through: map, filter: filter, kernel: kernel, background: background)
            #expect(result[x: 0, y: 0] == background)
            #expect(result[x: 19, y: 19] == background)
        }
    }

    /// Limits that are raised on purpose let such pictures through; without the check the kernel's precondition ends the process.
    @Test("A picture beyond the kernel's numbers is refused by name, before it is resampled")
    func beyondTheKernelsNumbers() throws {
        #expect(ResamplingLimits.maximumPixels == 715_827_882)
        for size in [PixelSize(width: 26754, height: 26754), PixelSize(width: 1, height: 16_777_215)] {
            #expect(throws: Never.self) { try ResamplingLimits.check(size) }
        }
        for size in [
            PixelSize(width: 27000, height: 27000), PixelSize(width: 1 << 24, height: 1),
            PixelSize(width: 1 << 40, height: 1 << 40),
        ] {
            let error = try #require(throws: FlatteningError.self) { try ResamplingLimits.check(size) }
            #expect(error.code == .limitExceeded && error.seen == "\(size)")
            #expect(error.allowed?.hasPrefix("715827882 pixels") == true)
        }
    }
}
