import Documents

extension FlatteningReport {
    /// What was hidden.
    package struct RedactionSummary: Codable, Equatable, Sendable {
        /// The kinds of personal data that were to be hidden, in alphabetical order.
        package var kinds: [String]
        /// How often each kind was hidden; adjacent words, a face, a code and a zone count once each. A kind hidden along
        /// with another (a zone along with the names) is counted too.
        package var hidden: [String: Int]
        /// Whether the hidden data was searched for again in the picture and in every output, and not found.
        package var verified: Bool

        init(kinds: Set<PersonalData>, counts: [PersonalData: Int], verified: Bool) {
            self.kinds = kinds.map(\.rawValue).sorted()
            hidden = Dictionary(uniqueKeysWithValues: kinds.map { ($0.rawValue, 0) })
            for (kind, count) in counts { hidden[kind.rawValue] = count }
            self.verified = verified
        }
    }
}
