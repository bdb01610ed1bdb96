import Diagnostics
import Platform
import LocalFiles
import TextRecognition

/// What `flatten --list-languages` prints: for each language that can be read here its code, as `--language` takes it, and
/// its name in English, a line each.
enum LanguagePage {
    static func show(_ verbosity: VerbosityArguments) throws {
        try withExitCodes(verbosity) { _ throws(FlatteningError) in
            let page = try TextReader.installedLanguages().map { "\($0)\t\(name(of: $0))\n" }.joined()
            try AtomicFile.replace("-", with: Array(page.utf8))
        }
    }

    /// What a language is called; of a variant, as "deu_latf" or "chi_sim", what its language is; the code where there is
    /// no such language.
    private static func name(of code: String) -> String {
        let language = code.prefix { $0 != "_" }
        return LanguageName(code: String(language))?.english ?? code
    }
}
