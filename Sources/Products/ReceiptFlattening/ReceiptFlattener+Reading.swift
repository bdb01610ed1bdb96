import Captures
import Diagnostics
import Documents
import Imaging
import Platform
import SheetFlattening
import TextRecognition

extension ReceiptFlattener {
    /// Returns the map of a level sheet's flat image and, if it is seen, the page as it is read and searched.
    func flat(_ level: LevelSheet, isSeen: Bool, in run: Run) -> (map: SamplingMap, page: FlatPage?) {
        let (layout, sheet) = (level.page, level.sheet)
        let map = layout.samplingMap()
        guard isSeen else { return (map, nil) }
        let seen = layout.atDensityOfPhotograph()
        let seenMap = seen.density == layout.density ? map : seen.samplingMap()
        let page = FlatPage(
            readable: textPage(seen, through: seenMap, of: sheet, in: run),
            photograph: SheetPhotograph(image: run.capture.image, map: seenMap),
            outline: sheet.outline?.polygon,
            sheetMillimeters: sheet.millimeters(of: layout.frame, margin: options.sheet.marginAroundSheet),
            zone: level.zone?.turned(clockwiseQuarters: level.upright.turnsOfPage))
        return (map, page)
    }

    private func textPage(
        _ page: PageLayout, through map: SamplingMap, of sheet: UnrolledSheet, in run: Run
    ) -> TextPage {
        TextPage(
            run.capture.image.resampledGray(through: map, filter: options.filter),
            pixelsPerMillimeter: page.pixelsPerMeter.map { $0 / 1000 },
            isOnSheet: sheet.isOnSheet(through: map))
    }

    /// Returns the text of a page, read from the image or the document's own, in pixels of the page as it is read; and why
    /// the document's own text was not used.
    func read(
        _ page: FlatPage, of level: LevelSheet, in run: Run, by engine: any TextEngine
    ) throws(FlatteningError) -> (text: RecognizedText, layerRefusal: String?) {
        let recognizer = TextRecognizer(engine: engine)
        let context = run.deadline.readingContext(onProgress: run.onReading)
        guard level.sheet.isStated,
            let layer = run.capture.page?.drawn?.textLayer(on: level.page.atDensityOfPhotograph())
        else { return (try recognizer.recognize(page.readable, context: context), nil) }
        let (text, outcome) = try layer.text(of: page.readable, recognizer: recognizer, context: context)
        guard case .refused(let reason) = outcome else { return (text, nil) }
        return (text, "the page's own text is not used, and the page was read: \(reason)")
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
        let seen = page.atDensityOfPhotograph()
        return try TextRecognizer(engine: engine).recognize(
            textPage(seen, through: seen.samplingMap(), of: sheet, in: run), context: context)
    }

    /// Removes the stretch that the sizes of its words reveal from a sheet, and moves its text accordingly.
    /// - Parameter text: the text on the sheet's page as it is read; nil if none is to be read, in which case just enough is
    ///   read to measure the stretch.
    /// - Returns: nil if the words show no stretch, or the sheet cannot be stretched.
    func evened(
        _ level: LevelSheet, _ text: RecognizedText?, of run: Run, _ course: inout Course
    ) throws(FlatteningError) -> (level: LevelSheet, text: RecognizedText?)? {
        // Zones are on cards and passports, which are stiff.
        guard !run.isPart, level.zone == nil, level.sheet.mayBeStretched else { return nil }
        return try course.time(Stage.print.rawValue) { () throws(FlatteningError) in
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
