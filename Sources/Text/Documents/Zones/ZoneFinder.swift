import Platform
import Imaging
import Parallelism

/// Finds and reads the machine-readable zone in an image: two or three long rows with one pitch, at any rotation.
///
/// Chains of print (`RowChains`) are read as possible lines of a zone; chains that repeat most evenly come first. Around a line
/// that reads well, its neighbours are searched at the same pitch, and each line is read several times along its centre line.
/// `ZoneSearch` decides which characters they hold.
struct ZoneFinder {
    /// A zone found in an image.
    struct Found {
        let format: ZoneFormat
        let search: ZoneSearch
        /// Whether all its check digits are correct.
        let holds: Bool
        /// The corners around all characters, clockwise from the upper left of the first one, in pixels of the image.
        let corners: [SIMD2<Double>]

        /// Prefers a zone with correct check digits, then the likelier one.
        func isBetter(than other: Found) -> Bool {
            holds != other.holds ? holds : search.score > other.search.score
        }
    }

    let picture: ZonePicture
    let network: CellNetwork
    /// Called before each row is read, from several threads; returns whether to stop.
    var isStopped: @Sendable () -> Bool = { false }

    init(_ picture: GrayImage, network: CellNetwork) {
        self.picture = ZonePicture(picture)
        self.network = network
    }

    private enum Tuning {
        /// Smallest correlation of a row with itself shifted by one pitch. Zones have 0.4 to 0.9; a line of only `<` repeats
        /// evenly too.
        static let leastRepetition: Float = 0.3
        /// Pitches that are tried, in strip columns relative to the chain's pitch: the searched sizes are a factor 1.41 apart.
        static let lags = 10...24
        /// Largest number of rows that are read, most even first.
        static let rows = 24
        /// Number of rows that are read side by side. The first row is mostly a zone's own, and makes the others vain: with four
        /// at once, passports take a fifth longer on two cores.
        static let rowsAtOnce = 2
        /// Smallest mean presence of characters, out of at most 6, at which a row may be a line of a zone.
        static let leastPresence: Float = 2.5
        /// The same for a line's neighbours, whose place is known.
        static let leastPresenceBeside: Float = 1.5
        /// Allowed distances of lines, in pitches: 1.6 to 3.1 on the 15 documents examined.
        static let distances = 1.25...3.75
        /// Largest difference between the lines' distances, in pitches.
        static let unevenness = 0.4
        /// Largest difference between the lines' starts, in columns of readings.
        static let startTolerance = 3
        /// Strain, in natural logarithms, above which the check digits would be forced rather than read correctly. Correctly
        /// read, the 15 documents examined have 0 to 1.6.
        static let greatestStrain = 9.0
        /// Mean log-likelihood per cell below which rows are no zone: documents have 0 to -0.3.
        static let leastLikelihood = -0.6
        /// Margin at the ends of a line, in pitches, and at the ends of a chain, where half a line may be missing on either
        /// side.
        static let margin = 3.0
        static let marginOfChain = 15.0
        /// Length of the shortest line in characters, and the largest factor by which a longer chain is worth more.
        static let shortestLine = 30.0
        static let greatestWorth = 1.2
        /// Number of standard deviations at which a column's value is clipped: a stain is not a rhythm.
        static let greatestDeviation: Float = 2.5
        /// Steps, in pitches, in which a line is moved to its centre: a coarse and a finer one.
        static let refinements = [0.16, 0.08]
        /// Step in which a line's neighbours are searched, and the distance within which only the best of them counts, in
        /// pitches.
        static let distanceStep = 0.25
        static let neighbourhood = 0.8
        /// Offsets of the repeated readings of a line, across its centre line and along its characters, in strip columns.
        static let shifts = (down: [-1.0, 0, 1], along: [-1.5, 0, 1.5])
        /// Distance from the centres of the outermost characters to the zone's corners, along and across, in pitches.
        static let corner = (along: 0.5, across: 0.6)
    }

    /// Finds the zone; nil if there is none.
    func zone(_ look: ZoneLook) -> Found? {
        let area = look.area ?? picture.box
        for angles in look.angles {
            if let found = best(at: angles, in: area) { return found }
        }
        return nil
    }

