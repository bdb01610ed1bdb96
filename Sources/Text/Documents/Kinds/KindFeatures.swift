import CReceiptTables
import Platform
import Imaging
import RobustStatistics
import TextRecognition

/// One number that tells kinds of documents apart, roughly 0 to 1, with phrases for a high and a low value.
struct KindFeature {
    let name: String
    let much: String
    let little: String
    let value: Double
}

extension DocumentEvidence {
    /// The features in the order of the table of weights.
    var features: [KindFeature] { size + proportions + print + words + found }

    // MARK: - Size

    /// Sizes in millimetres, the longer side first, and the tolerance of a measured sheet: sensors err by 1 to 2 %, corners are
    /// rounded.
    private enum Format {
        static let bankCard = [(85.6, 53.98)]
        static let businessCards = [(85.0, 55.0), (90, 50), (88.9, 50.8), (91, 55), (90, 55)]
        static let passportPage = [(125.0, 88.0)]
        static let smallVisa = [(105.0, 74.0)]
        static let pages = [
            (297.0, 210.0), (279.4, 215.9), (355.6, 215.9), (210, 148), (148, 105), (250, 176), (420, 297),
        ]
        static let photographs = [
            (150.0, 100.0), (152.4, 101.6), (130, 90), (127, 88.9), (180, 130), (254, 203.2), (45, 35),
        ]
        /// Widths of rolls.
        static let rolls = [57.5, 79.5]
        /// One standard deviation, as a share of the longer side's length.
        static let tolerance = 0.015
    }

    /// Longer side divided by shorter side, each with one standard deviation: corners alone give proportions to 2 %, sensors to
    /// 1 %, and formats of one kind differ.
    private enum Proportion {
        static let bankCard = [(1.586, 0.04)]
        static let businessCard = [(1.65, 0.08), (1.8, 0.05)]
        static let page = [(1.414, 0.04), (1.294, 0.04)]
        static let smallPrint = [(1.5, 0.03)]
        static let even = [(1.0, 0.1)]
        /// The feature grows from 0 at a ratio of `from` to 1 at `from` plus `over`.
        static let long = (from: 1.6, over: 2.0)
    }

    private static func bump(_ distance: Double) -> Double { exp(-distance * distance / 2) }

    private func nearness(to formats: [(Double, Double)]) -> Double {
        guard let size = millimeters else { return 0 }
        let (long, short) = (size.max(), size.min())
        return formats.map { format in
            let deviation = Format.tolerance * format.0
            return Self.bump(hypot(long - format.0, short - format.1) / deviation / 2)
        }.max() ?? 0
    }

    private var size: [KindFeature] {
        let short = millimeters?.min()
        let roll = short.map { short in
            Format.rolls.map { Self.bump((short - $0) / (Format.tolerance * $0) / 2) }.max() ?? 0
        }
        let area = millimeters.map { log10(max($0.x * $0.y, 1)) / 5 }
        func feature(_ name: String, _ words: String, _ value: Double) -> KindFeature {
            KindFeature(
                name: name, much: "its size is \(words)", little: "its size is not \(words)", value: value)
        }
        return [
            KindFeature(
                name: "sizeKnown", much: "its size is known", little: "its size is not known",
                value: millimeters == nil ? 0 : 1),
            feature("sizeBankCard", "a bank card's", nearness(to: Format.bankCard)),
            feature("sizeBusinessCard", "a business card's", nearness(to: Format.businessCards)),
            feature("sizePassport", "a passport page's", nearness(to: Format.passportPage)),
            feature("sizeSmallVisa", "that of TD2", nearness(to: Format.smallVisa)),
            feature("sizePage", "a page's", nearness(to: Format.pages)),
            feature("sizePhotograph", "a photograph's", nearness(to: Format.photographs)),
            feature("sizeRoll", "a till roll's", roll ?? 0),
            KindFeature(
                name: "area", much: "it is large", little: "it is small", value: area ?? 0),
        ]
    }

    // MARK: - Proportions

    private var proportions: [KindFeature] {
        let long = max(aspect, 1 / aspect)
        func near(_ formats: [(ratio: Double, deviation: Double)]) -> Double {
            formats.map { Self.bump((long - $0.ratio) / $0.deviation) }.max() ?? 0
        }
        func feature(_ name: String, _ words: String, _ value: Double) -> KindFeature {
            KindFeature(
                name: name, much: "its sides are \(words)", little: "its sides are not \(words)", value: value
            )
        }
        return [
            feature("sidesBankCard", "as a bank card's", near(Proportion.bankCard)),
            feature("sidesBusinessCard", "as a business card's", near(Proportion.businessCard)),
            feature("sidesPage", "as a page's", near(Proportion.page)),
            feature("sidesSmallPrint", "3 to 2", near(Proportion.smallPrint)),
            feature("sidesEven", "equal", near(Proportion.even)),
            feature(
                "long", "far apart", min(max((long - Proportion.long.from) / Proportion.long.over, 0), 1)),
            KindFeature(
                name: "upright", much: "it is higher than wide", little: "it is wider than high",
                value: aspect < 1 ? 1 : 0),
        ]
    }

    // MARK: - Print

