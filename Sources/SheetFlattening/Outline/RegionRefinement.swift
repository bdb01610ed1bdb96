import Foundation
import RobustStatistics

/// Redraws a rough region so that its colours and edges agree with the picture.
///
/// A cut at one level bites pieces off the sheet (shaded folds, printed bars) and takes in pieces of table (patches of
/// light). Here the colours of the whole region and of all around it say for each pixel how likely it belongs to the sheet,
/// and the region of least cost is found whose boundary is short and follows edges of the picture:
/// minimise the sum of g |grad u| - r u over 0 <= u <= 1, cut at 1/2 (Chan, Esedoglu & Nikolova 2006), by the
/// primal-dual iteration of Chambolle & Pock 2011. Convex, so that the result does not hang on the start but through the
/// colours that it lends.
struct RegionRefinement {
    private let picture: SmallPicture
    private let field: ColorField
    private let detail: [Float]
    private let edgeWeight: [Float]

    init(_ picture: SmallPicture) {
        self.picture = picture
        field = picture.field
        detail = picture.detail
        edgeWeight = Self.edgeWeights(field)
    }

    /// The region redrawn, or as it was if the result is no better a sheet.
    func refined(_ candidate: SheetCandidate) -> Contour {
        let contour = candidate.contour
        var mask = contour.mask(width: field.width, height: field.height)
        var result = contour
        for _ in 0..<2 {
            let evidence = colorEvidence(mask)
            let redrawn = solve(evidence, start: mask)
            guard let next = region(redrawn, sharedWith: mask) else { break }
            result = next
            mask = next.mask(width: field.width, height: field.height)
        }
        // A sheet that loses much of itself or doubles was not understood by its colours, nor one that looks less like a sheet.
        let growth = result.signedArea / max(contour.signedArea, 1)
        let after = SheetCandidate(result, source: candidate.source, in: picture)
        let isBetter = growth > 0.85 && growth < 1.6 && (after?.score ?? 0) > 0.95 * candidate.score
        return withoutBays(isBetter ? result : contour)
    }

    // MARK: Bays

    /// The contour with those bays filled that the table does not reach into.
    ///
    /// A shaded fold has the colour of the table now and then, and so bites a bay into the region. Where the table itself
    /// reaches into a bay, nothing changes across the chord that closes it; where the bay is paper, the sheet's edge runs
    /// along that chord.
    private func withoutBays(_ contour: Contour) -> Contour {
        let width = field.width
        let mask = contour.mask(width: width, height: field.height)
        let hull = contour.hull.mask(width: width, height: field.height)
        let bays = BinaryMask(
            width: width, height: field.height, bits: zip(hull, mask).map { $0 && !$1 ? 1 : 0 })
        let outside = BinaryMask(width: width, height: field.height, bits: hull.map { $0 ? 0 : 1 })
        let toOutside = outside.distances(to: 1)
        let (labels, list) = bays.components()
        var filled = mask
        var isChanged = false
        for bay in list where Double(bay.area) > 0.003 * Double(mask.count) {
            let here = BinaryMask(
                width: width, height: field.height, bits: labels.map { $0 == bay.label ? 1 : 0 })
            let toBay = here.distances(to: 1)
            var inner: [SIMD4<Float>] = []
            var outer: [SIMD4<Float>] = []
            for index in mask.indices {
                // Two to five pixels to either side of the chord: clear of the blur between the two.
                if here.bits[index] != 0, toOutside[index] > .pixels(1), toOutside[index] <= .pixels(5) {
                    inner.append(field.colors[index])
                } else if !hull[index], toBay[index] > .pixels(2), toBay[index] <= .pixels(6) {
                    outer.append(field.colors[index])
                }
            }
            guard inner.count > 12, outer.count > 12 else { continue }
            let step = mean(inner) - mean(outer)
            let spread = max(variance(inner).sum(), variance(outer).sum()).squareRoot()
            let size = (step * step).sum().squareRoot()
            guard size > 14, size > 0.8 * spread else { continue }
            isChanged = true
            for (index, label) in labels.enumerated() where label == bay.label { filled[index] = true }
        }
        guard isChanged else { return contour }
        return region(filled, sharedWith: mask) ?? contour
    }

