import CReceiptTables
import Platform

/// Tells kinds of documents apart: a multinomial logistic regression over `KindFeature`s.
///
/// Its table is text with one line per feature: name, mean, and a weight for each kind. `Training/Kinds/train.py` trains it on
/// documents that the project draws.
struct KindModel {
    let kinds: [DocumentKind]
    /// The smallest probability at which a kind is given.
    let threshold: Double
    private let biases: [Double]
    private let rows: [(name: String, mean: Double, weights: [Double])]

    /// The built-in model; nil only if its table does not match this program, which a test rules out.
    static let shared = KindModel(
        table: Vocabulary.embeddedText(creceipttables_kind_weights(), creceipttables_kind_weights_size()))

    /// Parses a table; nil if it is malformed.
    init?(table: String) {
        var lines = table.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ").map(String.init) }[...]
        guard let head = lines.popFirst(), head.first == "kinds", let least = lines.popFirst(),
            least.count == 2,
            least[0] == "threshold", let threshold = Double(least[1]), let offsets = lines.popFirst(),
            offsets.first == "bias"
        else { return nil }
        kinds = head.dropFirst().compactMap(DocumentKind.init(rawValue:))
        self.threshold = threshold
        biases = offsets.dropFirst().compactMap(Double.init)
        rows = lines.compactMap { line in
            let numbers = line.dropFirst().compactMap(Double.init)
            guard let name = line.first, numbers.count == line.count - 1, let mean = numbers.first else {
                return nil
            }
            return (name, mean, Array(numbers.dropFirst()))
        }
        guard kinds.count == head.count - 1, biases.count == kinds.count, rows.count == lines.count,
            rows.allSatisfy({ $0.weights.count == biases.count })
        else { return nil }
    }

    /// The names of the features that the table has weights for, in its order.
    var features: [String] { rows.map(\.name) }

    /// Returns the likeliest kind, and why. O(features x kinds).
    func classify(_ features: [KindFeature]) -> DocumentClassification {
        var scores = biases
        let known = zip(rows, features).map { row, feature in
            (row: row, feature: feature, excess: feature.value - row.mean)
        }
        for entry in known {
            for index in scores.indices { scores[index] += entry.row.weights[index] * entry.excess }
        }
        let order = scores.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }
        guard order.count > 1 else {
            return DocumentClassification(kind: .unknown, confidence: 0, reasons: [])
        }
        let (best, next) = (order[0], order[1])
        let sum = scores.reduce(0) { $0 + exp($1 - scores[best]) }
        let reasons = known.map { entry in
            (
                weight: (entry.row.weights[best] - entry.row.weights[next]) * entry.excess,
                words: entry.excess > 0 ? entry.feature.much : entry.feature.little
            )
        }.filter { $0.weight > 0 }.sorted { $0.weight > $1.weight }.prefix(3).map(\.words)
        let confidence = 1 / sum
        return DocumentClassification(
            kind: confidence >= threshold ? kinds[best] : .unknown, confidence: confidence, reasons: reasons)
    }
}

extension DocumentEvidence {
    /// The features by name, for the training.
    package var numbers: [(name: String, value: Double)] { features.map { ($0.name, $0.value) } }
}

extension DocumentClassification {
    /// Classifies a sheet.
    package init(of evidence: DocumentEvidence) {
        self =
            KindModel.shared?.classify(evidence.features)
            ?? DocumentClassification(kind: .unknown, confidence: 0, reasons: [])
    }
}
