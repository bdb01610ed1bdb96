import Imaging
import PrintDetection
import RobustStatistics

/// The words of a row whose signs a line recogniser read.
///
/// Such a recogniser drops one blank in thirty, more of them the wider the type is set, and sometimes reads a blank
/// where there is none. The print helps: where a word ends, two signs are farther apart than other neighbours in this
/// row.
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
        /// A similar sign that may be meant instead.
        var lookalike: DecodedSign.Lookalike?
    }

    private let row: PrintedRow
    private let stretches: [PrintedStretch]

    private typealias Tuning = ReadingTuning.Signs

    init(row: PrintedRow) {
        self.row = row
        stretches = row.stretches
    }

    /// Returns the words from left to right. A word's confidence is the chance that all of its signs are right: on 51
    /// scans of receipts, of the words given 0.5 to 0.7 a share of 0.66 was right, of those given 0.7 to 0.9 0.83, of
    /// those given 0.9 to 0.98 0.96. The mean of the signs promises too much: of the words given 0.95 to 0.98, only
    /// 0.78 were right.
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

    /// Units with enough letters to be taken for a word, in lower case as labels print them.
    private static let units: Set = [
        "kg", "mg", "ml", "cl", "dl", "mm", "cm", "km", "oz", "lb", "lbs", "cal", "kcal", "min", "ppm",
    ]

    /// Returns a word's text. A sign that looks like one of the other kind (letter or digit) becomes that one if all
    /// other signs are of that kind, unless it was surely read: there is no zero in "T0TAL", and no letter in "1O.00".
    private static func text(of word: ArraySlice<Sign>) -> String {
        let plain = word.filter { $0.lookalike == nil }
        let letters = plain.count { $0.text.first?.isLetter ?? false }
        let digits = plain.count { $0.text.first?.isNumber ?? false }
        // A lone zero before lower-case letters is not a number, unless the letters are a unit.
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

    /// Returns the gap between each two neighbouring signs.
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
            // In a number, a point or comma leaves so much paper around it that the print cannot show a blank there.
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

    /// The box of a word's print; where no print was found, the extent of its signs over the row's height.
    private func box(of word: ArraySlice<Sign>, from left: Double, to right: Double) -> Box {
        let marks = row.marks.filter { $0.centerX > left && $0.centerX < right }
        let places = word.map(\.x)
        return Box.enclosing(marks.lazy.map(\.box))
            ?? Box(
                left: places.min() ?? left, top: row.box.top,
                right: (places.max() ?? left) + 1, bottom: row.box.bottom)
    }
}
