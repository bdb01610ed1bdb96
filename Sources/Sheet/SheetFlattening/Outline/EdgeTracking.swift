import Platform
import Imaging
import Parallelism

/// Moves a contour onto the edge of the sheet.
///
/// Across the contour, at each of its points, the colours are read along the normal; the edge's place on every normal is
/// then chosen for the whole line at once (dynamic programming, Amini, Weymouth & Jain 1990), which weighs three things:
/// - region: what lies inside should look like the sheet nearby, what lies outside like the table nearby. Both are
///   described by the mean and spread of the colours a little further in and out, in a window along the line, so that
///   shadows and uneven light do not matter (localised regions, Lankton & Tannenbaum 2008);
/// - edge: the colour changes there;
/// - smoothness: neighbouring points move alike.
struct EdgeTracking {
    /// What is tuned for one pass over a contour. Lengths in pixels of the picture that is searched.
    struct Options {
        /// How far from the contour the edge is looked for.
        var reach: Int
        /// Distance between points along the contour.
        var spacing: Double
        /// Number of readings averaged along the edge, odd, one pixel apart, at each place.
        var readingsAlong: Int
        /// What a pixel on the wrong side counts, 0 for edges alone.
        var regionWeight: Float
        /// What a full step of colour counts.
        var edgeWeight: Float = 4
        /// What a relative move of one pixel between neighbours costs.
        var stiffness: Float = 0.4
        /// What a place as far from the contour as is searched costs; it grows with the distance squared.
        var restraint: Float = 0

        /// Pixels between points of a smaller picture: readings of three pixels along the edge just meet.
        private static let coarseSpacing = 2.5
        /// A sixteenth of a full step of colour: 16 pixels on the wrong side outweigh one.
        private static let coarseRegionWeight: Float = 0.25

        /// For a smaller picture, from a contour that is some pixels off: what lies inside and outside has a say beside the edge.
        static func coarse(reach: Int, restraint: Float = 0) -> Options {
            Options(
                reach: reach, spacing: coarseSpacing, readingsAlong: 3, regionWeight: coarseRegionWeight,
                restraint: restraint)
        }

        /// From a contour that has found the edge: the edge alone.
        static func fine(reach: Int, spacing: Double, readingsAlong: Int) -> Options {
            Options(reach: reach, spacing: spacing, readingsAlong: readingsAlong, regionWeight: 0)
        }
    }

    /// What holds for every pass. Colours in levels, 0 to 255 a channel.
    private enum Tuning {
        /// Points of the shortest contour.
        static let leastPoints = 32
        /// The least deviation, in points, of the smoothing that normals are taken after.
        static let leastBlur = 1.5
        /// The most pixels on either side that are averaged for a colour step.
        static let longestSpan = 3
        /// A smaller difference between inside and outside counts as this one, so that noise is no full step.
        static let leastContrast: Float = 14
        /// What the change from sheet to table, as they look near by, counts of a step, and what any other change does.
        static let expectedShare: Float = 0.8
        static let anyShare: Float = 0.2
        /// The most that a place counts, in full steps: one strong edge does not outweigh many.
        static let greatestStep: Float = 1.2
        /// Readings of inside or outside that say nothing yet.
        static let tooFewReadings: Float = 3
        /// A window is this part of the contour long to either side, and `leastWindow` points at least.
        static let windowPart = 24
        static let leastWindow = 2
        /// The least variance of a channel: 6 levels squared, for light changes slowly over a window.
        static let leastVariance: Float = 36
        /// The most that one colour says for sheet or table: the logarithm of a ratio of likelihoods.
        static let greatestRatio: Float = 2
        /// The most pixels that the edge's place changes by from point to point.
        static let greatestMove = 3
        /// What a place that cannot be reached is worth: less than any that can.
        static let never: Float = -1e9
        /// What ending on the picture's rim is worth where the sheet may run off it: more than any edge.
        static let rimGain: Float = 1000
    }

    /// A contour on the edge, with how clear the edge is at each of its points (colour step in levels).
    struct Result {
        var contour: Contour
        var strength: [Double]
    }

