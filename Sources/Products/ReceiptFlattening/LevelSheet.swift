import Captures
import Diagnostics
import Documents
import Imaging
import SheetFlattening
import TextRecognition

/// A sheet that is unrolled and levelled, with its upright direction.
struct LevelSheet {
    var sheet: UnrolledSheet
    /// The sheet's page as framed, before its upright turn.
    var framed: PageLayout
    /// In the frame of the page before its turn.
    let zone: ZoneOnPage?
    let upright: UprightTurn

    var page: PageLayout { framed.turned(clockwiseQuarters: upright.turnsOfPage) }

    /// How far the printed rows are from straight lines, in pixels; nil if too few were found.
    var unevenness: Double? {
        sheet.print?.unevenness.map { $0 * framed.density }
    }
}

extension ReceiptFlattener {
    /// Unrolls a sheet, levels it by its print and turns it upright.
    /// - Parameter takesExtremeCorners: whether the outline's extreme corners may be taken for the sheet's.
    func level(
        _ search: SheetSearch, of run: Run, _ course: inout Course, takesExtremeCorners: Bool = false
    ) throws(FlatteningError) -> LevelSheet {
        let ladder = FlatteningLadder(
            capture: run.capture, search: search, options: options.sheet,
            takesExtremeCorners: takesExtremeCorners)
        let unrolled = try course.run(.surface) { () throws(FlatteningError) in try ladder.climb() }
        let (sheet, preview) = try course.run(.print) {
            () throws(FlatteningError) -> (UnrolledSheet, PreviewPage) in
            try ladder.straightened(unrolled)
        }
        for refusal in sheet.refused { logger.debug("not taken: \(refusal.step): \(refusal.reason)") }
        try course.begin(.upright)
        // Done before the turn, because a zone decides the turn.
        let zone =
            options.finds.contains(.mrz)
            ? course.time("zone") {
                self.zone(of: sheet, on: preview.page, in: run.capture, until: run.deadline)
            }
            : nil
        let upright = try course.time(Stage.upright.rawValue) { () throws(FlatteningError) -> UprightTurn in
            let upright = try UprightTurn(
                of: preview, photograph: run.capture.metadata.orientation, zone: zone?.zone,
                engine: run.engine,
                isDrawnWithText: sheet.isStated && run.capture.page?.drawn?.readsUpright == true,
                deadline: run.deadline)
            return upright.isInDoubt
                ? upright.decided(byReading: try sureCharacters(on: preview.page, of: sheet, in: run))
                : upright
        }
        return LevelSheet(sheet: sheet, framed: preview.page, zone: zone, upright: upright)
    }

    /// Counts the characters read with certainty on a page after 0 to 3 clockwise quarter turns.
    private func sureCharacters(
        on page: PageLayout, of sheet: UnrolledSheet, in run: Run
    ) throws(FlatteningError) -> [Double] {
        let engine = try auxiliaryEngine(in: run)
        func read(turned turns: Int) throws(FlatteningError) -> RecognizedText {
            try run.deadline.check(before: Stage.upright.ofErrors)
            return try readCursorily(
                page.turned(clockwiseQuarters: turns), of: sheet, in: run, by: engine)
        }
        let (level, onItsSide) = (try read(turned: 0), try read(turned: 1))
        var counts = [level.sureCharacters, onItsSide.sureCharacters, 0, 0]
        // Upside-down print is also detected, though not read: if neither of these two turns shows a word, there is none to
        // count.
        if !level.lines.isEmpty || !onItsSide.lines.isEmpty {
            for turns in 2...3 { counts[turns] = try read(turned: turns).sureCharacters }
        }
        return counts
    }

