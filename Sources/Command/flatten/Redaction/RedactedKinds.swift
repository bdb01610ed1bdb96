import Documents
import ArgumentParser

/// The value of `--redact`: kinds of personal data, separated by commas.
///
/// A privacy option that cannot be understood must fail, never fall back to something weaker. So the parser sees a plain
/// string, which is read here.
struct RedactedKinds: CustomStringConvertible {
    let kinds: Set<PersonalData>

    /// - Parameter argument: names of kinds in any case, separated by commas, with optional blanks around them.
    /// - Throws: a usage error that names the first word that is not a kind.
    init(argument: String) throws(ValidationError) {
        var kinds: Set<PersonalData> = []
        for word in Self.words(argument) {
            guard let kind = Self.kind(word) else {
                throw ValidationError(
                    "--redact: \"\(word)\" is no kind of personal data (allowed: \(Self.allowed), separated by commas; "
                        + "--redact alone for cards)")
            }
            kinds.insert(kind)
        }
        self.kinds = kinds
    }

    /// Whether any of the words is a kind.
    static func mentions(_ argument: String) -> Bool {
        words(argument).contains { kind($0) != nil }
    }

    private static func kind(_ word: String) -> PersonalData? {
        PersonalData.sought.first { $0.rawValue == word.lowercased() }
    }

    private static func words(_ argument: String) -> [String] {
        argument.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }
    }

    private static var allowed: String { PersonalData.sought.map(\.rawValue).joined(separator: ", ") }

    var description: String { kinds.map(\.rawValue).sorted().joined(separator: ",") }
}
