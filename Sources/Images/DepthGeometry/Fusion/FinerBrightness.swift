import Platform
import Imaging
import Parallelism
import RobustStatistics

// A brightness image with finer pixels than the frames it is made of.
//
// Problem: strokes narrower than two pixels of an image are lost in it. A hand that holds a camera is never still, so the
// pixels of other frames lie between those of the reference.
//
// Model: every pixel of a frame is a sample of one brightness, blurred by lens and pixel, at a position given by the
// frame's map.
//
// Method: each pixel of a grid twice as fine is the mean of the nearby pixels of all frames, weighted by a Gaussian of
// their distance (kernel regression, as in Wronski et al., Handheld Multi-Frame Super-Resolution, 2019). The blur, assumed
// the same everywhere, is then undone along rows and along columns by Landweber's iteration, which amounts to one filter.
//
// Check: one frame is left out at first. Its pixels are predicted from the other frames and from the reference alone; where
// the other frames predict no better, the reference stays.
//
// Known failures: nothing is gained where frames are misaligned by half a pixel or more; a lens that blurs over two pixels
// has lost what no number of frames brings back.

/// What several frames of a still scene show of its brightness between the pixels of one frame.
struct FinerBrightness {
    /// A frame's image and its weights.
    struct Frame {
        var luma: GrayImage
        /// Maps the reference's pixels to this frame's.
        var map: SamplingMap
        /// Weight of the frame, 0 to 1, and the factor that matches its light to the reference's, by blocks of the
        /// reference.
        var says: Raster<Float>
        var gains: Raster<Float>
    }

    /// Finer pixels per pixel of the reference, along a side.
    static let factor = 2
    /// The brightness, in grey levels.
    let values: Raster<Float>
    /// The share of it that is used, 0 to 1, by cells of `cell` pixels of the reference; the rest is the reference's own
    /// brightness.
    let shares: Raster<Float>
    /// How much better the print of the left-out frame is predicted than by the reference alone, as a share of the error.
    let gain: Double

    /// Largest reference in pixels: video frames have up to 3 million. Photographs of 12 million show small print as it is.
    static let mostPixels = 4_000_000
    /// Fewest frames, including the reference and the one left out.
    static let leastFrames = 6
    /// The gain from which finer pixels are worth four times as many pixels. In 12 drawn recordings of print 5 to 22 pixels
    /// high it is 0.12 to 0.25; frames that coincide, or differ by whole pixels, have no gain.
    private static let leastGain = 0.05
    /// Side of a cell in pixels of the reference: a few letters wide.
    static let cell = 24
    /// The share of cells, best predicted first, whose error counts as noise.
    private static let shareOfPaper = 0.1
    /// Smallest share of the reference's error at print that must exceed noise.
    private static let leastShareOfPrint = 0.25
    /// Smallest standard deviation of brightness in a cell, in grey levels, that counts as print.
    private static let leastContrast = 10.0
    /// Standard deviation of the Gaussian weights, in pixels of a frame: half the diagonal distance between finer pixels
    /// leaves no gaps between frames and hardly blurs.
    private static let reach: Float = 0.35
    /// Standard deviation of the blur to undo, in finer pixels: that of a frame's pixel (0.58), of a lens in focus (0.8)
    /// and of `reach` (0.7), combined.
    private static let blur = 1.2
    /// Steps of Landweber's iteration: more steps amplify noise.
    private static let steps = 8
    /// Reach of the filter to each side, in finer pixels.
    private static let filterReach = 10
    /// How near the centre of a left-out frame's pixel a finer pixel must lie to predict it, in pixels.
    private static let nearness: Float = 0.25
    /// Smallest total weight of the reference's pixels that gives a brightness: that of one pixel at 0.6 pixels.
    private static let leastWeight: Float = 0.2

