package import Diagnostics
package import Imaging
import Platform
import PrintDetection
import Synchronization

/// Reads Latin letters, and hands a page in other letters to tesseract if that has data for their script.
///
/// When the built-in reader reads little of a page, the page is either hard to read or in another script. A few of its
/// rows are then read in one language of each other script that tesseract has data for, and in further languages of the
/// best script. The whole page is read in the language that reads these rows best, and that reading is used if more of
/// it is sure. Data that are not installed cost nothing, and a page that the built-in reader reads well costs nothing
/// more.
package struct OtherScripts: TextEngine {
    /// Reads Latin letters.
    package let latin: any TextEngine
    /// The languages to try, by tesseract's names, grouped by script.
    private let candidates: [[String]]
    private let winner = Winner()

    package var name: String { latin.name }
    package var version: String { latin.version }
    package var languages: [String] { latin.languages }

    /// - Parameters:
    ///   - latin: reads Latin letters.
    ///   - installed: the languages that tesseract has data for.
    init(besides latin: any TextEngine, installed: [String] = TextLibraries.installedLanguages()) {
        self.latin = latin
        candidates = Self.languages(among: installed)
    }

    /// Returns the given languages whose letters the built-in reader does not know, grouped by script.
    static func languages(among installed: [String]) -> [[String]] {
        scripts.map { script in script.filter(installed.contains) }.filter { !$0.isEmpty }
    }

    package func legibility(
        of pictures: [GrayImage], context: ReadingContext
    ) throws(FlatteningError) -> [Double] {
        try latin.legibility(of: pictures, context: context)
    }

    package func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine]
    {
        let rows = try latin.lines(on: page, context: context)
        guard !candidates.isEmpty, !context.isCursory,
            let share = RowLayout.shareRead(of: rows, on: page), share < Tuning.mostShare
        else { return rows }
        let unread = Mutex<UnreadRows?>(nil)
        var own = context
        own.onUnread = { rows in unread.withLock { $0 = rows } }
        do throws(FlatteningError) {
            guard let engine = try engine(for: page, context: own) else { return rows }
            let others = try engine.lines(on: page, context: own)
            // A wrong language also reads letters, but not surely; and a reading in mostly Latin letters is no sign of
            // another script.
            guard Self.sureWidth(of: others) > Tuning.leastGain * Self.sureWidth(of: rows),
                RecognizedText.meanConfidence(of: others.flatMap(\.words)) >= Tuning.leastConfidence,
                Self.areMostlyNotLatin(others)
            else { return rows }
            context.onOtherReader?(
                .init(name: engine.name, languages: engine.languages, unread: unread.withLock { $0 }))
            return Self.joined(others, with: rows)
        } catch {
            // Without tesseract, with broken data, or with too little memory, keep the built-in reader's result.
            guard [.cancelled, .timeout].contains(error.code) else { return rows }
            throw error
        }
    }

    /// Returns the engine of the language that reads a page's rows best.
    /// - Returns: nil where no language reads any.
    private func engine(
        for page: TextPage, context: ReadingContext
    ) throws(FlatteningError) -> TesseractEngine? {
        let print = PageRows(on: page)
        guard
            let sample = RowRendering.sample(
                of: print.rows, ink: print.ink, places: 0..<Tuning.sampleRows)
        else { return nil }
        var best = (worth: 0.0, engine: TesseractEngine?.none)
        /// Tries languages. An engine that loses is released before the next one is made.
        func attempt(_ languages: some Sequence<String>) throws(FlatteningError) {
            for language in languages {
                let engine: TesseractEngine
                do throws(FlatteningError) {
                    engine = try winner.engine(for: language)
                } catch {
                    guard error.code == .missingLanguageData else { throw error }
                    continue
                }
                let worth = try engine.sureWidth(of: sample, context: context)
                if worth > best.worth { best = (worth, engine) }
            }
        }
        try attempt(candidates.compactMap(\.first))
        guard let found = best.engine else { return nil }
        let script = candidates.first { $0.first == found.languages.first } ?? []
        try attempt(script.dropFirst().prefix(Tuning.mostLanguages))
        winner.keep(best.engine)
        return best.engine
    }

    /// Returns the engine that read a text, so that parts of the page can be read again by the same one.
    package func engine(of text: RecognizedText) throws(FlatteningError) -> any TextEngine {
        text.reader == name ? latin : try winner.engine(for: text.language)
    }

    private typealias Tuning = ReadingTuning.OtherScripts

    /// The engine that read a page last, for the next page.
    private final class Winner: Sendable {
        private let kept = Mutex<TesseractEngine?>(nil)

        func engine(for language: String) throws(FlatteningError) -> TesseractEngine {
            if let engine = kept.withLock({ $0 }), engine.languages == [language] { return engine }
            return try TesseractEngine(language: language)
        }

        func keep(_ engine: TesseractEngine?) { kept.withLock { $0 = engine } }
    }

    /// Whether most letters are of another script than Latin.
    private static func areMostlyNotLatin(_ rows: [RecognizedLine]) -> Bool {
        var (latin, others) = (0, 0)
        for scalar in rows.lazy.flatMap(\.words).flatMap(\.text.unicodeScalars)
        where scalar.properties.isAlphabetic {
            // Latin letters with all their accents.
            if scalar.value < 0x250 || (0x1E00..<0x1F00).contains(scalar.value) {
                latin += 1
            } else {
                others += 1
            }
        }
        return others > latin
    }

    /// The width of a page's print that is surely read, as `TesseractEngine.sureWidth`.
    private static func sureWidth(of rows: [RecognizedLine]) -> Double {
        rows.flatMap(\.words).reduce(0) {
            $0 + sureWidth(of: $1.text, confidence: $1.confidence, box: $1.box)
        }
    }

    /// Returns a word's width weighted by its confidence; 0 for a word without letters or digits.
    static func sureWidth(of text: String, confidence: Double, box: Box) -> Double {
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return 0 }
        return box.width
            * pow(confidence, ReadingTuning.Upright.symbolPower + ReadingTuning.Upright.wordPower)
    }

    // MARK: Two readings of one page

    /// Joins two readings of one page: the rows in another script, and the built-in reader's rows. A doubtful row is
    /// replaced by the built-in reader's where that is surer. Numbers that the built-in reader is sure of are put in,
    /// because it reads them better: amounts, days, registrations.
    static func joined(_ others: [RecognizedLine], with rows: [RecognizedLine]) -> [RecognizedLine] {
        var own = [[RecognizedLine]](repeating: [], count: others.count)
        var lines: [RecognizedLine] = []
        for row in rows {
            let nearest = others.indices.min {
                abs(others[$0].box.centerY - row.box.centerY) < abs(others[$1].box.centerY - row.box.centerY)
            }
            if let nearest, others[nearest].box.top < row.box.centerY,
                others[nearest].box.bottom > row.box.centerY
            {
                own[nearest].append(row)
            } else if row.confidence >= Tuning.sureNumber {
                // A row that tesseract did not find.
                lines.append(row)
            }
        }
        for (other, rows) in zip(others, own) {
            // tesseract reads a row of its script as a whole; the built-in reader leaves out letters that it does not
            // know.
            if other.confidence < Tuning.leastConfidence, sureWidth(of: rows) > sureWidth(of: [other]) {
                lines += rows
            } else {
                lines.append(
                    RecognizedLine(
                        words: withNumbers(of: rows, in: other.words).sorted { $0.box.left < $1.box.left }))
            }
        }
        return lines.sorted { $0.box.centerY < $1.box.centerY }
    }

    /// Returns a row's words with the sure numbers of another reading of the row put in.
    private static func withNumbers(
        of rows: [RecognizedLine], in words: [RecognizedWord]
    ) -> [RecognizedWord] {
        var words = words
        for number in rows.flatMap(\.words) where isSureNumber(number) {
            let isInside = { (word: RecognizedWord) in
                word.box.centerX > number.box.left && word.box.centerX < number.box.right
                    || number.box.centerX > word.box.left && number.box.centerX < word.box.right
            }
            // Keep a word that is longer or surer than the number in it. Also keep a word with letters or a currency
            // sign, unless it is doubtful.
            let isReplaceable = words.filter(isInside).allSatisfy { word in
                word.box.width < Tuning.longestDoubt * number.box.width && word.confidence < number.confidence
                    && (word.confidence < Tuning.leastConfidence
                        || !word.text.contains { $0.isLetter || $0.isCurrencySymbol })
            }
            if isReplaceable { words = words.filter { !isInside($0) } + [number] }
        }
        return words
    }

    private static func isSureNumber(_ word: RecognizedWord) -> Bool {
        word.confidence >= Tuning.sureNumber && word.text.contains(where: \.isNumber)
            && !word.text.contains(where: \.isLetter)
    }

    /// tesseract's names of languages that are not written in Latin letters, one script per line.
    private static let scripts = """
        rus ukr bul bel srp mkd kaz kir mon tat tgk uzb_cyrl aze_cyrl script/Cyrillic
        ell grc script/Greek
        hye script/Armenian
        kat kat_old script/Georgian
        heb yid script/Hebrew
        ara fas urd pus snd uig ckb script/Arabic
        syr script/Syriac
        amh tir script/Ethiopic
        hin mar nep san script/Devanagari
        ben asm script/Bengali
        guj script/Gujarati
        pan script/Gurmukhi
        ori script/Oriya
        tam script/Tamil
        tel script/Telugu
        kan script/Kannada
        mal script/Malayalam
        sin script/Sinhala
        tha script/Thai
        lao script/Lao
        khm script/Khmer
        mya script/Myanmar
        bod dzo script/Tibetan
        kor script/Hangul
        jpn script/Japanese
        chi_sim chi_tra script/HanS script/HanT
        chr script/Cherokee
        iku script/Canadian_Aboriginal
        div script/Thaana
        """.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
}

extension TextEngine {
    /// The engine without its handling of other letters than Latin ones: for frames of a camera, and parts of a page.
    package var ofLatinLetters: any TextEngine { (self as? OtherScripts)?.latin ?? self }

    /// Returns the engine that read a text: this one, or the one to which it handed the page.
    /// - Throws: as `TesseractEngine.init` does.
    package func reader(of text: RecognizedText?) throws(FlatteningError) -> any TextEngine {
        guard let text, let others = self as? OtherScripts else { return self }
        return try others.engine(of: text)
    }
}
