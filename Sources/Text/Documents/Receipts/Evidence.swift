import CReceiptTables
import TextRecognition
import Platform

/// The evidence for a field, from which its confidence is computed.
struct Evidence {
    /// How likely the rows or the value are what they are taken for, 0 to 1.
    var likelihood: Double
    /// The words that the value was read from.
    var words: [RecognizedWord]
    /// Number of independent confirmations on the page: another place, a sum.
    var support = 0.0
    /// Highest confidence allowed, however well everything was read; below 1 where the print itself leaves a choice.
    var ceiling = 1.0

    /// The numbers that the calibration weighs.
    var numbers: [Double] {
        let confidences = words.map(\.confidence)
        let characters = words.reduce(0) { $0 + $1.text.count }
        return [
            1, Self.logit(likelihood), RecognizedText.meanConfidence(of: words), confidences.min() ?? 0,
            log(1 + Double(characters)), min(support, Self.mostSupport),
        ]
    }

    /// Further confirmations do not raise the confidence.
    private static let mostSupport = 3.0
    /// Likelihoods are limited to this range, so that one sure part does not outweigh all others.
    private static let weighed = 0.001...0.999

    /// The log odds of a likelihood, after limiting it to `weighed`.
    static func logit(_ probability: Double) -> Double {
        let inside = min(max(probability, weighed.lowerBound), weighed.upperBound)
        return log(inside / (1 - inside))
    }
}

/// Likelihoods of values found by rules of grammar alone, without the row model. The calibration starts from them and weighs them
/// anew for each field, so only their order counts.
enum GrammarLikelihood {
    /// A word with a distinct shape: a time, a mail or web address.
    static let shaped = 0.9
    /// A date whose country or numbers tell which is the day.
    static let date = 0.95
    /// A date in which day and month may be exchanged and no country decides.
    static let ambiguousDate = 0.6
    /// A country that words of the page name.
    static let country = 0.9
    /// A currency printed by its own sign or code.
    static let currency = 0.99
}

/// Highest confidence of a field where the print itself leaves a choice, however well it was read.
enum ConfidenceCeiling {
    /// A date in which day and month may be exchanged and no country decides: a little more than an even chance, for most of
    /// the world puts the day first.
    static let ambiguousDate = 0.6
    /// A total that subtotal and tax do not make and that nothing else on the page confirms: one number against another. 101
    /// scans of receipts have five such totals, four of them right.
    static let contradictedTotal = 0.55
    /// The same for a total that is not what was printed: without the digits after its mark, or with one too many. It is not given.
    static let misreadTotal = 0.3
}

/// Computes how sure a field is: a logistic function of its evidence, fitted by `Training/Fields/calibrate.py` to drawn receipts
/// with a reader's errors. Of the values given with a confidence of 0.8, eight in ten are right.
///
/// Each reader has its own calibration, because a confidence of 0.9 is high for one reader and low for another. Words of an
/// unknown engine use a calibration fitted to all readers together.
struct Calibration {
    private var weights: [String: [Double]] = [:]
    private var least: [String: Double] = [:]

    /// The name that stands for any reader.
    static let anyReader = "any"
    /// The calibrations that ship, by the reader's name.
    private static let shipped = all(
        in: Vocabulary.embeddedText(creceipttables_calibration(), creceipttables_calibration_size()))

    /// The calibration of what an engine of this name reads; nil where the engine is not known.
    static func of(reader: String?) -> Calibration {
        // The built-in reader runs the same recogniser as ONNX Runtime, so its confidences mean the same.
        let name = reader == "builtin" ? "onnxruntime" : reader
        return name.flatMap { shipped[$0] } ?? shipped[anyReader] ?? Calibration()
    }

    /// The calibrations in lines of "reader field least: weights".
    static func all(in file: String) -> [String: Calibration] {
        var all: [String: Calibration] = [:]
        for line in file.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: ":")
            let head = (parts.first?.split(separator: " ") ?? []).map(String.init)
            guard parts.count == 2, head.count == 3 else { continue }
            all[head[0], default: Calibration()].weights[head[1]] = parts[1].split(separator: " ").compactMap
            {
                Double($0)
            }
            all[head[0]]?.least[head[1]] = Double(head[2])
        }
        return all
    }

    /// Lowest confidence at which a field is given that drawn receipts do not have.
    private static let usualLeast = 0.6

    /// The lowest confidence at which a field is given. Of the fields given on drawn receipts with a reader's errors, 95 in 100
    /// are right.
    func leastConfidence(_ field: ReceiptFieldName) -> Double { least[field.rawValue] ?? Self.usualLeast }

    /// How likely a value is the total, from the numbers of `ReceiptFieldParser.TotalCandidate`; nil without weights.
    func likelihood(ofTotal numbers: [Double]) -> Double? { likelihood("totals", numbers) }

    /// How likely a name is the seller's, from the numbers of `MerchantCandidate`; nil without weights.
    func likelihood(ofMerchant numbers: [Double]) -> Double? { likelihood("merchants", numbers) }

    private func likelihood(_ choice: String, _ numbers: [Double]) -> Double? {
        guard let weights = weights[choice], weights.count == numbers.count else { return nil }
        return 1 / (1 + exp(-zip(weights, numbers).reduce(0) { $0 + $1.0 * $1.1 }))
    }

    /// The confidence that evidence gives a field, 0 to 1.
    func confidence(_ field: ReceiptFieldName, _ evidence: Evidence) -> Double {
        guard let weights = weights[field.rawValue], weights.count == evidence.numbers.count else {
            return evidence.likelihood * RecognizedText.meanConfidence(of: evidence.words)
        }
        let sum = zip(weights, evidence.numbers).reduce(0) { $0 + $1.0 * $1.1 }
        return min(1 / (1 + exp(-sum)), evidence.ceiling)
    }
}