    /// - Parameters:
    ///   - frames: the reference first, whose map is the identity.
    ///   - step: side of the blocks in pixels of the reference.
    /// - Returns: nil where finer pixels gain nothing.
    /// - Complexity: O(pixels · frames), on all cores.
    init?(_ frames: [Frame], step: Int) {
        guard let reference = frames.first?.luma, frames.count >= Self.leastFrames,
            reference.size.pixelCount <= Self.mostPixels
        else { return nil }
        // Predicts the frame with the largest weights.
        let says = frames.map { $0.says.elements.reduce(0, +) }
        guard let leftOut = frames.indices.dropFirst().max(by: { says[$0] < says[$1] }) else { return nil }
        let gathering = Gathering(frames: frames, step: step, leftOut: leftOut)
        let (mean, proof) = gathering.run()
        guard let gain = Self.gain(proof.elements), gain >= Self.leastGain else { return nil }
        self.gain = gain
        shares = Self.shares(of: proof)
        values = mean.filtered(by: Self.inverse)
    }

    /// How much better the print of the left-out frame is predicted, beyond noise; nil if there is no print.
    private static func gain(_ proof: [CellProof]) -> Double? {
        let seen = proof.filter { $0.count > 0 }
        let printed = seen.filter(\.isPrinted)
        /// The error at print minus that on the emptiest paper, which is noise.
        func error(_ path: KeyPath<CellProof, Double>) -> Double {
            let noise = seen.map { $0[keyPath: path] / $0.count }.quantile(shareOfPaper)
            return printed.reduce(0) { $0 + max($1[keyPath: path] - noise * $1.count, 0) }
        }
        let own = printed.isEmpty ? 0 : error(\.own)
        // If the reference's error is noise alone, it misses nothing.
        guard own > leastShareOfPrint * printed.reduce(0, { $0 + $1.own }) else { return nil }
        return 1 - (error(\.finer) / own).squareRoot()
    }

    /// 1 where all frames together predict better than the reference alone, judged over 3 x 3 cells.
    private static func shares(of proof: Raster<CellProof>) -> Raster<Float> {
        let around = (
            proof.map(\.own).smoothed { $0 + $1 + $2 }, proof.map(\.finer).smoothed { $0 + $1 + $2 }
        )
        return Raster(
            width: proof.width, height: proof.height,
            elements: proof.elements.indices.map { around.1.elements[$0] < around.0.elements[$0] ? 1 : 0 })
    }

    /// The errors in predicting a cell of the left-out frame.
    struct CellProof {
        var count = 0.0
        var sum = 0.0
        var squares = 0.0
        /// Sums of squared errors: of the reference alone (`own`), and of all frames used (`finer`).
        var own = 0.0
        var finer = 0.0

        var isPrinted: Bool {
            guard count > 0 else { return false }
            let mean = sum / count
            return squares / count - mean * mean >= leastContrast * leastContrast
        }
    }

    /// The one-dimensional filter equivalent to Landweber's iteration for a Gaussian blur; its centre weight is in the
    /// middle.
    static let inverse: [Float] = {
        let reach = filterReach
        let gaussian = (-reach...reach).map { exp(-Double($0 * $0) / (2 * blur * blur)) }
        let total = gaussian.reduce(0, +)
        func blurred(_ values: [Double]) -> [Double] {
            values.indices.map { index in
                gaussian.indices.reduce(0) { sum, tap in
                    let from = index + tap - reach
                    return values.indices.contains(from) ? sum + gaussian[tap] / total * values[from] : sum
                }
            }
        }
        // Wide enough that its ends do not matter.
        var impulse = [Double](repeating: 0, count: 8 * reach + 1)
        impulse[4 * reach] = 1
        var filter = impulse
        for _ in 0..<steps {
            let left = zip(impulse, blurred(filter)).map { $0 - $1 }
            filter = zip(filter, blurred(left)).map { $0 + $1 }
        }
        let middle = Array(filter[3 * reach...5 * reach])
        let sum = middle.reduce(0, +)
        return middle.map { Float($0 / sum) }
    }()
}

