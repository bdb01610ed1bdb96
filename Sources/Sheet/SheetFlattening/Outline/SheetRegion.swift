import Platform
import Imaging
import Parallelism
import SheetNetwork

/// One sheet as the network sees it: the cells of its field that belong to it, and how much they look like one sheet.
struct SheetRegion: Sendable {
    /// The cells of the region, without holes.
    let mask: Raster<Bool>
    /// The share of the image that the region covers, 0 to 1.
    let areaShare: Double
    /// The mean probability of the cells, 0.5 to 1.
    let certainty: Double
    /// The area divided by that of the convex hull, 0 to 1: sheets are convex; what the network mistakes for one rarely is.
    let solidity: Double
    /// The greatest border probability within one cell, averaged over the region's rim, except where the rim lies on the image
    /// border; 1 if the whole rim lies there.
    let borderedness: Double

    /// Probability above which a cell counts as sheet.
    static let inside: Float = 0.5
    /// Probability above which a cell belongs to the outline of an unsure sheet.
    static let perhapsInside: Float = 0.25
    /// Probability above which a cell counts as a border, which separates touching sheets. On receipts laid on tables, the mean
    /// overlap is 0.71 without borders, 0.76 with 0.3 and 0.78 with 0.15; but with 0.15 folds split single sheets (55
    /// photographs: 0.964, against 0.973 with 0.3).
    private static let border: Float = 0.3
    /// Least share of the image that a sheet covers: in 12 megapixels, a square of 220 pixels a side.
    static let leastArea = 0.004
    /// Least share of a touching group that is a separate sheet. A finger or a fold cuts off less.
    static let leastPart = 0.12
    /// Solidity above which a group is most likely one sheet, in which a fold looks like a border.
    static let convex = 0.95
    /// Border probability needed to split such a group. On 55 photographs of one sheet each, the mean overlap is 0.971 with 0.4
    /// and 0.979 with 0.5 to 0.8.
    static let convexBorder: Float = 0.6

    /// All sheets in a field, the largest first.
    ///
    /// A connected region is one sheet, unless borders split it: then each part takes the border cells nearest to it. A region
    /// with notches that one sheet does not have is split further (`parted(in:)`), and parts hanging on a sheet are removed
    /// (`trimmed(in:)`). O(cells · sheets) without notches.
    static func all(in field: SheetField) -> [SheetRegion] {
        let size = PixelSize(width: field.side, height: field.side)
        let sheet = Raster(width: size.width, height: size.height, elements: field.sheet.map { $0 > inside })
        let least = leastArea * Double(size.pixelCount)
        let groups = sheet.parts()
        let wholes = groups.list.map { group in
            Double(group.area) < least
                ? nil : SheetRegion(cells: groups.labels.map { $0 == group.label }, in: field)
        }
        let borders = wholes.map { ($0?.solidity ?? 0) < convex ? border : convexBorder }
        let cores = Raster(
            width: size.width, height: size.height,
            elements: zip(groups.labels, field.border).map { $0 > 0 && $1 < borders[Int($0) - 1] }
        ).parts()
        var seeds: [Set<Int32>] = groups.list.map { _ in [] }
        for core in cores.list {
            let group = Int(groups.labels[core.first]) - 1
            if Double(core.area) >= max(least, leastPart * Double(groups.list[group].area)) {
                seeds[group].insert(core.label)
            }
        }
        let isSeed = seeds.reduce(into: Set<Int32>()) { $0.formUnion($1) }
        let owners = grown(from: cores.labels.map { isSeed.contains($0) ? $0 : 0 }, within: sheet)
        var regions: [SheetRegion] = []
        for (whole, seeds) in zip(wholes, seeds) {
            if seeds.count > 1 {
                regions += seeds.sorted().compactMap { seed in
                    SheetRegion(cells: owners.map { $0 == seed }, in: field)
                }
            } else if let whole {
                regions.append(whole)
            }
        }
        return regions.flatMap { $0.parted(in: field) }.map { $0.trimmed(in: field) }
            .sorted { $0.areaShare > $1.areaShare }
    }

    /// Creates a region from the largest connected part of these cells, with holes filled; nil for none.
    init?(cells: [Bool], in field: SheetField) {
        guard let (mask, line) = Self.largestPart(of: cells, side: field.side) else { return nil }
        self.mask = mask
        areaShare = line.signedArea / Double(mask.size.pixelCount)
        solidity = line.signedArea / line.hull.signedArea
        var sum = 0.0
        for (value, isInside) in zip(field.sheet, cells) where isInside { sum += Double(value) }
        certainty = sum / Double(cells.count { $0 })
        borderedness = Self.borderedness(of: mask, in: field)
    }

    /// The largest connected part of some cells, with holes filled, and the line around it; nil for none.
    static func largestPart(of cells: [Bool], side: Int) -> (mask: Raster<Bool>, line: Contour)? {
        let bare = Raster(width: side, height: side, elements: cells)
        guard let largest = bare.parts().list.max(by: { $0.area < $1.area }) else { return nil }
        let line = bare.boundary(ofPartAt: largest.first)
        return (Polygon(line.points).mask(size: bare.size), line)
    }

