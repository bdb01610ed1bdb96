import Platform
import Imaging
import LinearAlgebra
import RobustStatistics

// Which frame each part of a fused image is taken from.
//
// Problem: in every frame a different part of a still sheet is hidden (a reflection, a finger, a blur), and no single frame
// tells which part.
//
// Model: what most frames show is there. A block of a frame departs where its colour, in the reference's light, differs
// from the frames' median.
//
// Method: the reference's own pixels stay where it does not depart and no frame is much sharper. Elsewhere the sharpest
// frame that does not depart is taken. Weights are smoothed over blocks, so that regions have smooth borders; there frames
// are mixed.
//
// Known failures: something that hides the same place in most frames; places that fewer than three frames show.

/// The weights of the frames over an image.
struct PicturePlan: Sendable {
    /// For the reference and each other frame, in order, its share of each block, 0 to 1.
    let weights: [Raster<Float>]
    /// For each frame the factors of red, green and blue, by blocks, that match its light to the reference's.
    let gains: [Raster<SIMD3<Float>>]
    /// For each frame its reliability in each block, 0 to 1, whichever frame is preferred there: 0 where it departs from
    /// most frames, less than 1 where it is blurred.
    let says: [Raster<Float>]

    /// Largest difference of a colour from the frames' median on flat paper, in grey levels. In drawn shots without faults,
    /// seeds from 72, 99 % of all blocks lie within 11 of the reference's, print included.
    private static let tolerance: Float = 14
    /// Additional tolerance, as a share of the brightness range of the surrounding blocks: at print, blur and fractions of
    /// pixels change a block's mean. With both tolerances, no block of those shots departs.
    private static let contrastShare: Float = 0.5
    /// Fewest frames that must show a place for a majority to be trusted.
    private static let leastFrames = 3
    /// Blocks from the centre of the smallest fault to its border; anything narrower is an edge that is slightly
    /// misaligned. About 4 mm of a receipt that fills the image, less than a fingertip.
    private static let leastReach = 3
    /// Blocks by which a departing region is widened: faults fade towards their borders.
    private static let rim = 3
    /// How many times as much fine detail another frame must show to be preferred. Chosen by reasoning: after one
    /// resampling, a frame in focus keeps the share `keptByResampling` of its detail; a frame out of focus by a pixel keeps
    /// half.
    private static let sharper: Float = 1.5
    private static let keptByResampling: Float = 0.8
    /// Smallest detail beyond noise that is print: the mean of |Laplacian| in grey levels over some letters. Drawn rows
    /// have 6 to 20, paper and plain tables less than 1.
    private static let leastDetail: Float = 3
    /// The share of blocks, flattest first, whose detail is noise.
    private static let flatShare = 0.1
    /// A channel at or above this value is clipped: it tells only that there is much light.
    private static let clipped: UInt8 = 250

    /// - Parameter drafts: the reference first, all of one size.
    init(_ drafts: [FrameDraft]) {
        let size = drafts[0].colors.size
        let gains = drafts.indices.map { index in
            index == 0
                ? Raster(width: size.width, height: size.height, filledWith: SIMD3<Float>(repeating: 1))
                : Self.gains(from: drafts[index], to: drafts[0])
        }
        let evened = zip(drafts, gains).map { draft, gains in
            Raster(
                width: size.width, height: size.height,
                elements: zip(draft.colors.elements, gains.elements).map { Self.channels($0) * $1 })
        }
        let departing = Self.departing(drafts, evened)
        let isCut = departing.map { Self.isWithin($0, of: Self.rim) }
        let detail = drafts.indices.map { Self.smoothDetail(drafts[$0]) }
        // The best other frame for each block, and whether it shows more than the reference.
        var choice = Raster(width: size.width, height: size.height, filledWith: 0)
        var isSharper = Raster(width: size.width, height: size.height, filledWith: false)
        for index in choice.elements.indices {
            var best: (frame: Int, detail: Float)?
            for frame in 1..<max(drafts.count, 1) {
                guard drafts[frame].isSeen.elements[index], !isCut[frame].elements[index] else { continue }
                let own = detail[frame].elements[index]
                if own > best?.detail ?? -1 { best = (frame, own) }
            }
            guard let best else { continue }
            choice.elements[index] = best.frame
            isSharper.elements[index] =
                best.detail > Self.sharper * max(detail[0].elements[index], Self.leastDetail)
        }
        isSharper = Self.opened(isSharper)
        for index in choice.elements.indices
        where !isCut[0].elements[index] && !isSharper.elements[index] {
            choice.elements[index] = 0
        }
        weights = Self.weights(choice, drafts, departing)
        self.gains = gains
        says = Self.says(drafts, isCut, detail)
    }