    private func mean(_ colors: [SIMD4<Float>]) -> SIMD4<Float> {
        colors.reduce(SIMD4<Float>(), +) / Float(max(colors.count, 1))
    }

    private func variance(_ colors: [SIMD4<Float>]) -> SIMD4<Float> {
        let center = mean(colors)
        return colors.reduce(SIMD4<Float>()) { $0 + ($1 - center) * ($1 - center) }
            / Float(max(colors.count, 1))
    }

    // MARK: Colours

    /// For each pixel how much its colour speaks for the sheet, -1 to 1, from histograms of 16 x 16 x 16 colours.
    private func colorEvidence(_ mask: [Bool]) -> [Float] {
        let bins = 16
        var sheet = [Float](repeating: 0, count: bins * bins * bins)
        var table = sheet
        var sheetCount: Float = 0
        var tableCount: Float = 0
        let cells = field.colors.map { color -> Int in
            let scaled = color / 16
            return (min(Int(scaled.x), 15) * bins + min(Int(scaled.y), 15)) * bins + min(Int(scaled.z), 15)
        }
        let bits = BinaryMask(width: field.width, height: field.height, bits: mask.map { $0 ? 1 : 0 })
        let away = bits.distances(to: 1)
        let depth = bits.distances(to: 0)
        for index in cells.indices {
            // The rim of the region is what is in question, so it lends no colours.
            if depth[index] > .pixels(2) {
                sheet[cells[index]] += 1
                sheetCount += 1
            } else if away[index] > .pixels(2) {
                table[cells[index]] += 1
                tableCount += 1
            }
        }
        guard sheetCount > 50, tableCount > 50 else { return mask.map { $0 ? 0.2 : -0.2 } }
        let sheetDensity = spread(sheet, bins: bins, total: sheetCount)
        let tableDensity = spread(table, bins: bins, total: tableCount)
        // Pixels far from the region hardly belong to it.
        let far = Float(0.12 * Double(min(field.width, field.height)) * 3)
        // Detail that the table hardly has anywhere is print, and print is on the sheet.
        let grain = detail.indices.filter { away[$0] > .pixels(3) }.map { detail[$0] }
        let print = max(grain.isEmpty ? 255 : grain.ranked(grain.count * 98 / 100), 40)
        let tint = TintContrast(mask, in: field).flatMap { $0.isClear ? $0 : nil }
        return cells.indices.map { index in
            var ratio = log((sheetDensity[cells[index]] + 1e-4) / (tableDensity[cells[index]] + 1e-4))
            if let tint {
                let likeness = tint.likeness[index]
                ratio += min(max(log(likeness / (1 - likeness)), -4), 4)
            }
            let distance = max(0, Float(away[index].thirds) / far - 1)
            let evidence = min(max(ratio / 3 - distance, -1), 1)
            return detail[index] > print && away[index] > .pixels(2) && distance < 1
                ? max(evidence, 0.5) : evidence
        }
    }

    /// A histogram as shares of its total, blurred to the neighbouring colours along each axis.
    private func spread(_ histogram: [Float], bins: Int, total: Float) -> [Float] {
        var values = histogram.map { $0 / total }
        for stride in [1, bins, bins * bins] {
            let source = values
            for index in values.indices {
                let place = index / stride % bins
                let below = place > 0 ? source[index - stride] : source[index]
                let above = place + 1 < bins ? source[index + stride] : source[index]
                values[index] = 0.25 * below + 0.5 * source[index] + 0.25 * above
            }
        }
        return values
    }

    // MARK: Boundary

