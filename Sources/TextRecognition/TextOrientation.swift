import Foundation
public import Imaging

/// Which way a flat page must be turned for its text to stand upright.
///
/// Geometry tells the direction of the rows: neighbouring letters stand beside each other, closer than rows do. Which
/// of the two ways along the rows is up, the shape of the print tells of most pages; where it does not, a few rows read
/// both ways: tesseract is far surer of upright letters. (Its own orientation test wants more text than a short receipt
/// has.)
public struct TextOrientation: Equatable, Sendable {
    /// What a decision rests on.
    public enum Basis: String, Sendable {
        /// Nothing: there is no print.
        case none
        /// The shape of the print.
        case ink
        /// Rows that were read.
        case text
    }

    /// How the page must be turned; never mirrored.
    public var orientation: ImageOrientation
    /// How sure that is, 0 (no text found, nothing known) to 1. Half the pages decided with 0.5 are wrong.
    public var confidence: Double
    /// What it rests on.
    public var basis: Basis

    /// A decision.
    public init(orientation: ImageOrientation, confidence: Double, basis: Basis) {
        self.orientation = orientation
        self.confidence = confidence
        self.basis = basis
    }

    /// Decides by geometry and, where that leaves a doubt, by reading a few rows. About 0.03 s, or 0.2 s with reading.
    /// - Parameters:
    ///   - page: flat, at any of the four quarter turns.
    ///   - recognizer: reads the rows; asked for only in doubt. Nil for a guess from the shape of the print alone.
    ///   - options: for how long, and what of the page is sheet; its strategy is not used.
    /// - Returns: `.up` with confidence 0 for a page without text.
    /// - Throws: what `TextRecognizer.recognize` throws, and what `recognizer` does.
    public static func decide(
        page: GrayImage, recognizer: @autoclosure () throws(FlatteningError) -> TextRecognizer?,
        options: TextRecognizer.Options = .init()
    ) throws(FlatteningError) -> TextOrientation {
        let small = workingSize(of: page)
        // What lies around the sheet is no print: a table's grain makes longer rows than any text.
        let scale = Double(page.width) / Double(max(small.width, 1))
        func print(in ink: Ink, turned turn: ImageOrientation) -> [PrintedMark] {
            let marks = PrintedMark.marks(in: ink)
            guard let isOnSheet = options.isOnSheet else { return marks }
            let size = turn.size(turning: small.size)
            return SheetRim { isOnSheet((turn.inverse.turn($0, in: size) + 0.5) * scale - 0.5) }
                .print(among: marks)
        }
        let levelInk = Ink(of: small)
        let levelMarks = print(in: levelInk, turned: .up)
        let direction = RowDirection(of: PrintedRowFinder(marks: levelMarks).letters)
        guard direction.letterCount >= 4 else {
            return TextOrientation(orientation: .up, confidence: 0, basis: .none)
        }
        func rows(turned turn: ImageOrientation) -> (rows: [PrintedRow], ink: Ink) {
            let ink = turn == .up ? levelInk : Ink(of: small.oriented(by: turn))
            let marks = turn == .up ? levelMarks : print(in: ink, turned: turn)
            return (PrintedRowFinder(marks: marks).rows(), ink)
        }

        let along: ImageOrientation = direction.isAlongX ? .up : .right
        let found = rows(turned: along)
        let guess = UprightGuess(rows: found.rows)
        let knowsDirection = direction.confidence > leastAgreement
        guard !(knowsDirection && guess.isSure), let recognizer = try recognizer() else {
            let decision = guess.upright >= 0.5 ? along : opposite(of: along)
            let confidence = max(guess.upright, 1 - guess.upright) * direction.confidence
            return TextOrientation(
                orientation: decision, confidence: guess.isSure ? confidence : min(confidence, 0.9),
                basis: .ink)
        }
        func scores(
            _ turn: ImageOrientation, _ print: (rows: [PrintedRow], ink: Ink)
        ) throws(FlatteningError) -> [(orientation: ImageOrientation, score: Double)] {
            let scores = try recognizer.legibility(
                ofRows: print.rows, ink: print.ink, allowance: options.allowance)
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

    /// With less agreement among letters on the direction of their rows, both directions are read.
    private static let leastAgreement = 0.75

    private static func opposite(of turn: ImageOrientation) -> ImageOrientation {
        turn == .up ? .down : .left
    }

    /// Letters of a dozen pixels are enough here: large pages are halved until they have no more than that takes.
    static func workingSize(of page: GrayImage) -> GrayImage {
        var small = page
        while small.width * small.height > 3_000_000 {
            let source = small
            small = GrayImage(width: source.width / 2, height: source.height / 2) { out in
                source.elements.withUnsafeBufferPointer { pixels in
                    let width = source.width
                    for y in 0..<source.height / 2 {
                        for x in 0..<width / 2 {
                            let first = 2 * y * width + 2 * x
                            let upper = Int(pixels[first]) + Int(pixels[first + 1])
                            let lower = Int(pixels[first + width]) + Int(pixels[first + width + 1])
                            out.initializeElement(
                                at: y * (width / 2) + x, to: UInt8((upper + lower + 2) / 4))
                        }
                    }
                }
            }
        }
        return small
    }
}

extension TextRecognizer {
    /// How well rows read as they are and turned by 180 degrees: characters weighted by how sure tesseract is.
    func legibility(
        ofRows rows: [PrintedRow], ink: Ink, allowance: ReadingAllowance
    ) throws(FlatteningError) -> (upright: Double, reversed: Double) {
        // The rows with most letters tell most; five are plenty.
        let chosen = rows.indices.filter { rows[$0].marks.count >= 3 }
            .sorted { rows[$0].marks.count > rows[$1].marks.count }.prefix(5).sorted()
        guard !chosen.isEmpty else { return (0, 0) }
        // So much of a row is enough to tell. The rows of a photograph's grain are long, and tesseract broods over them.
        var parts = rows
        for index in chosen { parts[index] = rows[index].prefix(32) }
        let drawn = RowRendering(
            rows: parts, indices: chosen, ink: ink,
            style: .init(letterHeight: 24, widthFactor: 0.8),
            pitches: Array(repeating: nil, count: rows.count))
        let pages = [drawn.page, drawn.page.oriented(by: .down)]
        let scores = try engines.read(
            pages.map { .init(page: $0, segmentation: .block, dotsPerInch: Self.bookResolution) },
            allowance: allowance
        ).map { words in
            var score = 0.0
            for word in words {
                for symbol in word.symbols where symbol.text.contains(where: { $0.isLetter || $0.isNumber }) {
                    // Upside-down print gives letters too, with little confidence.
                    score += pow(symbol.confidence, 4) * pow(word.confidence, 2)
                }
            }
            return score
        }
        return (scores[0], scores[1])
    }
}
