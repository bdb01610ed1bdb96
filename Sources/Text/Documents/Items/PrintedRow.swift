import TextRecognition

/// A row as text, from whose parts its words are found again.
struct PrintedRow {
    /// Letters of the longest row that anything is looked for in: a printed row has some hundred, and the time that patterns
    /// take grows faster than a row.
    static let longest = 1000

    let words: [RecognizedWord]
    /// The words with one space between each two.
    let text: String
    /// Where each word ends in the text.
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

    /// The places of the words that a part of the text touches. O(words).
    func places(of part: Range<String.Index>) -> Range<Int> {
        let first = ends.firstIndex { $0 > part.lowerBound } ?? words.count
        let last = ends.firstIndex { $0 >= part.upperBound } ?? words.count - 1
        return first..<max(first, last + 1)
    }

    /// Where a word begins in the text.
    func start(of place: Int) -> String.Index {
        text.utf8.index(ends[place], offsetBy: -words[place].text.utf8.count)
    }

    /// The words that a part of the text touches.
    func words(of part: Range<String.Index>) -> [RecognizedWord] { Array(words[places(of: part)]) }
}

extension RecognizedLine {
    /// The words in groups with wide gaps between them, as columns have.
    /// - Parameter gap: the least such gap in heights of the row's words.
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