    private struct Candidate {
        let path: RowPath
        let pitch: Double
        let worth: Double
    }

    private func best(at angles: [Double], in area: Box) -> Found? {
        let chains = RowChains(picture: picture, area: area).chains(angles: angles, isStopped: isStopped)
        if isStopped() { return nil }
        let possible = shareOut(chains, longestFirst: { Int($0.path.length / $0.pitch) }) { chain in
            candidates(of: chain)
        }.flatMap(\.self).sorted { $0.worth > $1.worth }
        if isStopped() { return nil }
        let tried = Array(possible.prefix(Tuning.rows))
        var best: Found?
        for first in stride(from: 0, to: tried.count, by: Tuning.rowsAtOnce) {
            let some = Array(tried[first..<min(first + Tuning.rowsAtOnce, tried.count)])
            let founds = concurrentMap(some) { candidate in
                isStopped() ? nil : line(of: candidate).flatMap(zone)
            }
            for case let found? in founds {
                if best.map({ found.isBetter(than: $0) }) ?? true { best = found }
                if found.holds { return best }
            }
        }
        return best
    }

    /// Returns the pitches at which a chain repeats. Patterns of the paper repeat too, but are paler than print.
    private func candidates(of chain: RowChains.Chain) -> [Candidate] {
        let places = ZonePicture.places(
            from: chain.path.reach.lowerBound, to: chain.path.reach.upperBound, pitch: chain.pitch)
        let repetition = Self.repetition(
            of: picture.strip(along: chain.path, at: places, pitch: chain.pitch), lags: Tuning.lags)
        let peaks = Tuning.lags.dropFirst().dropLast().filter { lag in
            let value = repetition[lag] ?? 0
            return value >= Tuning.leastRepetition && value >= repetition[lag - 1] ?? 0
                && value >= repetition[lag + 1] ?? 0
        }
        return peaks.sorted { repetition[$0] ?? 0 > repetition[$1] ?? 0 }.prefix(2).map { lag in
            let pitch = chain.pitch * Double(lag) / Double(CellNetwork.pitch)
            let length = chain.path.length
            return Candidate(
                path: chain.path, pitch: pitch,
                worth: Double(repetition[lag] ?? 0)
                    * min(length / pitch / Tuning.shortestLine, Tuning.greatestWorth)
                    * Double(chain.print).squareRoot())
        }
    }

    /// Returns the correlation, -1 to 1, of a strip's columns with those each lag further on.
    static func repetition(of strip: Raster<Float>, lags: ClosedRange<Int>) -> [Int: Float] {
        let (width, height) = (strip.width, strip.height)
        var columns = [Float](repeating: 0, count: width)
        for y in 0..<height { for x in 0..<width { columns[x] += strip.elements[y * width + x] } }
        let reach = 3 * CellNetwork.pitch / 2
        let level = columns.indices.map { x in
            let around = columns[max(x - reach, 0)...min(x + reach, width - 1)]
            return columns[x] - around.reduce(0, +) / Float(around.count)
        }
        let deviation = (level.reduce(0) { $0 + $1 * $1 } / Float(width)).squareRoot()
        let bound = Tuning.greatestDeviation * deviation
        let values = level.map { min(max($0, -bound), bound) }
        let power = values.reduce(0) { $0 + $1 * $1 } / Float(width) + 1e-3
        var result: [Int: Float] = [:]
        for lag in lags where width > lag + 4 * CellNetwork.pitch {
            var sum: Float = 0
            for x in 0..<width - lag { sum += values[x] * values[x + lag] }
            result[lag] = sum / Float(width - lag) / power
        }
        return result
    }

    // MARK: Lines

    /// A row that reads as a line of a zone.
    struct Line {
        var path: RowPath
        var pitch: Double
        let count: Int
        var score: Float
        /// Whether there are more characters before or after it.
        let goesOn: Bool
        /// The centre of each character along the axis, as a parabola over the character's number, counted from the line's
        /// middle.
        var curve: SIMD3<Double>

        func along(_ index: Double) -> Double {
            let u = index - Double(count - 1) / 2
            return curve[0] + u * (curve[1] + u * curve[2])
        }
    }

