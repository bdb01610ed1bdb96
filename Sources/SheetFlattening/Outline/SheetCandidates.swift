import Foundation
import Imaging

/// Regions of a small picture that may be the sheet, each with how much it looks like one.
///
/// Paper is mostly brighter than its surroundings, whatever colour the light has, and where the table is bright it is
/// mostly more colourful than paper: so the picture is cut at many levels of its brightness and of its least channel
/// (the maximally stable regions of Matas et al. 2002 in spirit, but chosen by shape and edge instead of stability).
/// Each cut is opened with several radii, which severs the bridges that stripes of a cloth or patches of light build.
/// Depth, where there is any, gives another picture to cut: the height above the table.
struct SheetCandidates {
    /// What a candidate was cut from.
    enum Source: Sendable {
        case brightness
        case colour
        case height
    }

    /// One region that may be the sheet.
    struct Candidate: Sendable {
        var contour: Contour
        var source: Source
        var score: Double
        /// Mean colour step across the edge where it lies inside the picture, 0 to 1 (1: always clear).
        var edgeSupport: Double
        /// Share of its length that lies on the picture's rim.
        var rimShare: Double
        /// Area over the area of the convex hull.
        var solidity: Double
        /// Area over that of the picture.
        var areaShare: Double
    }

    private let field: ColorField
    private let detail: [Float]
    private let pictureArea: Double

    /// - Parameters:
    ///   - field: the small picture.
    ///   - detail: for each of its pixels how much the brightness varies within it; print varies much.
    init(field: ColorField, detail: [Float]) {
        self.field = field
        self.detail = detail
        pictureArea = Double(field.width * field.height)
    }

    /// All candidates worth looking at, best first.
    func find(height: [Float]? = nil) -> [Candidate] {
        var found: [Candidate] = []
        let luma = field.colors.map { 0.299 * $0.x + 0.587 * $0.y + 0.114 * $0.z }
        let least = field.colors.map { Swift.min($0.x, Swift.min($0.y, $0.z)) }
        cut(luma, source: .brightness, into: &found)
        cut(least, source: .colour, into: &found)
        if let height { cut(height, source: .height, into: &found) }
        return found.sorted { $0.score > $1.score }
    }

    /// The candidate to go on with: the best, or one around it that is nearly as good and clearly larger.
    ///
    /// A fold, a hard shadow or a printed bar makes a good sheet of a part of one. When unsure, keep more: and all the more
    /// where what the larger one adds looks like paper and not like the table around it.
    func choose(from candidates: [Candidate]) -> Candidate? {
        guard let best = candidates.first else { return nil }
        var chosen = best
        var mask = chosen.contour.mask(width: field.width, height: field.height)
        var looks = 0
        for candidate in candidates.dropFirst() {
            guard candidate.score > 0.7 * best.score, looks < 40 else { break }
            guard candidate.areaShare > 1.06 * chosen.areaShare else { continue }
            looks += 1
            let larger = candidate.contour.mask(width: field.width, height: field.height)
            guard holds(larger, mask, share: 0.95) else { continue }
            let relative = candidate.score / best.score
            if relative > 0.9
                || (addsPaper(larger, to: mask) && (relative > 0.8 || addsPrint(larger, to: mask)))
            {
                chosen = candidate
                mask = larger
            }
        }
        return chosen
    }

    /// Whether one mask holds a share of another.
    private func holds(_ larger: [Bool], _ smaller: [Bool], share: Double) -> Bool {
        var both = 0
        var all = 0
        for (a, b) in zip(larger, smaller) where b {
            all += 1
            if a { both += 1 }
        }
        return Double(both) >= share * Double(all)
    }

    /// Whether the pixels that a larger region adds look more like the smaller one than like what surrounds the larger.
    private func addsPaper(_ larger: [Bool], to smaller: [Bool]) -> Bool {
        let around = BinaryMask(width: field.width, height: field.height, bits: larger.map { $0 ? 1 : 0 })
        let away = around.distances(to: 1)
        let near = UInt16(0.08 * Double(min(field.width, field.height)) * 3)
        let paper = medianColor { smaller[$0] }
        let added = medianColor { larger[$0] && !smaller[$0] }
        let table = medianColor { away[$0] > 6 && away[$0] <= near }
        guard let paper, let added, let table else { return false }
        let toPaper = ((added - paper) * (added - paper)).sum()
        let toTable = ((added - table) * (added - table)).sum()
        return toPaper < toTable
    }

    /// Whether what a larger region adds holds finer and stronger detail than the table around it does: print.
    private func addsPrint(_ larger: [Bool], to smaller: [Bool]) -> Bool {
        let width = field.width
        let height = field.height
        let around = BinaryMask(width: width, height: height, bits: larger.map { $0 ? 1 : 0 })
        let inner = BinaryMask(width: width, height: height, bits: smaller.map { $0 ? 1 : 0 })
        let away = around.distances(to: 1)
        let depth = around.distances(to: 0)
        let beyond = inner.distances(to: 1)
        // Two pixels clear of both contours, whose edges are detail too.
        let table = detail.indices.filter { away[$0] > 6 }.map { detail[$0] }.sorted()
        let added = detail.indices.filter { depth[$0] > 6 && beyond[$0] > 6 }.map { detail[$0] }
        guard table.count > 50, added.count > 50 else { return false }
        let threshold = max(table[table.count * 97 / 100], 30)
        return Double(added.count { $0 > threshold }) > 0.1 * Double(added.count)
    }

