import CZoneTables
import ScalarText

/// The codes of states and organisations in zones, `CZoneTables/states.table`: ISO 3166-1's three letters, and those that ICAO
/// 9303-3 adds, among them XXX for a person of unknown nationality and UTO for its specimens.
enum StateCode {
    /// How much less likely a code is that is not known, as a natural logarithm: one in 400.
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

    /// Characters of each code.
    static let known: Set<[Int]> = Set(
        names.keys.map { code in
            (Array(code) + Array(repeating: "<", count: 3 - code.count)).compactMap(ZoneAlphabet.index)
        })

    /// What a code stands for, in English; nil for one that is not known.
    static func name(of code: String) -> String? { names[code] }
}
