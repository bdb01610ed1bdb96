public import Diagnostics
import Platform
public import Imaging

/// Reads text: tesseract, or another reader that a caller brings.
///
/// An engine is given a whole page, flat and upright, and returns its lines. An engine that finds only words can form
/// the lines with `RecognizedLine.rows(of:)`:
///
/// ```swift
/// struct OwnEngine: TextEngine {
///     let name = "own", version = "1.0", languages = ["eng"]
///
///     func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine] {
///         try context.check()
///         return RecognizedLine.rows(of: read(page.picture).map {
///             RecognizedWord(text: $0.text, confidence: $0.confidence, box: $0.box)
///         })
///     }
/// }
/// ```
///
/// Several threads may call one engine at once.
public protocol TextEngine: Sendable {
    /// The engine's name, such as "tesseract": the key of its version in the report.
    var name: String { get }
    /// The engine's version, such as "5.3.0".
    var version: String { get }
    /// The languages that the engine reads, by its own names for them ("eng", "deu").
    var languages: [String] { get }

    /// Reads a page.
    /// - Returns: the printed rows from the top, with boxes in the page's pixels; none for an empty page.
    /// - Throws: `.cancelled` and `.timeout` as `context.check()` does, which the engine calls now and then; other
    ///   errors that fit.
    func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine]

    /// Returns how well each image can be read, to compare them: a page is turned the way in which its rows read best.
    ///
    /// By default this is the sum over all letters and digits of the sixth power of their word's confidence.
    /// Upside-down print yields letters too, but doubtful ones.
    /// - Parameters:
    ///   - pictures: a few rows each, level, dark on white.
    ///   - context: how long reading may go on.
    /// - Returns: for each image the number of letters and digits surely read, at least 0. The number itself matters,
    ///   not only which one is greater: a page is turned against its photograph only on the evidence of a dozen
    ///   letters.
    func legibility(
        of pictures: [GrayImage], context: ReadingContext
    ) throws(FlatteningError) -> [Double]
}

extension TextEngine {
    /// The sum over all letters and digits of the sixth power of their word's confidence, for each image.
    public func legibility(
        of pictures: [GrayImage], context: ReadingContext
    ) throws(FlatteningError) -> [Double] {
        var figures: [Double] = []
        for picture in pictures {
            figures.append(
                RecognizedText.sureCharacters(in: try lines(on: TextPage(picture), context: context)))
        }
        return figures
    }
}