    /// Reliability: 0 for blocks unseen or cut out, otherwise the squared sharpness relative to the sharpest frame's.
    private static func says(
        _ drafts: [FrameDraft], _ isCut: [Raster<Bool>], _ detail: [Raster<Float>]
    ) -> [Raster<Float>] {
        let sharpness = detail.enumerated().map { frame, detail in
            frame == 0 ? detail : detail.map { $0 / keptByResampling }
        }
        return drafts.indices.map { frame in
            Raster(
                width: detail[frame].width, height: detail[frame].height,
                elements: detail[frame].elements.indices.map { index in
                    guard drafts[frame].isSeen.elements[index], !isCut[frame].elements[index] else {
                        return 0
                    }
                    let best = sharpness.reduce(leastDetail) { max($0, $1.elements[index]) }
                    let share = best > leastDetail ? min(sharpness[frame].elements[index] / best, 1) : 1
                    return share * share
                })
        }
    }

    /// Indices of the frames beside the reference that contribute something.
    var contributing: [Int] {
        weights.indices.dropFirst().filter { weights[$0].elements.contains { $0 > 0 } }
    }

    private static func channels(_ color: RGB) -> SIMD3<Float> {
        SIMD3(Float(color.red), Float(color.green), Float(color.blue))
    }

    /// Grey levels usable to compare light: darker ones are noise, brighter ones clipped.
    private static let usableLevels: ClosedRange<UInt8> = 20...245
    /// Only every n-th block is sampled, which is enough for six coefficients.
    private static let blocksForGains = 16
    /// Smallest scale for the logarithm of a ratio: 1 %, half a grey level at 50, which is the effect of rounding alone.
    private static let leastScaleOfGains = 0.01

    /// Factors that match a frame's light to the reference's. For each channel the logarithm of the factor is a
    /// second-degree polynomial over the image, which models exposure, white balance and fall-off.
    private static func gains(from draft: FrameDraft, to reference: FrameDraft) -> Raster<SIMD3<Float>> {
        let size = draft.colors.size
        let basis = QuadraticBasis(over: size)
        let places = stride(from: 0, to: size.pixelCount, by: blocksForGains).filter { index in
            let (a, b) = (draft.colors.elements[index], reference.colors.elements[index])
            return draft.isSeen.elements[index]
                && [a.red, a.green, a.blue, b.red, b.green, b.blue].allSatisfy(usableLevels.contains)
        }
        let rows = places.map { place in
            basis.values(at: SIMD2(Double(place % size.width), Double(place / size.width)))
        }
        var logarithms = [SIMD8<Double>](repeating: .zero, count: 3)
        for channel in 0..<3 {
            let ratios = places.map {
                log(
                    Double(channels(reference.colors.elements[$0])[channel])
                        / Double(channels(draft.colors.elements[$0])[channel]))
            }
            _ = Reweighting(loss: .tukey, sweeps: 8, leastScale: leastScaleOfGains)
                .run(prior: [Double](repeating: 1, count: ratios.count)) { weights in
                    if let solved = solve(rows, ratios, weights) { logarithms[channel] = solved }
                    let residuals = zip(rows, ratios).map { $1 - ($0 * logarithms[channel]).sum() }
                    return (residuals, false)
                }
        }
        return Raster(
            width: size.width, height: size.height,
            elements: (0..<size.pixelCount).map { index in
                let values = basis.values(at: SIMD2(Double(index % size.width), Double(index / size.width)))
                func gain(_ channel: Int) -> Float {
                    let logarithm = (values * logarithms[channel]).sum()
                    return Float(exp(min(max(logarithm, -greatestLogGain), greatestLogGain)))
                }
                return SIMD3<Float>(gain(0), gain(1), gain(2))
            })
    }

    /// Natural logarithm of the largest factor between two frames of one recording: three stops. Beyond the known blocks,
    /// the quadratic would otherwise grow without bounds.
    private static let greatestLogGain = log(8.0)

    private static func solve(
        _ rows: [SIMD8<Double>], _ values: [Double], _ weights: [Double]
    ) -> SIMD8<Double>? {
        let count = QuadraticBasis.count
        guard values.count > 4 * count else { return nil }
        var matrix = Matrix(rows: count, columns: count)
        var right = SIMD8<Double>.zero
        for ((row, value), weight) in zip(zip(rows, values), weights) {
            let weighted = row * weight
            right += weighted * value
            for i in 0..<count {
                for j in 0...i { matrix[i, j] += weighted[i] * row[j] }
            }
        }
        guard
            let solution = try? CholeskyFactorization(of: matrix).solve((0..<count).map { right[$0] })
        else { return nil }
        var result = SIMD8<Double>.zero
        for i in 0..<count { result[i] = solution[i] }
        return result
    }

