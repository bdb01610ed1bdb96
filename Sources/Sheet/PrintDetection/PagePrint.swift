import Platform
package import Imaging

/// The print on a page before any of it is read: its letters, its rules, and the direction of its rows.
///
/// This is what geometry needs to compare a page with its own print.
package struct PagePrint: Sendable {
    /// Boxes of single letters, or of a few that run together.
    package let letters: [Box]
    /// Boxes of a letter's length each, one after the other along rules and along the edges of bars.
    package let rules: [Box]
    /// Boxes of all ink that is no speck and lies on the sheet for the most part: letters, rules, logos, bars.
    package let inkBoxes: [Box]
    /// Boxes of the large print among it, as of logos.
    package let largePrint: [Box]
    /// Usual height of the letters in pixels; 0 if there are none.
    package let letterHeight: Double
    /// Angle of the rows to the page's x axis, clockwise as seen, in radians, from -π/2 to π/2; it leaves open a half
    /// turn.
    package let rowAngle: Double
    /// How well the letters agree on that angle, 0 (not at all) to 1.
    package let rowAgreement: Double

    /// Finds the print of a page.
    /// - Parameters:
    ///   - page: the page's marks; letters some ten pixels high, turned anyhow.
    ///   - segments: where a network found print; the marks there are then the letters. Nil for the marks of all ink.
    ///   - isOnSheet: whether a point of the page, in pixel-centre coordinates, lies on the sheet.
    /// - Complexity: O(pixels + letters²).
    package init(
        of page: PageMarks, segments: [PrintSegment]? = nil, isOnSheet: (SIMD2<Double>) -> Bool
    ) {
        // The sheet's own edge forms a mark too, and so does what lies beyond it.
        func isInside(_ box: Box, by rim: Double) -> Bool {
            [(box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom)]
                .allSatisfy { x, y in
                    let outwards = SIMD2(
                        x == box.left ? x - rim : x + rim, y == box.top ? y - rim : y + rim)
                    return isOnSheet(outwards - 0.5)
                }
        }
        let marks =
            segments.map { segments in
                var ink = page.ink
                // Segments overlap a little. The marks are sorted to have one order in every process.
                return Set(segments.flatMap { $0.print(in: &ink, of: page.page).marks })
                    .sorted {
                        ($0.top, $0.left, $0.bottom, $0.right) < ($1.top, $1.left, $1.bottom, $1.right)
                    }
            } ?? page.marks
        let onSheet = marks.filter { isInside($0.box, by: 0) }
        let finder = PrintedRowFinder(marks: onSheet)
        let height = finder.letterHeight
        let rim = height / 2
        let found = finder.letters.filter {
            Double($0.width) <= PrintTuning.Pieces.widestLetter * height && isInside($0.box, by: rim)
        }
        letters = found.map(\.box)
        letterHeight = height
        // Print that an outline cuts through shows that the outline is wrong there.
        let mostly = marks.filter { mark in
            Self.parts.count { x, y in
                isOnSheet(
                    SIMD2(
                        Double(mark.left) + x * Double(mark.width),
                        Double(mark.top) + y * Double(mark.height)) - 0.5)
            } > Self.parts.count / 2
        }
        let highest = PrintTuning.Pieces.highestInked * Double(page.page.height)
        inkBoxes = mostly.filter {
            Double(max($0.width, $0.height)) >= PrintTuning.Pieces.leastInked * height
                && Double($0.height) <= highest
        }.map(\.box)
        largePrint = mostly.filter {
            Double(min($0.width, $0.height)) >= PrintTuning.Pieces.large.lowerBound * height
                && Double(max($0.width, $0.height)) <= PrintTuning.Pieces.large.upperBound * height
        }.map(\.box)
        rules =
            height > 0
            ? RuleTracking(ink: page.ink, letterHeight: height).pieces.filter { isInside($0, by: rim) } : []
        (rowAngle, rowAgreement) = Self.direction(of: letters)
    }

    /// The middles of a box's nine equal parts, as shares of its sides.
    private static let parts = [1, 3, 5].flatMap { y in [1, 3, 5].map { (Double($0) / 6, Double(y) / 6) } }

    /// Returns the mean direction from a letter to its nearest neighbour. Angles are doubled: then neighbours in the
    /// next row count against those beside, and opposite directions count for each other (O'Gorman, PAMI 15(11), 1993).
    private static func direction(of letters: [Box]) -> (angle: Double, agreement: Double) {
        let centers = letters.map { SIMD2(($0.left + $0.right) / 2, ($0.top + $0.bottom) / 2) }
            .sorted { $0.x < $1.x }
        var sum = SIMD2<Double>.zero
        var count = 0.0
        for index in centers.indices {
            var nearest = Double.infinity
            var towards = SIMD2<Double>.zero
            func consider(_ other: Int) -> Bool {
                let offset = centers[other] - centers[index]
                guard abs(offset.x) < nearest else { return false }
                let distance = (offset * offset).sum().squareRoot()
                if distance > 0, distance < nearest { (nearest, towards) = (distance, offset / distance) }
                return true
            }
            for other in (index + 1)..<max(centers.count, index + 1) where !consider(other) { break }
            for other in (0..<index).reversed() where !consider(other) { break }
            guard nearest.isFinite else { continue }
            sum += SIMD2(towards.x * towards.x - towards.y * towards.y, 2 * towards.x * towards.y)
            count += 1
        }
        guard count > 0 else { return (0, 0) }
        return (atan2(sum.y, sum.x) / 2, (sum * sum).sum().squareRoot() / count)
    }
}