    private var print: [KindFeature] {
        let lines = text.lines
        let words = text.words
        let characters = words.flatMap { Array($0.text) }
        let letters = characters.filter(\.isLetter)
        let heights = lines.map(\.box.height)
        let middle = heights.isEmpty ? 0 : heights.quantile(0.5)
        let side = Double(text.pageWidth * text.pageHeight).squareRoot()
        let style = NumberStyle(words: words.map(\.text))
        func isAmount(_ word: RecognizedWord) -> Bool {
            PrintedAmount(word.text, style: style)?.isCertain == true
        }
        let withAmount = lines.count { $0.words.contains(where: isAmount) }
        let endsInAmount = lines.count { $0.words.count > 1 && $0.words.last.map(isAmount) == true }
        let prose = lines.count { $0.words.count >= 7 && !$0.words.contains(where: isAmount) }
        func share(_ count: Int, of all: Int) -> Double { all == 0 ? 0 : Double(count) / Double(all) }
        func feature(_ name: String, _ much: String, _ little: String, _ value: Double) -> KindFeature {
            KindFeature(name: name, much: much, little: little, value: value)
        }
        return [
            feature("noText", "nothing is read on it", "something is read on it", lines.isEmpty ? 1 : 0),
            feature("rows", "it has many rows", "it has few rows", log10(Double(1 + lines.count)) / 2),
            feature("words", "it has many words", "it has few words", log10(Double(1 + words.count)) / 3),
            feature(
                "letters", "its letters are large for it", "its letters are small for it",
                side == 0 ? 0 : min(20 * middle / side, 2)),
            feature(
                "contrast", "one row is much larger than the others", "its rows are alike in size",
                middle == 0 ? 0 : min(log2((heights.max() ?? 0) / middle) / 3, 1)),
            feature(
                "digits", "much of it are digits", "little of it are digits",
                share(characters.count(where: \.isNumber), of: characters.count)),
            feature(
                "capitals", "it is in capitals", "it is in small letters",
                share(letters.count(where: \.isUppercase), of: letters.count)),
            feature(
                "amounts", "many rows have amounts", "few rows have amounts",
                share(withAmount, of: lines.count)),
            feature(
                "amountsAtEnd", "rows end in amounts", "rows do not end in amounts",
                share(endsInAmount, of: lines.count)),
            feature(
                "prose", "it has long rows of text", "it has no long rows of text",
                share(prose, of: lines.count)),
            feature(
                "tones", "much of it is neither paper nor ink", "it is paper and ink",
                min(2 * middleTones, 1.5)),
        ]
    }

    // MARK: - Words

    private var words: [KindFeature] {
        let rows = text.lines.map { Vocabulary.words(of: $0.text) }
        return KindWords.shared.kinds.map { kind, phrases in
            let hits = phrases.count { phrase in rows.contains { $0.contains(phrase) } }
            return KindFeature(
                name: kind + "Words", much: "it has words of \(KindWords.spoken[kind] ?? kind)",
                little: "it lacks words of \(KindWords.spoken[kind] ?? kind)", value: Double(min(hits, 4)) / 4
            )
        }
    }

    // MARK: - What was found

    private var found: [KindFeature] {
        func feature(_ name: String, _ words: String, _ value: Double) -> KindFeature {
            KindFeature(name: name, much: "it has \(words)", little: "it lacks \(words)", value: value)
        }
        return [
            feature("total", "a total", fields.total == nil ? 0 : 1),
            feature("items", "items with prices", log10(Double(1 + fields.items.count))),
            feature("tax", "a tax", fields.tax == nil && fields.taxLines.isEmpty ? 0 : 1),
            feature("payment", "a payment", fields.payment == nil && fields.cashGiven == nil ? 0 : 1),
            feature("invoiceNumber", "an invoice's number", fields.invoiceNumber == nil ? 0 : 1),
            feature("email", "a mail address", emails > 0 ? 1 : 0),
            feature("url", "a web address", urls > 0 ? 1 : 0),
            feature("phones", "telephone numbers", Double(min(phones, 3)) / 3),
            feature("cardNumber", "a payment card's number", text.hasCardNumber ? 1 : 0),
            feature(
                "angles", "rows of \u{3C}\u{3C}",
                text.lines.contains { $0.text.count { $0 == "<" } >= 5 } ? 1 : 0),
            feature("zoneOfCard", "a machine-readable zone of three rows", zone == "TD1" ? 1 : 0),
            feature(
                "zoneOfPassport", "a machine-readable zone of two rows", zone != nil && zone != "TD1" ? 1 : 0),
            feature("barCode", "bar codes", Double(min(barCodes, 2)) / 2),
            feature("squareCode", "a two-dimensional code", squareCodes > 0 ? 1 : 0),
            feature("face", "a face", face == nil ? 0 : 1),
            feature("faceSize", "a large face", face ?? 0),
        ]
    }
}

/// Words printed on documents of each kind; see `words/kinds.words`.
struct KindWords {
    /// Kinds and their phrases, in the order of the file.
    let kinds: [(name: String, phrases: [[String]])]

    static let shared = KindWords(
        file: Vocabulary.embeddedText(creceipttables_kind_words(), creceipttables_kind_words_size()))

    /// Reads a list of phrases for each kind.
    init(file: String) { kinds = Vocabulary.lists(in: file) }

    /// The name of each kind in reasons.
    static let spoken = [
        "receipt": "receipts", "invoice": "invoices", "passport": "passports", "identity": "identity cards",
        "payment": "payment cards", "label": "labels", "letter": "letters and books",
        "contact": "business cards",
    ]
}
