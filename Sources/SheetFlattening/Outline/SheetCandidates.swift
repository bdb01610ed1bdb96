import Parallelism
import Foundation
import Imaging
import RobustStatistics

/// Regions of a small picture that may be the sheet, each with how much it looks like one.
///
/// Paper is mostly brighter than its surroundings, whatever colour the light has, and where the table is bright it is
/// mostly more colourful than paper: so the picture is cut at many levels of its brightness and of its least channel
/// (the maximally stable regions of Matas et al. 2002 in spirit, but chosen by shape and edge instead of stability).
/// Each cut is opened with several radii, which severs the bridges that stripes of a cloth or patches of light build.
/// Where light and shadow, or a table as bright as the paper, leave no level that tells them apart, regions without edges inside
/// are taken, and neighbours of these are joined. What a fold's shade cuts off has still the tint of the rest (`TintContrast`).
/// Depth, where there is any, gives another picture to cut: the height above the table.
struct SheetCandidates {
    private let picture: SmallPicture
    private let field: ColorField
    private let pictureArea: Double

    init(_ picture: SmallPicture) {
        self.picture = picture
        field = picture.field
        pictureArea = Double(field.width * field.height)
    }

    /// All candidates worth looking at, best first.
    func find(height: [Float]? = nil) -> [SheetCandidate] {
        enum Search: CaseIterable { case brightness, colour, height, calmRegions, straightSides }
        let found = concurrentMap(Search.allCases) { search -> [SheetCandidate] in
            switch search {
            case .brightness:
                cut(field.colors.map { 0.299 * $0.x + 0.587 * $0.y + 0.114 * $0.z }, source: .brightness)
            case .colour:
                cut(field.colors.map { Swift.min($0.x, Swift.min($0.y, $0.z)) }, source: .colour)
            case .height: height.map(cutHeight) ?? []
            case .calmRegions: calmRegions()
            case .straightSides:
                StraightSides(picture).quadrilaterals(most: 60).compactMap {
                    SheetCandidate($0, source: .edges, in: picture)
                }
            }
        }
        return found.flatMap { $0 }.sorted { $0.score > $1.score }
    }

    /// Further candidates, best first: what has the tint of a region that is mostly paper, however bright it is.
    ///
    /// None where the tints of sheet and table overlap.
    func find(tintOf region: SheetCandidate) -> [SheetCandidate] {
        let mask = region.contour.mask(width: field.width, height: field.height)
        guard let tint = TintContrast(mask, in: field), tint.isClear else { return [] }
        // Most likenesses are nearly 0 or 1: few levels show all there is.
        return cut(tint.likeness.map { 100 * $0 }, levels: 6, source: .colour).sorted { $0.score > $1.score }
    }

    /// The regions brighter than what is around them alone, best first.
    func findBright(levels: Int) -> [SheetCandidate] {
        cut(
            field.colors.map { 0.299 * $0.x + 0.587 * $0.y + 0.114 * $0.z }, levels: levels,
            source: .brightness
        ).sorted { $0.score > $1.score }
    }

    /// What stands off the table by more than the noise, at two measures of more.
    private func cutHeight(_ height: [Float]) -> [SheetCandidate] {
        var found: [SheetCandidate] = []
        for threshold: Float in [4, 8] {
            let mask = BinaryMask(
                width: field.width, height: field.height, bits: height.map { $0 > threshold ? 1 : 0 }
            ).closed(radius: .pixels(3))
            for region in opened(mask, depth: mask.distances(to: 0), radius: .pixels(2)) {
                let alone = BinaryMask(width: field.width, height: field.height, bits: region.bits)
                if let candidate = SheetCandidate(
                    alone.outerContour(from: region.first), source: .height, in: picture)
                {
                    found.append(candidate)
                }
            }
        }
        return found
    }

    /// Regions that no edge runs through, at several measures of what an edge is, and what neighbours among them make together.
    private func calmRegions() -> [SheetCandidate] {
        let unrest = picture.change.size
        var regions: [(bits: [UInt8], candidate: SheetCandidate)] = []
        var seen = Set<SIMD4<Int32>>()
        for level in 0..<8 {
            // 1.5 % to 20 % of the brightness, in equal ratios.
            let threshold = 0.015 * pow(Float(13.3), Float(level) / 7)
            let mask = BinaryMask(
                width: field.width, height: field.height, bits: unrest.map { $0 < threshold ? 1 : 0 })
            let depth = mask.distances(to: 0)
            for radius in [ChamferDistance.pixels(1), .pixels(2)] {
                for region in opened(mask, depth: depth, radius: radius, most: 5) {
                    let key = SIMD4(
                        Int32(region.first % field.width) / 2, Int32(region.first / field.width) / 2,
                        Int32(region.area / 50), 0)
                    guard seen.insert(key).inserted else { continue }
                    // The edge itself belongs to the region up to its middle.
                    let grown = BinaryMask(
                        width: field.width, height: field.height,
                        bits: BinaryMask(width: field.width, height: field.height, bits: region.bits)
                            .distances(to: 1).map { $0 <= .pixels(1) ? 1 : 0 })
                    guard let first = grown.bits.firstIndex(of: 1),
                        let candidate = SheetCandidate(
                            grown.outerContour(from: first), source: .edges, in: picture)
                    else { continue }
                    regions.append((grown.bits, candidate))
                }
            }
        }
        let single = regions.map(\.candidate)
        return single + joined(regions.sorted { $0.candidate.score > $1.candidate.score })
    }