    /// Marks where each frame departs from what most frames show.
    private static func departing(
        _ drafts: [FrameDraft], _ evened: [Raster<SIMD3<Float>>]
    ) -> [Raster<Bool>] {
        let size = drafts[0].colors.size
        var medians = Raster(
            width: size.width, height: size.height, filledWith: SIMD3<Float>(repeating: .nan))
        var voters: [Int] = []
        for index in medians.elements.indices {
            let seeing = drafts.indices.filter { drafts[$0].isSeen.elements[index] }
            guard seeing.count >= leastFrames else { continue }
            voters = seeing.filter { drafts[$0].colors.elements[index].leastChannel < clipped }
            // A single unclipped frame must not outvote the rest.
            if voters.count < 2 { voters = seeing }
            for channel in 0..<3 {
                medians.elements[index][channel] = voters.map { evened[$0].elements[index][channel] }
                    .midpointMedian()
            }
        }
        // The range of brightness around each block.
        let luma = medians.map { $0.sum() / 3 }
        let high = luma.smoothed { max($0.isNaN ? $1 : $0, $1, $2.isNaN ? $1 : $2) }
        let low = luma.smoothed { min($0.isNaN ? $1 : $0, $1, $2.isNaN ? $1 : $2) }
        var departing = drafts.map { _ in
            Raster(width: size.width, height: size.height, filledWith: false)
        }
        for index in medians.elements.indices where !luma.elements[index].isNaN {
            let contrast = high.elements[index] - low.elements[index]
            let allowed = tolerance + contrastShare * (contrast.isNaN ? 0 : contrast)
            let seeing = drafts.indices.filter { drafts[$0].isSeen.elements[index] }
            func departs(_ frame: Int) -> Bool {
                let difference = evened[frame].elements[index] - medians.elements[index]
                return max(difference.max(), -difference.min()) > allowed
            }
            let off = seeing.filter(departs)
            // Without a majority no frame is known to be wrong.
            guard 2 * off.count < seeing.count else { continue }
            for frame in off { departing[frame].elements[index] = true }
        }
        return departing.map(opened)
    }

    /// Keeps only marked regions of some breadth: lines come from slightly misaligned edges and are no faults.
    private static func opened(_ marked: Raster<Bool>) -> Raster<Bool> {
        let inner = isWithin(marked.map { !$0 }, of: leastReach).map { !$0 }
        return isWithin(inner, of: leastReach)
    }

    /// Whether a marked block lies within `reach` blocks.
    private static func isWithin(_ marked: Raster<Bool>, of reach: Int) -> Raster<Bool> {
        (0..<reach).reduce(marked) { wide, _ in wide.smoothed { $0 || $1 || $2 } }
    }

    /// A frame's fine detail beyond its noise, averaged over the width of some letters.
    private static func smoothDetail(_ draft: FrameDraft) -> Raster<Float> {
        let seen = draft.detail.elements.indices.filter { draft.isSeen.elements[$0] }
        let noise = seen.map { draft.detail.elements[$0] }.quantile(flatShare)
        return (0..<4).reduce(draft.detail.map { max(0, $0 - noise) }) { detail, _ in
            detail.smoothed { ($0 + $1 + $2) / 3 }
        }
    }

    /// Shares with smooth borders; 0 for a frame where it departs.
    private static func weights(
        _ choice: Raster<Int>, _ drafts: [FrameDraft], _ departing: [Raster<Bool>]
    ) -> [Raster<Float>] {
        var weights = drafts.indices.map { frame -> Raster<Float> in
            let mask = choice.map { $0 == frame ? Float(1) : 0 }
            let soft = (0..<2).reduce(mask) { soft, _ in soft.smoothed { ($0 + 2 * $1 + $2) / 4 } }
            let isHidden = isWithin(departing[frame], of: 1)
            return Raster(
                width: soft.width, height: soft.height,
                elements: soft.elements.indices.map {
                    isHidden.elements[$0] || !drafts[frame].isSeen.elements[$0] ? 0 : soft.elements[$0]
                })
        }
        for index in choice.elements.indices {
            let sum = weights.reduce(0) { $0 + $1.elements[index] }
            for frame in weights.indices {
                // Where all frames are hidden, the chosen frame stays.
                weights[frame].elements[index] =
                    sum > 0
                    ? weights[frame].elements[index] / sum : choice.elements[index] == frame ? 1 : 0
            }
        }
        return weights
    }
}

extension RGB {
    fileprivate var leastChannel: UInt8 { min(red, green, blue) }
}
