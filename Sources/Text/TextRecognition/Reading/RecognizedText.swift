public import Imaging
import Platform

/// One word as it was read.
public struct RecognizedWord: Codable, Hashable, Sendable {
    /// The characters, without white space, at least one.
    public var text: String
    /// How sure the recogniser is, 0 to 1. Comparable between words, not a probability.
    public var confidence: Double
    /// Where it stands on the page.
    public var box: Box
    /// Where the word comes from, if it was not read from the image.
    public var source: Source?

    /// A source of words other than reading.
    public enum Source: String, Codable, Sendable {
        /// The text layer of a PDF.
        case pdf
    }

    /// A word from its parts.
    public init(text: String, confidence: Double, box: Box, source: Source? = nil) {
        self.text = text
        self.confidence = confidence
        self.box = box
        self.source = source
    }
}

/// One printed row, its words from left to right.
public struct RecognizedLine: Codable, Hashable, Sendable {
    /// The words from left to right, at least one.
    public var words: [RecognizedWord]
    /// Where the row stands on the page: the box around its words.
    public var box: Box

    /// A row of words.
    /// - Precondition: there is at least one word.
    public init(words: [RecognizedWord]) {
        precondition(!words.isEmpty, "a line has words")
        self.words = words
        box = words.dropFirst().reduce(words[0].box) { $0.union($1.box) }
    }

    /// The words with one space between each two, however wide the gap is on paper.
    public var text: String { words.map(\.text).joined(separator: " ") }

    /// Mean confidence of the characters, 0 to 1.
    package var confidence: Double { RecognizedText.meanConfidence(of: words) }
}

/// Rows that stand together, with more space above and below than between them.
public struct RecognizedBlock: Codable, Hashable, Sendable {
    /// The rows from the top, at least one.
    public var lines: [RecognizedLine]
    /// The box around the rows.
    package var box: Box

    /// A block of rows.
    /// - Precondition: there is at least one row.
    public init(lines: [RecognizedLine]) {
        precondition(!lines.isEmpty, "a block has lines")
        self.lines = lines
        box = lines.dropFirst().reduce(lines[0].box) { $0.union($1.box) }
    }
}

/// What was read on one page: blocks of rows of words, each with its place and the recogniser's confidence.
///
/// An empty sheet gives an empty value, not an error. `legibility` tells it from a sheet whose print was not read.
public struct RecognizedText: Codable, Hashable, Sendable {
    /// What a page turned out to be.
    public enum Legibility: String, Codable, Sendable {
        /// There is no print on the page.
        case empty
        /// There is print, but nothing, or next to nothing, was read with any confidence.
        case unreadable
        /// Text was read.
        case readable
    }

    /// The blocks in reading order.
    public var blocks: [RecognizedBlock]
    /// Width of the page in pixels.
    package let pageWidth: Int
    /// Height of the page in pixels.
    package let pageHeight: Int
    /// True scale of the page; nil where it is not known.
    package let pixelsPerMillimeter: Double?
    /// The languages it was read in, in tesseract's notation ("eng+deu").
    public let language: String
    /// Whether there was print, and whether it was read.
    package let legibility: Legibility
    /// The name of the engine that read the page; nil where it is not known. What a confidence is worth depends on the
    /// engine.
    package let reader: String?
    /// The rows that were not read; nil where all were.
    package var unreadRows: UnreadRows?
    /// Surely read letters and digits per mark of a letter's size on the page, 0 to 1; nil where that is not known.
    package var shareRead: Double?
    /// What other readers read on the page: the built-in one, where words of another script than Latin were read by
    /// tesseract. Nil where there was one reader.
    package var otherReadings: [RecognizedText]?

    /// Text on a page.
    public init(
        blocks: [RecognizedBlock], pageSize: PixelSize, pixelsPerMillimeter: Double?, language: String,
        legibility: Legibility, reader: String? = nil
    ) {
        self.blocks = blocks
        pageWidth = pageSize.width
        pageHeight = pageSize.height
        self.pixelsPerMillimeter = pixelsPerMillimeter
        self.language = language
        self.legibility = legibility
        self.reader = reader
    }

    /// The same text on the same page drawn `factor` times as large.
    package func scaled(by factor: Double, to size: PixelSize) -> RecognizedText {
        guard factor != 1 else { return self }
        return moved(to: size, pixelsPerMillimeter: pixelsPerMillimeter.map { $0 * factor }) { $0 * factor }
    }

