import Documents
import ArgumentParser
import Platform
import ReceiptFlattening

/// The words of a command line, put in order before they are parsed.
///
/// ArgumentParser silently keeps the last of repeated values, knows no `-j4`, and has no option whose value may be left out and
/// is checked otherwise. All three need the words as they were written.
struct ArgumentWords {
    /// The command that they are for.
    let command: any ParsableCommand.Type

    /// - Parameters:
    ///   - words: as they were written, without the program's name.
    ///   - fileExists: whether a word names something that is there.
    /// - Returns: the words with `--redact` and its value in one, and a letter's value as a word of its own.
    /// - Throws: a usage error for an option that is given twice though it takes one value.
    func prepared(
        _ words: [String], fileExists: (String) -> Bool = Self.isThere
    ) throws(ValidationError) -> [String] {
        // What follows "--" names files, whatever it looks like.
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var before = Array(words[..<end])
        // The parser's description takes longer than parsing, and few words need it.
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

    /// A word without the value behind "=".
    private static func name(of word: String) -> String {
        word.firstIndex(of: "=").map { String(word[..<$0]) } ?? word
    }

    /// Whether a word may be a letter with its value: `-j4`. The parser knows `-j=4` itself.
    private static func mayHoldValue(_ word: String) -> Bool {
        word.count > 2 && word.first == "-" && !word.hasPrefix("--") && word.dropFirst(2).first != "="
    }

    /// Whether an option may be given twice: by one name, or by its letter and a name that begins with it.
    private static func mayRepeat(_ options: [String]) -> Bool {
        let names = Set(options)
        return names.count < options.count
            || names.contains { letter in
                letter.count == 2 && names.contains { $0.hasPrefix("-" + letter) }
            }
    }

    /// `--redact` without a value stands for cards. The next word is its value if it can be one, and also if it is neither
    /// that nor anything else: better refused for a kind that there is not than passed over.
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
    /// The options that take one value, by each of their names with its hyphens; the value tells two names of one option.
    let singleValued: [String: String]
    /// The letters of options that take a value.
    let letters: Set<Character>

    /// - Parameter words: tell the subcommand.
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

    /// `-j4` is `-j 4`.
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
