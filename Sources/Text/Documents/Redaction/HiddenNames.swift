import TextRecognition

/// Names of persons that are to be hidden wherever they are printed: in another order, in capitals, in a mail or web address,
/// misread.
///
/// A word that receipts and cards print for other things too ("Price", "Bill", "the") is hidden only beside another word of the
/// name; so is an initial. By themselves such words tell of nobody, and to hide them everywhere would blacken half a sheet.
struct HiddenNames: Sendable {
    /// Words that are hidden by themselves, as `SpelledWords`.
    private var words: [[Character]] = []
    /// Words that are hidden beside those.
    private var companions: Set<[Character]> = []

    /// Letters from which on a word is known within a longer one, and misread.
    private static let shortestPart = 4
    /// Letters of which one may be misread, left out or put in. Zones allow one of three; on a receipt that would take "super"
    /// for "Huber".
    private static let lettersOfAMistake = 4

    /// Hides the words of a name.
    mutating func hide(_ name: String) {
        for word in Vocabulary.words(of: name) {
            let spelled = SpelledWords.spelled(word)
            if spelled.count > 1, !CommonWords.contains(word) {
                words.append(spelled)
                companions.formUnion(spelled.first.map { [[$0]] } ?? [])
            } else {
                companions.insert(spelled)
            }
        }
    }

    /// The words of a line that say one of the names.
    /// - Parameter isExact: whether only what is spelled without a fault counts.
    func words(of line: RecognizedLine, isExact: Bool) -> Set<Int> {
        guard !words.isEmpty else { return [] }
        let pieces = line.words.map { Vocabulary.words(of: $0.text) }
        var found = Set(
            pieces.indices.filter { index in pieces[index].contains { isSaid(by: $0, isExact: isExact) } })
        if !isExact {
            // A name that was read as two words.
            for index in pieces.indices.dropLast() where found.isDisjoint(with: [index, index + 1]) {
                let joined = (pieces[index] + pieces[index + 1]).flatMap(SpelledWords.spelled)
                if words.contains(where: { Self.isReading(joined, of: $0) }) {
                    found.formUnion([index, index + 1])
                }
            }
        }
        var reached = found
        while !reached.isEmpty {
            reached = Set(
                reached.flatMap { [$0 - 1, $0 + 1] }.filter { index in
                    pieces.indices.contains(index) && !found.contains(index) && !pieces[index].isEmpty
                        && pieces[index].allSatisfy { companions.contains(SpelledWords.spelled($0)) }
                })
            found.formUnion(reached)
        }
        return found
    }

    private func isSaid(by word: String, isExact: Bool) -> Bool {
        let spelled = SpelledWords.spelled(word)
        return words.contains { known in
            if known == spelled { return true }
            guard min(known.count, spelled.count) >= Self.shortestPart else { return false }
            if spelled.count > known.count, String(spelled).contains(String(known)) { return true }
            return !isExact && !CommonWords.contains(word) && Self.isReading(spelled, of: known)
        }
    }

    /// Whether letters may be a misread word, or what was read of one that is cut.
    private static func isReading(_ letters: [Character], of known: [Character]) -> Bool {
        min(known.count, letters.count) >= shortestPart
            && SpelledWords.mistakes(in: letters, for: known) <= known.count / lettersOfAMistake
    }
}

/// Words that stand on many sheets, and so tell of nobody.
enum CommonWords {
    /// Words that sentences are made of, of the vocabulary's languages.
    private static let fillers: Set<String> = Set(
        """
        a the and for you your our all with from at by in it is no not of on or to und oder der die das den dem ein eine mit von
        bei fur zum zur im am an es et le les des une pour avec sur par votre notre au aux los las el del para con por su y lo il
        per che gli una di da e o os as um uma com para seu het een voor met op van de en thank thanks danke merci gracias grazie
        obrigado bedankt welcome please bitte mr mrs ms miss sir madam herr frau
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Whether a folded word is one; given names are none, whatever else they are.
    static func contains(_ word: String) -> Bool {
        !GivenNames.contains(word)
            && (fillers.contains(word) || Vocabulary.shared.holds(word) || CardWords.shared.holds(word)
                || PersonName.isParticle(word))
    }
}