    /// Returns the same text for another image of its page.
    /// - Parameters:
    ///   - size: the size of that image.
    ///   - pixelsPerMillimeter: the scale of that image, if it is known.
    ///   - place: maps a point of the page, measured from the edges of its pixels, to that image; level rows stay level
    ///     there.
    package func moved(
        to size: PixelSize, pixelsPerMillimeter: Double?, by place: (SIMD2<Double>) -> SIMD2<Double>
    ) -> RecognizedText {
        func moved(_ line: RecognizedLine) -> RecognizedLine {
            RecognizedLine(
                words: line.words.map { word in
                    let upperLeft = place(SIMD2(word.box.left, word.box.top))
                    let lowerRight = place(SIMD2(word.box.right, word.box.bottom))
                    return RecognizedWord(
                        text: word.text, confidence: word.confidence,
                        box: Box(
                            left: upperLeft.x, top: upperLeft.y, right: lowerRight.x, bottom: lowerRight.y),
                        source: word.source)
                })
        }
        var text = RecognizedText(
            blocks: blocks.map { RecognizedBlock(lines: $0.lines.map(moved)) }, pageSize: size,
            pixelsPerMillimeter: pixelsPerMillimeter, language: language, legibility: legibility,
            reader: reader)
        text.unreadRows = unreadRows
        text.shareRead = shareRead
        text.otherReadings = otherReadings?.map {
            $0.moved(to: size, pixelsPerMillimeter: pixelsPerMillimeter, by: place)
        }
        return text
    }

    /// Whether text was read, but most of the print was not: the reader does not know the script, or the image is bad.
    package var isMostlyUnread: Bool {
        legibility == .readable && shareRead.map { $0 < ReadingTuning.Layout.mostlyUnread } == true
    }

    /// Whether the values are possible for a page: a text that another process wrote may hold anything.
    package var isSound: Bool {
        let sides = 1...1 << 24
        let reach = Double(sides.upperBound)
        return sides.contains(pageWidth) && sides.contains(pageHeight)
            && (pixelsPerMillimeter.map { (1e-3...1e6).contains($0) } ?? true)
            && blocks.allSatisfy { block in
                !block.lines.isEmpty && block.lines.allSatisfy { !$0.words.isEmpty }
            }
            && words.allSatisfy { word in
                [word.box.left, word.box.top, word.box.right, word.box.bottom].allSatisfy {
                    (-reach...reach).contains($0)
                } && word.box.left <= word.box.right && word.box.top <= word.box.bottom
                    && (0...1).contains(word.confidence)
            } && (otherReadings ?? []).allSatisfy(\.isSound)
    }

    /// All rows in reading order.
    public var lines: [RecognizedLine] { blocks.flatMap(\.lines) }
    /// All words in reading order.
    public var words: [RecognizedWord] { blocks.flatMap { $0.lines.flatMap(\.words) } }
    /// Whether nothing was read.
    package var isEmpty: Bool { blocks.isEmpty }

    /// The text: a line for each printed row, an empty line between blocks, a line feed at the end; "" if nothing was
    /// read.
    public var string: String {
        blocks.map { $0.lines.map { $0.text + "\n" }.joined() }.joined(separator: "\n")
    }

    /// Mean confidence of all characters, 0 to 1; 0 if nothing was read.
    public var confidence: Double { Self.meanConfidence(of: words) }

    /// How many letters and digits were surely read.
    package var sureCharacters: Double { Self.sureCharacters(in: lines) }

    /// Returns how many letters and digits of lines were surely read: the sum of the sixth power of their word's
    /// confidence.
    static func sureCharacters(in lines: [RecognizedLine]) -> Double {
        lines.flatMap(\.words).reduce(0) { sum, word in
            let count = word.text.count { $0.isLetter || $0.isNumber }
            return sum + Double(count)
                * pow(
                    word.confidence,
                    ReadingTuning.Upright.symbolPower + ReadingTuning.Upright.wordPower)
        }
    }

    package static func meanConfidence(of words: [RecognizedWord]) -> Double {
        var sum = 0.0
        var count = 0
        for word in words {
            sum += word.confidence * Double(word.text.count)
            count += word.text.count
        }
        return count == 0 ? 0 : sum / Double(count)
    }
}
