import TextRecognition

/// A day to hide however it is printed: in digits or with the month's name, in one word or several, in any order.
struct HiddenDay: Sendable {
    private let year: Int
    private let month: Int
    private let day: Int

    /// - Parameter date: year, month and day, separated by hyphens.
    init?(_ date: String) {
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        (year, month, day) = (parts[0], parts[1], parts[2])
    }

    /// Returns the words of a line that print one of the days.
    static func words(of line: RecognizedLine, thatSayOneOf days: [HiddenDay]) -> Set<Int> {
        guard !days.isEmpty else { return [] }
        let pieces = line.words.enumerated().flatMap { index, word in
            Self.pieces(of: word.text).map { (word: index, piece: $0) }
        }
        var found: Set<Int> = []
        for start in pieces.indices {
            for count in 1...Self.mostPieces where start + count <= pieces.count {
                let run = pieces[start..<start + count]
                if days.contains(where: { $0.isSaid(by: run.map(\.piece)) }) {
                    found.formUnion(run.map(\.word))
                }
            }
        }
        return found
    }

    /// Largest number of pieces in a day: day, month in two languages, year.
    private static let mostPieces = 4

    private enum Piece {
        case digits(String)
        case month(Int)
        case other
    }

    /// Splits text into runs of digits and runs of letters, without what is between.
    private static func pieces(of text: String) -> [Piece] {
        Vocabulary.words(of: text).flatMap { word -> [Piece] in
            var runs: [String] = []
            for character in word {
                if let last = runs.last?.last, last.isNumber == character.isNumber {
                    runs[runs.count - 1].append(character)
                } else {
                    runs.append(String(character))
                }
            }
            return runs.map { run in
                if run.allSatisfy(\.isNumber) { return .digits(run) }
                return Vocabulary.shared.month(named: run).map(Piece.month) ?? .other
            }
        }
    }

    private func isSaid(by pieces: [Piece]) -> Bool {
        if pieces.count == 1, case .digits(let digits) = pieces[0] { return isSaid(by: digits) }
        // A month's name in two languages is one month.
        var parts: [Piece] = []
        for piece in pieces {
            if case .month(let month) = piece, case .month(month) = parts.last { continue }
            parts.append(piece)
        }
        guard parts.count == 3 else { return false }
        let isDay = parts.map { if case .digits(let digits) = $0 { Int(digits) == day } else { false } }
        let isMonth = parts.map {
            switch $0 {
            case .digits(let digits): Int(digits) == month
            case .month(let number): number == month
            case .other: false
            }
        }
        let isYear = parts.map { if case .digits(let digits) = $0 { years.contains(digits) } else { false } }
        return isDay[0] && isMonth[1] && isYear[2] || isMonth[0] && isDay[1] && isYear[2]
            || isYear[0] && isMonth[1] && isDay[2]
    }

    /// Whether six or eight digits in a row, as in zones and stamps, are this day.
    private func isSaid(by digits: String) -> Bool {
        let (day, month) = (Self.twoDigits(day), Self.twoDigits(month))
        return years.contains { year in
            [day + month + year, month + day + year, year + month + day].contains(digits)
        }
    }

    /// The year in four digits and in two.
    private var years: [String] { [String(year), Self.twoDigits(year % 100)] }

    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}
