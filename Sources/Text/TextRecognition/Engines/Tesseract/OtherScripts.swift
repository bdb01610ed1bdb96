import Diagnostics
import Imaging
import Platform
import PrintDetection
import Synchronization

/// Reads Latin letters, and leaves a page in other letters to tesseract, where that has data for their script.
///
/// A page of which the built-in reader reads little is either hard to read or of another script. A few of its rows are then read in
/// each language of another script that tesseract has data for; the page is read whole in the one that reads them best, and that
/// reading counts where more of it is sure. Data that are not installed cost nothing, and a page that is read costs nothing more.
struct OtherScripts: TextEngine {
    private let latin: LineEngine
    private let engines: Engines
    /// The languages that are tried, by tesseract's names.
    private let candidates: [String]

    var name: String { latin.name }
    var version: String { latin.version }
    var languages: [String] { latin.languages }

    /// - Parameters:
    ///   - latin: reads Latin letters.
    ///   - installed: the languages that tesseract has data for.
    init(besides latin: LineEngine, installed: [String] = TextLibraries.installedLanguages()) {
        self.latin = latin
        candidates = Self.languages(among: installed)
        engines = Engines()
    }

    /// Those of some languages whose letters the built-in reader does not know.
    static func languages(among installed: [String]) -> [String] {
        installed.filter { scripts.contains($0) }
    }

    func legibility(
        of pictures: [GrayImage], context: ReadingContext
    ) throws(FlatteningError) -> [Double] {
        try latin.legibility(of: pictures, context: context)
    }

    func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine] {
        let rows = try latin.lines(on: page, context: context)
        guard !candidates.isEmpty, !context.isCursory,
            let share = RowLayout.shareRead(of: rows, on: page), share < Tuning.mostShare,
            let best = try language(of: page, context: context)
        else { return rows }
        let others = try engines.engine(for: best).lines(on: page, context: context)
        // Another script's letters are read too, but not surely.
        guard Self.sureWidth(of: others) > Tuning.leastGain * Self.sureWidth(of: rows),
            RecognizedText.meanConfidence(of: others.flatMap(\.words)) >= Tuning.leastConfidence
        else { return rows }
        context.onOtherReader?(.init(name: "tesseract", languages: [best]))
        return Self.joined(others, with: rows)
    }

    /// How much of a page's print is surely read, as `TesseractEngine.sureWidth`.
    private static func sureWidth(of rows: [RecognizedLine]) -> Double {
        rows.flatMap(\.words).reduce(0) {
            $0 + sureWidth(of: $1.text, confidence: $1.confidence, box: $1.box)
        }
    }

    /// Of a word its width, as far as it is sure; 0 for signs alone.
    static func sureWidth(of text: String, confidence: Double, box: Box) -> Double {
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return 0 }
        return box.width
            * pow(confidence, ReadingTuning.Upright.symbolPower + ReadingTuning.Upright.wordPower)
    }

    // MARK: Two readings of one page

    /// The rows of another script, a doubtful one as the built-in reader has it where that is surer; with the numbers that the built-in reader is sure of, which it reads better: amounts, days,
    /// registrations.
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
                // A row that tesseract does not find.
                lines.append(row)
            }
        }
        for (other, rows) in zip(others, own) {
            // What is of the script is read as a whole; of what is not the built-in reader leaves the letters out.
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

    /// A row's words with the sure numbers of another reading of it.
    private static func withNumbers(
        of rows: [RecognizedLine], in words: [RecognizedWord]
    ) -> [RecognizedWord] {
        var words = words
        for number in rows.flatMap(\.words) where isSureNumber(number) {
            let isInside = { (word: RecognizedWord) in
                word.box.centerX > number.box.left && word.box.centerX < number.box.right
                    || number.box.centerX > word.box.left && number.box.centerX < word.box.right
            }
            // A word that is longer, or of letters, says more than the number in it.
            let isReplaceable = words.filter(isInside).allSatisfy { word in
                word.box.width < Tuning.longestDoubt * number.box.width
                    && word.text.count(where: \.isLetter) <= word.text.count(where: \.isNumber)
            }
            if isReplaceable { words = words.filter { !isInside($0) } + [number] }
        }
        return words
    }

    private static func isSureNumber(_ word: RecognizedWord) -> Bool {
        word.confidence >= Tuning.sureNumber && word.text.contains(where: \.isNumber)
            && !word.text.contains(where: \.isLetter)
    }

    /// The language in which a page's rows read best.
    /// - Returns: nil where none reads any, or tesseract is not there.
    private func language(of page: TextPage, context: ReadingContext) throws(FlatteningError) -> String? {
        let print = PageRows(on: page)
        guard
            let sample = RowRendering.sample(
                of: print.rows, ink: print.ink, places: 0..<Tuning.sampleRows)
        else { return nil }
        var best: (language: String, worth: Double)?
        for candidate in candidates {
            let worth: Double
            do throws(FlatteningError) {
                worth = try engines.engine(for: candidate).sureWidth(of: sample, context: context)
            } catch {
                // Without tesseract, or with broken data, the page is what the built-in reader makes of it.
                guard [.missingDependency, .missingLanguageData].contains(error.code) else { throw error }
                continue
            }
            if worth > best?.worth ?? 0 { best = (candidate, worth) }
        }
        return best?.language
    }

    private typealias Tuning = ReadingTuning.OtherScripts

    /// Engines of languages that were met, for the next pages.
    private final class Engines: Sendable {
        private let made = Mutex<[String: TesseractEngine]>([:])

        func engine(for language: String) throws(FlatteningError) -> TesseractEngine {
            if let known = made.withLock({ $0[language] }) { return known }
            let engine = try TesseractEngine(language: language)
            made.withLock { $0[language] = engine }
            return engine
        }
    }

    /// tesseract's names of languages that are not written in Latin letters, and of their scripts.
    private static let scripts = Set(
        """
        amh ara asm bel ben bod bul chi_sim chi_tra chr ckb dzo ell fas grc guj heb hin hye iku jpn kan kat kat_old kaz khm kir \
        kor lao mal mar mkd mon mya nep ori pan pus rus san sin snd srp syr tam tat tel tgk tha tir uig ukr urd uzb_cyrl yid \
        script/Arabic script/Armenian script/Bengali script/Cyrillic script/Devanagari script/Ethiopic script/Georgian \
        script/Greek script/Gujarati script/Gurmukhi script/HanS script/HanT script/Hangul script/Hebrew script/Japanese \
        script/Kannada script/Khmer script/Lao script/Malayalam script/Myanmar script/Oriya script/Sinhala script/Tamil \
        script/Telugu script/Thaana script/Thai script/Tibetan
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
