/// The 37 characters of machine-readable zones: digits, capitals and the filler "<", in this order.
enum ZoneAlphabet {
    static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<")
    static let count = 37
    static let filler = 36
    static let digits = 0..<10
    static let letters = 10..<36

    private static let indices = Dictionary(
        uniqueKeysWithValues: characters.enumerated().map { ($0.element, $0.offset) })

    /// Returns a character's index in the alphabet; nil for a character that zones do not use.
    static func index(of character: Character) -> Int? { indices[character] }

    /// Returns a character's value in check digits: digits count their value, letters 10 to 35, the filler 0.
    static func value(of index: Int) -> Int { index == filler ? 0 : index }

    /// The weights of check digits, repeated from a field's start (ICAO 9303-3, 4.9).
    static let weights = [7, 3, 1]

    /// Computes the check digit of characters.
    static func checkDigit(of indices: some Sequence<Int>) -> Int {
        indices.enumerated().reduce(0) { $0 + value(of: $1.element) * weights[$1.offset % 3] } % 10
    }

    static func text(_ indices: some Sequence<Int>) -> String { String(indices.map { characters[$0] }) }
}
