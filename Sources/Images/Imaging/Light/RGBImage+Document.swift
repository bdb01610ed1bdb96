package import Parallelism

extension Raster where Element == RGB {
    /// The image as a document: white paper, whatever light, shadow or fold is on it, and print in its own colours.
    ///
    /// Each channel is divided by the value of paper at the same place (`LocalPaper`), which removes shadows including
    /// their edges and balances white by the paper. Then the noise of bare paper becomes white and the darkest print
    /// darker, by one linear curve for all pixels and channels (`DocumentLevels`). An image without paper lighter than its
    /// print stays unchanged. O(pixels).
    package func asDocument(threading: Threading = .allCores) -> RGBImage {
        guard let paper = LocalPaper(of: self, threading: threading) else { return self }
        let levels = DocumentLevels(of: self, on: paper)
        return mapReflectances(on: paper, threading: threading) { red, green, blue in
            RGB(red: levels.value(of: red), green: levels.value(of: green), blue: levels.value(of: blue))
        }
    }

    /// The image's brightness (ITU-R BT.601) relative to its paper's, which is 255; nil if there is no paper lighter than
    /// its print.
    func grayOnPaper(threading: Threading) -> GrayImage? {
        guard let paper = LocalPaper(of: self, threading: threading) else { return nil }
        return mapReflectances(on: paper, threading: threading) { red, green, blue in
            UInt8(Swift.min((0.299 * red + 0.587 * green + 0.114 * blue) * 255 + 0.5, 255))
        }
    }

    @inline(__always)
    private func mapReflectances<Pixel>(
        on paper: LocalPaper, threading: Threading,
        _ make: @Sendable (_ red: Float, _ green: Float, _ blue: Float) -> Pixel
    ) -> Raster<Pixel> {
        Raster<Pixel>(width: width, height: height) { output in
            let target = DisjointRows(output, rowLength: width)
            forEachBand(of: 0..<height, threading: threading) { rows in
                var memory = LocalPaper.RowMemory(width: width)
                elements.withUnsafeBufferPointer { pixels in
                    for y in rows {
                        let row = UnsafeBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
                        paper.writeReflectances(ofRow: y, row, into: &memory)
                        let made = target[y]
                        for x in 0..<width {
                            made.initializeElement(
                                at: x, to: make(memory.red[x], memory.green[x], memory.blue[x]))
                        }
                    }
                }
            }
        }
    }
}

/// The reflectances that a document shows as white and as black.
private struct DocumentLevels {
    private let scale: Float
    private let offset: Float

    /// Every third pixel of every third row suffices to determine the levels.
    private static let sampling = 3
    /// Width of the histogram's bins, in reflectance, and their number.
    private static let bin: Float = 0.003
    private static let bins = 420
    /// The range in which the peak of bare paper is sought, and how far below the peak its noise reaches.
    private static let paperRange: ClosedRange<Float> = 0.5...1.1
    private static let noiseRange: Float = 0.15
    /// White lies this many deviations of the noise below the peak, but no further than a share of the paper: pale print
    /// stays.
    private static let deviations: Float = 4
    private static let mostNoise: Float = 0.08
    private static let leastWhite: Float = 0.8
    /// The median absolute deviation of a normal distribution, in standard deviations.
    private static let medianDeviation: Float = 0.6745
    /// The share of pixels that are darker than the darkest print; the share of its reflectance (haze in the lens and shine
    /// on the ink) that is subtracted; and the largest amount subtracted, so that pale print stays pale.
    private static let darkestShare = 0.005
    private static let (blackShare, mostBlack): (Float, Float) = (0.8, 0.4)

    init(of picture: RGBImage, on paper: LocalPaper) {
        var histogram = [Int](repeating: 0, count: Self.bins)
        var memory = LocalPaper.RowMemory(width: picture.width)
        var count = 0
        picture.elements.withUnsafeBufferPointer { pixels in
            for y in stride(from: 0, to: picture.height, by: Self.sampling) {
                let row = pixels[y * picture.width..<(y + 1) * picture.width]
                paper.writeReflectances(ofRow: y, UnsafeBufferPointer(rebasing: row), into: &memory)
                for x in stride(from: 0, to: picture.width, by: Self.sampling) {
                    let mean = (memory.red[x] + memory.green[x] + memory.blue[x]) / 3
                    histogram[min(Self.place(mean), Self.bins - 1)] += 1
                    count += 1
                }
            }
        }
        var peak = Self.place(1)
        for index in Self.place(Self.paperRange.lowerBound)...Self.place(Self.paperRange.upperBound)
        where histogram[index] > histogram[peak] { peak = index }
        let noise = histogram[max(peak - Self.place(Self.noiseRange), 0)...peak]
        var (left, deviation) = (noise.reduce(0, +) / 2, 0)
        while deviation < noise.count - 1, noise[peak - deviation] <= left {
            left -= noise[peak - deviation]
            deviation += 1
        }
        let margin = Self.deviations / Self.medianDeviation * Float(deviation) * Self.bin
        // The peak's bin ends above its values.
        let white = min(max(Float(peak + 1) * Self.bin - min(margin, Self.mostNoise), Self.leastWhite), 1)
        var (darkest, below) = (0, histogram[0])
        while darkest < Self.bins - 1, Double(below) <= Self.darkestShare * Double(count) {
            darkest += 1
            below += histogram[darkest]
        }
        let black = min(Self.blackShare * Float(darkest) * Self.bin / white, Self.mostBlack)
        scale = 255 / (white * (1 - black))
        offset = 0.5 - 255 * black / (1 - black)
    }

    private static func place(_ reflectance: Float) -> Int { Int(reflectance / bin) }

    @inline(__always)
    func value(of reflectance: Float) -> UInt8 { UInt8(min(max(reflectance * scale + offset, 0), 255)) }
}
