import Imaging
import SheetNetwork

// What the network takes for sheet by mistake, a lit crease of crumpled paper beside a page, a bright board, the strip of a
// bottle beside its label, it is less sure of than of the sheet that it touches. That is left out where sheets' own shape
// speaks for it, which is convex: where the rest is much fuller of its convex hull, or no less full and there is a border
// between the two.

extension SheetRegion {
    private enum Trimming {
        /// Parts are looked for that are less probable than the rest: below each of these.
        static let levels: [Float] = [0.6, 0.7, 0.8, 0.9, 0.95, 0.98]
        /// The rest grows back by so many cells: a sheet's own rim is unsure too.
        static let rim = 2
        /// The least part that is looked at, as a share of the region.
        static let leastPart = 0.002

        /// A region that fills so much of its convex hull has nothing hanging on it.
        static let full = 0.97
        /// The largest part that hangs on a region, as a share of it.
        static let largestHanging = 0.2
        /// How much fuller of its hull the rest is, at least, for each share of the region that hangs on it. Of 1,154 parts in
        /// 55 photographs and 180 drawn pictures 0.9 of what gains 0.5 to 1 belongs to no sheet, 0.97 of what gains more, and
        /// 0.4 of what gains nothing.
        static let leastGain = 0.5

        /// The largest part beyond a border, as a share of the region: the rest is the sheet.
        static let largestBeyond = 0.5
        /// The least mean probability of a border along the seam between a part and the rest. On photographs of cards, letters
        /// and labels tables and bottles have 0.55 and more; what belongs to the sheet and gains as below, less than 0.4.
        static let leastSeam = 0.5
        /// A border may lie so many cells off the seam: the rest has grown back.
        static let seamReach = 2
        /// How much less sure the network is of a part beyond a border than of the rest, at least: of both sides of a fold it
        /// is as sure.
        static let leastDoubt = 0.05
        /// How much fuller of its hull the rest is without a part beyond a border, at least. Shaded and torn corners of sheets
        /// have borders along their seams too; without them a sheet is less full.
        static let leastGainBeyond = 0.002
    }

    /// This region without what hangs on it or lies beyond a border. O(levels · parts · cells).
    func trimmed(in field: SheetField) -> SheetRegion {
        var rest = self
        for level in Trimming.levels {
            for part in rest.parts(below: level, of: areaShare, in: field) {
                let cells = zip(rest.mask.elements, part).map { $0 && !$1 }
                guard let without = SheetRegion(cells: cells, in: field) else { continue }
                let cut = (rest.areaShare - without.areaShare) / areaShare
                guard cut > 0 else { continue }
                let gain = without.solidity - rest.solidity
                let isHanging =
                    rest.solidity < Trimming.full && cut < Trimming.largestHanging
                    && gain >= Trimming.leastGain * cut
                let mayLieBeyond = cut < Trimming.largestBeyond && gain >= Trimming.leastGainBeyond
                if isHanging || mayLieBeyond && without.isParted(from: part, in: field) { rest = without }
            }
        }
        return rest
    }

    /// Whether there is a border between this region and a part beside it that the network is less sure of.
    private func isParted(from part: [Bool], in field: SheetField) -> Bool {
        let cells = part.indices.filter { part[$0] }
        let sum = cells.reduce(0) { $0 + Double(field.sheet[$1]) }
        guard certainty - sum / Double(cells.count) >= Trimming.leastDoubt else { return false }
        let seam = cells.filter { cell in
            var touches = false
            mask.forEachNeighbour(of: cell) { if mask.elements[$0] { touches = true } }
            return touches
        }
        let border = Self.meanBorder(at: seam, within: Trimming.seamReach, in: field)
        return border ?? 0 >= Trimming.leastSeam
    }

    /// The parts that fall off where cells below a probability are left out and the rest has grown back.
    private func parts(below level: Float, of area: Double, in field: SheetField) -> [[Bool]] {
        let sure = zip(mask.elements, field.sheet).map { $0 && ($1 > level || $1 <= Self.inside) }
        guard sure != mask.elements, let core = Self.largestPart(of: sure, side: field.side) else {
            return []
        }
        let grown = Self.grown(
            from: core.mask.elements.map { $0 ? 1 : 0 }, within: mask, steps: Trimming.rim)
        let parts = Raster(
            width: mask.width, height: mask.height, elements: zip(mask.elements, grown).map { $0 && $1 == 0 }
        ).parts()
        let least = Trimming.leastPart * area * Double(mask.size.pixelCount)
        return parts.list.filter { Double($0.area) >= least }.map { part in
            parts.labels.map { $0 == part.label }
        }
    }
}