extension FinerBrightness {
    /// Gathers the frames' pixels on the finer grid.
    private struct Gathering {
        let frames: [Frame]
        let step: Int
        let leftOut: Int
        /// Gaussian weights of three pixels, by the offset from the middle one: -0.5 to 0.5 in `parts` steps.
        private static let parts = 64
        private static let weights: [SIMD4<Float>] = (0...parts).map { part in
            let offset = Float(part) / Float(parts) - 0.5
            let distance = SIMD4<Float>(-1, 0, 1, 9) - offset
            return SIMD4(
                (0..<4).map { Float(exp(Double(-distance[$0] * distance[$0] / (2 * reach * reach)))) })
        }

        func run() -> (mean: Raster<Float>, proof: Raster<CellProof>) {
            let size = frames[0].luma.size
            let (width, height) = (factor * size.width, factor * size.height)
            let cells = PixelSize(
                width: (size.width + cell - 1) / cell, height: (size.height + cell - 1) / cell)
            var proof = Raster(width: cells.width, height: cells.height, filledWith: CellProof())
            var mean = Raster<Float>(width: width, height: height, filledWith: 0)
            proof.elements.withUnsafeMutableBufferPointer { proof in
                let proofs = DisjointRows(proof, rowLength: cells.width)
                mean.elements.withUnsafeMutableBufferPointer { mean in
                    let rows = DisjointRows(mean, rowLength: width)
                    // Bands are whole rows of cells, so that no two threads share a cell.
                    forEachBand(of: 0..<cells.height, threading: .allCores) { band in
                        var (line, alone) = (Line(width: width), Line(width: width))
                        let rowsOfCell = factor * cell
                        for y in band.lowerBound * rowsOfCell..<min(band.upperBound * rowsOfCell, height) {
                            line.clear()
                            add(frames[0], row: y, to: &line)
                            alone.take(line)
                            for index in frames.indices.dropFirst() where index != leftOut {
                                add(frames[index], row: y, to: &line)
                            }
                            foretell(
                                frames[leftOut], row: y, from: line, or: alone, into: proofs[y / rowsOfCell])
                            add(frames[leftOut], row: y, to: &line)
                            let target = rows[y]
                            for x in 0..<width {
                                target[x] =
                                    line.weights[x] > 0
                                    ? line.sums[x] / line.weights[x]
                                    : Float(frames[0].luma[x: x / factor, y: y / factor])
                            }
                        }
                    }
                }
            }
            return (mean, proof)
        }

        /// A row of finer pixels.
        private struct Line {
            var sums: [Float]
            var weights: [Float]

            init(width: Int) {
                sums = [Float](repeating: 0, count: width)
                weights = sums
            }

            mutating func clear() {
                for x in sums.indices {
                    sums[x] = 0
                    weights[x] = 0
                }
            }

            mutating func take(_ other: Line) {
                for x in sums.indices {
                    sums[x] = other.sums[x]
                    weights[x] = other.weights[x]
                }
            }

            func value(at x: Int) -> Double { Double(sums[x] / weights[x]) }
        }

        /// Calls `body` for each pixel of a finer row that a frame shows with a weight above 0.
        private func forEachPixel(
            of frame: Frame, row y: Int,
            _ body: (
                _ x: Int, _ column: Int, _ row: Int, _ offset: SIMD2<Float>, _ says: Float, _ gain: Float
            ) -> Void
        ) {
            let places = Self.line(of: frame.map.nodes, at: position(y) / Float(frame.map.spacing))
            let block = (position(y) + 0.5) / Float(step) - 0.5
            let (says, gains) = (Self.line(of: frame.says, at: block), Self.line(of: frame.gains, at: block))
            let (columns, rows) = (frame.luma.width, frame.luma.height)
            for x in 0..<factor * frames[0].luma.width {
                let at = position(x)
                let place = Self.between(places, at / Float(frame.map.spacing))
                let inBlocks = (at + 0.5) / Float(step) - 0.5
                let says = Self.between(says, inBlocks)
                // Comparisons with a position that is not finite are false.
                guard says > 0, place.x >= 1, place.y >= 1, place.x < Float(columns - 2),
                    place.y < Float(rows - 2)
                else { continue }
                let middle = place.rounded(.toNearestOrAwayFromZero)
                body(x, Int(middle.x), Int(middle.y), place - middle, says, Self.between(gains, inBlocks))
            }
        }

