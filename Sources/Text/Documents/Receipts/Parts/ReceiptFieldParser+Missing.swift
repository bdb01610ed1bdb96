import Platform
import TextRecognition

/// Why fields are nil.
extension ReceiptFieldParser {
    /// Returns a reason for each field that is not given, by its key. The words are the program's own: text that was read but not
    /// believed is not passed on.
    func reasonsForMissing() -> [String: String] {
        var reasons: [String: String] = [:]
        for name in ReceiptFieldName.allCases where fields.text(of: name) == nil {
            reasons[name.key] = reason(for: name)
        }
        if fields.items.isEmpty {
            reasons["items"] = isBlank ? Self.noText : isMostlyUnread ? Self.mostlyUnread : Self.nothingFound
        }
        return reasons
    }

    private static let noText = "no text was read"
    private static let mostlyUnread = "most of the print was not read"
    private static let nothingFound = "nothing found"

    private var isBlank: Bool { rows.isEmpty }

    private func reason(for name: ReceiptFieldName) -> String {
        if isBlank { return Self.noText }
        if let found = evidence[name] {
            let confidence = calibration.confidence(name, found)
            return "found, but not sure enough: \(Self.rounded(confidence)) of at least "
                + Self.rounded(calibration.leastConfidence(name))
        }
        if name == .currency, !signs.open.isEmpty {
            return "its sign is that of several currencies, and no country is clear"
        }
        return Self.nothingFound
    }

    /// Writes a confidence that was too low, rounded down so that it does not look high enough.
    private static func rounded(_ confidence: Double) -> String {
        "\((confidence * 100).rounded(.down) / 100)"
    }
}
