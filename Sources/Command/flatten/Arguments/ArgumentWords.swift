import Documents
import ArgumentParser
import Platform
import ReceiptFlattening

/// The words of a command line, put in order before they are parsed.
///
/// The parser takes the last of several values of one option without a word, and has no option whose value may be left out
/// but also be wrong: that takes the words as they were written.
struct ArgumentWords {
    /// The options that take one value.
    let singleValued: Set<String>
    /// The letters of options that take a value, which may follow at once: `-j4`.
    let lettersOfValued: Set<Character>

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
        let prepared = Self.joiningRedact(words[..<end].flatMap(partingValue), fileExists: fileExists)
        var seen: Set<String> = []
        for word in prepared {
            let option = word.firstIndex(of: "=").map { String(word[..<$0]) } ?? word
            guard let name = singleValued.contains(option) ? option : nil else { continue }
            guard seen.insert(Self.shortNames[name] ?? name).inserted else {
                throw ValidationError("\(name) is given twice, and takes one value")
            }
        }
        return prepared + words[end...]
    }

    /// `-j4` is `-j 4`; the parser knows `-j=4` itself.
    private func partingValue(of word: String) -> [String] {
        let (option, value) = (word.prefix(2), word.dropFirst(2))
        guard option.count == 2, option.first == "-", let letter = option.last,
            lettersOfValued.contains(letter),
            let next = value.first, next != "="
        else { return [word] }
        return [String(option), String(value)]
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

    /// Two spellings of one option.
    private static let shortNames = ["-o": "--output", "-r": "--report", "-l": "--language", "-j": "--jobs"]
}

/// A subcommand whose words are put in order before they are parsed.
protocol PreparedCommand: ParsableCommand {
    static var preparation: ArgumentWords { get }
}

extension ArgumentWords {
    /// Options about the capture, which all commands take.
    private static let ofCaptures: Set<String> = [
        "--frame", "--pages", "--depth", "--depth-unit", "--depth-kind", "--depth-projection",
        "--confidence", "--intrinsics", "--fx", "--fy", "--cx", "--cy", "--max-megapixels",
        "--max-depth-megapixels", "--max-side", "--max-file-mib", "--max-tiff-mib", "--max-json-mib",
    ]

    /// Options about how captures are made flat and read, and about outputs that hold all sheets: `flatten` and a batch take them.
    private static let ofFlattening: Set<String> = [
        "--sheets", "--join-pages", "--method", "--dpi", "--margin", "--edge", "--look", "--language", "-l",
        "--reader", "--reader-model", "--today", "--country", "--currency", "--find", "--vcard", "--redact",
        "--min-confidence", "--timeout", "--format", "--table", "--table-for", "--merge", "--merge-size",
    ]

    /// For `flatten`.
    static let flatten = ArgumentWords(
        singleValued: ofCaptures.union(ofFlattening).union([
            "--map", "--report", "-r", "--fields", "--cloud", "--depth-preview", "--contact", "--page",
            "--overlay", "--mesh",
        ]), lettersOfValued: ["o", "r", "t", "l"])

    /// For `flatten inspect`.
    static let inspect = ArgumentWords(singleValued: ofCaptures.union(["--timeout"]), lettersOfValued: [])

    /// For the subcommands of `flatten cards`.
    static let cards = ArgumentWords(
        singleValued: ofCaptures.union([
            "--store", "-o", "--output", "--language", "-l", "--reader", "--reader-model", "--timeout",
            "--passphrase-file",
        ]), lettersOfValued: ["o", "l"])

    /// For the subcommands of `flatten archive`.
    static let archive = ArgumentWords(
        singleValued: ofCaptures.union([
            "--archive", "--batch", "-o", "--output", "--language", "-l", "--reader", "--timeout", "--tag",
            "--untag", "--join-pages",
            "--notes", "--merchant", "--since", "--until", "--least", "--most", "--currency", "--kind",
            "--category", "--code", "--new-for", "--by", "--order",
            "--limit", "--offset", "--file", "--rules", "--every", "--passphrase-file",
            "--backup-passphrase-file", "--jobs", "-j",
        ]), lettersOfValued: ["o", "l", "j"])

    /// For `flatten batch`.
    static let batch = ArgumentWords(
        singleValued: ofCaptures.union(ofFlattening).union([
            "-o", "--output", "--jobs", "-j", "--picture-format", "--memory-mib", "--processor-seconds",
            "--shard", "--grace", "--records", "--metrics",
        ]), lettersOfValued: ["o", "j", "l"])
}
