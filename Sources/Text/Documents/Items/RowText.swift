import TextRecognition

/// A row as text that can map parts of the text back to words.
struct RowText {
    /// Longest row, in characters, that is searched: a printed row has about a hundred, and the time of pattern matching grows
    /// faster than the row's length.
    static let longest = 1000

    let words: [RecognizedWord]
    /// The words with one space between each two.
    let text: String
    /// The end of each word in the text.
    private let ends: [String.Index]

    init(_ words: [RecognizedWord]) {
        self.words = words
        var text = ""
        var lengths: [Int] = []
        for word in words {
            if !text.isEmpty { text += " " }
            text += word.text
            lengths.append(text.utf8.count)
        }
        self.text = text
        ends = lengths.map { text.utf8.index(text.startIndex, offsetBy: $0) }
    }

    /// Returns the indices of the words that a part of the text touches. O(words).
    func places(of part: Range<String.Index>) -> Range<Int> {
        let first = ends.firstIndex { $0 > part.lowerBound } ?? words.count
        let last = ends.firstIndex { $0 >= part.upperBound } ?? words.count - 1
        return first..<max(first, last + 1)
    }

    /// Returns the start of a word in the text.
    func start(of place: Int) -> String.Index {
        text.utf8.index(ends[place], offsetBy: -words[place].text.utf8.count)
    }

    /// Returns the words that a part of the text touches.
    func words(of part: Range<String.Index>) -> [RecognizedWord] { Array(words[places(of: part)]) }
}

extension RecognizedLine {
    /// Splits the words into columns, at wide gaps.
    /// - Parameter gap: the smallest such gap, in median word heights of the row.
    func columns(gap: Double) -> [[RecognizedWord]] {
        let heights = words.map(\.box.height).sorted()
        let least = gap * heights[heights.count / 2]
        return words.dropFirst().reduce(into: [[words[0]]]) { columns, word in
            if let last = columns.last?.last, word.box.left - last.box.right < least {
                columns[columns.count - 1].append(word)
            } else {
                columns.append([word])
            }
        }
    }
}