    /// The median of each channel over some pixels; nil where these are few.
    private func medianColor(where isMeant: (Int) -> Bool) -> SIMD4<Float>? {
        let colors = field.colors.indices.filter(isMeant).map { field.colors[$0] }
        guard colors.count > 30 else { return nil }
        let middle = colors.count / 2
        return SIMD4(
            colors.map(\.x).sorted()[middle], colors.map(\.y).sorted()[middle],
            colors.map(\.z).sorted()[middle], 0)
    }

    /// Cuts one channel at many levels and keeps the parts that could be a sheet.
    private func cut(_ channel: [Float], source: Source, into found: inout [Candidate]) {
        let sorted = channel.filter { !$0.isNaN }.sorted()
        guard sorted.count > 100 else { return }
        let low = sorted[sorted.count / 50]
        let high = sorted[sorted.count - 1 - sorted.count / 100]
        let levels = 16
        guard high - low > 4 else { return }
        let side = Double(min(field.width, field.height))
        // Radii in chamfer thirds of a pixel. Opening: hardly at all, and wide enough for the stripes of a cloth. Closing:
        // wide enough for a printed bar that runs from side to side.
        let wide = UInt16(0.045 * side * 3)
        let medium = UInt16(0.02 * side * 3)
        let passes: [(UInt16, [UInt16])] = [
            (0, [3, medium, wide]), (UInt16(0.03 * side * 3), [medium, wide]),
        ]
        var seen = Set<SIMD4<Int32>>()
        for level in 1..<levels {
            let threshold = low + (high - low) * Float(level) / Float(levels)
            let mask = BinaryMask(
                width: field.width, height: field.height, bits: channel.map { $0 > threshold ? 1 : 0 })
            for (closing, openings) in passes {
                let mask = closing > 0 ? mask.closed(radius: closing) : mask
                let depth = mask.distances(to: 0)
                for radius in openings {
                    for region in opened(mask, depth: depth, radius: radius) {
                        let (bits, first, area) = region
                        let key = SIMD4(
                            Int32(first % field.width) / 2, Int32(first / field.width) / 2, Int32(area / 50),
                            0)
                        guard seen.insert(key).inserted else { continue }
                        let mask = BinaryMask(width: field.width, height: field.height, bits: bits)
                        if let candidate = rate(mask.outerContour(from: first), source: source) {
                            found.append(candidate)
                        }
                    }
                }
            }
        }
    }

    /// The parts of a mask that stay when it is opened by a disc, each by itself, large ones only.
    private func opened(_ mask: BinaryMask, depth: [UInt16], radius: UInt16) -> [(
        bits: [UInt8], first: Int, area: Int
    )] {
        let core = BinaryMask(
            width: mask.width, height: mask.height, bits: depth.map { $0 > radius ? 1 : 0 })
        let (labels, list) = core.components()
        let least = Int(0.008 * pictureArea)
        var result: [(bits: [UInt8], first: Int, area: Int)] = []
        for component in list.sorted(by: { $0.area > $1.area }).prefix(2) where component.area > least {
            let alone = BinaryMask(
                width: mask.width, height: mask.height, bits: labels.map { $0 == component.label ? 1 : 0 })
            let reach = alone.distances(to: 1)
            let bits = reach.map { $0 <= radius ? UInt8(1) : 0 }
            guard let first = bits.firstIndex(of: 1) else { continue }
            result.append((bits, first, component.area))
        }
        return result
    }

    /// How much a region looks like a sheet; nil where it cannot be one.
    func rate(_ outline: Contour, source: Source) -> Candidate? {
        guard outline.count > 24 else { return nil }
        let area = outline.signedArea
        let share = area / pictureArea
        guard share > 0.012 else { return nil }
        let hull = outline.hull
        let solidity = area / max(hull.signedArea, 1)
        guard solidity > 0.6 else { return nil }

        let line = outline.smoothed(sigma: 2).resampled(count: min(400, max(60, outline.count / 3)))
        let normals = line.normals(reach: 2)
        let reach = max(2.5, 0.012 * Double(min(field.width, field.height)))
        var edge = 0.0
        var brighter = 0.0
        var inner = 0
        var onRim = 0
        for (point, normal) in zip(line.points, normals) {
            if isOnRim(point) {
                onRim += 1
                continue
            }
            let inside = field.color(at: point - normal * reach)
            let outside = field.color(at: point + normal * reach)
            let step = inside - outside
            let size = Double((step * step).sum().squareRoot())
            let light = Double(0.299 * step.x + 0.587 * step.y + 0.114 * step.z)
            // A step of 40 levels over three channels is as clear as it needs to be.
            edge += min(size / 40, 1)
            brighter += light > 0 ? min(light / 15, 1) : max(light / 15, -1)
            inner += 1
        }
        let rimShare = Double(onRim) / Double(line.count)
        guard inner > line.count / 8 else { return nil }
        let support = edge / Double(inner)
        let light = brighter / Double(inner)
        let roundness = hull.perimeter / line.perimeter

        // Each factor lies between 0 and 1. Shape counts most: tables hold many bright things, few are convex.
        let size = 1 - exp(-share / 0.04)
        let score =
            support * (1 - 0.5 * rimShare) * pow(solidity, 3) * min(roundness, 1) * size * (0.6 + 0.4 * light)
        return Candidate(
            contour: outline, source: source, score: score, edgeSupport: support, rimShare: rimShare,
            solidity: solidity,
            areaShare: share)
    }

    private func isOnRim(_ point: SIMD2<Double>) -> Bool {
        let margin = 1.5
        return point.x < margin || point.y < margin || point.x > Double(field.width) - 1 - margin
            || point.y > Double(field.height) - 1 - margin
    }
}