/// Follows print that continues sideways for longer than any letter: rules, and bars as thick as a line of text.
private struct RuleTracking {
    private(set) var pieces: [Box] = []

    private typealias Tuning = PrintTuning.Pieces

    private struct Run {
        var top: Int
        var bottom: Int
        var chain: Int
    }

    init(ink: Ink, letterHeight: Double) {
        let (width, height) = (ink.relief.width, ink.relief.height)
        let thickest = Int(Tuning.thickestRule * letterHeight)
        var chains: [(start: Int, runs: [(top: Int, bottom: Int)])] = []
        var before: [Run] = []
        var current: [Run] = []
        ink.relief.elements.withUnsafeBufferPointer { relief in
            for x in 0..<width {
                current.removeAll(keepingCapacity: true)
                var y = 0
                var candidate = 0
                while y < height {
                    guard abs(Int(relief[y * width + x])) > ink.threshold else {
                        y += 1
                        continue
                    }
                    let top = y
                    while y < height, abs(Int(relief[y * width + x])) > ink.threshold { y += 1 }
                    guard y - top <= thickest else { continue }
                    while candidate < before.count, before[candidate].bottom < top { candidate += 1 }
                    var chain: Int?
                    if candidate < before.count, before[candidate].top <= y {
                        let run = before[candidate]
                        let change = Double(abs((run.bottom - run.top) - (y - top)))
                        if change <= max(Tuning.greatestStep, Tuning.greatestRelativeStep * Double(y - top)) {
                            chain = run.chain
                            candidate += 1
                        }
                    }
                    if let chain {
                        chains[chain].runs.append((top, y))
                    } else {
                        chains.append((x, [(top, y)]))
                    }
                    current.append(Run(top: top, bottom: y, chain: chain ?? chains.count - 1))
                }
                swap(&before, &current)
            }
        }
        let step = max(Int(letterHeight), 1)
        for chain in chains where Double(chain.runs.count) >= Tuning.shortestRule * letterHeight {
            for start in stride(from: 0, through: chain.runs.count - step, by: step) {
                let runs = chain.runs[start..<start + step]
                pieces.append(
                    Box(
                        left: Double(chain.start + start), top: Self.mean(runs.map(\.top)),
                        right: Double(chain.start + start + step), bottom: Self.mean(runs.map(\.bottom))))
            }
        }
    }

    private static func mean(_ values: [Int]) -> Double { Double(values.reduce(0, +)) / Double(values.count) }
}
