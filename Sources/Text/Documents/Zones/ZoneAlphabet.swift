/// The 37 characters of machine-readable zones: digits, capitals and the filler "<", in this order.
enum ZoneAlphabet {
    static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<")
    static let count = 37
    static let filler = 36
    static let digits = 0..<10
    static let letters = 10..<36

    private static let indices = Dictionary(
        uniqueKeysWithValues: characters.enumerated().map { ($0.element, $0.offset) })

    /// A character's place in the alphabet; nil for one that zones do not have.
    static func index(of character: Character) -> Int? { indices[character] }

    /// What a character counts in check digits: digits their value, letters 10 to 35, the filler 0.
    static func value(of index: Int) -> Int { index == filler ? 0 : index }

    /// The weights of check digits, which repeat from a field's start (ICAO 9303-3, 4.9).
    static let weights = [7, 3, 1]

    /// The check digit of characters.
    static func checkDigit(of indices: some Sequence<Int>) -> Int {
        indices.enumerated().reduce(0) { $0 + value(of: $1.element) * weights[$1.offset % 3] } % 10
    }

    static func text(_ indices: some Sequence<Int>) -> String { String(indices.map { characters[$0] }) }
}
