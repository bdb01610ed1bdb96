import CCaptureTables
public import SheetGuidance

/// What a person is told while pointing a camera, and when a capture fails, in one language.
///
/// ```swift
/// let words = CaptureWords(preferring: Locale.preferredLanguages)
/// label.text = words[guidance.advice]
/// ```
/// English, German, Spanish, French, Italian, Portuguese and Japanese come with the package; `init(file:)` takes another.
public struct CaptureWords: Sendable {
    /// The language by ISO 639-1, "de".
    public let language: String
    /// Its own name, "Deutsch".
    public let name: String
    private let words: [String: String]

    /// The languages that come with the package, English first.
    public static let all = unsafe parsed(
        String(
            decoding: UnsafeBufferPointer(start: ccapturetables_words(), count: ccapturetables_words_size()),
            as: UTF8.self))

    /// English.
    public static let english = CaptureWords(preferring: [])

    /// The words in the first of these languages that there are words in; in English where there are none.
    /// - Parameter languages: names such as "de", "pt-BR", "ja_JP"; what follows the language is not looked at.
    public init(preferring languages: some Sequence<String>) {
        let known = Self.all
        let wanted = languages.lazy.map { $0.prefix { $0.isASCII && $0.isLetter }.lowercased() }
        let found = wanted.compactMap { tag in known.first { $0.language == tag } }.first
        self = found ?? known.first ?? CaptureWords(language: "en", name: "English", words: [:])
    }

    /// Words of your own, in the format of the files of `Sources/Tables/CCaptureTables/words`: a line "key = words" for each
    /// advice, error and help; nil where one of them, the language or its name is missing.
    public init?(file: String) {
        guard let words = Self.parsed(file).first, words.isComplete else { return nil }
        self = words
    }

    private init(language: String, name: String, words: [String: String]) {
        (self.language, self.name, self.words) = (language, name, words)
    }

    /// What to do next.
    public subscript(advice: ReceiptGuidance.Advice) -> String { word("advice.\(advice.rawValue)") }

    /// What happened, in a sentence.
    public func description(of error: ReceiptCaptureError) -> String { word("error.\(error.name)") }

    /// What a person can do about it, in a sentence.
    public func recoverySuggestion(for error: ReceiptCaptureError) -> String { word("help.\(error.name)") }

    /// A key that has no words stands for itself.
    private func word(_ key: String) -> String { words[key] ?? key }

    /// The keys of all that may be said.
    static let keys =
        ReceiptGuidance.Advice.allCases.map { "advice.\($0.rawValue)" }
        + ["error", "help"].flatMap { kind in ReceiptCaptureError.names.map { "\(kind).\($0)" } }

    /// Whether there are words for all that may be said, and for nothing else.
    var isComplete: Bool {
        Set(words.keys) == Set(Self.keys) && !words.values.contains("") && !name.isEmpty
    }

    /// The languages of files, one after the other; each begins with its language.
    private static func parsed(_ files: String) -> [CaptureWords] {
        var all: [CaptureWords] = []
        for line in files.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            guard let sign = line.firstRange(of: " = ") else { continue }
            let (key, value) = (String(line[..<sign.lowerBound]), String(line[sign.upperBound...]))
            if key == "language" {
                all.append(CaptureWords(language: value, name: "", words: [:]))
            } else if let last = all.popLast() {
                let words = key == "name" ? last.words : last.words.merging([key: value]) { $1 }
                all.append(
                    CaptureWords(
                        language: last.language, name: key == "name" ? value : last.name, words: words))
            }
        }
        return all
    }
}