    private func line(of candidate: Candidate) -> Line? {
        var best: Line?
        for path in [candidate.path, candidate.path.reversed] {
            let margin = Tuning.marginOfChain * candidate.pitch
            let places = ZonePicture.places(
                from: path.reach.lowerBound - margin, to: path.reach.upperBound + margin,
                pitch: candidate.pitch)
            let readings = network.readings(
                of: picture.strip(along: path, at: places, pitch: candidate.pitch))
            for count in [30, 36, 44] {
                guard let cells = CellPlaces(of: count, in: readings),
                    let line = Self.line(cells, on: path, places: places, count: count),
                    line.score * Float(count) > (best.map { $0.score * Float($0.count) } ?? 0)
                else { continue }
                best = line
            }
        }
        return best.flatMap { $0.score >= Tuning.leastPresence ? $0 : nil }
    }

    private static func line(_ cells: CellPlaces, on path: RowPath, places: [Double], count: Int) -> Line? {
        let numbers = (0..<count).map { Double($0) - Double(count - 1) / 2 }
        let spacing = places[1] - places[0]
        let along = cells.columns.map {
            places[0] + spacing * (CellNetwork.firstMiddle + Double(CellNetwork.step * $0))
        }
        guard let curve = RowPath.parabola(numbers, along), curve[1] > 0 else { return nil }
        return Line(
            path: path, pitch: curve[1], count: count, score: cells.score,
            goesOn: cells.presenceBeyond > 0, curve: curve)
    }

    /// Returns the line moved down by `below`, with its characters searched again.
    private func line(_ line: Line, lowered below: Double) -> Line? {
        let path = line.path.lowered(by: below)
        let start = line.along(0) - Tuning.margin * line.pitch
        let places = ZonePicture.places(
            from: start, to: line.along(Double(line.count - 1)) + Tuning.margin * line.pitch,
            pitch: line.pitch)
        let readings = network.readings(of: picture.strip(along: path, at: places, pitch: line.pitch))
        let spacing = line.pitch / Double(CellNetwork.pitch)
        let first = Int(
            (((line.along(0) - start) / spacing - CellNetwork.firstMiddle) / Double(CellNetwork.step))
                .rounded())
        let starts = max(first - Tuning.startTolerance, 0)...max(first + Tuning.startTolerance, 0)
        return CellPlaces(of: line.count, in: readings, starts: starts)
            .flatMap { Self.line($0, on: path, places: places, count: line.count) }
    }

    /// Returns the line along its centre: lowered and tilted to where its characters read best.
    private func refined(_ line: Line) -> Line {
        var best = line
        for share in Tuning.refinements {
            for tilts in [false, true] {
                for sign in [-1.0, 1.0] {
                    var trial = best
                    let shift = sign * share * best.pitch
                    if tilts {
                        let middle = best.along(Double(best.count - 1) / 2)
                        let slope = 2 * shift / (best.pitch * Double(best.count))
                        trial.path.curve[1] += slope
                        trial.path.curve[0] += slope * (trial.path.center - middle)
                    }
                    if let moved = self.line(trial, lowered: tilts ? 0 : shift), moved.score > best.score {
                        best = moved
                    }
                }
            }
        }
        return best
    }

    // MARK: Zones