    /// Flattens a sheet whose four corners are not all in view as a sheet cut off by the image border, as far as it is shown.
    /// Returns nil if the sheet is not of that kind, or if the result is unsure.
    func completed(
        _ cut: LevelSheet, _ search: SheetSearch, of run: Run, _ course: inout Course
    ) throws(FlatteningError) -> (level: LevelSheet, end: OpenSheet?)? {
        guard !run.isPart, case .found = search, !cut.sheet.isFramedByOutline,
            let found = cut.sheet.outline,
            found.confidence >= SheetOutline.sureConfidence
        else { return nil }
        course.isAnnounced = false
        defer { course.isAnnounced = true }
        if cut.sheet.method == .angle,
            let open = OpenSheet(level: cut.page.samplingMap(), found: found, cut: .allThatIsShown),
            open.goesOnAbove || open.goesOnBelow
        {
            let level = try level(.found([open.outline]), of: run, &course, takesExtremeCorners: true)
            // What bent sides say about the part beyond the image is a guess, and so are corners that do not form a
            // rectangle: of 13 photographs and scans with a cut sheet, the three of this kind became harder to read, and none
            // of the others did.
            if level.sheet.method == .corners, !level.sheet.showsCurve,
                level.sheet.confidence >= SheetOutline.sureConfidence,
                Self.variation(ofScale: level.page.samplingMap(), in: run.capture.image.size)
                    <= Self.greatestVariation
            {
                return (level, open)
            }
        }
        let level = try level(search, of: run, &course, takesExtremeCorners: true)
        guard level.sheet.isFramedByOutline else { return nil }
        if let asShown = cut.unevenness, let completed = level.unevenness,
            Self.isUneven(completed, asShown: asShown)
        {
            return nil
        }
        return (level, nil)
    }

    /// The ratio of the greatest to the smallest scale, as lengths, at which a map shows its photograph.
    static func variation(ofScale map: SamplingMap, in photograph: PixelSize) -> Double {
        let size = SIMD2(Double(map.outputSize.width), Double(map.outputSize.height))
        let limit = SIMD2(Double(photograph.width), Double(photograph.height)) - 1
        var areas: [Double] = []
        for row in 0...Self.probes {
            for column in 0...Self.probes {
                let place = SIMD2(Double(column), Double(row)) / Double(Self.probes) * (size - 2)
                let source = map.source(of: place)
                guard source.x >= 0, source.y >= 0, source.x <= limit.x, source.y <= limit.y else { continue }
                let right = map.source(of: place + SIMD2(1, 0)) - source
                let down = map.source(of: place + SIMD2(0, 1)) - source
                areas.append(abs(right.x * down.y - right.y * down.x))
            }
        }
        guard let least = areas.min(), let greatest = areas.max(), least > 0 else { return .infinity }
        return (greatest / least).squareRoot()
    }

    /// The greatest variation of scale over a page whose corners lie beyond the photograph. Of 393 photographs, mostly of
    /// receipts, 84 are such: 82 vary by up to 2.4, and two that came out as wedges by 9.5 and 12.9.
    private static let greatestVariation = 3.0
    /// Places along each side of a page at which its scale is measured.
    private static let probes = 12

    /// Whether rows are less even, in pixels, after flattening by the outline than they are as photographed.
    static func isUneven(_ completed: Double, asShown: Double) -> Bool {
        completed > mostUneven * max(asShown, leastUneven)
    }

    /// The greatest ratio of the rows' unevenness after flattening by the outline to their unevenness as photographed. Of 110
    /// photographs of receipts, 10 have an outline with only one side in view: nine have ratios up to 1.4; the tenth, whose
    /// outline holds half of the sheet, has 1.8.
    private static let mostUneven = 1.5
    /// Unevenness, in pixels, that rows may have however even they are in the photograph: on two small photographs with ratios of
    /// 1.6 and 1.7, all of it is below what their letters can show.
    private static let leastUneven = 0.5
}

extension Capture.Drawn {
    /// Whether the page's words run from left to right: most words of three or more characters are wider than high, and most
    /// words stand to the right of the word before them in their row. Otherwise the page lies on its side or upside down, or
    /// is not in Latin script, and the print decides.
    fileprivate var readsUpright: Bool {
        let long = words.filter { $0.text.count >= 3 }
        let followers = zip(words, words.dropFirst()).filter { before, word in
            let common = min(before.box.bottom, word.box.bottom) - max(before.box.top, word.box.top)
            return common > 0.5 * min(before.box.height, word.box.height)
        }
        let rising = followers.count { $0.box.left < $1.box.left }
        return !long.isEmpty && 2 * long.count { $0.box.width > $0.box.height } > long.count
            && 2 * rising >= followers.count
    }
}
