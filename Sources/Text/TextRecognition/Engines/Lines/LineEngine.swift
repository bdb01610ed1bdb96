package import Diagnostics
import Platform
package import Imaging
import Parallelism
import PrintDetection

/// Reads with a learned line recogniser, on the rows that geometry finds. Several threads may use it at once.
package final class LineEngine: TextEngine {
    package let name: String
    package let version: String
    package let languages: [String]

    private let network: any LineRecognizer
    private let concurrency: Int

    private typealias Tuning = ReadingTuning.Signs

    /// An engine with this package's own recogniser, which reads languages of Latin letters.
    /// - Parameters:
    ///   - language: tesseract's names joined by +.
    ///   - concurrency: threads that one page may be read on, at least 1; nil for two, or one on a single core.
    /// - Throws: `.shortage` where memory is short.
    package convenience init(language: String, concurrency: Int? = nil) throws(FlatteningError) {
        let languages = Self.languages(language)
        self.init(
            name: "builtin", try BuiltInNetwork(languages: languages), languages: languages,
            concurrency: concurrency)
    }

    /// An engine for any language of Latin letters.
    /// - Throws: `.shortage` where memory is short.
    package static func ofAnyLanguage() throws(FlatteningError) -> LineEngine {
        try LineEngine(language: TextReader.anyLanguage)
    }

    /// An engine with a recogniser that ONNX Runtime runs. Loading takes 0.2 s: keep an engine for many pages.
    /// - Parameter model: the recogniser's file.
    /// - Throws: as `OnnxNetwork`.
    package convenience init(
        language: String, model: String, concurrency: Int? = nil
    ) throws(FlatteningError) {
        let languages = Self.languages(language)
        self.init(
            name: "onnxruntime", try OnnxNetwork(path: model, languages: languages), languages: languages,
            concurrency: concurrency)
    }

    private init(name: String, _ network: any LineRecognizer, languages: [String], concurrency: Int?) {
        self.name = name
        version = network.version
        self.languages = languages
        self.network = network
        self.concurrency = max(concurrency ?? min(ProcessInfo.processInfo.activeProcessorCount, 2), 1)
    }

    private static func languages(_ notation: String) -> [String] {
        notation.split(separator: "+").map(String.init)
    }

    package func lines(
        on page: TextPage, context: ReadingContext
    ) throws(FlatteningError) -> [RecognizedLine] {
        try context.check()
        return try LineReading.lines(on: page, context: context, read: lines(in:_:context:))
    }

    /// Like the default implementation, but on the rows found from the ink, which cost nothing extra.
    package func legibility(
        of pictures: [GrayImage], context: ReadingContext
    ) throws(FlatteningError) -> [Double] {
        var figures: [Double] = []
        for picture in pictures {
            let rows = PageRows(on: TextPage(picture))
            // A few rows of print need less than this. A raster's dots that were drawn as one row split into hundreds
            // of rows here, each as long as all the print: a page of them took 28 s of a core.
            var budget = ReadingBudget(letterHeights: ReadingTuning.Budget.portion)
            let lines = try lines(
                in: rows, budget.take(Array(rows.rows.indices), of: rows), context: context)
            figures.append(RecognizedText.sureCharacters(in: lines.filter(\.isPrint)))
        }
        return figures
    }

    /// Reads some rows of a page.
    private func lines(
        in rows: PageRows, _ indices: [Int], context: ReadingContext
    ) throws(FlatteningError) -> [RecognizedLine] {
        try signs(in: rows, indices, context: context).compactMap { row, signs -> RecognizedLine? in
            let words = row.words(of: signs)
            return words.isEmpty ? nil : RecognizedLine(words: words)
        }
    }

    /// The signs of each row and the gaps between neighbouring signs, for the training of `SignGap`.
    package func gaps(on page: TextPage) throws(FlatteningError) -> [(signs: [String], gaps: [SignGap])] {
        let rows = PageRows(on: page)
        return try signs(in: rows, Array(rows.rows.indices), context: ReadingContext()).map { row, signs in
            (signs.map(\.text), row.gaps(between: signs))
        }
    }

    /// Returns some rows of a page and the signs in them, with their places on the page.
    private func signs(
        in rows: PageRows, _ indices: [Int], context: ReadingContext
    ) throws(FlatteningError) -> [(RowWords, [RowWords.Sign])] {
        let drawn = RowRendering(
            rows: rows.rows, indices: indices, ink: rows.ink, style: Tuning.style,
            pitches: rows.pitches)
        var read = try read(drawn, context: context)
        if languages == [TextReader.anyLanguage] { SureAccents.settle(&read) }
        return zip(drawn.strips, read).map { strip, signs in
            (RowWords(row: rows.rows[strip.row]), placed(signs) { drawn.column(at: $0, in: strip) })
        }
    }

    /// Reads the signs of each strip, on as many threads as allowed.
    private func read(
        _ drawn: RowRendering, context: ReadingContext
    ) throws(FlatteningError) -> [[DecodedSign]] {
        let count = drawn.strips.count
        let parts = context.onProgress.map(ReadingParts.init)
        parts?.begin(rows: count, upTo: 1)
        let shared = context.sharedAmongThreads()
        return try shareOut(
            drawn.strips, among: Array(0..<min(concurrency, count)), longestFirst: \.columns.count
        ) { strip, _ throws(FlatteningError) in
            try shared.check()
            let signs = try signs(of: strip, in: drawn)
            parts?.add(rows: 1)
            return signs
        }
    }

    /// Reads the signs of a strip; their places are in the strip's pixels.
    private func signs(
        of strip: RowRendering.Strip, in drawn: RowRendering
    ) throws(FlatteningError) -> [DecodedSign] {
        var signs: [DecodedSign] = []
        for part in LinePicture.parts(of: strip, in: drawn) {
            for var sign in try network.signs(in: LinePicture(strip, columns: part, of: drawn)) {
                sign.middle += Double(part.lowerBound)
                signs.append(sign)
            }
        }
        return signs
    }

    /// Converts signs to characters with their places on the page.
    private func placed(_ signs: [DecodedSign], column: (Double) -> Double) -> [RowWords.Sign] {
        signs.map {
            .init(
                text: $0.text, confidence: $0.confidence, x: column($0.middle), blank: $0.blank,
                lookalike: $0.lookalike)
        }
    }
}
