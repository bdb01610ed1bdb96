import Platform
import Imaging
import Parallelism

/// Moves a contour onto the edge of the sheet.
///
/// At each contour point, colours are read along the normal. Dynamic programming (Amini, Weymouth & Jain 1990) then chooses the
/// edge's position on all normals together. It weighs three terms:
/// - region: the inside should look like the sheet nearby, the outside like the table nearby. Both are described by the mean
///   and spread of the colours a little further in and out, in a window along the line, so that shadows and uneven light do not
///   matter (localised regions, Lankton & Tannenbaum 2008);
/// - edge: the colour changes there;
/// - smoothness: neighbouring points move alike.
struct EdgeTracking {
    /// Settings for one pass over a contour. Lengths are in pixels of the searched image.
    struct Options {
        /// Search distance on either side of the contour.
        var reach: Int
        /// Distance between points along the contour.
        var spacing: Double
        /// Number of readings averaged along the edge at each position: odd, one pixel apart.
        var readingsAlong: Int
        /// Weight of a pixel on the wrong side; 0 uses edges alone.
        var regionWeight: Float
        /// Weight of a full colour step.
        var edgeWeight: Float = 4
        /// Cost of a relative move of one pixel between neighbours.
        var stiffness: Float = 0.4
        /// Cost of a position at the search limit; it grows with the square of the distance from the contour.
        var restraint: Float = 0

        /// Pixels between contour points in a smaller image: readings of three pixels along the edge just meet.
        private static let coarseSpacing = 2.5
        /// A sixteenth of a full colour step: 16 pixels on the wrong side outweigh one step.
        private static let coarseRegionWeight: Float = 0.25

        /// Options for a smaller image and a contour that is some pixels off: the inside and outside count beside the edge.
        static func coarse(reach: Int, restraint: Float = 0) -> Options {
            Options(
                reach: reach, spacing: coarseSpacing, readingsAlong: 3, regionWeight: coarseRegionWeight,
                restraint: restraint)
        }

        /// Options for a contour that has found the edge: only the edge counts.
        static func fine(reach: Int, spacing: Double, readingsAlong: Int) -> Options {
            Options(reach: reach, spacing: spacing, readingsAlong: readingsAlong, regionWeight: 0)
        }
    }

    /// Constants of every pass. Colours are in levels, 0 to 255 per channel.
    private enum Tuning {
        /// Fewest points of a contour.
        static let leastPoints = 32
        /// Least standard deviation, in points, of the smoothing applied before normals are taken.
        static let leastBlur = 1.5
        /// The most pixels on either side that are averaged for a colour step.
        static let longestSpan = 3
        /// Smaller differences between inside and outside are raised to this one, so that noise does not count as a full step.
        static let leastContrast: Float = 14
        /// Weights of two parts of a colour step: the change from sheet to table, with their colours nearby, and any change.
        static let expectedShare: Float = 0.8
        static let anyShare: Float = 0.2
        /// Most that a position counts, in full steps: one strong edge must not outweigh many.
        static let greatestStep: Float = 1.2
        /// With this many readings or fewer, the inside or outside counts as unknown.
        static let tooFewReadings: Float = 3
        /// A window extends this fraction of the contour to either side, and at least `leastWindow` points.
        static let windowPart = 24
        static let leastWindow = 2
        /// Least variance of a channel: 6 levels squared, because light changes slowly over a window.
        static let leastVariance: Float = 36
        /// Greatest log-likelihood ratio that one colour can give for sheet or table.
        static let greatestRatio: Float = 2
        /// Most pixels that the edge's position changes from point to point.
        static let greatestMove = 3
        /// Value of a position that cannot be reached: less than any that can.
        static let never: Float = -1e9
        /// Bonus for ending on the image border where the sheet may run off it: more than any edge.
        static let rimGain: Float = 1000
    }

    /// A contour on the edge, and how clear the edge is at each point (colour step in levels).
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

    /// Moves a contour onto the edge. O(length · reach).
    func track(_ contour: Contour) -> Result {
        let count = max(Tuning.leastPoints, Int((contour.perimeter / options.spacing).rounded()))
        let line = contour.resampled(count: count)
        // Normals are taken from a smoother line than the one that moves: corners stay, pixel steps are ignored.
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
                // The edge's peak between pixels: the vertex of the parabola through three readings.
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

    /// Half the length of a profile: the search range, and as much again to learn the colours of inside and outside.
    private var profileReach: Int { 2 * options.reach + 1 }

    /// Reads the colours along all normals, from inside to outside; NaN beyond the image border.
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

    /// Rates each position on each normal, and returns the size of the colour step there.
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

    /// The colour distribution of a stretch of sheet or table.
    private struct Appearance {
        var mean = SIMD4<Float>()
        var variance = SIMD4<Float>(repeating: 1)
        var logSpread: Float = 0
        var weight: Float = 0
    }

    /// Pools the colours of some columns of the profiles over a window along the line.
    private func windowed(_ profiles: [SIMD4<Float>], count: Int, columns: ClosedRange<Int>) -> [Appearance] {
        let length = 2 * profileReach + 1
        var sums = [SIMD4<Float>](repeating: .zero, count: count)
        var squares = sums
        var weights = [Float](repeating: 0, count: count)
        for i in 0..<count {
            for column in columns {
                let color = profiles[i * length + column]
                if color.x.isNaN { continue }
                // Centred on 128, the squares stay small enough for Float.
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

    /// Log-likelihood ratio of sheet against table for a colour, averaged over channels and limited to `greatestRatio`.
    @inline(__always)
    private func likelihoodRatio(_ color: SIMD4<Float>, _ sheet: Appearance, _ table: Appearance) -> Float {
        let fromSheet = color - sheet.mean
        let fromTable = color - table.mean
        let terms = fromTable * fromTable / table.variance - fromSheet * fromSheet / sheet.variance
        let ratio = 0.5 * (terms.x + terms.y + terms.z) / 3 + table.logSpread - sheet.logSpread
        return min(max(ratio, -Tuning.greatestRatio), Tuning.greatestRatio)
    }

    // MARK: Choosing

    /// Finds the positions of greatest total gain less the cost of moves between neighbours. Runs Viterbi over the open line,
    /// started where the edge is clearest, so that its loose end closes there. O(count · reach · 7).
    private func bestPlaces(
        _ gain: [Float], count: Int, line: Contour, normals: [SIMD2<Double>]
    ) -> [Int] {
        let width = 2 * options.reach + 1
        let (never, jump) = (Tuning.never, Tuning.greatestMove)
        // Positions beyond the image border cannot be an edge; a point on the border may stay there.
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
        // If the profile leaves the image close by, the sheet may run off it, so an edge further in gets no preference.
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
