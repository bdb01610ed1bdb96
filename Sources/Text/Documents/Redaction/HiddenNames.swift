import TextRecognition

/// Names of persons to hide wherever they are printed: in another order, in capitals, in a mail or web address, misread.
///
/// A word that receipts and cards also print for other things ("Price", "Bill", "the") is hidden only beside another word of the
/// name; so is an initial. Such words alone identify nobody, and hiding them everywhere would black out half a sheet.
struct HiddenNames: Sendable {
    /// Words that are hidden on their own, as `SpelledWords`.
    private var words: [[Character]] = []
    /// Words that are hidden only beside one of `words`.
    private var companions: Set<[Character]> = []

    /// Minimum length at which a word is recognized within a longer one, or misread.
    private static let shortestPart = 4
    /// One wrong, missing or extra letter is allowed per this many letters. Zones allow one per three; on a receipt that would
    /// take "super" for "Huber".
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

    /// Returns the words of a line that print one of the names.
    /// - Parameter isExact: whether only exact spellings count.
    func words(of line: RecognizedLine, isExact: Bool) -> Set<Int> {
        guard !words.isEmpty else { return [] }
        let pieces = line.words.map { Vocabulary.words(of: $0.text) }
        var found = Set(
            pieces.indices.filter { index in pieces[index].contains { isSaid(by: $0, isExact: isExact) } })
        if !isExact {
            // A name may have been read as two words.
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

    /// Whether letters may be a misreading of a known word, or of a word that is cut off.
    private static func isReading(_ letters: [Character], of known: [Character]) -> Bool {
        min(known.count, letters.count) >= shortestPart
            && SpelledWords.mistakes(in: letters, for: known) <= known.count / lettersOfAMistake
    }
}

/// Words that occur on many sheets, and so identify nobody.
enum CommonWords {
    /// Function words in the vocabulary's languages.
    private static let fillers: Set<String> = Set(
        """
        a the and for you your our all with from at by in it is no not of on or to und oder der die das den dem ein eine mit von
        bei fur zum zur im am an es et le les des une pour avec sur par votre notre au aux los las el del para con por su y lo il
        per che gli una di da e o os as um uma com para seu het een voor met op van de en thank thanks danke merci gracias grazie
        obrigado bedankt welcome please bitte mr mrs ms miss sir madam herr frau
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Whether a folded word is a common word; given names never are, even if they have other meanings.
    static func contains(_ word: String) -> Bool {
        !GivenNames.contains(word)
            && (fillers.contains(word) || Vocabulary.shared.holds(word) || CardWords.shared.holds(word)
                || PersonName.isParticle(word))
    }
}
