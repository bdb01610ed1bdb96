import Imaging
import RobustStatistics
import Testing

@testable import SheetNetwork

@Suite("A picture squashed to a square")
struct SquashedPictureTests {
    static let seed: UInt64 = 20_261_122

    static func noise(_ size: PixelSize) -> RGBImage {
        var generator = SplitMix64(seed: seed)
        return RGBImage(
            width: size.width, height: size.height,
            elements: (0..<size.pixelCount).map { _ in
                let bits = generator.next()
                return RGB(
                    red: UInt8(truncatingIfNeeded: bits), green: UInt8(truncatingIfNeeded: bits >> 8),
                    blue: UInt8(truncatingIfNeeded: bits >> 16))
            })
    }

    /// How much of each pixel between 0 and `length` lies between two positions.
    static func overlaps(from start: Double, to end: Double, length: Int) -> [(pixel: Int, share: Double)] {
        (0..<length).compactMap { pixel in
            let share = min(end, Double(pixel + 1)) - max(start, Double(pixel))
            return share > 0 ? (pixel, share) : nil
        }
    }

    /// Larger and smaller than the square, whole multiples of it and not, a single pixel, a single row.
    static let sizes = [
        PixelSize(width: 64, height: 128), PixelSize(width: 101, height: 77),
        PixelSize(width: 33, height: 32),
        PixelSize(width: 20, height: 31), PixelSize(width: 7, height: 300), PixelSize(width: 1, height: 1),
        PixelSize(width: 500, height: 1),
    ]

    @Test("Each pixel is the mean over the area that it covers", arguments: sizes)
    func areaMeans(size: PixelSize) {
        let picture = Self.noise(size)
        let side = 32
        let squashed = SquashedPicture(picture, side: side)
        let (width, height) = (Double(size.width) / Double(side), Double(size.height) / Double(side))
        for j in 0..<side {
            let rows = Self.overlaps(
                from: Double(j) * height, to: Double(j + 1) * height, length: size.height)
            for i in 0..<side {
                let columns = Self.overlaps(
                    from: Double(i) * width, to: Double(i + 1) * width, length: size.width)
                var sum = SIMD3<Double>.zero
                for (y, down) in rows {
                    for (x, across) in columns {
                        let pixel = picture[x: x, y: y]
                        sum +=
                            down * across
                            * SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue))
                    }
                }
                sum /= 255 * width * height
                for channel in 0..<3 {
                    // One rounding of the mean to single precision; the shares above are good to 1e-12.
                    let error = abs(Double(squashed.values[3 * (j * side + i) + channel]) - sum[channel])
                    #expect(error <= 0x1p-25 + 1e-12, "(\(i), \(j)), channel \(channel): \(error)")
                }
            }
        }
    }

    @Test("A picture of the square's own size keeps its values")
    func identity() {
        let picture = Self.noise(PixelSize(width: 64, height: 64))
        let values = picture.elements.flatMap {
            [Float($0.red) / 255, Float($0.green) / 255, Float($0.blue) / 255]
        }
        #expect(SquashedPicture(picture, side: 64).values == values)
    }

    @Test("One colour stays that colour exactly", arguments: sizes)
    func oneColour(size: PixelSize) {
        let picture = RGBImage(
            width: size.width, height: size.height, filledWith: RGB(red: 255, green: 51, blue: 0))
        let squashed = SquashedPicture(picture, side: 32)
        #expect(squashed.values == (0..<32 * 32).flatMap { _ in [Float(1), 0.2, 0] })
    }

    @Test("Neither the number of threads nor the kernel matters")
    func threadsAndKernels() {
        // Both more and fewer rows to a pixel than are summed at once.
        for size in [PixelSize(width: 333, height: 517), PixelSize(width: 333, height: 50)] {
            let picture = Self.noise(size)
            let first = SquashedPicture(picture, side: 96, threading: .single)
            for kernel in SheetKernel.available {
                #expect(first == SquashedPicture(picture, side: 96, threading: .allCores, kernel: kernel))
            }
        }
    }

    @Test("Sides are multiples of 32 up to 1024")
    func sides() {
        #expect([32, 256, 320, 384, 1024].allSatisfy { SheetNetwork.allows(side: $0) })
        #expect(![-32, 0, 16, 33, 250, 1056].contains { SheetNetwork.allows(side: $0) })
    }
}