    private let image: RGBImage
    private let options: Options

    init(in image: RGBImage, options: Options) {
        self.image = image
        self.options = options
    }

    /// The contour moved onto the edge. O(length · reach).
    func track(_ contour: Contour) -> Result {
        let count = max(Tuning.leastPoints, Int((contour.perimeter / options.spacing).rounded()))
        let line = contour.resampled(count: count)
        // Normals are taken from a smoother line than the one that moves: corners stay, pixel steps do not count.
        let blur = max(Tuning.leastBlur, Double(options.reach) / options.spacing / 2)
        let normals = line.smoothed(sigma: blur).normals(reach: max(1, Int(blur)))
        let profiles = readProfiles(line, normals)
        let gains = rateProfiles(profiles, count: count)
        let places = bestPlaces(gains.gain, count: count, line: line, normals: normals)
        var moved = line.points
        var strength = [Double](repeating: 0, count: count)
        let width = 2 * options.reach + 1
        for i in 0..<count {
            let place = places[i]
            var offset = Double(place - options.reach)
            let row = i * width
            strength[i] = Double(gains.step[row + place])
            if place > 0, place < width - 1 {
                // The peak of the edge between pixels, by the parabola through three readings.
                let a = gains.step[row + place - 1]
                let b = gains.step[row + place]
                let c = gains.step[row + place + 1]
                let bend = a - 2 * b + c
                if bend < 0, b >= a, b >= c { offset += Double(0.5 * (a - c) / bend) }
            }
            moved[i] = clamp(line.points[i] + normals[i] * offset)
        }
        return Result(contour: Contour(moved), strength: strength)
    }

    // MARK: Reading

    /// Half the length of a profile: the search itself and as much again for what inside and outside look like.
    private var profileReach: Int { 2 * options.reach + 1 }

    /// The colours along all normals, from inside to outside; NaN past the picture's rim.
    private func readProfiles(_ line: Contour, _ normals: [SIMD2<Double>]) -> [SIMD4<Float>] {
        let half = profileReach
        let length = 2 * half + 1
        let sides = (options.readingsAlong - 1) / 2
        let width = image.width
        let height = image.height
        let right = Float(width - 1)
        let bottom = Float(height - 1)
        let missing = SIMD4<Float>(repeating: .nan)
        var result = [SIMD4<Float>](repeating: missing, count: line.count * length)
        guard width > 1, height > 1 else { return result }
        result.withUnsafeMutableBufferPointer { result in
            let rows = DisjointRows(result, rowLength: length)
            forEachBand(of: 0..<line.count, threading: .allCores, minimumRows: Self.pointsOfBand) { band in
                image.elements.withUnsafeBufferPointer { pixels in
                    @inline(__always) func color(_ pixel: RGB) -> SIMD4<Float> {
                        SIMD4(Float(pixel.red), Float(pixel.green), Float(pixel.blue), 0)
                    }
                    for i in band {
                        let row = rows[i]
                        let point = SIMD2<Float>(Float(line.points[i].x), Float(line.points[i].y))
                        let normal = SIMD2<Float>(Float(normals[i].x), Float(normals[i].y))
                        let along = SIMD2(-normal.y, normal.x)
                        for t in -half...half {
                            let center = point + normal * Float(t)
                            var sum = SIMD4<Float>()
                            var readings: Float = 0
                            for side in -sides...sides {
                                let p = center + along * Float(side)
                                guard p.x >= 0, p.y >= 0, p.x <= right, p.y <= bottom else { continue }
                                let x = min(Int(p.x), width - 2)
                                let y = min(Int(p.y), height - 2)
                                let s = p.x - Float(x)
                                let u = p.y - Float(y)
                                let base = y * width + x
                                let top = color(pixels[base]) * (1 - s) + color(pixels[base + 1]) * s
                                let low =
                                    color(pixels[base + width]) * (1 - s) + color(pixels[base + width + 1])
                                    * s
                                sum += top * (1 - u) + low * u
                                readings += 1
                            }
                            if readings > 0 { row[t + half] = sum / readings }
                        }
                    }
                }
            }
        }
        return result
    }