    private func zone(around line: Line) -> Found? {
        let line = refined(line)
        // This is part of a longer line; another row, or the same row at another size, shows it whole.
        if line.goesOn { return nil }
        let count = line.count == 30 ? 3 : 2
        let formats = ZoneFormat.allCases.filter { $0.lineLength == line.count && $0.lines == count }
        let least = Tuning.leastLikelihood * Double(count * line.count)
        // Most rows of print can be told from any line of a zone by their own characters.
        let cells = cells(of: line)
        guard formats.contains(where: { ZoneSearch.greatestScore(of: cells, $0) >= least }) else {
            return nil
        }
        let reach = Tuning.distances.upperBound * Double(count - 1)
        var beside: [(distance: Double, line: Line)] = []
        for sign in [-1.0, 1.0] {
            for distance in stride(from: Tuning.distances.lowerBound, through: reach, by: Tuning.distanceStep)
            {
                if isStopped() { return nil }
                guard let other = self.line(line, lowered: sign * distance * line.pitch),
                    other.score >= Tuning.leastPresenceBeside
                else { continue }
                beside.append((sign * distance, other))
            }
        }
        // Keeps the best line of each neighbourhood.
        let peaks = beside.filter { each in
            beside.allSatisfy {
                abs($0.distance - each.distance) > Tuning.neighbourhood || $0.line.score <= each.line.score
            }
        }
        var lines: [(distance: Double, line: Line)]?
        func take(_ chosen: [(distance: Double, line: Line)]) {
            func sum(_ lines: [(distance: Double, line: Line)]) -> Float {
                lines.reduce(0) { $0 + $1.line.score }
            }
            if lines.map({ sum(chosen) > sum($0) }) ?? true { lines = chosen }
        }
        if count == 2 {
            for other in peaks where Tuning.distances.contains(abs(other.distance)) {
                take([(0, line), other].sorted { $0.distance < $1.distance })
            }
        } else {
            let sorted = (peaks + [(0, line)]).sorted { $0.distance < $1.distance }
            for (first, upper) in sorted.enumerated() {
                for (second, middle) in sorted.enumerated().dropFirst(first + 1) {
                    for lower in sorted.dropFirst(second + 1) {
                        let gaps = (middle.distance - upper.distance, lower.distance - middle.distance)
                        guard Tuning.distances.contains(gaps.0), abs(gaps.0 - gaps.1) <= Tuning.unevenness,
                            [upper, middle, lower].contains(where: { $0.distance == 0 })
                        else { continue }
                        take([upper, middle, lower])
                    }
                }
            }
        }
        guard let lines else { return nil }
        let refined = lines.map { $0.distance == 0 ? $0.line : self.refined($0.line) }
        let all = zip(lines, refined).flatMap { $0.distance == 0 ? cells : self.cells(of: $1) }
        let searches = formats.compactMap { format in ZoneSearch(format, cells: all).map { (format, $0) } }
        guard let (format, search) = searches.max(by: { $0.1.score < $1.1.score }) else { return nil }
        let corners = Self.corners(of: refined)
        if search.strain <= Tuning.greatestStrain, search.score >= least {
            return Found(format: format, search: search, holds: true, corners: corners)
        }
        guard let free = ZoneSearch(format, cells: all, checksHold: false), free.score >= least else {
            return nil
        }
        return Found(format: format, search: free, holds: false, corners: corners)
    }

    /// Returns the log-likelihoods of each cell of a line: the mean of several readings about a pixel apart.
    private func cells(of line: Line) -> [[Float]] {
        var sums = [[Float]](repeating: [Float](repeating: 0, count: ZoneAlphabet.count), count: line.count)
        let shifts = Tuning.shifts.down.flatMap { down in Tuning.shifts.along.map { SIMD2(down, $0) } }
        let spacing = line.pitch / Double(CellNetwork.pitch)
        for shift in shifts {
            let path = line.path.lowered(by: shift[0] * spacing)
            let width = CellNetwork.pitch * (line.count - 1) + CellNetwork.height + 2
            let places = (0..<width).map { x in
                line.along((Double(x) - CellNetwork.firstMiddle + shift[1]) / Double(CellNetwork.pitch))
            }
            let readings = network.readings(of: picture.strip(along: path, at: places, pitch: line.pitch))
            for cell in 0..<line.count {
                let row = readings.characters[
                    min(cell * CellNetwork.pitch / CellNetwork.step, readings.count - 1)]
                for character in row.indices { sums[cell][character] += row[character] / Float(shifts.count) }
            }
        }
        return sums
    }

    /// Returns the corners, half a pitch outside the centres of the outermost characters.
    private static func corners(of lines: [Line]) -> [SIMD2<Double>] {
        guard let first = lines.first, let last = lines.last else { return [] }
        func corner(_ line: Line, _ index: Double, _ below: Double) -> SIMD2<Double> {
            line.path.point(line.along(index), below: below * line.pitch)
        }
        let (along, across) = Tuning.corner
        let end = Double(first.count - 1) + along
        return [
            corner(first, -along, -across), corner(first, end, -across), corner(last, end, across),
            corner(last, -along, across),
        ]
    }
}
