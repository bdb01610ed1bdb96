package import Diagnostics
package import Imaging
import Platform
import PrintDetection
import Synchronization

/// Reads Latin letters, and hands a page in other letters to tesseract if that has data for their script.
///
/// When the built-in reader reads little of a page, the page is either hard to read or in another script. A few of its
/// rows are then read in one language of each other script that tesseract has data for, and in further languages of the
/// best script. If they are surely in that script, the whole page is read in the language that reads them best, and that
/// reading is used if enough of it is surely in that script. Data that are not installed cost nothing, and a page that the
/// built-in reader reads well costs nothing more.
///
/// The text holds, place by place, the words of the reading that is surer there. The built-in reader's rows are kept
/// beside it, as what a receipt says is told from either.
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
            // A wrong language also reads letters, but not surely; and a reading in Latin letters is no sign of another
            // script.
            let words = others.flatMap(\.words).filter { Self.hasOtherLetters($0.text) }
            guard Self.sureWidth(of: words) > Tuning.leastShare * Self.sureWidth(of: rows.flatMap(\.words)),
                RecognizedText.meanConfidence(of: words) >= Tuning.leastConfidence,
                Self.isLanguage(of: others, engine.languages)
            else { return rows }
            context.onOtherReader?(
                .init(
                    name: engine.name, languages: engine.languages, unread: unread.withLock { $0 },
                    replaced: rows))
            return Self.joined(others.map(\.withoutNeedlessBlanks), with: rows)
        } catch {
            // Without tesseract, with broken data, or with too little memory, keep the built-in reader's result.
            guard [.cancelled, .timeout].contains(error.code) else { return rows }
            throw error
        }
    }

    /// Returns the engine of the language that reads a page's rows best.
    /// - Returns: nil where no language reads any of them surely.
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
                let reading = try engine.readingInOtherLetters(of: sample, context: context)
                guard Self.isSure(reading, in: language, ofWidth: Double(sample.width)) else { continue }
                if reading.sureWidth > best.worth { best = (reading.sureWidth, engine) }
            }
        }
        try attempt(candidates.compactMap(\.first))
        guard let found = best.engine else { return nil }
        let script = candidates.first { $0.first == found.languages.first } ?? []
        try attempt(script.dropFirst().prefix(Tuning.mostLanguages))
        winner.keep(best.engine)
        return best.engine
    }

    /// A reading of a few rows, as far as its letters are of another script than Latin.
    struct SampleReading {
        /// The sum of the widths of the words, in pixels, each as far as it is surely read.
        let sureWidth: Double
        /// The mean confidence of the words, each weighted by its width; 0 where there are none.
        let confidence: Double
    }

    /// Whether a few rows are read in a language so surely that the whole page is worth reading in it.
    /// - Parameter width: the widest row's, in pixels.
    static func isSure(_ reading: SampleReading, in language: String, ofWidth width: Double) -> Bool {
        reading.sureWidth >= Tuning.leastSample * width
            && (!thai.contains(language) || reading.confidence >= Tuning.leastThai)
    }

    /// Returns the engine that read a text, so that parts of the page can be read again by the same one.
    package func engine(of text: RecognizedText) throws(FlatteningError) -> any TextEngine {
        text.reader == name ? latin : try winner.engine(for: text.language)
    }

    /// Whether rows hold a word of their language that tills print. Asked of Thai only, whose many small letters match any dots:
    /// a receipt in Latin letters from a dot-matrix printer was read as Thai with a mean confidence of 0.76.
    static func isLanguage(of rows: [RecognizedLine], _ languages: [String]) -> Bool {
        guard languages.contains(where: thai.contains) else { return true }
        return rows.contains { row in
            let text = row.words.map(\.text).joined()
            return thaiWords.contains(where: text.contains)
        }
    }

    private static let thai: Set<String> = ["tha", "script/Thai"]

    /// Total, tax, baht, price, cash, change, receipt, received, all in all, thanks, branch, day, number, amount, item, company,
    /// limited, discount, value, service, net, street, quarter, Bangkok, staff, goods. Of five Thai receipts four have one and
    /// more, the fifth was misread; of four in Latin letters that were read as Thai none does.
    private static let thaiWords = """
        รวม ภาษี บาท ราคา เงินสด เงินทอน ใบเสร็จ รับเงิน ทั้งสิ้น ขอบคุณ สาขา วันที่ เลขที่ จำนวน รายการ บริษัท จำกัด ส่วนลด มูลค่า บริการ สุทธิ \
        ถนน แขวง กรุงเทพ พนักงาน สินค้า
        """.split(separator: " ").map(String.init)

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

    /// Whether a word has a letter of another script than Latin.
    package static func hasOtherLetters(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            // Latin letters with the accents of today's languages lie in these ranges.
            $0.properties.isAlphabetic && $0.value >= 0x250 && !(0x1E00..<0x1F00).contains($0.value)
        }
    }

    /// The width of print that is surely read, as `TesseractEngine.readingInOtherLetters`, of words in any letters.
    private static func sureWidth(of words: [RecognizedWord]) -> Double {
        words.reduce(0) { $0 + sureWidth(of: $1.text, confidence: $1.confidence, box: $1.box) }
    }

    /// Returns a word's width weighted by its confidence; 0 for a word without letters or digits.
    static func sureWidth(of text: String, confidence: Double, box: Box) -> Double {
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return 0 }
        return box.width
            * pow(confidence, ReadingTuning.Upright.symbolPower + ReadingTuning.Upright.wordPower)
    }

    // MARK: Two readings of one page

    /// Joins two readings of one page, word by word: the rows in another script, and the built-in reader's.
    ///
    /// Where both have words, those of the other script stay, unless the built-in reader is sure and surer: amounts, days,
    /// names in Latin letters. Where one has none, the other's are taken.
    static func joined(_ others: [RecognizedLine], with rows: [RecognizedLine]) -> [RecognizedLine] {
        var own = [[RecognizedWord]](repeating: [], count: others.count)
        var lines: [RecognizedLine] = []
        for row in rows {
            var alone: [RecognizedWord] = []
            for word in row.words {
                let middle = word.box.centerY
                let nearest = others.indices.filter {
                    others[$0].box.top < middle && others[$0].box.bottom > middle
                }
                .min { abs(others[$0].box.centerY - middle) < abs(others[$1].box.centerY - middle) }
                if let nearest {
                    own[nearest].append(word)
                } else if word.confidence >= Tuning.sureAlone {
                    alone.append(word)
                }
            }
            if !alone.isEmpty, row.confidence >= Tuning.sureAlone {
                lines.append(RecognizedLine(words: alone))
            }
        }
        for (other, words) in zip(others, own) {
            lines.append(RecognizedLine(words: joined(other.words, with: words)))
        }
        return lines.sorted { $0.box.centerY < $1.box.centerY }
    }

    /// Returns a row's words with those of the built-in reader that are surer, or stand where it has none.
    private static func joined(
        _ others: [RecognizedWord], with words: [RecognizedWord]
    ) -> [RecognizedWord] {
        var result = others.map { (word: $0, isOther: true) }
        for word in words.sorted(by: { $0.confidence > $1.confidence }) {
            let letters = word.text.count { $0.isLetter || $0.isNumber }
            let beneath = result.indices.filter {
                result[$0].isOther && isOnePlace(result[$0].word.box, word.box)
            }
            if beneath.isEmpty {
                guard letters > 0, word.confidence >= Tuning.sureAlone else { continue }
            } else {
                guard letters > 1, word.confidence >= Tuning.sureWord,
                    gives(way: beneath.map { result[$0].word }, to: word)
                else { continue }
            }
            for index in beneath.reversed() { result.remove(at: index) }
            result.append((word, false))
        }
        return result.map(\.word).sorted { $0.box.left < $1.box.left }
    }

    /// Whether two words of a row stand in one place: they share more than half of the narrower one's width.
    private static func isOnePlace(_ first: Box, _ second: Box) -> Bool {
        min(first.right, second.right) - max(first.left, second.left)
            > min(first.width, second.width) / 2
    }

    /// Whether words give way to a sure one of the built-in reader in their place: they are less sure, none of them that
    /// is likely right is longer, and a number replaces no likely word and no currency.
    private static func gives(way others: [RecognizedWord], to word: RecognizedWord) -> Bool {
        let width = others.reduce(0) { $0 + $1.box.width }
        let confidence = others.reduce(0) { $0 + $1.box.width * $1.confidence } / max(width, 1)
        guard confidence < word.confidence else { return false }
        let isNumber = !word.text.contains(where: \.isLetter)
        return !others.contains { other in
            other.confidence >= Tuning.leastConfidence
                && (other.box.width > Tuning.longer * word.box.width
                    || isNumber && others.count == 1
                        && other.text.contains { $0.isLetter || $0.isCurrencySymbol })
        }
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

extension RecognizedLine {
    /// The row with the pieces of words joined that tesseract finds in scripts without blanks between words.
    var withoutNeedlessBlanks: RecognizedLine {
        var words: [RecognizedWord] = []
        for word in self.words {
            guard let last = words.last, let end = last.text.unicodeScalars.last,
                let start = word.text.unicodeScalars.first,
                Self.needsNoBlank(end) || Self.needsNoBlank(start),
                word.box.left - last.box.right
                    < ReadingTuning.OtherScripts.widestJoint * max(last.box.height, word.box.height)
            else {
                words.append(word)
                continue
            }
            let width = max(last.box.width + word.box.width, 1)
            words[words.count - 1] = RecognizedWord(
                text: last.text + word.text,
                confidence: (last.confidence * last.box.width + word.confidence * word.box.width) / width,
                box: last.box.union(word.box), source: last.source)
        }
        return RecognizedLine(words: words)
    }

    /// Whether a script is written without blanks between words, or tesseract finds its letters one by one: Thai, Lao,
    /// Burmese, Khmer, Chinese, Japanese, Korean. Numbers join them too: days are written so.
    private static func needsNoBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00..<0x0F00, 0x1000..<0x10A0, 0x1780..<0x1800, 0x3000..<0x31F0, 0x3400..<0xA000,
            0xAC00..<0xD7B0, 0xFF00..<0xFFEF:
            true
        default: false
        }
    }
}
