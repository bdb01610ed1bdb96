import ArgumentParser
import Foundation
import Testing

@testable import flatten

/// The words before they are parsed.
@Suite struct ArgumentWordsTests {
    /// The words as they are handed on, where "photo.jpg" and "cards" are files that exist.
    private func prepared(_ words: String) throws -> String {
        try ArgumentWords(command: FlattenCommand.self).prepared(words.split(separator: " ").map(String.init))
        {
            ["photo.jpg", "cards"].contains($0)
        }.joined(separator: " ")
    }

    @Test(
        "--redact takes the next word if it can be its value, and stands for cards otherwise",
        arguments: [
            ("--redact", "--redact=cards"), ("--redact -o x.png", "--redact=cards -o x.png"),
            ("--redact photo.jpg", "--redact=cards photo.jpg"), ("--redact -", "--redact=cards -"),
            ("--redact phones,names a", "--redact=phones,names a"),
            ("--redact Phones a", "--redact=Phones a"),
            ("--redact cards photo.jpg", "--redact=cards photo.jpg"),
            ("--redact phones,typo a", "--redact=phones,typo a"), ("--redact typo", "--redact=typo"),
            ("--redact=typo photo.jpg", "--redact=typo photo.jpg"), ("--redact= a", "--redact= a"),
            ("a -- --redact phones", "a -- --redact phones"),
            ("--redact -- photo.jpg", "--redact=cards -- photo.jpg"),
        ])
    func redact(words: String, expected: String) throws {
        #expect(try prepared(words) == expected)
        #expect(try prepared(expected) == expected, "words that are prepared stay as they are")
    }

    @Test(
        "An option that takes one value is not taken twice",
        arguments: ["--report a --report b", "--dpi=100 a --dpi 200", "--redact --redact=phones"])
    func twice(words: String) {
        #expect(throws: ValidationError.self) { try prepared(words) }
    }

    @Test(
        "What can be given several times can",
        arguments: ["-o a.png -o b.png --text c --text d", "-- --dpi --dpi"])
    func several(words: String) throws {
        #expect(try prepared(words) == words)
    }

    @Test(
        "A letter's value may follow it at once",
        arguments: [
            ("-j4 a", "-j 4 a"), ("-lfra", "-l fra"), ("-oout -l=fra", "-o out -l=fra"), ("-j", "-j"),
            ("-qv -", "-qv -"), ("--jobs -- -j4", "--jobs -- -j4"), ("-r300", "-r300"),
        ])
    func joined(words: String, expected: String) throws {
        let words = words.split(separator: " ").map(String.init)
        #expect(
            try ArgumentWords(command: BatchCommand.self).prepared(words) { _ in false }
                == expected.split(separator: " ").map(String.init))
    }

    @Test("Both spellings of an option are one")
    func spellings() {
        #expect(throws: ValidationError.self) {
            try ArgumentWords(command: BatchCommand.self).prepared(["-o", "a", "--output=b"]) { _ in false }
        }
        #expect(throws: ValidationError.self) {
            try ArgumentWords(command: BatchCommand.self).prepared(["-j4", "--jobs", "2"]) { _ in false }
        }
    }

    @Test("An option before the subcommand does not hide which it is")
    func optionBeforeSubcommand() {
        #expect(throws: ValidationError.self) {
            try ArgumentWords(command: ArchiveCommand.self)
                .prepared(["archive", "--quiet", "list", "--limit", "1", "--limit", "2"]) { _ in false }
        }
    }

    @Test("Of every command's options those that take one value are not taken twice, and the others are")
    func everyOption() throws {
        for command in FlattenTool.configuration.subcommands where command.configuration.shouldDisplay {
            try checkOptions(of: command)
        }
    }

    /// Gives each option of a command, or of its subcommands, twice.
    private func checkOptions(of command: any ParsableCommand.Type) throws {
        let page = try #require(
            try JSONSerialization.jsonObject(with: Data(command._dumpHelp().utf8)) as? [String: Any])
        let described = try #require(page["command"] as? [String: Any])
        let name = try #require(described["commandName"] as? String)
        let subcommands = (described["subcommands"] as? [[String: Any]] ?? []).filter {
            $0["commandName"] as? String != "help"
        }
        let commands =
            subcommands.isEmpty
            ? [([name], described)]
            : subcommands.map {
                ([name, $0["commandName"] as? String ?? ""], $0)
            }
        for (words, described) in commands {
            for option in described["arguments"] as? [[String: Any]] ?? []
            where option["kind"] as? String == "option" {
                let repeats = option["isRepeating"] as? Bool == true
                let names = (option["names"] as? [[String: String]] ?? []).map {
                    ($0["kind"] == "long" ? "--" : "-") + ($0["name"] ?? "")
                }
                for first in names {
                    for second in names {
                        let words = words + [first, "1", second, "2"]
                        let isTaken =
                            (try? ArgumentWords(command: command).prepared(words) { _ in false }) != nil
                        #expect(isTaken == repeats, "\(words)")
                    }
                }
            }
        }
    }

    @Test("Kinds are read in any case and with blanks; any other word fails and is named")
    func kinds() throws {
        #expect(try RedactedKinds(argument: " Phones , NAMES").description == "names,phones")
        #expect(try RedactedKinds(argument: "cards").description == "cards")
        for (wrong, word) in [
            ("phones,typo", "typo"), ("", ""), ("areas", "areas"), ("cards,", ""), ("phone", "phone"),
            ("na mes", "na mes"),
        ] {
            let error = #expect(throws: ValidationError.self) { try RedactedKinds(argument: wrong) }
            #expect(error?.message.contains("\"\(word)\"") == true)
            #expect(error?.message.contains("cards, names, phones") == true)
        }
    }
}
