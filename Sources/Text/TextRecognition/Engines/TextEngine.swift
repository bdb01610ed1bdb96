public import Diagnostics
import Platform
public import Imaging

/// What reads text: tesseract, or another reader that a caller brings.
///
/// An engine is given a whole page, flat and upright, and returns its lines. One that knows only words leaves the rows to
/// `RecognizedLine.rows(of:)`:
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
/// One engine may be asked from several threads at once.
public protocol TextEngine: Sendable {
    /// The engine's name, such as "tesseract": the key of its version in the report.
    var name: String { get }
    /// Its version, such as "5.3.0".
    var version: String { get }
    /// The languages that it reads, by the names that it has for them ("eng", "deu").
    var languages: [String] { get }

    /// Reads a page.
    /// - Returns: the printed rows from the top, boxes in the page's pixels; none for an empty page.
    /// - Throws: `.cancelled` and `.timeout` as `context.check()` does, which is to be asked now and then; what fits of
    ///   other errors.
    func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine]

    /// How well each picture can be read, to compare them: a page stands the way in which its rows read best.
    ///
    /// By default the sum over all letters and digits of the sixth power of their word's confidence: upside-down print gives
    /// letters too, but doubtful ones.
    /// - Parameters:
    ///   - pictures: a few rows each, level, dark on white.
    ///   - context: how long reading may go on.
    /// - Returns: for each picture how many letters and digits are surely read, at least 0. The number counts, not only which
    ///   is greater: a page is turned against its photograph only if a dozen letters say so.
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
