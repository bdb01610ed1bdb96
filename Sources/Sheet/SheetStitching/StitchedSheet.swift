package import Diagnostics
import Platform
package import Imaging
import LinearAlgebra
import Parallelism
import RobustStatistics

// Joins several photographs of one sheet, each made flat, to one image.
//
// Problem: a receipt longer than one photograph shows well. Its parts are flat, but each has its own scale, turn, light
// and slow error of shape, and their order is not known.
//
// Method: overlaps are found between all pairs from their print (`PartOverlap`); scales, turns and places follow from
// all of them by least squares (`PartPlacement`); from the top down each part is bent a little to meet the one above
// (`PlacedPart`), and joined to it along blank paper (`Seam`). Every pixel comes from one photograph by one resampling.
//
// Known failures: overlaps without print; rows that repeat in the same order over more than the overlap.

/// The parts of a sheet, joined to the whole.
package struct StitchedSheet: Sendable {
    /// How one part was used.
    package struct Placement: Sendable {
        /// The part's index among the parts that were given.
        package let part: Int
        /// Whether the part stood upside down.
        package let isTurned: Bool
        /// Factor by which its lengths were multiplied.
        package let scale: Double
        /// Angle by which it was turned, clockwise, in radians.
        package let turn: Double
        /// Where its upper left corner lies in the joined image, in units.
        package let corner: SIMD2<Double>
        /// Factors by which its channels' brightness was multiplied.
        package let gain: SIMD3<Double>
        /// How it meets the part above; nil for the first.
        package let joint: Joint?
    }

    /// How a part meets the one above it.
    package struct Joint: Sendable {
        /// The length that both parts show, in units.
        package let overlap: Double
        /// See `PartOverlap.agreement`.
        package let agreement: Double
        /// Number of pieces of print that agree.
        package let pieces: Int
        /// See `PartOverlap.residual`.
        package let residual: Double
        /// See `PartPair.stretch`.
        package let stretch: SIMD2<Double>
        /// The share of the seam that crosses print, 0 to 1.
        package let crossing: Double
    }

    /// The joined image.
    package let picture: RGBImage
    /// Pixels of the image per unit.
    package let density: Double
    /// The parts in the image, from the top.
    package let placements: [Placement]
    /// The indices of parts that show nothing that others do not.
    package let unused: [Int]
    /// Whether a photograph shows the sheet's upper end.
    package let showsTop: Bool
    /// Whether a photograph shows the sheet's lower end.
    package let showsBottom: Bool
    /// Whether the outline went on beyond the sheet's upper end and its lower one, and was cut off there.
    package let cutEnds: (top: Bool, bottom: Bool)
    /// The sheet's width and length, in units: the medians over its rows and columns, so that no dent or corner counts.
    package let sheetSize: SIMD2<Double>
    /// Whether a point of the image lies on the sheet.
    package let isOnSheet: @Sendable (SIMD2<Double>) -> Bool

    /// How the image is made.
    package struct Options: Sendable {
        /// Pixels per unit; fewer if the image would have too many.
        package var density: Double
        /// Width of what is shown around the sheet, in units.
        package var margin: Double
        /// The most pixels of the image.
        package var maximumPixels: Int
        /// How photographs are interpolated.
        package var filter: ResamplingFilter

        package init(
            density: Double, margin: Double, maximumPixels: Int, filter: ResamplingFilter
        ) {
            self.density = density
            self.margin = margin
            self.maximumPixels = maximumPixels
            self.filter = filter
        }
    }

    /// Joins parts.
    /// - Parameters:
    ///   - parts: in any order, at least two, with their names for messages.
    ///   - check: called between steps; what it throws ends the work.
    /// - Throws: `.badInput` that names the image whose overlap with the others is not found, and what `check` throws.
    /// - Complexity: O(parts² · pixels of the print's image + pixels).
    package init(
        joining parts: [(name: String, part: FlatPart)], options: Options,
        check: () throws(FlatteningError) -> Void = {}
    ) throws(FlatteningError) {
        precondition(parts.count >= 2, "one part is not joined")
        let (upright, pairs) = try Self.overlaps(of: parts, check: check)
        let similarities: [Similarity]
        do {
            similarities = try PartPlacement.similarities(certainties: upright.map(\.certainty), pairs: pairs)
        } catch {
            throw FlatteningError(
                .internalInconsistency, "the parts' places are not determined", stage: .stitching,
                detail: "\(error)")
        }
        let (chain, unused) = try Self.chain(
            of: zip(upright, similarities).map { PlacedPart($0, at: $1) }, pairs, names: parts.map(\.name))
        self.unused = unused
        let whole = try Self.area(of: chain.map(\.placed), options)
        density = whole.density

        var seams: [Seam] = []
        for (above, below) in zip(chain, chain.dropFirst()) {
            try check()
            guard
                let seam = Seam(
                    between: above.placed, and: below.placed, left: whole.origin.x,
                    width: Double(whole.size.width) / whole.density)
            else { throw Self.noOverlap(of: parts[below.number].name) }
            seams.append(seam)
        }
        let gains = try Self.gains(of: seams)
        var canvas = Canvas(whole)
        for (index, link) in chain.enumerated() {
            try check()
            canvas.paint(
                link.placed, gain: gains[index], below: index > 0 ? seams[index - 1] : nil,
                filter: options.filter)
        }
        picture = canvas.picture
        placements = chain.enumerated().map { index, link in
            let joint = link.pair.map { pair in
                Joint(
                    overlap: chain[index - 1].placed.heights.upperBound - link.placed.heights.lowerBound,
                    agreement: pair.agreement, pieces: pair.pieces.count, residual: pair.residual,
                    stretch: pair.stretch(chain[index - 1].placed.similarity, link.placed.similarity),
                    crossing: seams[index - 1].crossing)
            }
            return Placement(
                part: link.number, isTurned: link.placed.part.isTurned, scale: link.placed.similarity.scale,
                turn: link.placed.similarity.angle, corner: link.placed.place(of: .zero) - whole.origin,
                gain: gains[index], joint: joint)
        }
        showsTop = chain.first.map { Self.showsEnd(of: $0.placed, atTop: true) } ?? false
        showsBottom = chain.last.map { Self.showsEnd(of: $0.placed, atTop: false) } ?? false
        func isCut(_ part: FlatPart?, atTop: Bool) -> Bool {
            part.map { atTop != $0.isTurned ? $0.isCut.above : $0.isCut.below } ?? false
        }
        cutEnds = (
            isCut(chain.first?.placed.part, atTop: true), isCut(chain.last?.placed.part, atTop: false)
        )
        let placed = chain.map(\.placed)
        sheetSize = Self.sheetSize(of: placed)
        isOnSheet = { pixel in
            let place = whole.place(of: pixel)
            return placed.contains { $0.part.shows($0.part.source(of: $0.point(at: place))) }
        }
    }

    static func noOverlap(of name: String) -> FlatteningError {
        FlatteningError(
            .badInput, "its overlap with the other pictures is not found", file: name, stage: .stitching,
            advice:
                "Photograph it again so that a quarter of it, with print, is in the next picture too, or leave it out"
        )
    }

    // MARK: Overlaps

    /// Returns all overlaps between the parts, and the parts the right way up.
    private static func overlaps(
        of parts: [(name: String, part: FlatPart)], check: () throws(FlatteningError) -> Void
    ) throws(FlatteningError) -> (parts: [FlatPart], pairs: [PartPair]) {
        typealias Textures = (coarse: PartTexture, fine: PartTexture)
        func textures(_ part: FlatPart) -> Textures {
            (
                PartTexture(of: part, density: CoarseShift.density),
                PartTexture(of: part, density: PartOverlap.density)
            )
        }
        let upright = parts.map { textures($0.part) }
        var turned: [Int: Textures] = [:]
        var pairs: [(pair: PartPair, isTurned: Bool)] = []
        for first in parts.indices {
            for second in parts.indices where second > first {
                try check()
                func pair(_ overlap: PartOverlap) -> PartPair {
                    PartPair(
                        first: first, second: second, similarity: overlap.similarity, pieces: overlap.pieces,
                        agreement: overlap.agreement, residual: overlap.residual)
                }
                if let overlap = PartOverlap(of: upright[second], on: upright[first]) {
                    pairs.append((pair(overlap), false))
                    continue
                }
                if turned[second] == nil {
                    var part = parts[second].part
                    part.isTurned = true
                    turned[second] = textures(part)
                }
                if let other = turned[second], let overlap = PartOverlap(of: other, on: upright[first]) {
                    pairs.append((pair(overlap), true))
                }
            }
        }
        // From the first image on, add each that overlaps with a known one.
        var turns: [Int: Bool] = [0: false]
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for (pair, isTurned) in pairs {
                switch (turns[pair.first], turns[pair.second]) {
                case (let known?, nil): turns[pair.second] = known != isTurned
                case (nil, let known?): turns[pair.first] = known != isTurned
                default: continue
                }
                isGrowing = true
            }
        }
        if let lost = parts.indices.first(where: { turns[$0] == nil }) {
            // With two images, blame the second; with more, the first may be the one without overlap.
            let isFirstAlone = turns.count == 1 && parts.count > 2
            throw noOverlap(of: parts[isFirstAlone && pairs.isEmpty == false ? 0 : lost].name)
        }
        // The parts vote on which way is up, each with the weight of its certainty.
        let vote = parts.indices.reduce(0.0) { sum, index in
            sum + (turns[index] == true ? -1 : 1) * (parts[index].part.uprightness + 1e-3)
        }
        let areTurned = parts.indices.map { (turns[$0] ?? false) != (vote < 0) }
        let sizes = parts.map(\.part.size)
        let uprightPairs = pairs.filter {
            (areTurned[$0.pair.first] != areTurned[$0.pair.second]) == $0.isTurned
        }
        .map { areTurned[$0.pair.first] ? $0.pair.turned(sizes: sizes) : $0.pair }
        return (
            zip(parts, areTurned).map { known, isTurned in
                var part = known.part
                part.isTurned = isTurned
                return part
            }, PartPlacement.consistent(uprightPairs)
        )
    }

    // MARK: Order

    private struct Link {
        let number: Int
        let placed: PlacedPart
        let pair: PartPair?
    }

    /// An overlap that is long enough, in units. Set by reasoning: five rows. Of parts that overlap by this much, take
    /// the one that reaches lowest, since it shows the most new paper.
    private static let goodOverlap = 20.0
    /// Length of paper that a part must show beyond the one above to be worth a seam, in units.
    private static let leastGain = 4.0

    /// Returns the parts from the top, each bent to meet the one before, and the parts that show nothing more.
    private static func chain(
        of parts: [PlacedPart], _ pairs: [PartPair], names: [String]
    ) throws(FlatteningError) -> (links: [Link], unused: [Int]) {
        let heights = parts.map(\.heights)
        guard
            let top = parts.indices.min(by: { heights[$0].lowerBound < heights[$1].lowerBound })
        else { return ([], []) }
        var links = [Link(number: top, placed: parts[top], pair: nil)]
        while let last = links.last {
            let bottom = heights[last.number].upperBound
            let next = pairs.compactMap { pair -> PartPair? in
                if pair.first == last.number { return pair }
                return pair.second == last.number ? pair.reversed : nil
            }.filter { heights[$0.second].upperBound > bottom + leastGain }
            guard
                let best = next.max(by: { one, other in
                    func rank(_ pair: PartPair) -> (Double, Double) {
                        let overlap = bottom - heights[pair.second].lowerBound
                        return (min(overlap, goodOverlap), heights[pair.second].upperBound)
                    }
                    return rank(one) < rank(other)
                })
            else { break }
            links.append(
                Link(
                    number: best.second,
                    placed: parts[best.second].meeting(last.placed, pieces: best.pieces), pair: best))
        }
        let used = Set(links.map(\.number))
        let end = links.map { heights[$0.number].upperBound }.max() ?? 0
        let unused = parts.indices.filter { !used.contains($0) }
        if let lost = unused.first(where: { heights[$0].upperBound > end + leastGain }) {
            throw noOverlap(of: names[lost])
        }
        return (links, unused)
    }

    // MARK: Picture

    /// Returns the rectangle that is shown: around all that is sheet.
    private static func area(of parts: [PlacedPart], _ options: Options) throws(FlatteningError) -> SheetArea
    {
        let places = parts.flatMap { placed in
            PartTexture(of: placed.part, density: PartOverlap.density).sheetPlaces.map(placed.place(of:))
        }
        // Places are the middles of cells wholly on the sheet: a half to one and a half of a cell of the sheet lies
        // beyond them.
        let margin = options.margin + 1
        guard let left = places.map(\.x).min(), let right = places.map(\.x).max(),
            let top = places.map(\.y).min(), let bottom = places.map(\.y).max(), right > left, bottom > top
        else {
            throw FlatteningError(
                .internalInconsistency, "the joined sheet has no area", stage: .stitching)
        }
        let size = SIMD2(right - left, bottom - top) + 2 * margin
        var density = options.density
        let pixels = size.x * size.y * density * density
        if pixels > Double(options.maximumPixels) {
            density *= (Double(options.maximumPixels) / pixels).squareRoot()
        }
        return SheetArea(
            origin: SIMD2(left, top) - margin, density: density,
            size: PixelSize(
                width: max(1, Int((size.x * density).rounded(.down))),
                height: max(1, Int((size.y * density).rounded(.down)))))
    }

    /// Step of the search for a side of the sheet beyond the last cell, in units, and number of steps: a cell and a
    /// half.
    private static let (sideStep, sideSteps) = (0.05, 30)

    /// Returns width and length of the sheet that the parts show.
    private static func sheetSize(of parts: [PlacedPart]) -> SIMD2<Double> {
        let places = parts.flatMap { placed in
            PartTexture(of: placed.part, density: PartOverlap.density).sheetPlaces.map(placed.place(of:))
        }
        func isOnSheet(_ place: SIMD2<Double>) -> Bool {
            parts.contains { $0.part.shows($0.part.source(of: $0.point(at: place))) }
        }
        func extent(_ axis: Int) -> Double {
            var lanes: [Int: (low: SIMD2<Double>, high: SIMD2<Double>)] = [:]
            for place in places {
                let lane = Int(place[1 - axis].rounded(.down))
                let known = lanes[lane] ?? (place, place)
                lanes[lane] = (
                    place[axis] < known.low[axis] ? place : known.low,
                    place[axis] > known.high[axis] ? place : known.high
                )
            }
            func end(from place: SIMD2<Double>, _ direction: Double) -> Double {
                var place = place
                for _ in 0..<sideSteps {
                    var next = place
                    next[axis] += direction * sideStep
                    guard isOnSheet(next) else { break }
                    place = next
                }
                return place[axis]
            }
            return lanes.values.map { end(from: $0.high, 1) - end(from: $0.low, -1) }.midpointMedian()
        }
        return SIMD2(extent(0), extent(1))
    }

    /// Returns the factors for each part's brightness, so that neighbours agree and the parts' mean stays.
    private static func gains(of seams: [Seam]) throws(FlatteningError) -> [SIMD3<Double>] {
        do {
            var gains = [SIMD3<Double>](repeating: SIMD3(1, 1, 1), count: seams.count + 1)
            for channel in 0..<3 {
                let levels = try PartPlacement.levels(
                    seams.enumerated().map { ($0, $0 + 1, log($1.gain[channel])) },
                    prior: gains.map { _ in 1e-3 })
                for (index, level) in levels.enumerated() { gains[index][channel] = exp(level) }
            }
            return gains
        } catch {
            throw FlatteningError(
                .internalInconsistency, "the parts' light is not determined", stage: .stitching,
                detail: "\(error)")
        }
    }

    /// How far the photograph must go on beyond an end for it to be the sheet's own, in units. Set by reasoning: the
    /// error of outlines.
    private static let endMargin = 1.0

    /// Whether a part's upper or lower end is the sheet's own, and not the end of the photograph.
    private static func showsEnd(of placed: PlacedPart, atTop: Bool) -> Bool {
        let goesOn = placed.part.goesOn
        if atTop != placed.part.isTurned ? goesOn.above : goesOn.below { return false }
        let texture = PartTexture(of: placed.part, density: CoarseShift.density)
        var ends: [Int: Double] = [:]
        for place in texture.sheetPlaces {
            let column = Int(place.x)
            ends[column] = ends[column].map { atTop ? min($0, place.y) : max($0, place.y) } ?? place.y
        }
        let cell = 4 / CoarseShift.density
        let count = ends.count { column, end in
            let beyond = SIMD2(Double(column) + 0.5, end + (atTop ? -1 : 1) * (cell + endMargin))
            let inside = pointwiseMin(pointwiseMax(beyond, .zero), placed.part.size)
            let source = placed.part.source(of: inside)
            return source.x >= 2 && source.y >= 2 && source.x <= Double(placed.part.photograph.width) - 3
                && source.y <= Double(placed.part.photograph.height) - 3
        }
        return 2 * count > ends.count && !ends.isEmpty
    }
}

extension PartPair {
    /// The same pair with the first part laid on the second.
    fileprivate var reversed: PartPair {
        PartPair(
            first: second, second: first, similarity: similarity.inverse,
            pieces: pieces.map { ($0.second, $0.first) }, agreement: agreement, residual: residual)
    }
}
