import ArgumentParser
import ReceiptFlattening

/// The value of `--redact`: kinds of personal data, separated by commas.
struct RedactedKinds: ExpressibleByArgument, CustomStringConvertible {
    let kinds: Set<PersonalData>

    /// What `--redact` alone stands for.
    static let cards = RedactedKinds(kinds: [.cards])

    init(kinds: Set<PersonalData>) { self.kinds = kinds }

    init?(argument: String) {
        let kinds = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { PersonalData(rawValue: String($0)) }
        guard !kinds.contains(nil) else { return nil }
        self.kinds = Set(kinds.compactMap(\.self))
    }

    var description: String { kinds.map(\.rawValue).sorted().joined(separator: ",") }

    /// The receipt without them. That nothing could be read, and so nothing found, is said.
    func applied(to receipt: FlattenedReceipt, console: Console) throws(FlatteningError) -> FlattenedReceipt {
        guard let redacted = receipt.redacted(kinds), let text = receipt.text else {
            throw FlatteningError(
                .internalInconsistency, "nothing was read to be redacted", stage: "redaction")
        }
        if text.legibility == .unreadable {
            console.warn("the print could not be read: what is personal in it still shows")
        }
        return redacted
    }
}
