import CZoneTables
import ScalarText

/// The codes of states and organisations in zones, from `CZoneTables/states.table`: the three letters of ISO 3166-1, and the
/// codes that ICAO 9303-3 adds, including XXX for a person of unknown nationality and UTO for specimens.
enum StateCode {
    /// The natural logarithm of how much less likely an unknown code is: one in 400.
    static let unknown = -6.0

    /// The name of each code in English.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for line in Vocabulary.embeddedText(czonetables_states(), czonetables_states_size())
            .split(atScalar: "\n") where !line.hasScalarPrefix("#")
        {
            let parts = line.split(atScalar: " ", maxSplits: 1)
            if parts.count == 2 { names[String(parts[0])] = String(parts[1]) }
        }
        return names
    }()

    /// The characters of each code, as alphabet indices.
    static let known: Set<[Int]> = Set(
        names.keys.map { code in
            (Array(code) + Array(repeating: "<", count: 3 - code.count)).compactMap(ZoneAlphabet.index)
        })

    /// Returns the English name for a code; nil if it is unknown.
    static func name(of code: String) -> String? { names[code] }
}