    /// Points whose profiles a thread reads at once: some 0.1 ms of work.
    private static let pointsOfBand = 32

    // MARK: Rating

    /// What each place on each normal is worth, and the size of the colour step there.
    private func rateProfiles(_ profiles: [SIMD4<Float>], count: Int) -> (gain: [Float], step: [Float]) {
        let half = profileReach
        let length = 2 * half + 1
        let reach = options.reach
        let width = 2 * reach + 1
        let near = reach / 2
        let inside = windowed(profiles, count: count, columns: 0...(half - near - 1))
        let outside = windowed(profiles, count: count, columns: (half + near + 1)...(length - 1))
        var gain = [Float](repeating: 0, count: count * width)
        var step = [Float](repeating: 0, count: count * width)
        let span = max(1, min(Tuning.longestSpan, reach / 4))
        for i in 0..<count {
            let sheet = inside[i]
            let table = outside[i]
            let known = sheet.weight > Tuning.tooFewReadings && table.weight > Tuning.tooFewReadings
            let difference = sheet.mean - table.mean
            let contrast = (difference * difference).sum().squareRoot()
            let direction = contrast > 0 ? difference / contrast : SIMD4<Float>()
            let scale = max(contrast, Tuning.leastContrast)
            var region: Float = 0
            for t in -reach...reach {
                let row = i * length + half + t
                let here = profiles[row]
                if known, !here.x.isNaN { region += likelihoodRatio(here, sheet, table) }
                var before = SIMD4<Float>()
                var after = SIMD4<Float>()
                for k in 1...span {
                    before += profiles[row - k]
                    after += profiles[row + k]
                }
                let change = (before - after) / Float(span)
                var size: Float = 0
                if !change.x.isNaN {
                    let along = (change * direction).sum()
                    let whole = (change * change).sum().squareRoot()
                    size =
                        known ? max(along, 0) * Tuning.expectedShare + whole * Tuning.anyShare : whole
                }
                let place = i * width + t + reach
                step[place] = size
                let offset = Float(t) / Float(reach)
                gain[place] =
                    options.regionWeight * region + options.edgeWeight
                    * min(size / scale, Tuning.greatestStep)
                    - options.restraint * offset * offset
            }
        }
        return (gain, step)
    }

    /// How the colours of a stretch of sheet or table are distributed.
    private struct Appearance {
        var mean = SIMD4<Float>()
        var variance = SIMD4<Float>(repeating: 1)
        var logSpread: Float = 0
        var weight: Float = 0
    }

    /// The colours in some columns of the profiles, taken together over a window along the line.
    private func windowed(_ profiles: [SIMD4<Float>], count: Int, columns: ClosedRange<Int>) -> [Appearance] {
        let length = 2 * profileReach + 1
        var sums = [SIMD4<Float>](repeating: .zero, count: count)
        var squares = sums
        var weights = [Float](repeating: 0, count: count)
        for i in 0..<count {
            for column in columns {
                let color = profiles[i * length + column]
                if color.x.isNaN { continue }
                // Around 128 the squares stay small enough for Float.
                let centered = color - SIMD4(128, 128, 128, 0)
                sums[i] += centered
                squares[i] += centered * centered
                weights[i] += 1
            }
        }
        let side = max(Tuning.leastWindow, count / Tuning.windowPart)
        var sum = SIMD4<Float>()
        var square = SIMD4<Float>()
        var weight: Float = 0
        var result: [Appearance] = []
        result.reserveCapacity(count)
        for k in -side...side {
            let j = (k + count) % count
            sum += sums[j]
            square += squares[j]
            weight += weights[j]
        }
        for i in 0..<count {
            var appearance = Appearance()
            appearance.weight = weight
            if weight > Tuning.tooFewReadings {
                let mean = sum / weight
                let variance = square / weight - mean * mean
                appearance.mean = mean + SIMD4(128, 128, 128, 0)
                appearance.variance = variance.replacing(
                    with: Tuning.leastVariance, where: variance .< Tuning.leastVariance)
                let v = appearance.variance
                appearance.logSpread = 0.5 * log(v.x * v.y * v.z) / 3
            }
            result.append(appearance)
            let leaves = (i - side + count) % count
            let enters = (i + side + 1) % count
            sum += sums[enters] - sums[leaves]
            square += squares[enters] - squares[leaves]
            weight += weights[enters] - weights[leaves]
        }
        return result
    }