    /// What two neighbouring regions make together: the two halves of a sheet that a shadow's edge divides.
    private func joined(_ regions: [(bits: [UInt8], candidate: SheetCandidate)]) -> [SheetCandidate] {
        // One of several nearly equal regions will do.
        var distinct: [(mask: [Bool], candidate: SheetCandidate)] = []
        for region in regions where region.candidate.score > 0.2 && region.candidate.solidity > 0.8 {
            let mask = region.candidate.contour.mask(width: field.width, height: field.height)
            let isNew = distinct.allSatisfy { other in
                var both = 0
                var either = 0
                for (a, b) in zip(mask, other.mask) {
                    if a && b { both += 1 }
                    if a || b { either += 1 }
                }
                return Double(both) < 0.8 * Double(either)
            }
            if isNew { distinct.append((mask, region.candidate)) }
            if distinct.count == 8 { break }
        }
        var result: [SheetCandidate] = []
        for i in distinct.indices {
            for j in distinct.indices where j > i {
                let one = distinct[i]
                let other = distinct[j]
                var overlap = 0
                for (a, b) in zip(one.mask, other.mask) where a && b { overlap += 1 }
                let smaller = min(one.candidate.areaShare, other.candidate.areaShare) * pictureArea
                guard Double(overlap) < 0.1 * smaller else { continue }
                let union = BinaryMask(
                    width: field.width, height: field.height,
                    bits: zip(one.mask, other.mask).map { $0 || $1 ? 1 : 0 }
                ).closed(radius: .pixels(5))
                let parts = union.components().list
                guard let largest = parts.max(by: { $0.area < $1.area }) else { continue }
                // Only if closing the gap made one of the two.
                guard
                    Double(largest.area) > 0.95 * (one.candidate.areaShare + other.candidate.areaShare)
                        * pictureArea
                else { continue }
                if let candidate = SheetCandidate(
                    union.outerContour(from: largest.first), source: .edges, in: picture)
                {
                    result.append(candidate)
                }
            }
        }
        return result
    }

    /// Cuts one channel at many levels and keeps the parts that could be a sheet.
    private func cut(
        _ channel: [Float], levels: Int = 16, source: SheetCandidate.Source
    ) -> [SheetCandidate] {
        var found: [SheetCandidate] = []
        var values = channel.filter { !$0.isNaN }
        guard values.count > 100 else { return [] }
        let low = values.selectRank(values.count / 50)
        let high = values.selectRank(values.count - 1 - values.count / 100)
        guard high - low > 4 else { return [] }
        let side = Double(min(field.width, field.height))
        // Opening: hardly at all, and wide enough for the stripes of a cloth. Closing:
        // wide enough for a printed bar that runs from side to side.
        let wide = ChamferDistance.pixels(0.045 * side)
        let medium = ChamferDistance.pixels(0.02 * side)
        let passes: [(ChamferDistance, [ChamferDistance])] = [
            (.zero, [.pixels(1), medium, wide]), (.pixels(0.03 * side), [medium, wide]),
        ]
        var seen = Set<SIMD4<Int32>>()
        for level in 1..<levels {
            let threshold = low + (high - low) * Float(level) / Float(levels)
            let mask = BinaryMask(
                width: field.width, height: field.height, bits: channel.map { $0 > threshold ? 1 : 0 })
            for (closing, openings) in passes {
                let mask = closing > .zero ? mask.closed(radius: closing) : mask
                let depth = mask.distances(to: 0)
                for radius in openings {
                    for region in opened(mask, depth: depth, radius: radius) {
                        let (bits, first, area) = region
                        let key = SIMD4(
                            Int32(first % field.width) / 2, Int32(first / field.width) / 2, Int32(area / 50),
                            0)
                        guard seen.insert(key).inserted else { continue }
                        let mask = BinaryMask(width: field.width, height: field.height, bits: bits)
                        if let candidate = SheetCandidate(
                            mask.outerContour(from: first), source: source, in: picture)
                        {
                            found.append(candidate)
                        }
                    }
                }
            }
        }
        return found
    }

    /// The parts of a mask that stay when it is opened by a disc, each by itself, large ones only.
    private func opened(
        _ mask: BinaryMask, depth: [ChamferDistance], radius: ChamferDistance, most: Int = 2
    ) -> [(bits: [UInt8], first: Int, area: Int)] {
        let core = BinaryMask(
            width: mask.width, height: mask.height, bits: depth.map { $0 > radius ? 1 : 0 })
        let (labels, list) = core.components()
        let least = Int(0.008 * pictureArea)
        var result: [(bits: [UInt8], first: Int, area: Int)] = []
        for component in list.sorted(by: { $0.area > $1.area }).prefix(most) where component.area > least {
            let alone = BinaryMask(
                width: mask.width, height: mask.height, bits: labels.map { $0 == component.label ? 1 : 0 })
            let reach = alone.distances(to: 1)
            let bits = reach.map { $0 <= radius ? UInt8(1) : 0 }
            guard let first = bits.firstIndex(of: 1) else { continue }
            result.append((bits, first, component.area))
        }
        return result
    }
}
