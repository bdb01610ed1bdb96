import Imaging
import PrintDetection
import RobustStatistics

/// The words of a row whose signs a line recogniser read.
///
/// Such a recogniser drops one blank in thirty, the more the wider the type is set, and now and then reads one that is none. The
/// print tells as well: where a word ends two signs are farther apart than others of this row.
struct RowWords {
    /// A character with its place on the page.
    struct Sign {
        var text: String
        /// 0 to 1.
        var confidence: Double
        /// Its middle in the page's pixels.
        var x: Double
        /// How sure the recogniser is of a blank before it, 0 to 1.
        var blank: Double
        /// What could as well stand there.
        var lookalike: DecodedSign.Lookalike?
    }

    private let row: PrintedRow
    private let stretches: [PrintedStretch]

    private typealias Tuning = ReadingTuning.Signs

    init(row: PrintedRow) {
        self.row = row
        stretches = row.stretches
    }

    /// The words from left to right. How sure one is, is the chance that all of its signs are right: on 51 scans of receipts
    /// the words given with 0.5 to 0.7 were right to 0.66, those with 0.7 to 0.9 to 0.83, with 0.9 to 0.98 to 0.96. The mean of
    /// the signs promises more: 0.78 of those with 0.95 to 0.98 were right.
    func words(of signs: [Sign]) -> [RecognizedWord] {
        let words = split(signs)
        return words.indices.map { index in
            let word = words[index]
            let left = index > 0 ? edge(between: words[index - 1], and: word) : -Double.infinity
            let right = index + 1 < words.count ? edge(between: word, and: words[index + 1]) : Double.infinity
            return RecognizedWord(
                text: Self.text(of: word),
                confidence: word.reduce(1) { $0 * $1.confidence },
                box: box(of: word, from: left, to: right))
        }
    }

    /// Units of as many letters as make a word, in small letters as labels print them.
    private static let units: Set = [
        "kg", "mg", "ml", "cl", "dl", "mm", "cm", "km", "oz", "lb", "lbs", "cal", "kcal", "min", "ppm",
    ]

    /// A word's text. A sign that looks like one of the other kind is that one if all others say so, unless it was surely
    /// read: there is no zero in "T0TAL", nor a letter in "1O.00".
    private static func text(of word: ArraySlice<Sign>) -> String {
        let plain = word.filter { $0.lookalike == nil }
        let letters = plain.count { $0.text.first?.isLetter ?? false }
        let digits = plain.count { $0.text.first?.isNumber ?? false }
        // No number but a measure is a lone zero before small letters.
        if let first = word.first, let other = first.lookalike, first.text == "0",
            word.count > Tuning.leastLetters,
            word.dropFirst().allSatisfy({ $0.text.first?.isLowercase ?? false }),
            !Self.units.contains(word.dropFirst().map(\.text).joined())
        {
            return other.text.uppercased() + word.dropFirst().map(\.text).joined()
        }
        return word.map { sign in
            guard let other = sign.lookalike, other.confidence * Tuning.oddsOfKind > sign.confidence else {
                return sign.text
            }
            let isWanted =
                other.text.first?.isNumber ?? false
                ? digits > 0 && letters == 0 : letters >= Tuning.leastLetters && digits == 0
            return isWanted ? other.text : sign.text
        }.joined()
    }

    /// The signs of each word.
    private func split(_ signs: [Sign]) -> [ArraySlice<Sign>] {
        let ends = zip(signs.indices.dropFirst(), gaps(between: signs)).filter(\.1.isBlank).map(\.0)
        let bounds = [0] + ends + [signs.count]
        return zip(bounds, bounds.dropFirst()).map { signs[$0..<$1] }.filter { !$0.isEmpty }
    }

    /// What lies between each two signs.
    func gaps(between signs: [Sign]) -> [SignGap] {
        let pairs = zip(signs, signs.dropFirst()).map { left, right in
            (
                blank: right.blank, step: right.x - left.x,
                paper: widestGap(from: left.x, to: right.x)?.width ?? 0
            )
        }
        let inside = pairs.filter { $0.blank <= 0.5 }
        let step = inside.map(\.step).upperMedian()
        let paper = inside.map(\.paper).upperMedian()
        return pairs.indices.map { index in
            let pair = pairs[index]
            // A point or comma leaves so much paper around it that print says nothing there.
            let isKnown = step > 0 && row.letterHeight > 0 && !Self.isInNumber(signs, index)
            return SignGap(
                blank: pair.blank,
                print: isKnown
                    ? .init(step: pair.step / step, paper: (pair.paper - paper) / row.letterHeight) : nil)
        }
    }

    /// Whether the gap behind a sign lies beside a point or comma between two digits.
    private static func isInNumber(_ signs: [Sign], _ index: Int) -> Bool {
        func isDigit(_ index: Int) -> Bool {
            signs.indices.contains(index) && signs[index].text.first?.isNumber ?? false
        }
        return [index, index + 1].contains { mark in
            [".", ","].contains(signs[mark].text) && isDigit(mark - 1) && isDigit(mark + 1)
        }
    }

    /// The widest blank paper between two places of the row.
    private func widestGap(from left: Double, to right: Double) -> PrintedStretch? {
        zip(stretches, stretches.dropFirst()).map { PrintedStretch(left: $0.right, right: $1.left) }
            .filter { $0.middle > left && $0.middle < right }
            .max { $0.width < $1.width }
    }

    /// Where a word ends and the next begins.
    private func edge(between word: ArraySlice<Sign>, and next: ArraySlice<Sign>) -> Double {
        guard let left = word.last?.x, let right = next.first?.x else { return 0 }
        return widestGap(from: left, to: right)?.middle ?? (left + right) / 2
    }

    /// The print of a word; where none was found, its signs' places over the row's height.
    private func box(of word: ArraySlice<Sign>, from left: Double, to right: Double) -> Box {
        let marks = row.marks.filter { $0.centerX > left && $0.centerX < right }
        let places = word.map(\.x)
        return Box.enclosing(marks.lazy.map(\.box))
            ?? Box(
                left: places.min() ?? left, top: row.box.top,
                right: (places.max() ?? left) + 1, bottom: row.box.bottom)
    }
}
