import CCaptureTables
public import SheetGuidance

/// The words in one language that guide a person pointing a camera, or explain why a capture failed.
///
/// ```swift
/// let words = CaptureWords(preferring: Locale.preferredLanguages)
/// label.text = words[guidance.advice]
/// ```
/// The package includes English, German, Spanish, French, Italian, Portuguese and Japanese; `init(file:)` reads another
/// language.
public struct CaptureWords: Sendable {
    /// The language's ISO 639-1 code, "de".
    public let language: String
    /// The language's own name, "Deutsch".
    public let name: String
    private let words: [String: String]

    /// The languages included in the package, English first.
    public static let all = unsafe parsed(
        String(
            decoding: UnsafeBufferPointer(start: ccapturetables_words(), count: ccapturetables_words_size()),
            as: UTF8.self))

    /// English.
    public static let english = CaptureWords(preferring: [])

    /// Creates the words in the first of these languages that is available; in English if none is.
    /// - Parameter languages: names such as "de", "pt-BR", "ja_JP"; only the part before the region counts.
    public init(preferring languages: some Sequence<String>) {
        let known = Self.all
        let wanted = languages.lazy.map { $0.prefix { $0.isASCII && $0.isLetter }.lowercased() }
        let found = wanted.compactMap { tag in known.first { $0.language == tag } }.first
        self = found ?? known.first ?? CaptureWords(language: "en", name: "English", words: [:])
    }

    /// Reads words of your own, in the format of the files of `Sources/Tables/CCaptureTables/words`: a line "key = words" for
    /// each advice, error and help. Returns nil if one of them, the language or its name is missing.
    public init?(file: String) {
        guard let words = Self.parsed(file).first, words.isComplete else { return nil }
        self = words
    }

    private init(language: String, name: String, words: [String: String]) {
        (self.language, self.name, self.words) = (language, name, words)
    }

    /// Returns the words for an advice: what to do next.
    public subscript(advice: ReceiptGuidance.Advice) -> String { word("advice.\(advice.rawValue)") }

    /// Returns a sentence on what happened.
    public func description(of error: ReceiptCaptureError) -> String { word("error.\(error.name)") }

    /// Returns a sentence on what a person can do about it.
    public func recoverySuggestion(for error: ReceiptCaptureError) -> String { word("help.\(error.name)") }

    /// Returns a key's words, or the key itself if it has none.
    private func word(_ key: String) -> String { words[key] ?? key }

    /// The keys of all words that may be needed.
    static let keys =
        ReceiptGuidance.Advice.allCases.map { "advice.\($0.rawValue)" }
        + ["error", "help"].flatMap { kind in ReceiptCaptureError.names.map { "\(kind).\($0)" } }

    /// Whether there are words for all keys, and for nothing else.
    var isComplete: Bool {
        Set(words.keys) == Set(Self.keys) && !words.values.contains("") && !name.isEmpty
    }

    /// Parses the languages in files, one after the other; each begins with its language code.
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
