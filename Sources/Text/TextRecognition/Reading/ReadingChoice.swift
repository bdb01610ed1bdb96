import Imaging

/// Takes the better of two readings of one page, place by place.
///
/// Lines of the two readings that cover each other are read from the same print and form a group. Of each group all
/// lines of one reading are kept, so no print is read twice. A group extends as far as rows run into each other: on a
/// smooth page it is one row, on a crumpled one it may be a paragraph.
enum ReadingChoice {
    /// Returns, for each group, the lines of the reading that is worth more.
    /// - Parameter worth: returns how much lines are worth; of equal groups the first reading's is kept.
    static func better(
        _ first: [RecognizedLine], _ second: [RecognizedLine], worth: ([RecognizedWord]) -> Double
    ) -> [RecognizedLine] {
        let lines = first + second
        var groups = Array(lines.indices)
        for (index, line) in first.enumerated() {
            for (other, against) in second.enumerated() where areOfSamePrint(line, against) {
                let (old, new) = (groups[first.count + other], groups[index])
                for index in groups.indices where groups[index] == old { groups[index] = new }
            }
        }
        // By how much the first reading leads in each group.
        var lead = [Double](repeating: 0, count: lines.count)
        for (index, line) in lines.enumerated() {
            lead[groups[index]] += index < first.count ? worth(line.words) : -worth(line.words)
        }
        return lines.indices.compactMap { index in
            (index < first.count) == (lead[groups[index]] >= 0) ? lines[index] : nil
        }
    }

    private static func areOfSamePrint(_ a: RecognizedLine, _ b: RecognizedLine) -> Bool {
        commonArea(a.box, b.box) > 0
            && a.words.contains { one in
                b.words.contains { other in
                    commonArea(one.box, other.box)
                        > ReadingTuning.Layout.leastCommonArea
                        * min(one.box.width * one.box.height, other.box.width * other.box.height)
                }
            }
    }

    private static func commonArea(_ a: Box, _ b: Box) -> Double {
        max(0, min(a.right, b.right) - max(a.left, b.left))
            * max(0, min(a.bottom, b.bottom) - max(a.top, b.top))
    }
}
