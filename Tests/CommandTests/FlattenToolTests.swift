import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import flatten

/// The subcommands: how each is called, helped with and completed.
@Suite struct FlattenToolTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()
    private static let subcommands = ["single", "inspect", "batch", "archive", "cards"]

    /// What the parser says of itself, as its manuals are made from.
    private struct Page: Decodable {
        struct Name: Decodable {
            var kind, name: String
            var spelling: String { (kind == "long" ? "--" : "-") + name }
        }
        struct Argument: Decodable {
            var kind: String
            var names: [Name]?
            var shouldDisplay: Bool
        }
        struct Command: Decodable {
            var commandName: String
            var shouldDisplay: Bool
            var defaultSubcommand: String?
            var subcommands: [Command]?
            var arguments: [Argument]?

            /// Both spellings of each option and flag that is for people.
            var spellings: [Name] { (arguments ?? []).filter(\.shouldDisplay).flatMap { $0.names ?? [] } }
        }
        var command: Command
    }

    private func page() throws -> Page {
        let outcome = try FlattenProcess.run(["--experimental-dump-help"])
        #expect(outcome.exitCode == 0)
        return try JSONDecoder().decode(Page.self, from: outcome.output)
    }

    @Test("The parser knows the subcommands, and which one is meant without any")
    func tree() throws {
        let command = try page().command
        #expect(command.commandName == "flatten")
        #expect(command.defaultSubcommand == "single")
        let all = command.subcommands ?? []
        #expect(
            all.filter(\.shouldDisplay).map(\.commandName) == Self.subcommands + [
                "doctor", "completion", "help",
            ])
        #expect(all.filter { !$0.shouldDisplay }.map(\.commandName) == ["batch-status", "batch-worker"])
    }

    @Test(
        "The beginning of an option suggests that option, and not one that looks like it",
        arguments: [
            ("--lang", "'--language'"), ("--depth-u", "'--depth-unit'"),
            ("--over", "'--overlay'"), ("--reader-", "'--reader-model'"),
        ])
    func beginnings(word: String, suggestion: String) {
        let error = #expect(throws: (any Error).self) { try FlattenArguments.parse(["x.jpg", word, "1"]) }
        let text = error.map { FlattenArguments.message(for: $0) } ?? ""
        let completed = FlattenTool.completing(text, of: BatchCommand.self)
        #expect(completed == "Unknown option '\(word)'. Did you mean \(suggestion)?", "\(text)")
        // Nothing begins like that; what begins with a letter says nothing.
        for other in ["--xyz", "--", "--help-all"] {
            let plain = "Unknown option '\(other)'"
            #expect(FlattenTool.completing(plain, of: BatchCommand.self) == plain)
        }
    }

    @Test("What is no file and no option says what to do instead")
    func instead() throws {
        for words in [[], ["inspect"], ["batch"]] as [[String]] {
            let outcome = try FlattenProcess.run(words + ["https://example.org/a.jpg", "-o", "out"])
            #expect(outcome.exitCode == 64, "\(outcome.errors)")
            #expect(words == ["inspect"] || outcome.errors.contains("is an address"), "\(outcome.errors)")
        }
        let table = try FlattenProcess.run([Self.sample, "-t", "x.csv"])
        #expect(table.exitCode == 64 && table.errors.contains("--table x.csv"), "\(table.errors)")
    }

    @Test(
        "The help of a subcommand names all its options, however it is asked for",
        arguments: subcommands.filter { $0 != "single" })
    func help(name: String) throws {
        let asked = try FlattenProcess.run([name, "--help"])
        #expect(asked.exitCode == 0)
        #expect(try FlattenProcess.run(["help", name]).output == asked.output)
        let command = try #require(try page().command.subcommands?.first { $0.commandName == name })
        for option in command.spellings {
            #expect(asked.text.contains(option.spelling), "\(option.spelling)")
        }
        // Those of a subcommand with subcommands are theirs.
        #expect(command.spellings.count > 10 || command.subcommands?.isEmpty == false)
    }

    @Test(
        "Help alone is the main job's, and names the other subcommands", arguments: ["-h", "--help", "-help"])
    func mainHelp(word: String) throws {
        let help = try FlattenProcess.run([word])
        #expect(help.exitCode == 0)
        #expect(try FlattenProcess.run(["single", "--help"]).output == help.output)
        #expect(try FlattenProcess.run(["photo.jpg", "-q", word]).output == help.output)
        #expect(help.text.contains("\n  inspect  ") && help.text.contains("\n  batch    "))
        let list = try FlattenProcess.run(["help"])
        for name in Self.subcommands { #expect(list.text.contains("\n  \(name) ")) }
        #expect(!help.text.contains("batch-worker") && !list.text.contains("batch-worker"))
    }

    @Test("Every option stands in one group of the help, and few in that for everyday")
    func groups() throws {
        let single = try #require(try page().command.subcommands?.first { $0.commandName == "single" })
        let listed = HelpPage.groups.flatMap { $0.usual + $0.further }
        let known = single.spellings.filter { $0.kind == "long" }.map(\.name)
        #expect(listed.sorted() == known.sorted())
        let usual = HelpPage.groups.flatMap(\.usual)
        #expect((15...25).contains(usual.count), "the help is to be read at one go")
        let (everyday, whole) = (HelpPage.everyday, HelpPage.whole)
        for name in listed { #expect(whole.contains("--\(name)"), "\(name)") }
        for name in usual { #expect(everyday.contains("--\(name)"), "\(name)") }
        #expect(!everyday.contains("--max-side"))
        #expect(try FlattenProcess.run(["--help-all"]).text == whole + "\n")
    }

    @Test("A completion script names every option of every subcommand", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) throws {
        let script = try FlattenProcess.run(["completion", shell])
        #expect(script.exitCode == 0)
        for command in try page().command.subcommands ?? []
        where Self.subcommands.contains(command.commandName) {
            for option in command.spellings {
                // fish is told the kind and the name apart.
                let spelling =
                    shell == "fish"
                    ? (option.kind == "long" ? "-l" : "-s") + " '\(option.name)'" : option.spelling
                let isNamed = script.text.contains(spelling)
                #expect(isNamed, "\(command.commandName) \(option.spelling)")
            }
        }
        #expect(!script.text.contains("batch-worker"))
    }

    @Test(
        "bash completes subcommands and their options",
        arguments: [
            ("in", "inspect"), ("inspect --fra", "--frame"), ("single --margi", "--margin"),
            ("batch --retry", "--retry-failed"), ("single --method cyl", "cylinder"),
            ("--margi", "--margin"), ("photo.jpg --margi", "--margin"), ("a --method cyl", "cylinder"),
            ("batch --margi", "--margin"), ("batch a b --dpi 300 --retry", "--retry-failed"),
            ("cards ex", "export"), ("cards add --sto", "--store"), ("completion z", "zsh"),
            ("a --redact pho", "phones"), ("batch a --picture-format j", "jpg"),
            ("batch a --stit", ""), ("batch a --help-a", ""), ("batch status --veri", "--verify"),
            ("batch status --retry", ""),
            ("batch status --margi", ""),
        ])
    func bash(words: String, expected: String) throws {
        // What bash sets before it calls a script's function.
        let call = """
            eval "$("$0" completion bash)"
            COMP_LINE="flatten $1"; COMP_POINT=${#COMP_LINE}; COMP_WORDS=($COMP_LINE); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _flatten flatten "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            echo "${COMPREPLY[*]}"
            """
        let outcome = try FlattenProcess.run(
            ["-c", call, FlattenProcess.binary.path(), words], program: "/bin/bash")
        #expect(outcome.text == expected + "\n", "\(outcome.errors)")
    }

    @Test(
        "fish completes likewise",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish"), "fish is not installed"),
        arguments: [
            ("in", "inspect"), ("batch --retry", "--retry-failed"), ("--margi", "--margin"),
            ("photo.jpg --margi", "--margin"), ("cards ex", "export"), ("a --method cyl", "cylinder"),
            ("batch a --margi", "--margin"), ("batch a --dpi 300 --retry", "--retry-failed"),
            ("batch a --method cyl", "cylinder"), ("batch --stit", nil), ("batch status --veri", "--verify"),
            ("batch status --retry", nil), ("batch status --margi", nil), ("batch-s", nil),
        ] as [(String, String?)])
    func fish(words: String, expected: String?) throws {
        let folder = try ScratchFolder()
        let script = try FlattenProcess.run(["completion", "fish"]).text
        try folder.write(script, as: "flatten.fish")
        let outcome = try FlattenProcess.run(
            ["-c", "source \(folder.path("flatten.fish")); complete -C 'flatten \(words)'"],
            environment: ["HOME": folder.path], program: "/usr/bin/fish")
        let found = outcome.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(found == [expected].compactMap { $0.map { $0[...] } }, "\(outcome.text) \(outcome.errors)")
    }

    /// zsh completes on a terminal alone, so that the script is asked what it would offer: each specification is printed.
    @Test(
        "zsh completes likewise",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh"), "zsh is not installed"),
        arguments: [
            (
                "batch --", ["--margin", "--retry-failed", "--picture-format", "--redact"],
                ["--stitch", "--json"]
            ),
            ("photo.jpg --", ["--margin", "--stitch"], ["--retry-failed"]),
            ("batch status --", ["--verify", "--list", "--json"], ["--margin", "--retry-failed"]),
            ("batch", ["batch", "inspect"], ["batch-status"]),
        ])
    func zsh(words: String, offered: [String], others: [String]) throws {
        let script = try FlattenProcess.run(["completion", "zsh"]).text
        let call = """
            _arguments() {
                print -rl -- "${@}"
                state=command
                if [[ "${*}" = *'->arg'* ]] && (( CURRENT > 2 )); then
                    words=("${(@)words[2,-1]}"); (( CURRENT -= 1 )); state=arg
                fi
                return 1
            }
            _describe() { print -rl -- "${(P@)3}" "${(P@)4}"; }
            _alternative() { _flatten_named; }
            compdef() { :; }
            eval "$1"
            words=(flatten ${=2}); CURRENT=${#words}
            _flatten
            """
        let outcome = try FlattenProcess.run(
            ["-f", "-c", call, "zsh", script, words], program: "/usr/bin/zsh")
        let options = Set(
            outcome.text.split(separator: "\n").flatMap { line in
                line.prefix { !"[:".contains($0) }.split { "(){}, '*".contains($0) }.map(String.init)
            })
        for word in offered { #expect(options.contains(word), "\(word): \(outcome.text) \(outcome.errors)") }
        for word in others { #expect(!options.contains(word), "\(word): \(outcome.text)") }
    }

    @Test("Files are offered where a capture may stand")
    func captures() throws {
        let folder = try ScratchFolder()
        try folder.write("", as: "inside.jpg")
        let call = """
            cd "$1"; eval "$("$0" completion bash)"
            COMP_WORDS=(flatten in); COMP_CWORD=1
            _flatten flatten in flatten
            echo "${COMPREPLY[*]}"
            """
        let outcome = try FlattenProcess.run(
            ["-c", call, FlattenProcess.binary.path(), folder.path], program: "/bin/bash")
        #expect(outcome.text == "inspect inside.jpg\n", "\(outcome.errors)")
    }

    @Test("Short options are their long ones")
    func shortOptions() throws {
        let folder = try ScratchFolder()
        let long = try FlattenProcess.run([
            Self.sample, "--output", folder.path("a.png"), "--text", folder.path("a.txt"), "--report",
            folder.path("a.json"), "--language", "eng", "--reproducible",
        ])
        let short = try FlattenProcess.run([
            Self.sample, "-o", folder.path("b.png"), "-t", folder.path("b.txt"), "-r", folder.path("b.json"),
            "-l", "eng", "--reproducible",
        ])
        #expect(long.exitCode == 0 && short.exitCode == 0, "\(short.errors)")
        for kind in ["png", "txt", "json"] {
            #expect(
                try Data(contentsOf: URL(filePath: folder.path("a." + kind)))
                    == Data(contentsOf: URL(filePath: folder.path("b." + kind))))
        }
        #expect(try FlattenProcess.run(["-V"]).output == FlattenProcess.run(["--version"]).output)
        for words in [["-l", "eng", "--language", "deu"], ["-r", "a.json", "--report", "b.json"]] {
            #expect(try FlattenProcess.run([Self.sample, "-o", folder.path("c.png")] + words).exitCode == 64)
        }
    }

    @Test("A wrong call is told of in a few lines, with the usage of what was called")
    func shortUsage() throws {
        for (words, usage) in [
            ([], "Usage: flatten CAPTURE -o IMAGE"),
            (["inspect", "--bogus"], "Usage: flatten inspect CAPTURE"),
            (["batch", "a", "-o", "b", "--bogus"], "Usage: flatten batch"),
        ] as [([String], String)] {
            let outcome = try FlattenProcess.run(words)
            #expect(outcome.exitCode == 64)
            #expect(outcome.errors.contains("\n" + usage), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count <= 5, "\(outcome.errors)")
        }
    }

    @Test(
        "A limit that an option raises is called by that option",
        arguments: [
            (["--max-megapixels", "1"], "--max-megapixels"), (["--max-side", "100"], "--max-side"),
            (["--max-depth-megapixels", "0.01"], "--max-depth-megapixels"),
        ])
    func limits(words: [String], option: String) throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([Self.sample, "-o", folder.path("a.png")] + words)
        // Depth that is too large is left out, with a warning.
        #expect([0, 71].contains(outcome.exitCode))
        #expect(outcome.errors.contains("(\(option))"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("maximum"), "\(outcome.errors)")
    }

    @Test("What inspect prints as JSON is what the report says")
    func inspection() throws {
        let inspected = try FlattenProcess.run(["inspect", Self.sample, "--json"])
        let report = try FlattenProcess.run([Self.sample, "--report", "-"])
        func object(_ data: Data) throws -> NSDictionary {
            try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
        }
        let (seen, reported) = (try object(inspected.output), try object(report.output))
        for key in ["plane", "surface", "outline", "outline_confidence", "sheet", "method"] {
            let values = (seen[key] as? NSObject, reported[key] as? NSObject)
            #expect(values.0 != nil && values.0 == values.1, "\(key)")
        }
        // The report goes on, with steps that take the flat image.
        let (early, all) = (
            seen["refused"] as? [NSDictionary] ?? [], reported["refused"] as? [NSDictionary] ?? []
        )
        #expect(!early.isEmpty && Array(all.prefix(early.count)) == early)
        let picture = try #require(seen["picture"] as? NSDictionary)
        #expect(picture["width"] as? Int == 1500 && picture["height"] as? Int == 2000)
        #expect(seen["not_found"] is NSNull)
    }

    @Test(
        "A capture that is called like a subcommand is flattened",
        arguments: subcommands + ["doctor", "completion", "help"])
    func namesake(name: String) throws {
        let folder = try ScratchFolder()
        try FlattenProcess.blankSheet.write(to: folder.url.appending(path: name))
        for words in [
            ["./" + name, "-o", "flat.png"], ["-o", "flat.png", "--", name], ["-o", "flat.png", name],
            ["single", name, "-o", "flat.png"],
        ] {
            let outcome = try FlattenProcess.run(
                ["-c", "cd \"$1\" && shift && exec \"$0\" \"$@\"", FlattenProcess.binary.path()]
                    + [folder.url.path()] + words, program: "/bin/sh")
            #expect(outcome.exitCode == 0, "\(words): \(outcome.errors)")
            #expect(try folder.contents == ["flat.png", name].sorted())
            try FileManager.default.removeItem(at: folder.url.appending(path: "flat.png"))
        }
    }

    @Test(
        "An error says how the subcommand's help is asked for, be it found by the parser or later",
        arguments: [
            ("--bogus", "flatten"), ("", "flatten"), ("single --bogus", "flatten"), ("single", "flatten"),
            ("inspect --bogus", "flatten inspect"), ("inspect", "flatten inspect"),
            ("inspect --frame 1 --frame 2", "flatten inspect"), ("batch", "flatten batch"),
            ("batch -o /dev/null", "flatten batch"), ("a --dpi 5", "flatten"),
            ("--generate-completion-script none", "flatten"),
        ])
    func hint(words: String, call: String) throws {
        let outcome = try FlattenProcess.run(words.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == 64)
        #expect(
            outcome.errors.hasSuffix("\n  See '\(call) --help' for more information.\n"), "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("error: "))
    }

    @Test("The options of the main job are none of the other subcommands'")
    func foreignOptions() throws {
        for words in [["--dpi", "100"], ["-o", "flat.png"], ["--text", "-"]] {
            #expect(try FlattenProcess.run(["inspect", Self.sample] + words).exitCode == 64)
        }
    }
}