    /// What a unit of boundary costs at each pixel: least where the colours change most.
    private static func edgeWeights(_ field: ColorField) -> [Float] {
        let width = field.width
        var changes = [Float](repeating: 0, count: field.colors.count)
        for y in 0..<field.height {
            for x in 0..<width {
                let index = y * width + x
                let right = field.colors[x + 1 < width ? index + 1 : index] - field.colors[index]
                let down = field.colors[y + 1 < field.height ? index + width : index] - field.colors[index]
                changes[index] = (right * right).sum() + (down * down).sum()
            }
        }
        let mean = changes.reduce(0, +) / Float(max(changes.count, 1))
        let scale = max(2 * mean, 100)
        return changes.map { 0.1 + 0.9 * exp(-$0 / scale) }
    }

    /// The minimiser, cut at one half. O(pixels · iterations).
    private func solve(_ evidence: [Float], start: [Bool]) -> [Bool] {
        let width = field.width
        let height = field.height
        let smoothness: Float = 2.5
        // Step sizes whose product is at most 1 / ||grad||² = 1/8.
        let step: Float = 0.35
        var u = start.map { $0 ? Float(1) : 0 }
        var ahead = u
        var flowX = [Float](repeating: 0, count: u.count)
        var flowY = flowX
        let weight = edgeWeight.map { $0 * smoothness }
        u.withUnsafeMutableBufferPointer { u in
            ahead.withUnsafeMutableBufferPointer { ahead in
                flowX.withUnsafeMutableBufferPointer { flowX in
                    flowY.withUnsafeMutableBufferPointer { flowY in
                        for _ in 0..<90 {
                            for y in 0..<height {
                                let below = y + 1 < height ? width : 0
                                for x in 0..<width {
                                    let i = y * width + x
                                    let right = x + 1 < width ? 1 : 0
                                    let fx = flowX[i] + step * (ahead[i + right] - ahead[i])
                                    let fy = flowY[i] + step * (ahead[i + below] - ahead[i])
                                    let size = (fx * fx + fy * fy).squareRoot()
                                    let scale = size > weight[i] ? weight[i] / size : 1
                                    flowX[i] = fx * scale
                                    flowY[i] = fy * scale
                                }
                            }
                            for y in 0..<height {
                                for x in 0..<width {
                                    let i = y * width + x
                                    var divergence = flowX[i] + flowY[i]
                                    if x > 0 { divergence -= flowX[i - 1] }
                                    if y > 0 { divergence -= flowY[i - width] }
                                    let next = min(max(u[i] + step * (divergence + evidence[i]), 0), 1)
                                    ahead[i] = 2 * next - u[i]
                                    u[i] = next
                                }
                            }
                        }
                    }
                }
            }
        }
        return u.map { $0 > 0.5 }
    }

    /// The outer boundary of that part of a mask which shares most with another, bridges of two pixels severed.
    private func region(_ mask: [Bool], sharedWith other: [Bool]) -> Contour? {
        let bits = BinaryMask(width: field.width, height: field.height, bits: mask.map { $0 ? 1 : 0 })
        let core = BinaryMask(
            width: field.width, height: field.height,
            bits: bits.distances(to: 0).map { $0 > .pixels(2) ? 1 : 0 })
        let (labels, list) = core.components()
        var shared = [Int](repeating: 0, count: list.count + 1)
        for (index, label) in labels.enumerated() where label > 0 && other[index] { shared[Int(label)] += 1 }
        guard let best = list.max(by: { shared[Int($0.label)] < shared[Int($1.label)] }) else { return nil }
        let alone = BinaryMask(
            width: field.width, height: field.height, bits: labels.map { $0 == best.label ? 1 : 0 })
        let whole = BinaryMask(
            width: field.width, height: field.height,
            bits: alone.distances(to: 1).map { $0 <= .pixels(2) ? 1 : 0 })
        guard let first = whole.bits.firstIndex(of: 1) else { return nil }
        return whole.outerContour(from: first)
    }
}
