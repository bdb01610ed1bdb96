import Diagnostics
import Platform
import LocalFiles
import TextRecognition

/// The output of `flatten --list-languages`: one line for each language that can be read here, with its code, as
/// `--language` accepts it, and its English name.
enum LanguagePage {
    static func show(_ verbosity: VerbosityArguments) throws {
        try withExitCodes(verbosity) { _ throws(FlatteningError) in
            let page = try TextReader.installedLanguages().map { "\($0)\t\(name(of: $0))\n" }.joined()
            try AtomicFile.replace("-", with: Array(page.utf8))
        }
    }

    /// The name of a language; for a variant such as "deu_latf" or "chi_sim", the name of its language; the code itself if
    /// the language is unknown.
    private static func name(of code: String) -> String {
        let language = code.prefix { $0 != "_" }
        return LanguageName(code: String(language))?.english ?? code
    }
}