        private func add(_ frame: Frame, row y: Int, to line: inout Line) {
            let columns = frame.luma.width
            line.sums.withUnsafeMutableBufferPointer { sums in
                line.weights.withUnsafeMutableBufferPointer { weights in
                    frame.luma.elements.withUnsafeBufferPointer { luma in
                        Self.weights.withUnsafeBufferPointer { table in
                            forEachPixel(of: frame, row: y) { x, column, row, offset, says, gain in
                                let part = SIMD2<Int>((offset + 0.5) * Float(Self.parts) + 0.5)
                                let (across, down) = (table[part.x], table[part.y])
                                var start = (row - 1) * columns + column - 1
                                var (sum, weight) = (Float(0), Float(0))
                                for tap in 0..<3 {
                                    let pixels = SIMD4(
                                        Float(luma[start]), Float(luma[start + 1]), Float(luma[start + 2]), 0)
                                    sum += down[tap] * (across * pixels).sum()
                                    weight += down[tap]
                                    start += columns
                                }
                                sums[x] += says * gain * sum
                                weights[x] += says * weight * across.sum()
                            }
                        }
                    }
                }
            }
        }

        /// Compares the prediction from all frames, and that from the reference alone, with the pixels of the left-out
        /// frame.
        private func foretell(
            _ frame: Frame, row y: Int, from line: Line, or alone: Line,
            into proof: UnsafeMutableBufferPointer<CellProof>
        ) {
            forEachPixel(of: frame, row: y) { x, column, row, offset, _, gain in
                guard abs(offset.x) <= nearness, abs(offset.y) <= nearness,
                    alone.weights[x] >= leastWeight
                else { return }
                let seen = Double(gain * Float(frame.luma[x: column, y: row]))
                let own = alone.value(at: x) - seen
                let finer = line.value(at: x) - seen
                let cell = x / (factor * FinerBrightness.cell)
                proof[cell].count += 1
                proof[cell].sum += seen
                proof[cell].squares += seen * seen
                proof[cell].own += own * own
                proof[cell].finer += finer * finer
            }
        }

        /// Converts a finer pixel's column or row to the reference.
        private func position(_ index: Int) -> Float { (Float(index) + 0.5) / Float(factor) - 0.5 }

        /// The values of a grid, interpolated along a line between two of its rows.
        private static func line<Value: Interpolated>(of grid: Raster<Value>, at position: Float) -> [Value] {
            let row = min(max(Int(position), 0), max(grid.height - 2, 0))
            let below = min(row + 1, grid.height - 1)
            let share = min(max(position - Float(row), 0), 1)
            return (0..<grid.width).map { x in
                .between(grid[x: x, y: row], grid[x: x, y: below], share)
            }
        }

        private static func between<Value: Interpolated>(_ values: [Value], _ position: Float) -> Value {
            let index = min(max(Int(position), 0), max(values.count - 2, 0))
            let next = min(index + 1, values.count - 1)
            return .between(values[index], values[next], min(max(position - Float(index), 0), 1))
        }
    }
}

/// A value that can be interpolated linearly.
private protocol Interpolated {
    static func between(_ first: Self, _ second: Self, _ share: Float) -> Self
}

extension Float: Interpolated {
    fileprivate static func between(_ first: Float, _ second: Float, _ share: Float) -> Float {
        first + share * (second - first)
    }
}

extension SIMD2<Float>: Interpolated {
    fileprivate static func between(
        _ first: SIMD2<Float>, _ second: SIMD2<Float>, _ share: Float
    ) -> SIMD2<Float> { first + share * (second - first) }
}