    /// Log-likelihood ratio of sheet against table for a colour, a mean over channels, held within `greatestRatio`.
    @inline(__always)
    private func likelihoodRatio(_ color: SIMD4<Float>, _ sheet: Appearance, _ table: Appearance) -> Float {
        let fromSheet = color - sheet.mean
        let fromTable = color - table.mean
        let terms = fromTable * fromTable / table.variance - fromSheet * fromSheet / sheet.variance
        let ratio = 0.5 * (terms.x + terms.y + terms.z) / 3 + table.logSpread - sheet.logSpread
        return min(max(ratio, -Tuning.greatestRatio), Tuning.greatestRatio)
    }

    // MARK: Choosing

    /// The places of greatest total gain, less what moves between neighbours cost. Viterbi over the open line, started where
    /// the edge is clearest, so that its loose end closes there. O(count · reach · 7).
    private func bestPlaces(
        _ gain: [Float], count: Int, line: Contour, normals: [SIMD2<Double>]
    ) -> [Int] {
        let width = 2 * options.reach + 1
        let (never, jump) = (Tuning.never, Tuning.greatestMove)
        // What lies past the rim cannot be an edge; a point on the rim may stay there.
        var allowed = [Bool](repeating: true, count: count * width)
        for i in 0..<count {
            for place in 0..<width where place != options.reach {
                let p = line.points[i] + normals[i] * Double(place - options.reach)
                if p.x < -0.5 || p.y < -0.5 || p.x > Double(image.width) - 0.5
                    || p.y > Double(image.height) - 0.5
                {
                    allowed[i * width + place] = false
                }
            }
        }
        // Where the profile leaves the picture close by, the sheet may run off it: nothing speaks for an edge further in.
        var gain = gain
        let margin = max(1, options.reach / 8)
        for i in 0..<count {
            let row = i * width
            guard let last = (0..<width).last(where: { allowed[row + $0] }), last < options.reach + margin
            else { continue }
            gain[row + last] += Tuning.rimGain
        }
        var start = 0
        var clearest = -Float.infinity
        for i in 0..<count {
            let row = gain[(i * width)..<((i + 1) * width)]
            let best = row.max() ?? 0
            let margin = best - row.reduce(0, +) / Float(width)
            if margin > clearest {
                clearest = margin
                start = i
            }
        }
        var score = [Float](repeating: never, count: width)
        var origin = [Int8](repeating: 0, count: (count + 1) * width)
        var firstPlace = options.reach
        var firstGain = -Float.infinity
        for place in 0..<width where allowed[start * width + place] && gain[start * width + place] > firstGain
        {
            firstGain = gain[start * width + place]
            firstPlace = place
        }
        score[firstPlace] = 0
        for step in 1...count {
            let i = (start + step) % count
            var next = [Float](repeating: never, count: width)
            for place in 0..<width where allowed[i * width + place] {
                var best = never
                var from = 0
                for move in -jump...jump {
                    let previous = place - move
                    guard previous >= 0, previous < width else { continue }
                    let value = score[previous] - options.stiffness * Float(move * move)
                    if value > best {
                        best = value
                        from = move
                    }
                }
                next[place] = best + gain[i * width + place]
                origin[step * width + place] = Int8(from)
            }
            score = next
        }
        var places = [Int](repeating: options.reach, count: count)
        var place = firstPlace
        if score[place] <= never / 2 { place = score.indices.max { score[$0] < score[$1] } ?? place }
        for step in stride(from: count, through: 1, by: -1) {
            places[(start + step) % count] = place
            place -= Int(origin[step * width + place])
            place = min(max(place, 0), width - 1)
        }
        return places
    }

    private func clamp(_ p: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(
            min(max(p.x, -0.5), Double(image.width) - 0.5), min(max(p.y, -0.5), Double(image.height) - 0.5))
    }
}
