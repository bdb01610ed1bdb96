package import Diagnostics
import Platform

/// Which of the readers that come with this package reads text.
public enum TextReader: String, Sendable, CaseIterable {
    /// The learned recogniser where ONNX Runtime and a model are there and know the languages, tesseract where not.
    case automatic = "auto"
    /// tesseract.
    case tesseract
    /// A learned recogniser of lines that ONNX Runtime runs.
    case onnx

    /// An engine of this kind.
    /// - Parameters:
    ///   - language: tesseract's names of the languages, joined by +.
    ///   - model: the recogniser's file; nil for the one that `make reader` brought.
    /// - Throws: as the engine; `.missingDependency` where a recogniser is asked for and there is no model.
    package func engine(language: String, model: String?) throws(FlatteningError) -> any TextEngine {
        if let model = try modelToUse(language: language, model: model) {
            return try OnnxEngine(language: language, model: model)
        }
        return try TesseractEngine(language: language)
    }

    /// The recogniser's file, nil where tesseract is to read.
    /// - Throws: `.missingDependency` where one is asked for and there is none, `.fileAccess` where others can write what
    ///   `make reader` brought. A model that is named is the caller's choice, wherever it lies.
    package func modelToUse(language: String, model: String?) throws(FlatteningError) -> String? {
        guard self != .tesseract else { return nil }
        // A model that is named is meant.
        if let model { return model }
        if self == .automatic {
            guard LineAlphabet.covers(language), let found = try ReaderFiles.model(),
                try OnnxLibrary.isThere()
            else { return nil }
            return found
        }
        guard let found = try ReaderFiles.model() else {
            throw FlatteningError(
                .missingDependency, "there is no model to read with", stage: .text,
                detail: ReaderFiles.folder.map { "looked in \($0)" },
                advice: "Get one by make reader, name one by --reader-model, or read with --reader tesseract")
        }
        return found
    }

    /// The files besides the system's that reading opens: a model, and a library among the user's data.
    package func files(language: String, model: String?) throws(FlatteningError) -> [String] {
        try modelToUse(language: language, model: model).map { [$0] + ReaderFiles.installedLibraries } ?? []
    }

    /// The languages that can be read here, by tesseract's names, sorted: those that tesseract has data for, and those of
    /// the learned reader where it is there.
    /// - Throws: `.shortage` where that cannot be told, `.fileAccess` for a learned reader that others can write.
    package static func installedLanguages() throws(FlatteningError) -> [String] {
        var languages = Set(TextLibraries.installedLanguages())
        if try ReaderFiles.model() != nil, try OnnxLibrary.isThere() {
            languages.formUnion(LineAlphabet.languages)
        }
        return languages.sorted()
    }
}
