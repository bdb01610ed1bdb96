import Documents
import ArgumentParser
import Platform
import ReceiptFlattening

/// The words of a command line, rewritten before they are parsed.
///
/// ArgumentParser silently keeps the last of repeated values, does not know `-j4`, and has no option whose value is optional
/// but checked when given. All three need the words as the user wrote them.
struct ArgumentWords {
    /// The command that the words are for.
    let command: any ParsableCommand.Type

    /// - Parameters:
    ///   - words: as they were written, without the program's name.
    ///   - fileExists: whether a word names an existing file or folder.
    /// - Returns: the words, with `--redact` and its value joined into one word, and the value of a one-letter option as a word
    ///   of its own.
    /// - Throws: a usage error for an option that is given twice though it takes one value.
    func prepared(
        _ words: [String], fileExists: (String) -> Bool = Self.isThere
    ) throws(ValidationError) -> [String] {
        // Words after "--" are file names, even if they look like options.
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var before = Array(words[..<end])
        // Building the parser's description takes longer than parsing, and few command lines need it.
        lazy var known = KnownOptions(of: command, for: before)
        if before.contains(where: Self.mayHoldValue) { before = before.flatMap(known.partingValue) }
        before = Self.joiningRedact(before, fileExists: fileExists)
        let options = before.filter { $0.hasPrefix("-") }.map(Self.name)
        if Self.mayRepeat(options) {
            var seen: Set<String> = []
            for option in options {
                guard let name = known.singleValued[option] else { continue }
                guard seen.insert(name).inserted else {
                    throw ValidationError("\(option) is given twice, and takes one value")
                }
            }
        }
        return before + words[end...]
    }

    /// A word without its "=" and the value after it.
    private static func name(of word: String) -> String {
        word.firstIndex(of: "=").map { String(word[..<$0]) } ?? word
    }

    /// Whether a word may be a one-letter option with its value: `-j4`. The parser itself understands `-j=4`.
    private static func mayHoldValue(_ word: String) -> Bool {
        word.count > 2 && word.first == "-" && !word.hasPrefix("--") && word.dropFirst(2).first != "="
    }

    /// Whether an option may occur twice: under the same name, or as a letter and as a long name that begins with this letter.
    private static func mayRepeat(_ options: [String]) -> Bool {
        let names = Set(options)
        return names.count < options.count
            || names.contains { letter in
                letter.count == 2 && names.contains { $0.hasPrefix("-" + letter) }
            }
    }

    /// `--redact` without a value means cards. The next word is its value if it names a kind. A word that is no existing file
    /// is also taken as the value, so that a kind that does not exist is refused and not overlooked.
    private static func joiningRedact(_ words: [String], fileExists: (String) -> Bool) -> [String] {
        var joined: [String] = []
        var index = words.startIndex
        while index < words.endIndex {
            let word = words[index]
            index += 1
            guard word == "--redact" else {
                joined.append(word)
                continue
            }
            guard index < words.endIndex, !words[index].hasPrefix("-"),
                RedactedKinds.mentions(words[index]) || !fileExists(words[index])
            else {
                joined.append("--redact=" + PersonalData.cards.rawValue)
                continue
            }
            joined.append("--redact=" + words[index])
            index += 1
        }
        return joined
    }

    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }
}

/// The options of a command, as the parser describes them.
private struct KnownOptions {
    /// The options that take one value: each name, with its hyphens, maps to the option's first name, which shows that two
    /// names mean the same option.
    let singleValued: [String: String]
    /// The letters of options that take a value.
    let letters: Set<Character>

    /// - Parameter words: the words of the command line, which determine the subcommand.
    init(of command: any ParsableCommand.Type, for words: [String]) {
        let page = try? JSONDecoder().decode(Page.self, from: Data(command._dumpHelp().utf8))
        var described = page?.command
        for word in words where !word.hasPrefix("-") {
            if word == described?.commandName { continue }
            guard let next = described?.subcommands?.first(where: { $0.commandName == word }) else { break }
            described = next
        }
        var (singleValued, letters): ([String: String], Set<Character>) = ([:], [])
        for option in described?.arguments ?? [] where option.kind == "option" {
            let names = (option.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
            if !option.isRepeating { for name in names { singleValued[name] = names.first } }
            letters.formUnion(names.filter { $0.count == 2 }.compactMap(\.last))
        }
        (self.singleValued, self.letters) = (singleValued, letters)
    }

    /// Splits `-j4` into `-j` and `4`; returns any other word unchanged.
    func partingValue(of word: String) -> [String] {
        let (option, value) = (word.prefix(2), word.dropFirst(2))
        guard option.count == 2, option.first == "-", let letter = option.last, letters.contains(letter),
            let next = value.first, next != "="
        else { return [word] }
        return [String(option), String(value)]
    }

    private struct Page: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    private struct Argument: Decodable {
        let kind: String
        let isRepeating: Bool
        let names: [Name]?
    }

    private struct Name: Decodable {
        let kind: String
        let name: String
    }
}
