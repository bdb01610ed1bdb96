import Imaging
import SheetNetwork

// The network takes some things for sheet by mistake: a lit crease of crumpled paper beside a page, a bright board, the strip
// of a bottle beside its label. It is less sure of them than of the sheet they touch. Sheets are convex, so such a part is left
// out where the shape supports it: where the rest fills its convex hull much better, or no worse and a border lies between the
// two.

extension SheetRegion {
    private enum Trimming {
        /// Probabilities below which a part may be cut off; each is tried.
        static let levels: [Float] = [0.6, 0.7, 0.8, 0.9, 0.95, 0.98]
        /// Cells by which the rest grows back: the network is unsure of a sheet's own border too.
        static let rim = 2
        /// Smallest part examined, as a share of the region.
        static let leastPart = 0.002

        /// A region that fills this share of its convex hull has no part hanging on it.
        static let full = 0.97
        /// Largest part that hangs on a region, as a share of the region.
        static let largestHanging = 0.2
        /// Least gain in the share of its hull that the rest fills, per share of the region that is cut off. Of 1,154 parts in
        /// 55 photographs and 180 drawn images, 0.9 of those that gain 0.5 to 1 belong to no sheet, 0.97 of those that gain
        /// more, and 0.4 of those that gain nothing.
        static let leastGain = 0.5

        /// The largest part beyond a border, as a share of the region: the rest is the sheet.
        static let largestBeyond = 0.5
        /// Least mean border probability along the seam between a part and the rest. On photographs of cards, letters and
        /// labels, tables and bottles have 0.55 and more; parts that belong to the sheet and gain enough (see below) have less
        /// than 0.4.
        static let leastSeam = 0.5
        /// Greatest distance, in cells, of a border from the seam: the rest has grown back.
        static let seamReach = 2
        /// Least difference in certainty between the rest and a part beyond a border: the two sides of a fold are equally
        /// certain.
        static let leastDoubt = 0.05
        /// Least gain in the share of its hull that the rest fills without a part beyond a border. Shaded and torn corners of
        /// sheets also have borders along their seams; without them a sheet fills less of its hull.
        static let leastGainBeyond = 0.002
    }

    /// This region without the parts that hang on it or lie beyond a border. O(levels · parts · cells).
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

    /// Whether a border separates this region from an adjacent part of which the network is less sure.
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

    /// The parts that fall off when cells below a probability are removed and the rest has grown back.
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
