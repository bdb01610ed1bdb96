package import Imaging
import Platform
import RobustStatistics

/// One row of print as geometry finds it, before anything is read.
package struct PrintedRow {
    /// Its marks from left to right: letters and, in their band, dots, accents and dashes.
    package var marks: [PrintedMark]
    /// The box around the marks.
    package var box: Box
    /// Height of the row's capitals and other tall letters in pixels (the upper quartile of all).
    package var letterHeight: Double
    /// How much the row falls for each pixel to the right.
    package var slope: Double
    /// The y coordinate of the row's middle in column 0.
    package var intercept: Double

    /// Points that the row's middle runs through, from left to right, where it is known not to be straight; else empty.
    package var bends: [SIMD2<Double>] = []

    /// The row's middle line.
    package var line: RowLine { RowLine(intercept: intercept, slope: slope, bends: bends) }

    /// Returns the y coordinate of the row's middle at a column.
    package func middle(at x: Double) -> Double { line.middle(at: x) }

    /// Returns the row's first marks, with the same line and letter height.
    /// - Parameters:
    ///   - count: how many marks at most, at least 1.
    ///   - longest: greatest length of the part in pixels, where blanks count for no more than `longestBlank`. One mark
    ///     always stays.
    package func prefix(
        _ count: Int, longest: Double = .infinity, longestBlank: Double = .infinity
    ) -> PrintedRow {
        var kept = 0
        var length = 0.0
        for (index, mark) in marks.prefix(count).enumerated() {
            let blank = index > 0 ? max(mark.box.left - marks[index - 1].box.right, 0) : 0
            length += min(blank, longestBlank) + mark.box.width
            guard index == 0 || length <= longest else { break }
            kept = index + 1
        }
        guard kept < marks.count else { return self }
        var part = self
        part.marks = Array(marks.prefix(kept))
        part.box = Box.enclosing(part.marks.lazy.map(\.box)) ?? box
        return part
    }
}

extension PrintedRow {
    /// A row whose middle is known; nil if there are no marks.
    package init?(marks: [PrintedMark], line: RowLine) {
        guard let box = Box.enclosing(marks.lazy.map(\.box)) else { return nil }
        self.init(
            marks: marks.sorted { ($0.left, $0.top) < ($1.left, $1.top) }, box: box,
            letterHeight: Self.letterHeight(of: marks), slope: line.slope, intercept: line.intercept,
            bends: line.bends)
    }

    /// Height of the tall letters among a row's marks, at least one: the upper quartile of all.
    fileprivate static func letterHeight(of marks: [PrintedMark]) -> Double {
        let heights = marks.map { Double($0.height) }
        return heights.ranked(min(heights.count * 3 / 4, heights.count - 1))
    }
}

