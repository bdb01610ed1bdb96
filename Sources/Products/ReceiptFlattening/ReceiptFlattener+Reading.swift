import Captures
import Diagnostics
import Imaging
import Platform
import SheetFlattening
import TextRecognition

/// A page as it is read, at a density of its own, so that the same is read and found whatever image size is asked for.
struct ReadablePage {
    /// The source in the photograph of each of its pixels.
    let map: SamplingMap
    let gray: GrayImage
    let pixelsPerMillimeter: Double?
}

/// The result of reading a page.
struct TextReading {
    /// In pixels of the page as it is read; nil if no text was to be read.
    var text: RecognizedText?
    /// Why the document's own words were not used.
    var layerRefusal: String?
}

extension ReceiptFlattener {
    /// Returns the map of a page and, if something is to be read or found on it, the page as it is read.
    func shown(
        _ page: PageLayout, isRead: Bool, in run: Run
    ) -> (map: SamplingMap, readable: ReadablePage?) {
        let map = page.samplingMap()
        return (map, isRead ? readable(page, in: run, map: map) : nil)
    }

    /// - Parameter map: the page's own map, if it is already known.
    private func readable(_ page: PageLayout, in run: Run, map: SamplingMap? = nil) -> ReadablePage {
        let read = page.atDensityOfPhotograph()
        let readMap = map.flatMap { read.density == page.density ? $0 : nil } ?? read.samplingMap()
        return ReadablePage(
            map: readMap, gray: run.capture.image.resampledGray(through: readMap, filter: options.filter),
            pixelsPerMillimeter: read.pixelsPerMeter.map { $0 / 1000 })
    }

    /// Returns the text of a page: read from the image, or the document's own text.
    func read(
        _ page: ReadablePage, of level: LevelSheet, in run: Run, by engine: any TextEngine
    ) throws(FlatteningError) -> TextReading {
        let recognizer = TextRecognizer(engine: engine)
        let textPage = TextPage(
            page.gray, pixelsPerMillimeter: page.pixelsPerMillimeter,
            isOnSheet: level.sheet.isOnSheet(through: page.map))
        let context = run.deadline.readingContext(onProgress: run.onReading)
        guard level.sheet.isStated,
            let layer = run.capture.page?.drawn?.textLayer(on: level.page.atDensityOfPhotograph())
        else { return TextReading(text: try recognizer.recognize(textPage, context: context)) }
        let (text, outcome) = try layer.text(of: textPage, recognizer: recognizer, context: context)
        guard case .refused(let reason) = outcome else { return TextReading(text: text) }
        return TextReading(
            text: text, layerRefusal: "the page's own text is not used, and the page was read: \(reason)")
    }

    /// Returns the engine for reading where text is only a help: the run's engine or, if no text is asked for, the built-in
    /// one.
    func auxiliaryEngine(in run: Run) throws(FlatteningError) -> any TextEngine {
        if let engine = run.engine { return engine }
        return try LineEngine.ofAnyLanguage()
    }

    /// Reads only those rows of a page that look most like print.
    func readCursorily(
        _ page: PageLayout, of sheet: UnrolledSheet, in run: Run, by engine: any TextEngine
    ) throws(FlatteningError) -> RecognizedText {
        var context = run.deadline.readingContext()
        context.isCursory = true
        let page = readable(page, in: run)
        return try TextRecognizer(engine: engine).recognize(
            TextPage(
                page.gray, pixelsPerMillimeter: page.pixelsPerMillimeter,
                isOnSheet: sheet.isOnSheet(through: page.map)), context: context)
    }

    /// Removes the stretch that the sizes of its words reveal from a sheet, and moves its text accordingly.
    /// - Parameter text: the text on the sheet's page as it is read; nil if none is to be read, in which case just enough is
    ///   read to measure the stretch.
    /// - Returns: nil if the words show no stretch, or the sheet cannot be stretched.
    func evened(
        _ level: LevelSheet, _ text: RecognizedText?, of run: Run, _ stopwatch: inout Stopwatch
    ) throws(FlatteningError) -> (level: LevelSheet, text: RecognizedText?)? {
        // Zones are on cards and passports, which are stiff.
        guard !run.isPart, level.zone == nil, level.sheet.mayBeStretched else { return nil }
        return try stopwatch.time("print") { () throws(FlatteningError) in
            let seen: RecognizedText
            if let text {
                seen = text
            } else {
                seen = try readCursorily(
                    level.page, of: level.sheet, in: run, by: try auxiliaryEngine(in: run))
            }
            guard let stretch = PrintStretch(of: WordProportions.allCases.map { seen.sizes(as: $0) }) else {
                return nil
            }
            var even = level
            even.sheet = level.sheet.evened(stretch, on: level.page.frame)
            even.framed = try PageLayout(
                sheet: even.sheet, photograph: run.capture.image.size, options: options.sheet)
            let page = even.page.atDensityOfPhotograph()
            let size = page.frame.size * page.density
            return (
                even,
                text.map { text in
                    text.moved(to: page.pictureSize, pixelsPerMillimeter: text.pixelsPerMillimeter) { place in
                        stretch.evened(place / text.pageSize) * size
                    }
                }
            )
        }
    }
}

extension RecognizedText {
    fileprivate var pageSize: SIMD2<Double> { SIMD2(Double(pageWidth), Double(pageHeight)) }

    /// Returns the places and sizes of the words with known proportions, relative to their sizes in a typeface.
    fileprivate func sizes(as typeface: WordProportions) -> [PrintStretch.Word] {
        lines.enumerated().flatMap { row, line in
            line.words.compactMap { word in
                let size = SIMD2(word.box.width, word.box.height)
                guard let width = typeface.width(of: word.text),
                    let height = WordProportions.height(of: word.text), size.min() > 0
                else { return nil }
                return PrintStretch.Word(
                    place: SIMD2(word.box.left + word.box.right, word.box.top + word.box.bottom) / 2
                        / pageSize,
                    size: SIMD2(log(size.x / width), log(size.y / height)), row: row,
                    letters: word.text.unicodeScalars.count)
            }
        }
    }
}

extension Capture.Drawn {
    /// Returns the document's words placed on the flat page; nil if there are none.
    func textLayer(on page: PageLayout) -> TextLayer? {
        // Converts from pixel edges to pixel centres, and back below.
        let corners = words.flatMap { word in
            [SIMD2(word.box.left, word.box.top) - 0.5, SIMD2(word.box.right, word.box.bottom) - 0.5]
        }
        guard !words.isEmpty, let places = page.places(of: corners) else { return nil }
        return TextLayer(
            words: words.enumerated().map { index, word in
                let (first, last) = (places[2 * index] + 0.5, places[2 * index + 1] + 0.5)
                return RecognizedWord(
                    text: word.text, confidence: 1,
                    box: Box(
                        left: min(first.x, last.x), top: min(first.y, last.y), right: max(first.x, last.x),
                        bottom: max(first.y, last.y)), source: .pdf)
            })
    }
}