    private static func borderedness(of mask: Raster<Bool>, in field: SheetField) -> Double {
        let rim = mask.elements.indices.filter { index in
            guard mask.elements[index] else { return false }
            var isOnRim = false
            mask.forEachNeighbour(of: index) { if !mask.elements[$0] { isOnRim = true } }
            return isOnRim
        }
        return meanBorder(at: rim, within: 1, in: field) ?? 1
    }

    /// The mean over some cells of the greatest border probability within `reach` cells of each; nil for none.
    static func meanBorder(at cells: [Int], within reach: Int, in field: SheetField) -> Double? {
        guard !cells.isEmpty else { return nil }
        let last = field.side - 1
        var sum = 0.0
        for index in cells {
            let (row, column) = index.quotientAndRemainder(dividingBy: field.side)
            var greatest: Float = 0
            for y in max(row - reach, 0)...min(row + reach, last) {
                for x in max(column - reach, 0)...min(column + reach, last) {
                    greatest = max(greatest, field.border[y * field.side + x])
                }
            }
            sum += Double(greatest)
        }
        return sum / Double(cells.count)
    }

    /// Spreads labels within a mask to connected cells; each cell takes the label that is fewest steps away.
    static func grown(from seeds: [Int32], within mask: Raster<Bool>, steps: Int = .max) -> [Int32] {
        var labels = seeds
        var front = seeds.indices.filter { seeds[$0] != 0 }
        var taken = 0
        while !front.isEmpty, taken < steps {
            taken += 1
            var next: [Int] = []
            for from in front {
                mask.forEachNeighbour(of: from) { to in
                    guard mask.elements[to], labels[to] == 0 else { return }
                    labels[to] = labels[from]
                    next.append(to)
                }
            }
            front = next
        }
        return labels
    }

    // MARK: Confidence

    /// A logistic model of whether a region is a sheet, whole and alone; `Training/confidence.py` fits it.
    private enum Model {
        static let constant = -14.22
        static let certainty = 1.51
        static let solidity = 3.40
        static let borderedness = 10.89
        static let presence = 0.62
        /// Greater logits are limited to this.
        static let largestLogit = 8.0
    }

    /// The probability that this is a sheet, whole and alone, 0 to 1.
    /// - Parameter presence: the probability that the image shows a sheet at all.
    func confidence(presence: Float) -> Double {
        let odds = Double(presence) / max(1 - Double(presence), .leastNormalMagnitude)
        let logit = min(max(log(odds), -Model.largestLogit), Model.largestLogit)
        return 1
            / (1
                + exp(
                    -(Model.constant + Model.certainty * certainty + Model.solidity * solidity
                        + Model.borderedness * borderedness + Model.presence * logit)))
    }

    // MARK: Line

    /// Divisions of a cell along either axis before the line is drawn, so that the line is smoother than the cells.
    private static let division = 4
    /// How far the line is smoothed along itself, in divided cells: less than a cell, so that corners stay.
    private static let smoothing = 2.0

    /// The line around the sheet where its probability falls below a level, interpolated between cells.
    ///
    /// O(cells).
    /// - Parameters:
    ///   - level: one half by default.
    ///   - field: the field in which the region was found.
    ///   - size: the size of the image whose coordinates the line uses.
    func line(at level: Float = inside, in field: SheetField, size: PixelSize) -> Contour {
        let side = field.side
        let values = probabilities(in: field)
        let fine = side * Self.division
        let divided = Raster<Bool>(width: fine, height: fine) { output in
            let rows = DisjointRows(output, rowLength: fine)
            forEachBand(of: 0..<fine, threading: .allCores) { band in
                for y in band {
                    let row = rows[y]
                    for x in 0..<fine {
                        let place = (SIMD2(Double(x), Double(y)) + 0.5) / Double(Self.division) - 0.5
                        let cell = BilinearCell(holding: place, columns: side, rows: side)
                        row[x] = cell.weighted { Double(values[$0]) } > Double(level)
                    }
                }
            }
        }
        let parts = divided.parts()
        // Other parts at this level are too small to be regions.
        guard let largest = parts.list.max(by: { $0.area < $1.area }) else { return Contour([]) }
        let scale = SIMD2(Double(size.width), Double(size.height)) / Double(fine)
        return Contour(
            divided.boundary(ofPartAt: largest.first).smoothed(sigma: Self.smoothing).points.map {
                ($0 + 0.5) * scale - 0.5
            })
    }

    /// The field's sheet probability, set to 1 in holes of this region and to 0 where other sheets or removed parts lie.
    private func probabilities(in field: SheetField) -> [Float] {
        var values = field.sheet
        for index in values.indices where mask.elements[index] != (values[index] > Self.inside) {
            // An object on the sheet (a coin, a thumb) is not part of its outline.
            values[index] = mask.elements[index] ? 1 : 0
        }
        return values
    }
}
