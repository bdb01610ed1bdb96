package import Diagnostics
import Platform
package import Imaging

/// Reads with tesseract, in process.
///
/// tesseract is loaded with the first engine, so a program that reads no text also runs without it. Making an engine
/// takes about 60 ms for the language data: keep it for many pages. Calls from several threads take turns; to read
/// several pages at once, use several engines, each with a `concurrency` of 1.
package final class TesseractEngine: TextEngine {
    package let name = "tesseract"
    /// tesseract's version, for example "5.3.0".
    package var version: String { pool.version }
    package let languages: [String]

    private let pool: TesseractPool

    /// An engine for one or more languages.
    /// - Parameters:
    ///   - language: tesseract's names joined by +.
    ///   - dataPath: the folder of the `.traineddata` files; nil for tesseract's own place or TESSDATA_PREFIX.
    ///   - concurrency: threads that one page may be read on, at least 1; nil for two, or one on a single core.
    /// - Throws: `.missingDependency` if tesseract is not installed, `.missingLanguageData` if it has no data for one of
    ///   the languages, `.badInput` for a string that names no language, `.shortage` where memory or descriptors are short.
    package init(
        language: String, dataPath: String? = nil, concurrency: Int? = nil
    ) throws(FlatteningError) {
        let count = concurrency ?? min(ProcessInfo.processInfo.activeProcessorCount, 2)
        pool = try TesseractPool(language: language, dataPath: dataPath, count: count)
        languages = language.split(separator: "+").map(String.init)
    }

    package func lines(
        on page: TextPage, context: ReadingContext
    ) throws(FlatteningError) -> [RecognizedLine] {
        try context.check()
        return try ReceiptReader(page: PageRows(on: page), pool: pool, context: context).lines()
    }

    /// How much of an image's print is read in another script than Latin. Letters of different scripts differ greatly in
    /// width, so counting them would tell nothing; and any language's data read digits.
    func readingInOtherLetters(
        of picture: GrayImage, context: ReadingContext
    ) throws(FlatteningError) -> OtherScripts.SampleReading {
        let words = try pool.read([.init(page: picture, segmentation: .block)], context: context)[0]
            .filter { OtherScripts.hasOtherLetters($0.text) }
        let width = words.reduce(0) { $0 + $1.box.width }
        return .init(
            sureWidth: words.reduce(0) {
                $0 + OtherScripts.sureWidth(of: $1.text, confidence: $1.confidence, box: $1.box)
            },
            confidence: words.reduce(0) { $0 + $1.confidence * $1.box.width } / max(width, 1))
    }

    /// The sum of tesseract's confidences over all letters and digits, each combined with the confidence of its word.
    package func legibility(
        of pictures: [GrayImage], context: ReadingContext
    ) throws(FlatteningError) -> [Double] {
        try pool.read(pictures.map { .init(page: $0, segmentation: .block) }, context: context).map { words in
            var sum = 0.0
            for word in words {
                for symbol in word.symbols where symbol.text.contains(where: { $0.isLetter || $0.isNumber }) {
                    sum +=
                        pow(symbol.confidence, ReadingTuning.Upright.symbolPower)
                        * pow(word.confidence, ReadingTuning.Upright.wordPower)
                }
            }
            return sum
        }
    }
}
