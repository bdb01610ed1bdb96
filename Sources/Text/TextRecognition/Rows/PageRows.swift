import Imaging
import PrintDetection
import RobustStatistics

/// The printed rows of a page as geometry finds them, before anything is read: the input of line recognisers.
struct PageRows {
    /// The page's brightness.
    let picture: GrayImage
    /// The print, including print on panels of a darker ground.
    private(set) var ink: Ink
    /// The rows from the top. Those in the page's usual type share one letter height: "sum" and "TOTAL" are set in the
    /// same type.
    private(set) var rows: [PrintedRow]
    /// The usual height of a letter in pixels.
    let letterHeight: Double
    /// Distance between characters in pixels; nil for proportional type.
    let pitch: Double?
    /// The character cells of each row; nil for rows of proportional type.
    let pitches: [CharacterPitch?]
    /// Tells print from the sheet's surroundings; nil where the page shows none.
    let rim: SheetRim?

    /// Places where print is much paler than on the page as a whole: it may show through from the sheet's other side.
    var faint: [Box] = []

    /// A place of heavy print: a logo, or a panel.
    struct HeavyPrint {
        /// Its middle on the page, and its columns.
        var middle: SIMD2<Double>
        var left: Double
        var right: Double
        /// The marks on it if it is a panel.
        var marks: [PrintedMark]
    }

    /// The ink if heavy print is taken for light print on panels, and the places of heavy print; nil where there is
    /// none.
    var onPanels: (ink: Ink, places: [HeavyPrint])?

    /// Returns the places of heavy print in a row.
    private func heavyPrint(in row: PrintedRow) -> [HeavyPrint] {
        let box = row.box
        return onPanels?.places.filter {
            $0.middle.x > box.left && $0.middle.x < box.right && $0.middle.y > box.top
                && $0.middle.y < box.bottom
        } ?? []
    }

    /// Whether a row holds heavy print.
    func isHeavy(_ row: Int) -> Bool { !heavyPrint(in: rows[row]).isEmpty }

    /// Returns the rows with the heavy print of one row taken for light print on panels.
    func asPanels(_ row: Int) -> PageRows? {
        guard let onPanels else { return nil }
        var page = self
        page.ink = onPanels.ink
        for place in heavyPrint(in: rows[row]) {
            let beside = page.rows[row].marks.filter { $0.centerX < place.left || $0.centerX > place.right }
            guard var changed = PrintedRow(marks: beside + place.marks, line: rows[row].line) else {
                continue
            }
            changed.letterHeight = rows[row].letterHeight
            page.rows[row] = changed
        }
        return page
    }

    /// Whether the page is set in fixed-width type.
    var isFixedWidth: Bool { pitch != nil }

    /// Finds the rows of a page. O(pixels + marks · rows).
    init(on page: TextPage) {
        let print = Self.print(of: page.marks, rim: page.rim)
        self.init(print.finder.rows(), ink: print.ink, finder: print.finder, page: page)
    }

    /// Takes rows that were found among a page's letters.
    init(_ rows: [PrintedRow], ink: Ink, finder: PrintedRowFinder, page: TextPage) {
        let found = rows.filter { !Self.isRule($0, letterHeight: finder.letterHeight) }
        let pitchFinder = PitchFinder(rows: found, letterHeight: finder.letterHeight)
        let usual = Self.usualHeight(of: found) ?? finder.letterHeight
        picture = page.picture
        rim = page.rim
        self.ink = ink
        self.rows = found.map { Self.inUsualType($0, letterHeight: usual) }
        letterHeight = usual
        pitch = pitchFinder.pitch
        pitches = self.rows.map(pitchFinder.cells(of:))
    }

    /// Returns the ink of a page and its letters, including those on panels, but not those along the sheet's sides.
    private static func print(of plain: PageMarks, rim: SheetRim?) -> (ink: Ink, finder: PrintedRowFinder) {
        func onSheet(_ marks: [PrintedMark]) -> [PrintedMark] { rim?.print(among: marks) ?? marks }
        func rowsOf(_ marks: [PrintedMark]) -> PrintedRowFinder {
            let finder = PrintedRowFinder(marks: marks)
            let rest = RimPrint.removed(from: marks, letterHeight: finder.letterHeight)
            return rest.count == marks.count ? finder : PrintedRowFinder(marks: rest)
        }
        let marks = onSheet(plain.marks)
        let finder = rowsOf(marks)
        let entered = plain.ink.enteringPanels(
            among: marks, on: plain.page, letterHeight: finder.letterHeight)
        guard entered.relief != plain.ink.relief else { return (plain.ink, finder) }
        return (entered, rowsOf(onSheet(PrintedMark.marks(in: entered))))
    }

    /// Whether a row is a rule set in dashes, dots or stars, which readers take for letters: most of its marks are small and
    /// stand on one line. The pieces of broken letters do not.
    private static func isRule(_ row: PrintedRow, letterHeight: Double) -> Bool {
        guard row.marks.count >= Tuning.marksOfRule else { return false }
        let small = row.marks.filter { Double($0.height) < Tuning.heightOfRule * letterHeight }
        guard Double(small.count) > Tuning.shareOfRule * Double(row.marks.count) else { return false }
        let offsets = small.map { $0.centerY - row.slope * $0.centerX }
        let level = offsets.upperMedian()
        let onLine = offsets.count { abs($0 - level) < Tuning.levelOfRule * letterHeight }
        return Double(onLine) > Tuning.shareOfRule * Double(row.marks.count)
    }

    private typealias Tuning = ReadingTuning.Passes

    private static func usualHeight(of rows: [PrintedRow]) -> Double? {
        let heights = rows.filter { $0.marks.count >= ReadingTuning.Passes.leastMarks }.map(\.letterHeight)
        return heights.isEmpty ? nil : heights.ranked(heights.count * 2 / 3)
    }

    private static func inUsualType(_ row: PrintedRow, letterHeight usual: Double) -> PrintedRow {
        guard ReadingTuning.Passes.usualType.contains(row.letterHeight / usual) else { return row }
        var row = row
        row.letterHeight = usual
        return row
    }
}