/// Finds the printed rows of a flat page.
///
/// Letters are joined from left to right with the row whose band they overlap most. The band follows the letters, so
/// rows may fall, rise and bend a little. This follows O'Gorman's document spectrum (PAMI 15(11), 1993), with one
/// addition for receipts: an amount at the right belongs to its label however wide the gap is.
package struct PrintedRowFinder {
    /// Usual height of the page's letters in pixels; 0 if there are none.
    package let letterHeight: Double
    /// The marks of a letter's size.
    package let letters: [PrintedMark]
    /// The marks smaller than letters.
    package let smallMarks: [PrintedMark]

    private typealias Tuning = PrintTuning.Rows
    private typealias Letters = PrintTuning.Letters

    package init(marks: [PrintedMark]) {
        // Each mark counts by its shorter side, so that neither a hundred specks or dashes nor a logo outvotes ten
        // letters.
        let candidates = marks.filter {
            $0.height >= Letters.leastHeight && $0.width >= Letters.leastWidth
                && $0.width < Letters.longest * $0.height
        }
        .sorted { $0.height < $1.height }
        let total = candidates.reduce(0) { $0 + min($1.width, $1.height, Letters.greatestSay) }
        var sum = 0
        var height = 0.0
        for mark in candidates {
            sum += min(mark.width, mark.height, Letters.greatestSay)
            if 2 * sum >= total {
                height = Double(mark.height)
                break
            }
        }
        letterHeight = height
        letters = marks.filter {
            Double($0.height) >= Letters.heights.lowerBound * height
                && Double($0.height) <= Letters.heights.upperBound * height
                && Double($0.width) <= Letters.widest * height && $0.width < Letters.longest * $0.height
                && $0.height < Letters.tallest * $0.width
        }
        let largest = Set(letters)
        smallMarks = marks.filter {
            !largest.contains($0) && Double($0.height) < height
                && Double($0.width) < Letters.widestSmall * height
        }
    }

    /// The rows from the top.
    package func rows() -> [PrintedRow] {
        guard letterHeight > 0 else { return [] }
        struct Chain {
            var marks: [PrintedMark]
            var top: Double
            var bottom: Double
            var middle: Double { (top + bottom) / 2 }
        }
        var chains: [Chain] = []
        var shelves = Shelves(height: letterHeight)
        for letter in letters.sorted(by: { ($0.left, $0.top) < ($1.left, $1.top) }) {
            let (top, bottom) = (Double(letter.top), Double(letter.bottom))
            var best: Int?
            var bestOverlap = Tuning.leastOverlap
            shelves.forEachShelf(from: top, to: bottom) { near in
                for index in near {
                    let chain = chains[index]
                    let common = min(bottom, chain.bottom) - max(top, chain.top)
                    let overlap = common / min(bottom - top, chain.bottom - chain.top)
                    // Of chains that overlap equally, take the one that began first.
                    let isFirst = best.map { index < $0 } ?? false
                    if overlap > bestOverlap || overlap == bestOverlap && isFirst {
                        (best, bestOverlap) = (index, overlap)
                    }
                }
            }
            guard let best else {
                shelves.add(chains.count, from: top, to: bottom)
                chains.append(Chain(marks: [letter], top: top, bottom: bottom))
                continue
            }
            let weight = max(Tuning.leastWeight, 1 / Double(chains[best].marks.count + 1))
            chains[best].top += (top - chains[best].top) * weight
            chains[best].bottom += (bottom - chains[best].bottom) * weight
            chains[best].marks.append(letter)
            shelves.add(best, from: chains[best].top, to: chains[best].bottom)
        }
        var rows = Self.levelled(chains.map { Self.row(of: $0.marks) }).sorted(by: Self.isAbove)
        rows = Self.levelled(merged(parted(rows)))
        addSmallMarks(to: &rows)
        return rows.sorted(by: Self.isAbove)
    }

    /// Whether a row stands above another.
    package static func isAbove(_ a: PrintedRow, _ b: PrintedRow) -> Bool {
        // Compared where both have print, or half-way between.
        let x = (max(a.box.left, b.box.left) + min(a.box.right, b.box.right)) / 2
        return a.middle(at: x) < b.middle(at: x)
    }

    /// Gives rows that are too short to show their slope the slope of their neighbours: "TOTAL" and its amount, far
    /// apart on a sheet that is a degree off level, are one row only along the neighbours' slope.
    private static func levelled(_ rows: [PrintedRow]) -> [PrintedRow] {
        let long = rows.filter(knowsSlope)
        guard !long.isEmpty else { return rows }
        return rows.map { row in
            guard !knowsSlope(row) else { return row }
            let y = (row.box.top + row.box.bottom) / 2
            let near = long.sorted {
                abs(($0.box.top + $0.box.bottom) / 2 - y) < abs(($1.box.top + $1.box.bottom) / 2 - y)
            }.prefix(Tuning.neighbors).map(\.slope).sorted()
            var level = row
            level.slope = near.upperMedian()
            let x = row.marks.reduce(0) { $0 + $1.centerX } / Double(max(row.marks.count, 1))
            level.intercept = row.middle(at: x) - level.slope * x
            return level
        }
    }

    /// Whether a row is long enough for its slope to be certain.
    private static func knowsSlope(_ row: PrintedRow) -> Bool {
        row.marks.count >= Tuning.sloping && row.box.width > Tuning.slopingWidth * row.letterHeight
    }

    private static func row(of marks: [PrintedMark]) -> PrintedRow {
        let sorted = marks.sorted { $0.left < $1.left }
        let box = Box.enclosing(marks.lazy.map(\.box)) ?? Box(left: 0, top: 0, right: 0, bottom: 0)
        // Fit a straight line through the marks' middles. Its slope counts only if the row is long enough.
        let meanX = marks.reduce(0) { $0 + $1.centerX } / Double(marks.count)
        let meanY = marks.reduce(0) { $0 + $1.centerY } / Double(marks.count)
        var (xx, xy) = (0.0, 0.0)
        for mark in marks {
            xx += (mark.centerX - meanX) * (mark.centerX - meanX)
            xy += (mark.centerX - meanX) * (mark.centerY - meanY)
        }
        let height = PrintedRow.letterHeight(of: marks)
        let slope =
            marks.count >= Tuning.sloping && box.width > Tuning.slopingWidth * height && xx > 0
            ? xy / xx : 0
        return PrintedRow(
            marks: sorted, box: box, letterHeight: height, slope: slope,
            intercept: meanY - slope * meanX)
    }

    /// Separates letters of two rows that a shadow's edge, a speck or a stroke joins. Such a mark belongs to each row
    /// in whose band it lies, and is no letter where the rows have ended.
    ///
    /// Left in one row, the mark would make that row two rows high and oblique, and the other row would be lost. A word
    /// in taller type beside two rows consists of several tall marks, and stays.
    private func parted(_ rows: [PrintedRow]) -> [PrintedRow] {
        var kept = rows.map(\.marks)
        var tall: [PrintedMark] = []
        for (index, row) in rows.enumerated() {
            let isTall = { (mark: PrintedMark) in Double(mark.height) > Tuning.tallestInRow * row.letterHeight
            }
            let found = row.marks.filter(isTall)
            guard found.count <= max(Tuning.tallMarks, Int(Tuning.shareOfTall * Double(row.marks.count)))
            else { continue }
            kept[index].removeAll(where: isTall)
            tall += found
        }
        guard !tall.isEmpty else { return rows }
        let usual = kept.map { $0.isEmpty ? nil : Self.row(of: $0) }
        var shelves = Shelves(height: letterHeight)
        for (index, row) in usual.enumerated() {
            if let row { shelves.add(index, from: row.box.top, to: row.box.bottom) }
        }
        var pieces: [Int: [PrintedMark]] = [:]
        var whole = Set<PrintedMark>()
        for mark in tall {
            var bands: [Int: ClosedRange<Int>] = [:]
            var isInside = true
            shelves.forEachShelf(from: mark.box.top, to: mark.box.bottom) { near in
                for index in near where bands[index] == nil {
                    guard let row = usual[index], row.marks.count >= Tuning.sloping / 2 else { continue }
                    let gap = max(row.box.left - mark.box.right, mark.box.left - row.box.right)
                    guard gap < Tuning.besideRow * row.letterHeight else { continue }
                    let middle = row.middle(at: mark.centerX)
                    let (top, bottom) = (middle - row.letterHeight / 2, middle + row.letterHeight / 2)
                    let common = min(mark.box.bottom, bottom) - max(mark.box.top, top)
                    guard common > Tuning.coveredBand * row.letterHeight else { continue }
                    bands[index] =
                        max(mark.top, Int(top.rounded(.down)))...min(mark.bottom, Int(bottom.rounded(.up)))
                    if mark.box.left < row.box.left || mark.box.right > row.box.right { isInside = false }
                }
            }
            guard bands.count > 1 else {
                whole.insert(mark)
                continue
            }
            guard isInside else { continue }
            for (index, band) in bands {
                var piece = mark
                (piece.top, piece.bottom) = (band.lowerBound, band.upperBound)
                piece.area = mark.area * piece.height / mark.height
                pieces[index, default: []].append(piece)
            }
        }
        return rows.indices.compactMap { index in
            let marks = kept[index] + rows[index].marks.filter(whole.contains) + (pieces[index] ?? [])
            if marks.count == rows[index].marks.count, pieces[index] == nil { return rows[index] }
            return marks.isEmpty ? nil : Self.row(of: marks)
        }
    }

    /// Merges rows that began twice, left and right of a gap or with letters of two heights.
    private func merged(_ rows: [PrintedRow]) -> [PrintedRow] {
        var result: [PrintedRow] = []
        for row in rows {
            let near = result.indices.suffix(Tuning.rowsBefore).last { index in
                let other = result[index]
                let x = (max(row.box.left, other.box.left) + min(row.box.right, other.box.right)) / 2
                let distance = abs(row.middle(at: x) - other.middle(at: x))
                let height = max(min(row.letterHeight, other.letterHeight), letterHeight)
                return distance < Tuning.mergingDistance * height
            }
            if let near {
                result[near] = Self.row(of: result[near].marks + row.marks)
            } else {
                result.append(row)
            }
        }
        return result
    }

    /// Gives dots, commas, accents and dashes to the row in whose band they lie.
    private func addSmallMarks(to rows: inout [PrintedRow]) {
        var additions = [[PrintedMark]](repeating: [], count: rows.count)
        var shelves = Shelves(height: letterHeight)
        for (index, row) in rows.enumerated() {
            let reach = Tuning.farthestSmall * row.letterHeight
            // As far beside the row as a small mark's middle may lie.
            let beside =
                Tuning.farthestBeside * row.letterHeight + PrintTuning.Letters.widestSmall * letterHeight
            let ends = [row.box.left - beside, row.box.right + beside].map(row.middle)
            shelves.add(index, from: min(ends[0], ends[1]) - reach, to: max(ends[0], ends[1]) + reach)
        }
        for mark in smallMarks {
            var best: Int?
            var bestDistance = Tuning.farthestSmall
            shelves.forEachShelf(from: mark.centerY, to: mark.centerY) { near in
                for index in near {
                    let row = rows[index]
                    let beside = max(row.box.left - mark.box.right, mark.box.left - row.box.right, 0)
                    guard beside < Tuning.farthestBeside * row.letterHeight else { continue }
                    let distance = abs(mark.centerY - row.middle(at: mark.centerX)) / row.letterHeight
                    if distance < bestDistance { (best, bestDistance) = (index, distance) }
                }
            }
            if let best { additions[best].append(mark) }
        }
        for (index, added) in additions.enumerated() where !added.isEmpty {
            rows[index].marks = (rows[index].marks + added).sorted { $0.left < $1.left }
            rows[index].box = Box.enclosing(rows[index].marks.lazy.map(\.box)) ?? rows[index].box
        }
    }
}
