import Foundation
import TestSupport
import Testing

@testable import flatten

/// `--table` and `--merge`: outputs that hold all sheets, of one capture or of a batch.
@Suite struct JointOutputTests {
    private static func sample(_ name: String) -> String {
        FlattenProcess.samples.appending(path: name).path()
    }

    /// The cells of a table by its columns, and the columns. Cells of these tests hold no line feed.
    private func table(_ path: String) throws -> (columns: [String], rows: [[String: String]]) {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasSuffix("\r\n"))
        let lines = text.components(separatedBy: "\r\n").dropLast().map { line in
            line.matches(of: #/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/#).map { match in
                match.1.map { String($0).replacing("\"\"", with: "\"") } ?? String(match.2 ?? "")
            }
        }
        let columns = try #require(lines.first)
        return (
            columns,
            try lines.dropFirst().map { cells in
                try #require(cells.count == columns.count, "\(cells)")
                return Dictionary(uniqueKeysWithValues: zip(columns, cells))
            }
        )
    }

    private func pages(_ path: String) throws -> Int {
        let pdf = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(pdf.hasPrefix("%PDF-1.4\n") && pdf.hasSuffix("%%EOF\n"))
        return try #require(pdf.firstMatch(of: #//Type /Pages /Count (\d+)/#).flatMap { Int($0.1) })
    }

    // MARK: One capture

    @Test("The tables of a capture say what its report says")
    func oneCapture() throws {
        let folder = try ScratchFolder()
        let capture = Self.sample("fold-structured")
        let outcome = try FlattenProcess.run([
            capture, "--table", folder.path("t.csv"), "--merge", folder.path("m.pdf"), "--text",
            folder.path("t.pdf"),
            "--report", folder.path("r.json"),
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try folder.contents == ["m.pdf", "r.json", "t-items.csv", "t-tax.csv", "t.csv", "t.pdf"])
        let json = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(filePath: folder.path("r.json"))))
        let fields = try #require((json as? [String: Any])?["fields"] as? [String: Any])
        func value(_ key: String) -> String? { (fields[key] as? [String: Any])?["value"] as? String }
        let (columns, rows) = try table(folder.path("t.csv"))
        #expect(columns.prefix(5) == ["capture", "name", "sheet", "state", "error"])
        let row = try #require(rows.first)
        #expect(rows.count == 1 && row["capture"] == capture && row["sheet"] == "1" && row["state"] == "done")
        for key in ["merchant", "date", "time", "total", "tax"] {
            #expect(value(key) != nil && row[key] == value(key), "\(key)")
        }
        let items = try table(folder.path("t-items.csv")).rows
        let reported = try #require(fields["items"] as? [[String: Any]])
        #expect(items.map { $0["item"] } == (1...reported.count).map(String.init))
        #expect(items.map { $0["amount"] } == reported.map { $0["amount"] as? String })
        #expect(items.allSatisfy { $0["capture"] == capture && $0["sheet"] == "1" })
        let taxes = try table(folder.path("t-tax.csv")).rows
        let lines = try #require(fields["tax_lines"] as? [[String: Any]])
        #expect(!lines.isEmpty && taxes.map { $0["amount"] } == lines.map { $0["amount"] as? String })
        #expect(taxes.map { $0["line"] } == (1...lines.count).map(String.init))
        // A PDF of one sheet is that sheet's PDF.
        #expect(
            try Data(contentsOf: URL(filePath: folder.path("m.pdf")))
                == Data(contentsOf: URL(filePath: folder.path("t.pdf"))))
    }

    @Test("As JSON Lines a table is one file, a receipt a line, with its items and lines of tax")
    func jsonLines() throws {
        let folder = try ScratchFolder()
        let capture = Self.sample("fold-structured")
        let outcome = try FlattenProcess.run([
            capture, "--table", folder.path("t.jsonl"), "--fields", folder.path("f.json"),
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try folder.contents == ["f.json", "t.jsonl"])
        func object(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let text = try String(contentsOfFile: folder.path("t.jsonl"), encoding: .utf8)
        let lines = text.split(separator: "\n")
        try #require(lines.count == 1 && text.hasSuffix("\n"))
        let row = try object(String(lines[0]))
        let values = try object(String(contentsOfFile: folder.path("f.json"), encoding: .utf8))
        #expect(row["capture"] as? String == capture && row["state"] as? String == "done")
        #expect(row["error"] is NSNull && row["sheet"] as? Int == 1)
        for key in ["merchant", "date", "total", "tip"] {
            #expect(row[key] as? String == values[key] as? String, "\(key)")
        }
        for key in ["items", "tax_lines"] {
            let (own, other) = (row[key] as? [[String: Any]], values[key] as? [[String: Any]])
            #expect(own?.isEmpty == false && own?.count == other?.count, "\(key)")
            #expect(own?.first?["amount"] as? String == other?.first?["amount"] as? String)
        }
    }

    @Test("Only a table for a program has its cells as they are", arguments: ["spreadsheet", "program"])
    func tableFor(reader: String) throws {
        let folder = try ScratchFolder()
        try folder.copy(Self.sample("fold-structured") + "/image.jpg", as: "=1+1.jpg")
        let outcome = try FlattenProcess.run(
            ["=1+1.jpg", "--table", "t.csv", "--table-for", reader], program: "/bin/sh",
            before: ["-c", "cd \"$0\" && exec \"$@\"", folder.url.path(), FlattenProcess.binary.path()])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let rows = try table(folder.path("t.csv")).rows
        #expect(rows.first?["capture"] == (reader == "program" ? "=1+1.jpg" : "'=1+1.jpg"))
    }

    @Test(
        "--table-for goes with a CSV alone",
        arguments: [
            ["--table", "t.jsonl", "--table-for", "program"], ["--table-for", "program", "-o", "a.png"],
        ])
    func tableForWithoutCSV(words: [String]) throws {
        let outcome = try FlattenProcess.run([Self.sample("fold-structured")] + words)
        #expect(outcome.exitCode == 64)
    }

    @Test("With --sheets all the files of all sheets have no number, and may be standard output")
    func allSheets() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample("fold-structured"), "--sheets", "all", "--table", folder.path("t.csv"), "--merge",
            "-",
            "-o", folder.path("flat.png"),
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try folder.contents == ["flat-1.png", "t-items.csv", "t-tax.csv", "t.csv"])
        #expect(outcome.output.starts(with: Data("%PDF-1.4".utf8)))
    }

    @Test("What is blacked out is in no table")
    func redaction() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample("fold-structured"), "--table", folder.path("t.csv"), "--redact", "phones",
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let row = try #require(try table(folder.path("t.csv")).rows.first)
        #expect(row["phone"]?.contains { $0.isNumber } == false, "\(row)")
        #expect(row["merchant"]?.isEmpty == false)
    }

    @Test(
        "Names that say another format, two files of one name and inputs are refused",
        arguments: [
            ["--table", "t.tsv"], ["--table", "-"], ["--table", "t"], ["--merge", "m.png"], ["--merge", "m"],
            ["--table", "a.csv", "--table", "b.csv"],
            ["--table", "t.csv", "--text", "t-items.csv", "--format", "tsv"],
            ["--merge", "a.pdf", "--text", "a.pdf"],
        ])
    func usage(arguments: [String]) throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            [Self.sample("fold-structured")] + arguments.map { $0.contains(".") ? folder.path($0) : $0 })
        #expect(outcome.exitCode == 64, "\(outcome.errors)")
        #expect(try folder.contents.isEmpty)
    }

    @Test("SOURCE_DATE_EPOCH is the moment that a PDF says it was made; without it none is said")
    func date() throws {
        for (environment, expected) in [
            ([:], nil), (["SOURCE_DATE_EPOCH": "1700000000"], "(D:20231114221320+00'00')"),
            (["SOURCE_DATE_EPOCH": "soon"], nil),
        ] as [([String: String], String?)] {
            let outcome = try FlattenProcess.run(
                [Self.sample("plane-structured"), "--merge", "-", "--dpi", "60"], environment: environment)
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
            let pdf = String(decoding: outcome.output, as: UTF8.self)
            #expect(pdf.firstMatch(of: #//CreationDate (\S+) /#).map { String($0.1) } == expected)
        }
    }

    // MARK: A batch

    /// Three captures, the second of which is no picture. The last one's name is one that a spreadsheet would compute.
    private func captures() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for (name, sample) in [("a.jpg", "fold-structured"), ("=c.jpg", "plane-structured")] {
            try folder.copy(Self.sample(sample) + "/image.jpg", as: name)
        }
        try folder.write("no picture", as: "b.jpg")
        try folder.write("a.jpg\nb.jpg\n=c.jpg\n", as: "list.txt")
        return folder
    }

    private func batch(_ input: ScratchFolder, _ output: ScratchFolder, _ options: [String] = []) throws
        -> FlattenProcess.Outcome
    {
        try FlattenProcess.run(
            [
                "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", input.path, FlattenProcess.binary.path(),
                "batch", "list.txt",
            ]
                + ["-o", output.path("out"), "--no-picture", "--dpi", "150", "--table", output.path("t.csv")]
                + ["--merge", output.path("m.pdf")] + options,
            program: "/bin/sh")
    }

    private func files(_ folder: ScratchFolder) throws -> [Data] {
        try ["t.csv", "t-items.csv", "t-tax.csv", "m.pdf"].map {
            try Data(contentsOf: URL(filePath: folder.path($0)))
        }
    }

    @Test(
        "A batch has a row of each capture in the list's order, failures too, and a page of each that is done"
    )
    func batchOfSeveral() throws {
        let (input, output) = (try captures(), try ScratchFolder())
        let outcome = try batch(input, output, ["--jobs", "2"])
        #expect(outcome.exitCode == 1, "\(outcome.errors)")
        let rows = try table(output.path("t.csv")).rows
        #expect(rows.map { $0["capture"] } == ["a.jpg", "b.jpg", "'=c.jpg"])
        #expect(rows.map { $0["name"] } == ["a", "b", "'=c"])
        #expect(rows.map { $0["state"] } == ["done", "failed", "done"])
        #expect(rows[1]["error"]?.contains("not a picture") == true && rows[0]["error"] == "")
        #expect(rows[0]["total"]?.isEmpty == false && rows[1]["total"] == "")
        #expect(try pages(output.path("m.pdf")) == 2)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: output.path("out")).sorted()
                == [".flatten-parts", "jobs.jsonl"])
    }

    @Test("A batch that goes on writes the same files as one that was never stopped, of all captures")
    func resumed() throws {
        let (input, whole, parts) = (try captures(), try ScratchFolder(), try ScratchFolder())
        #expect(try batch(input, whole).exitCode == 1)
        let list = try String(contentsOfFile: input.path("list.txt"), encoding: .utf8)
        try input.write("=c.jpg\n", as: "list.txt")
        #expect(try batch(input, parts).exitCode == 0)
        #expect(try pages(parts.path("m.pdf")) == 1)
        try input.write(list, as: "list.txt")
        let resumed = try batch(input, parts, ["--resume"])
        #expect(resumed.exitCode == 1 && resumed.errors.contains("=c: done earlier"), "\(resumed.errors)")
        #expect(try files(parts) == files(whole))
        // Nothing is left to do, and the files are made again.
        try FileManager.default.removeItem(atPath: parts.path("t.csv"))
        let again = try batch(input, parts, ["--resume"])
        #expect(again.errors.components(separatedBy: "done earlier").count == 3, "\(again.errors)")
        #expect(try files(parts) == files(whole))
        // A list without a capture is a table without it, and its parts go.
        try input.write("a.jpg\n", as: "list.txt")
        #expect(try batch(input, parts, ["--resume"]).exitCode == 0)
        #expect(try table(parts.path("t.csv")).rows.count == 1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: parts.path("out/.flatten-parts")).sorted()
                == ["a.pages", "a.rows"])
    }

    @Test("If every capture fails there is a table of failures, no PDF, and a word about it")
    func allFailed() throws {
        let (input, output) = (try captures(), try ScratchFolder())
        try input.write("b.jpg\n", as: "list.txt")
        let outcome = try batch(input, output)
        #expect(outcome.exitCode == 1 && outcome.errors.contains("m.pdf is not written"), "\(outcome.errors)")
        #expect(try output.contents == ["out", "t-items.csv", "t-tax.csv", "t.csv"])
        #expect(try table(output.path("t.csv")).rows.map { $0["state"] } == ["failed"])
        #expect(try table(output.path("t-items.csv")).rows.isEmpty)
    }

    @Test("Files that the batch reads or writes otherwise are refused before any work")
    func inTheWay() throws {
        let (input, output) = (try captures(), try ScratchFolder())
        try input.write("a.jpg\nbook.csv\n", as: "list.txt")
        try input.write("a.jpg\n", as: "book.csv")
        for options in [
            ["--table", input.path("book.csv")],
            ["--text", "--format", "pdf", "--merge", output.path("out/a.pdf")],
        ] {
            try FileManager.default.createDirectory(
                atPath: output.path("out"), withIntermediateDirectories: true)
            let outcome = try FlattenProcess.run(
                [
                    "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", input.path, FlattenProcess.binary.path(),
                    "batch",
                ]
                    + ["list.txt", "-o", output.path("out")] + options,
                program: "/bin/sh")
            #expect(outcome.exitCode == 65 && outcome.errors.contains("reads or writes"), "\(outcome.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: output.path("out")).isEmpty)
        let nowhere = try FlattenProcess.run([
            "batch", input.path("a.jpg"), "-o", output.path("out"), "--table", output.path("none/t.csv"),
        ])
        #expect(nowhere.exitCode == 74, "\(nowhere.errors)")
    }

    @Test("A part that no worker wrote is not taken for one", arguments: ["", "{}", "{\"sheets\":3}"])
    func brokenParts(content: String) throws {
        let folder = try ScratchFolder()
        let path = try folder.write(content, as: "a.rows")
        #expect(throws: (any Error).self) { try SheetParts.table(at: path) }
        if !content.isEmpty { #expect(throws: (any Error).self) { try SheetParts.pages(at: path) } }
        #expect(throws: (any Error).self) { try SheetParts.values(at: path) }
        #expect(throws: (any Error).self) { try SheetParts.text(ofValuesAt: path) }
        let page = #"{"page":{"encoding":"jpeg","height":2,"width":2},"pictureBytes":SIZE,"title":"t"}"#
        for size in ["4", "-1", "99999999999"] {
            let path = try folder.write(page.replacing("SIZE", with: size) + "\nabc", as: "a.pages")
            #expect(throws: (any Error).self) { try SheetParts.pages(at: path) }
        }
        let whole = try folder.write(page.replacing("SIZE", with: "3") + "\nabc", as: "a.pages")
        #expect(try SheetParts.pages(at: whole).map(\.picture) == [Array("abc".utf8)])
    }
}
