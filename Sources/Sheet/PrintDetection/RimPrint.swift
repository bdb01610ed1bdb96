/// Print that runs along a side of the sheet, across its rows, such as the slogans along the edges of a roll of paper.
///
/// Such print is the outermost band, with blank paper beside it, in which letters stand one above the other and close
/// together. A column of numbers is different: its rows are a row's distance apart, and have several digits or high
/// ones.
package enum RimPrint {
    private typealias Tuning = PrintTuning.RimPrint

    /// Returns the marks without those of such bands. O(marks · log marks + columns).
    /// - Parameter letterHeight: the usual height of the page's letters, in pixels.
    package static func removed(from marks: [PrintedMark], letterHeight: Double) -> [PrintedMark] {
        let letters = marks.filter {
            Tuning.letters.contains(Double(max($0.width, $0.height)) / max(letterHeight, 1))
        }
        guard letters.count >= Tuning.leastLetters, let right = letters.map(\.right).max() else {
            return marks
        }
        // How many letters stand in each column of pixels.
        var counts = [Int](repeating: 0, count: right + 1)
        for letter in letters {
            counts[letter.left] += 1
            counts[letter.right] -= 1
        }
        for x in counts.indices.dropFirst() { counts[x] += counts[x - 1] }
        let blank = max(1, Int(Tuning.shareOfBlank * Double(letters.count)))
        let gap = Int(Tuning.leastGap * letterHeight)
        let bands = bands(of: counts.map { $0 > blank }, leastGap: gap)
        guard bands.count > 1 else { return marks }
        let found = [bands[0], bands[bands.count - 1]].filter { band in
            let inside = letters.filter { band.contains($0.left) && $0.right <= band.upperBound }
            return areStacked(inside, width: Double(band.count))
        }
        return marks.filter { mark in
            !found.contains { mark.left >= $0.lowerBound - gap / 2 && mark.right <= $0.upperBound + gap / 2 }
        }
    }

    /// Returns the stretches of columns that have print; blanks narrower than a gap do not separate them.
    private static func bands(of isPrinted: [Bool], leastGap: Int) -> [Range<Int>] {
        var bands: [Range<Int>] = []
        for x in isPrinted.indices where isPrinted[x] {
            if let last = bands.last, x - last.upperBound < leastGap {
                bands[bands.count - 1] = last.lowerBound..<x + 1
            } else {
                bands.append(x..<x + 1)
            }
        }
        return bands
    }

    /// Whether letters of a band stand one above the other as those of one word do.
    private static func areStacked(_ letters: [PrintedMark], width: Double) -> Bool {
        /// Letters that share pixel rows.
        struct Step {
            var top: Int
            var bottom: Int
            var letters = 1
        }
        var steps: [Step] = []
        for letter in letters.sorted(by: { ($0.top, $0.left) < ($1.top, $1.left) }) {
            if let last = steps.last, letter.top < last.bottom {
                steps[steps.count - 1].bottom = max(last.bottom, letter.bottom)
                steps[steps.count - 1].letters += 1
            } else {
                steps.append(Step(top: letter.top, bottom: letter.bottom))
            }
        }
        guard steps.count >= Tuning.leastLetters else { return false }
        func median(_ values: [Int]) -> Double { Double(values.sorted()[values.count / 2]) }
        let gaps = zip(steps, steps.dropFirst()).map { $1.top - $0.bottom }
        return Double(steps.count { $0.letters == 1 }) >= Tuning.shareAlone * Double(steps.count)
            && median(steps.map { $0.bottom - $0.top }) <= Tuning.greatestStep * width
            && median(gaps) <= Tuning.greatestGap * width
    }
}
