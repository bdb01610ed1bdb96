import ArgumentParser
import Foundation
import Testing

@testable import flatten

/// The words before they are parsed.
@Suite struct ArgumentWordsTests {
    /// The words as they are handed on, where "photo.jpg" and "cards" are files that exist.
    private func prepared(_ words: String) throws -> String {
        try ArgumentWords.flatten.prepared(words.split(separator: " ").map(String.init)) {
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
            try ArgumentWords.batch.prepared(words) { _ in false }
                == expected.split(separator: " ").map(String.init))
    }

    @Test("Both spellings of an option are one")
    func spellings() {
        #expect(throws: ValidationError.self) {
            try ArgumentWords.batch.prepared(["-o", "a", "--output=b"]) { _ in false }
        }
        #expect(throws: ValidationError.self) {
            try ArgumentWords.batch.prepared(["-j4", "--jobs", "2"]) { _ in false }
        }
    }

    @Test("Every option of the commands that takes one value is known")
    func known() throws {
        #expect(try Self.singleValued(FlattenCommand.self) == ArgumentWords.flatten.singleValued)
        #expect(try Self.singleValued(InspectCommand.self) == ArgumentWords.inspect.singleValued)
        #expect(try Self.singleValued(BatchCommand.self) == ArgumentWords.batch.singleValued)
    }

    @Test("Every letter of an option that takes a value is known, and no other")
    func letters() throws {
        func letters(_ command: (some ParsableCommand).Type, _ kind: String) throws -> Set<Character> {
            Set(
                try Self.arguments(command).filter { $0["kind"] as? String == kind }
                    .flatMap { $0["names"] as? [[String: String]] ?? [] }
                    .filter { $0["kind"] == "short" }.compactMap { $0["name"]?.first })
        }
        #expect(try letters(FlattenCommand.self, "option") == ArgumentWords.flatten.lettersOfValued)
        #expect(try letters(InspectCommand.self, "option") == ArgumentWords.inspect.lettersOfValued)
        #expect(try letters(BatchCommand.self, "option") == ArgumentWords.batch.lettersOfValued)
    }

    /// The options as the parser describes them.
    private static func arguments(_ command: (some ParsableCommand).Type) throws -> [[String: Any]] {
        let page = try #require(
            try JSONSerialization.jsonObject(with: Data(command._dumpHelp().utf8)) as? [String: Any])
        return try #require((page["command"] as? [String: Any])?["arguments"] as? [[String: Any]])
    }

    private static func singleValued(_ command: (some ParsableCommand).Type) throws -> Set<String> {
        let arguments = try arguments(command)
        var names: Set<String> = []
        for argument in arguments
        where argument["kind"] as? String == "option" && argument["isRepeating"] as? Bool == false {
            for name in argument["names"] as? [[String: String]] ?? [] {
                names.insert((name["kind"] == "long" ? "--" : "-") + (name["name"] ?? ""))
            }
        }
        return names
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
