package import Imaging

/// Tells print from what shows around the sheet.
///
/// A flat page has a margin, so that an error of the outline never cuts a letter. In the margin, and wherever the
/// sheet's edge is not straight, the page shows the table. The table's grain, and the sheet's own edge, break into
/// marks of a letter's size. A mark mostly beyond the edge is not print. A mark at the edge is print only if the print
/// goes on inside: the outline may be wrong by a letter, but a letter does not stand alone.
package struct SheetRim {
    /// Whether a point of the page, in pixel-centre coordinates, lies on the sheet.
    package let isOnSheet: @Sendable (SIMD2<Double>) -> Bool

    /// Takes a function that tells where the sheet lies.
    package init(isOnSheet: @escaping @Sendable (SIMD2<Double>) -> Bool) { self.isOnSheet = isOnSheet }

    private typealias Tuning = PrintTuning.Rim

    /// Returns the marks that are print; the usual height of the marks gives the letter height.
    package func print(among marks: [PrintedMark]) -> [PrintedMark] {
        print(among: marks, letterHeight: PrintedRowFinder(marks: marks).letterHeight)
    }

    /// The marks that are print.
    package func print(among marks: [PrintedMark], letterHeight: Double) -> [PrintedMark] {
        guard letterHeight > 0 else { return marks }
        let inside = marks.map { shareOnSheet(of: $0.box) }
        let atEdge = zip(marks, inside).map { mark, share in
            share < 1 || shareOnSheet(of: mark.box.grown(by: Tuning.reach * letterHeight)) < 1
        }
        guard atEdge.contains(true) else { return marks }
        let letters = marks.indices.filter {
            !atEdge[$0] && Tuning.letters.contains(Double(marks[$0].height) / letterHeight)
        }.map { marks[$0].box }
        return marks.indices.filter { index in
            guard atEdge[index] else { return true }
            guard inside[index] >= Tuning.leastShare else { return false }
            let box = marks[index].box
            return letters.contains { letter in
                let common = min(box.bottom, letter.bottom) - max(box.top, letter.top)
                let gap = max(letter.left - box.right, box.left - letter.right)
                return common >= Tuning.leastOverlap * min(box.height, letter.height)
                    && gap < Tuning.widestGap * letterHeight
            }
        }.map { marks[$0] }
    }

    /// Whether a word read anywhere on the page stands on the sheet.
    package func bears(_ box: Box) -> Bool { shareOnSheet(of: box) >= Tuning.leastShare }

    /// Returns the share of a box that lies on the sheet, from nine points in it.
    private func shareOnSheet(of box: Box) -> Double {
        var count = 0
        for v in [0.0, 0.5, 1] {
            for u in [0.0, 0.5, 1] {
                let place = SIMD2(box.left + u * box.width - 0.5, box.top + v * box.height - 0.5)
                if isOnSheet(place) { count += 1 }
            }
        }
        return Double(count) / 9
    }
}

extension Box {
    fileprivate func grown(by length: Double) -> Box {
        Box(left: left - length, top: top - length, right: right + length, bottom: bottom + length)
    }
}
