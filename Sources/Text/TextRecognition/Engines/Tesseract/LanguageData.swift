import Diagnostics
import Imaging
import RuntimeLibraries

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where tesseract looks for the data of its languages, and what lies there.
///
/// tesseract reports only that it could not load a language: not whether its file exists, nor why it could not be read.
struct LanguageData {
    /// One language's file.
    struct File: Equatable {
        var path: String
        /// Bytes.
        var size: Int
    }

    /// The folders to search, in order; the first that has a language's file counts.
    let folders: [String]

    /// - Parameter dataPath: the folder that the caller names; nil for tesseract's own.
    init(dataPath: String?) {
        // As tesseract does: the named folder, else the one from the environment, else the one it was built with.
        if let named = dataPath ?? getenv("TESSDATA_PREFIX").map({ String(cString: $0) }), !named.isEmpty {
            folders = [named]
        } else {
            folders = [
                "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata",
                "/opt/homebrew/share/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata",
            ]
        }
    }

    /// The file of a language, nil if there is none.
    func file(of language: String) -> File? {
        for folder in folders {
            let path = (folder.hasSuffix("/") ? folder : folder + "/") + language + ".traineddata"
            var status = stat()
            if stat(path, &status) == 0 { return File(path: path, size: Int(status.st_size)) }
        }
        return nil
    }

    /// Explains why tesseract did not load some languages.
    /// - Parameters:
    ///   - missing: the languages that it did not load, at least one.
    ///   - wanted: what was asked for, in tesseract's notation.
    ///   - bytes: the memory that should have sufficed.
    func error(of missing: [String], wanted: String, needing bytes: Int) -> FlatteningError {
        let packages = missing.map {
            "tesseract-ocr-" + $0.lowercased().replacing("_", with: "-").replacing("/", with: "-")
        }
        let strange = missing.filter { !Self.isCode($0) }
        guard strange.isEmpty else {
            return FlatteningError(
                .missingLanguageData, "there is no language \(strange.joined(separator: ", "))", stage: .text,
                seen: wanted, allowed: "tesseract's codes, such as eng or deu",
                advice: "flatten --list-languages shows those that are there; Debian has others as packages "
                    + "tesseract-ocr-CODE")
        }
        guard let file = missing.lazy.compactMap({ self.file(of: $0) }).first else {
            return FlatteningError(
                .missingLanguageData, "tesseract has no data for \(missing.joined(separator: ", "))",
                stage: .text, seen: wanted, detail: "looked in \(folders.joined(separator: ", "))",
                advice: "Install it: apt-get install \(packages.joined(separator: " ")), "
                    + "or brew install tesseract-lang")
        }
        let subject = TesseractHandle.subject(missing)
        let number = Self.openingError(file.path)
        guard number != EMFILE, number != ENFILE, number != ENOMEM, Resources.canReserve(bytes) else {
            return .shortage(of: subject, stage: .text, detail: file.path)
        }
        return FlatteningError(
            .missingLanguageData, "\(subject) cannot be loaded: broken, or memory is short", stage: .text,
            seen: "\(file.path), \(file.size) bytes",
            detail: number == 0 ? nil : String(cString: strerror(number)),
            advice: "Install it anew: apt-get install --reinstall \(packages.joined(separator: " "))")
    }

    /// Whether tesseract may have data of this name: a language, a language in a certain script ("deu_latf"), or a
    /// script ("script/Latin").
    private static func isCode(_ name: String) -> Bool {
        let language = String(name.prefix { $0 != "_" })
        // tesseract has a code of its own for German in black letter.
        return name.contains("/") || name == "frk" || LanguageName(code: language)?.threeLetters == language
    }

    /// Returns the error number of opening a file for reading, 0 if it opens.
    private static func openingError(_ path: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return errno }
        _ = close(descriptor)
        return 0
    }
}
