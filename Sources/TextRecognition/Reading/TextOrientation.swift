package import Diagnostics
import Foundation
package import Imaging
package import PrintDetection

/// Which way a flat page must be turned for its text to stand upright.
///
/// Geometry tells the direction of the rows: neighbouring letters stand beside each other, closer than rows do. Which
/// of the two ways along the rows is up, the shape of the print tells of most pages; where it does not, a few rows read
/// both ways: tesseract is far surer of upright letters. (Its own orientation test wants more text than a short receipt
/// has.)
package struct TextOrientation: Equatable, Sendable {
    /// What a decision rests on.
    package enum Basis: String, Sendable {
        /// Nothing: there is no print.
        case none
        /// The shape of the print.
        case ink
        /// Rows that were read.
        case text
    }

    /// How the page must be turned; never mirrored.
    package var orientation: ImageOrientation
    /// How sure that is, 0 (no text found, nothing known) to 1. Half the pages decided with 0.5 are wrong.
    package var confidence: Double
    /// What it rests on.
    package var basis: Basis

    /// A decision.
    package init(orientation: ImageOrientation, confidence: Double, basis: Basis) {
        self.orientation = orientation
        self.confidence = confidence
        self.basis = basis
    }

    /// Decides by geometry and, where that leaves a doubt, by reading a few rows. About 0.03 s, or 0.2 s with reading.
    /// - Parameters:
    ///   - page: the marks of a flat page at any of the four quarter turns, letters some ten pixels high.
    ///   - isOnSheet: whether a place of the page, in pixel-centre coordinates, lies on the sheet; nil where all does.
    ///   - engine: reads the rows; asked for only in doubt. Nil for a guess from the shape of the print alone.
    ///   - context: for how long.
    /// - Returns: `.up` with confidence 0 for a page without text.
    /// - Throws: what the engine throws, and what asking for it does.
    package static func decide(
        page: PageMarks, isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)? = nil,
        engine: @autoclosure () throws(FlatteningError) -> (any TextEngine)?,
        context: ReadingContext = ReadingContext()
    ) throws(FlatteningError) -> TextOrientation {
        // What lies around the sheet is no print: a table's grain makes longer rows than any text.
        func print(among marks: [PrintedMark], turned turn: ImageOrientation) -> [PrintedMark] {
            guard let isOnSheet else { return marks }
            let size = turn.size(turning: page.page.size)
            return SheetRim { isOnSheet(turn.inverse.turn($0, in: size)) }.print(among: marks)
        }
        let levelMarks = print(among: page.marks, turned: .up)
        let direction = RowDirection(of: PrintedRowFinder(marks: levelMarks).letters)
        guard direction.letterCount >= Tuning.leastLetters else {
            return TextOrientation(orientation: .up, confidence: 0, basis: .none)
        }
        func rows(turned turn: ImageOrientation) -> (rows: [PrintedRow], ink: Ink) {
            guard turn != .up else { return (PrintedRowFinder(marks: levelMarks).rows(), page.ink) }
            let turned = PageMarks(of: page.page.oriented(by: turn))
            let marks = print(among: turned.marks, turned: turn)
            return (PrintedRowFinder(marks: marks).rows(), turned.ink)
        }

        let along: ImageOrientation = direction.isAlongX ? .up : .right
        let found = rows(turned: along)
        let guess = UprightGuess(rows: found.rows)
        let knowsDirection = direction.confidence > Tuning.leastAgreement
        guard !(knowsDirection && guess.isSure), let engine = try engine() else {
            let decision = guess.upright >= 0.5 ? along : opposite(of: along)
            let confidence = max(guess.upright, 1 - guess.upright) * direction.confidence
            return TextOrientation(
                orientation: decision,
                confidence: guess.isSure ? confidence : min(confidence, Tuning.greatestGuess),
                basis: .ink)
        }
        func scores(
            _ turn: ImageOrientation, _ print: (rows: [PrintedRow], ink: Ink)
        ) throws(FlatteningError) -> [(orientation: ImageOrientation, score: Double)] {
            let scores = try legibility(of: print.rows, ink: print.ink, engine: engine, context: context)
            return [(turn, scores.upright), (opposite(of: turn), scores.reversed)]
        }
        var candidates = try scores(along, found)
        // Where the direction is in doubt, reading has to settle it too.
        if !knowsDirection {
            let across: ImageOrientation = along == .up ? .right : .up
            candidates += try scores(across, rows(turned: across))
        }
        let total = candidates.reduce(0) { $0 + $1.score }
        guard let best = candidates.max(by: { $0.score < $1.score }), total > 0 else {
            return TextOrientation(
                orientation: along, confidence: direction.confidence / 2, basis: .ink)
        }
        return TextOrientation(
            orientation: best.orientation,
            confidence: best.score / total * (knowsDirection ? direction.confidence : 1), basis: .text)
    }

    private typealias Tuning = ReadingTuning.Upright

    private static func opposite(of turn: ImageOrientation) -> ImageOrientation {
        turn == .up ? .down : .left
    }
}

extension TextOrientation {
    /// How well rows read as they are and turned by 180 degrees.
    private static func legibility(
        of rows: [PrintedRow], ink: Ink, engine: any TextEngine, context: ReadingContext
    ) throws(FlatteningError) -> (upright: Double, reversed: Double) {
        let chosen = rows.indices.filter { rows[$0].marks.count >= Tuning.leastMarks }
            .sorted { rows[$0].marks.count > rows[$1].marks.count }.prefix(Tuning.rows).sorted()
        guard !chosen.isEmpty else { return (0, 0) }
        var parts = rows
        for index in chosen { parts[index] = rows[index].prefix(Tuning.marksOfRow) }
        let drawn = RowRendering(
            rows: parts, indices: chosen, ink: ink,
            style: Tuning.style,
            pitches: Array(repeating: nil, count: rows.count))
        let scores = try engine.legibility(
            of: [drawn.page, drawn.page.oriented(by: .down)], context: context)
        return (scores[0], scores[1])
    }
}
