/// Tells print from what shows around the sheet.
///
/// A flat page has a margin, so that an error of the outline never cuts a letter; in it, and wherever the sheet's edge is
/// not straight, it shows the table. Its grain, and the sheet's own edge, break into marks of a letter's size. What lies
/// mostly beyond the edge is no print. What lies at the edge is, only if it goes on inside: the outline may be wrong by a
/// letter, but a letter is not alone.
struct SheetRim {
    /// Whether a place of the page, in pixel-centre coordinates, lies on the sheet.
    let isOnSheet: @Sendable (SIMD2<Double>) -> Bool

    /// How near the edge is "at the edge", in letter heights: more than the outline's usual error, less than the blank
    /// that printers leave.
    private static let reach = 0.25
    /// How far a word's next letter is at most, in letter heights: receipt type is up to 0.9 of its height apart.
    private static let widestGap = 1.2

    /// The marks that are print, as tall as the most of them.
    func print(among marks: [PrintedMark]) -> [PrintedMark] {
        print(among: marks, letterHeight: PrintedRowFinder(marks: marks).letterHeight)
    }

    /// The marks that are print.
    func print(among marks: [PrintedMark], letterHeight: Double) -> [PrintedMark] {
        guard letterHeight > 0 else { return marks }
        let inside = marks.map { shareOnSheet(of: $0.box) }
        let atEdge = zip(marks, inside).map { mark, share in
            share < 1 || shareOnSheet(of: mark.box.grown(by: Self.reach * letterHeight)) < 1
        }
        guard atEdge.contains(true) else { return marks }
        let letters = marks.indices.filter {
            !atEdge[$0] && (0.5...1.6).contains(Double(marks[$0].height) / letterHeight)
        }.map { marks[$0].box }
        return marks.indices.filter { index in
            guard atEdge[index] else { return true }
            guard inside[index] >= 0.5 else { return false }
            let box = marks[index].box
            return letters.contains { letter in
                let common = min(box.bottom, letter.bottom) - max(box.top, letter.top)
                let gap = max(letter.left - box.right, box.left - letter.right)
                return common >= 0.5 * min(box.height, letter.height) && gap < Self.widestGap * letterHeight
            }
        }.map { marks[$0] }
    }

    /// Whether a word read anywhere on the page stands on the sheet.
    func bears(_ box: TextBox) -> Bool { shareOnSheet(of: box) >= 0.5 }

    /// Share of a box that lies on the sheet, from nine places in it.
    private func shareOnSheet(of box: TextBox) -> Double {
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

extension TextBox {
    fileprivate func grown(by length: Double) -> TextBox {
        TextBox(left: left - length, top: top - length, right: right + length, bottom: bottom + length)
    }
}
