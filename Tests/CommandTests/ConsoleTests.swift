import Foundation
import TestSupport
import Testing

@testable import flatten

/// Standard error: nothing in it steers a terminal, and nothing about it ends the command.
@Suite struct ConsoleTests {
    @Test(arguments: [
        (ProgressRecord(stage: "read"), #"progress: {"stage":"read"}"#),
        (
            ProgressRecord(stage: "text", share: 0.42, page: 2, pages: 3),
            #"progress: {"page":2,"pages":3,"share":0.42,"stage":"text"}"#
        ),
    ])
    func progressIsALineOfJSON(record: ProgressRecord, line: String) {
        #expect(record.line == line + "\n")
    }

    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    @Test(
        "What steers a terminal is made visible",
        arguments: [
            ("\u{1B}]0;title\u{7}", "\\u{1B}]0;title\\u{7}"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
            ("a\r\nb", "a\\r\\nb"),
            ("\u{0}\u{7F}\u{80}\u{9B}2J\u{9F}", "\\u{0}\\u{7F}\\u{80}\\u{9B}2J\\u{9F}"),
            (
                "\u{61C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}",
                "\\u{61C}\\u{200E}\\u{200F}\\u{202A}\\u{202E}\\u{2066}\\u{2069}"
            ),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"), ("e\u{301}\u{1B}", "e\u{301}\\u{1B}"),
            ("Zürich 日本 🧾 \\n", "Zürich 日本 🧾 \\n"), ("", ""),
        ])
    func visible(text: String, expected: String) {
        #expect(Array(text.visible.utf8) == Array(expected.utf8))
        #expect(text.visible.visible == text.visible, "once is enough")
    }

    @Test("Lines of one's own stay lines, those within words do not")
    func lines() {
        #expect("a\u{1B}\nb\r\n".visibleLines == "a\\u{1B}\nb\\r\n")
        #expect("a\u{1B}\tb\u{202E}\nc".visibleColumns == "a\\u{1B}\tb\\u{202E}\nc")
        #expect("Error: x\ny\nUsage".keepingOnOneLine(["x\ny", "z"]) == "Error: x\\ny\nUsage")
    }

    @Test("Results are made visible for a terminal alone")
    func results() {
        let text = "\u{1B}[2J\u{9B}2J\u{202E}4.50\t1\n"
        #expect(TextOutput.shown(text, to: "-", isTerminal: true) == "\\u{1B}[2J\\u{9B}2J\\u{202E}4.50\t1\n")
        #expect(TextOutput.shown(text, to: "-", isTerminal: false) == text)
        #expect(TextOutput.shown(text, to: "t.txt", isTerminal: true) == text)
    }

    /// Nothing but text and line feeds.
    private func check(_ errors: String, lines: Int? = nil) {
        #expect(errors.visibleLines == errors, "\(errors.visible)")
        if let lines { #expect(errors.split(separator: "\n").count == lines, "\(errors)") }
    }

    @Test(
        "Keys of a document do not reach the terminal",
        arguments: [
            #"{"\u001b]0;PWN\u0007\u001b[2J": 1}"#, #"{"\u0000": 1}"#, #"{"\u009b2J": 1}"#, #"{"\u202e": 1}"#,
        ])
    func keys(json: String) throws {
        let folder = try ScratchFolder()
        try Data(json.utf8).write(to: folder.url.appending(path: "k.json"))
        let outcome = try FlattenProcess.run([
            Self.sample, "--intrinsics", folder.path("k.json"), "-o", folder.path("o.png"),
        ])
        #expect(outcome.exitCode == 65)
        check(outcome.errors, lines: 1)
        #expect(outcome.errors.contains("\\u{"))
    }

    @Test("A name of a file is one line of a message, whatever it holds")
    func names() throws {
        let folder = try ScratchFolder()
        let name = "x\u{1B}[2J\u{9B}\u{202E}\n1 of 1 captures are flattened, 0 failed"
        let missing = try FlattenProcess.run([name, "-o", folder.path("o.png")])
        #expect(missing.exitCode == 74)
        check(missing.errors, lines: 1)
        try Data("nothing".utf8).write(to: folder.url.appending(path: name))
        let broken = try FlattenProcess.run([
            folder.url.path() + "/" + name, "-o", folder.path("o.png"), "--verbose",
        ])
        #expect(broken.exitCode == 65)
        check(broken.errors)
        let usage = try FlattenProcess.run([name, name, "--no-such\n" + name])
        #expect(usage.exitCode == 64)
        check(usage.errors, lines: 5)
    }

    @Test("The page that inspect prints has rows of its own only")
    func inspection() throws {
        let folder = try ScratchFolder()
        // A carriage return before the line feed makes another Character of both.
        let name = "x\u{1B}[2J\nLooks wrong  nothing\r\nLooks wrong  too.jpg"
        try FileManager.default.copyItem(
            atPath: Self.sample + "/image.jpg", toPath: folder.url.path() + "/" + name)
        let outcome = try FlattenProcess.run(["inspect", folder.url.path() + "/" + name])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.text.visibleLines == outcome.text)
        #expect(outcome.text.contains("x\\u{1B}[2J\\nLooks wrong  nothing\\r\\nLooks wrong  too.jpg"))
    }

    @Test(
        "A standard error that takes nothing changes no exit code",
        arguments: [
            ("2> /dev/full", "MISSING", 74), ("2>&-", "MISSING", 74), ("2> /dev/full", "BROKEN", 65),
            ("2>&-", "BROKEN", 65), ("2> /dev/full", "--no-such-option", 64),
            ("2>&-", "--no-such-option", 64),
            ("2> /dev/full", "-o", 64),
        ] as [(String, String, Int32)])
    func unwritable(redirection: String, word: String, code: Int32) throws {
        let folder = try ScratchFolder()
        try Data("nothing".utf8).write(to: folder.url.appending(path: "broken"))
        let words = ["MISSING": folder.path("missing"), "BROKEN": folder.path("broken")]
        let outcome = try FlattenProcess.run(
            ["-o", folder.path("o.png"), words[word] ?? word], shell: redirection)
        #expect(!outcome.wasSignalled)
        #expect(outcome.exitCode == code)
        #expect(try folder.contents == ["broken"])
    }

    @Test("A reader of standard error that has gone away changes no exit code")
    func closedPipe() throws {
        // The command starts once nobody has the pipe open to read: the second shell has closed it, and its end is what
        // the first waits for, on a pipe with a name that the second keeps open until then.
        let script = """
            mkfifo "$3"
            { read -r line < "$3"; "$0" "$1" -o "$1.png" 2>&1 >/dev/null; echo $? > "$2"; } | { exec <&-; echo gone > "$3"; }
            """
        let folder = try ScratchFolder()
        _ = try FlattenProcess.run(
            [
                "-c", script, FlattenProcess.binary.path(), folder.path("missing"), folder.path("code"),
                folder.path("pipe"),
            ],
            program: "/bin/sh")
        #expect(try String(contentsOf: folder.url.appending(path: "code"), encoding: .utf8) == "74\n")
    }

    @Test("Help is a result: it goes to standard output, and a full one is an error")
    func help() throws {
        let help = try FlattenProcess.run(["--help"])
        #expect(help.exitCode == 0 && help.errors.isEmpty && help.text.contains("USAGE"))
        #expect(try FlattenProcess.run(["--help"], shell: "> /dev/full").exitCode == 74)
    }
}
