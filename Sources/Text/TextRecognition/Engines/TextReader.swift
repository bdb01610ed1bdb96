public import Diagnostics
package import RuntimeLibraries

/// Which of this package's readers reads text.
public enum TextReader: String, Sendable, CaseIterable {
    /// The built-in reader where all languages are written in Latin letters; else the learned recogniser of `make
    /// reader` if it is installed and knows them; else tesseract.
    case automatic = "auto"
    /// The learned recogniser of this package: Latin letters with their accents, digits and signs. It needs no library.
    case builtIn = "builtin"
    /// tesseract.
    case tesseract
    /// A learned recogniser of lines that ONNX Runtime runs.
    case onnx

    /// The language of a page whose language is not known: any written in Latin letters. An accent counts only where it
    /// is surely read; tesseract, which must be told a language, reads English.
    package static let anyLanguage = "auto"

    /// The reader that a case leads to.
    private enum Choice {
        case builtIn
        case model(String)
        case tesseract
    }

    /// Opens an engine of this kind. Given to many flattenings as `ReceiptFlattener.Options.textEngine`, also at the
    /// same time, one engine reads all of them. Its resources are released with the last reference to it.
    /// - Parameters:
    ///   - language: tesseract's names of the languages, joined by +, or "auto" for any of Latin letters.
    ///   - model: the file of ONNX Runtime's recogniser; nil for the one that `make reader` installed.
    /// - Throws: as the engine; `.missingDependency` where a recogniser is asked for and there is no model;
    ///   `.unsupported` where the built-in reader is asked to read other letters than Latin ones, or is given a model.
    public func engine(language: String = "auto", model: String? = nil) throws(FlatteningError)
        -> any TextEngine
    {
        switch try choice(language: language, model: model) {
        case .builtIn where self == .automatic && language == Self.anyLanguage:
            OtherScripts(besides: try LineEngine(language: language))
        case .builtIn: try LineEngine(language: language)
        case .model(let model): try LineEngine(language: language, model: model)
        case .tesseract: try TesseractEngine(language: Self.tesseractLanguage(language))
        }
    }

    /// Returns the languages by the names that tesseract is given.
    package static func tesseractLanguage(_ language: String) -> String {
        language == anyLanguage ? "eng" : language
    }

    /// - Throws: `.missingDependency` where a recogniser is asked for and there is none, `.fileAccess` where others can
    ///   write what `make reader` installed. A model that the caller names may lie anywhere.
    private func choice(language: String, model: String?) throws(FlatteningError) -> Choice {
        switch self {
        case .tesseract: return .tesseract
        case .builtIn:
            guard model == nil else {
                throw FlatteningError(
                    .unsupported, "the built-in reader takes no model", stage: .text, seen: model,
                    advice: "Leave out --reader-model, or read with --reader onnx")
            }
            guard LineAlphabet.coversInLatin(language) else {
                throw FlatteningError(
                    .unsupported, "the built-in reader does not know all of the languages", stage: .text,
                    seen: language, allowed: LineAlphabet.latinLanguages.joined(separator: ", "),
                    advice: "Read with tesseract: --reader tesseract")
            }
            return .builtIn
        case .automatic:
            // Use the model if the caller names one.
            if let model { return .model(model) }
            if LineAlphabet.coversInLatin(language) { return .builtIn }
            guard LineAlphabet.covers(language), let found = try ReaderFiles.model(),
                try OnnxLibrary.isThere()
            else { return .tesseract }
            return .model(found)
        case .onnx:
            if let model { return .model(model) }
            guard let found = try ReaderFiles.model() else {
                throw FlatteningError(
                    .missingDependency, "there is no model to read with", stage: .text,
                    detail: ReaderFiles.folder.map { "looked in \($0)" },
                    advice: "Get one by make reader, name one by --reader-model, or read with --reader auto")
            }
            return .model(found)
        }
    }

    /// Returns the files that reading opens besides the system's: a model, and a library among the user's data.
    package func files(language: String, model: String?) throws(FlatteningError) -> [String] {
        guard case .model(let model) = try choice(language: language, model: model) else { return [] }
        return [model] + ReaderFiles.installedLibraries
    }

    /// Returns the libraries besides `TextLibraries.versions` that decide what is read; nil where tesseract's data of
    /// the named languages decide it.
    package func furtherLibraries(
        language: String, model: String?
    ) throws(FlatteningError) -> [LibraryVersion]? {
        switch try choice(language: language, model: model) {
        case .builtIn where self == .automatic && language == Self.anyLanguage:
            [.init("other scripts", .loaded(TextLibraries.otherScripts))]
        case .builtIn: []
        case .model: [TextLibraries.onnxRuntime]
        case .tesseract: nil
        }
    }

    /// Returns the languages that can be read on this machine, by tesseract's names, sorted: those of the built-in
    /// reader, those that tesseract has data for, and those of the learned reader if it is installed.
    /// - Throws: `.shortage` where that cannot be determined, `.fileAccess` for a learned reader that others can write.
    package static func installedLanguages() throws(FlatteningError) -> [String] {
        var languages = Set(TextLibraries.installedLanguages()).union(LineAlphabet.latinLanguages)
        if try ReaderFiles.model() != nil, try OnnxLibrary.isThere() {
            languages.formUnion(LineAlphabet.furtherLanguages)
        }
        return languages.sorted()
    }
}
