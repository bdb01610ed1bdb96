import Diagnostics
import Documents
import DrawnReceipts
import Foundation
import Imaging
import LocalFiles
import ReceiptFlattening
import TestSupport
import Testing
import TextTestSupport

@testable import flatten

/// What `--redact` hid is in no output, or the run says so.
@Suite struct RedactionCheckTests {
    /// Reads two rows of words, each only where the picture is not black.
    private struct SeeingEngine: TextEngine {
        let name = "seeing", version = "1", languages = ["eng"]
        static let rows = [["Cashier:", "Anna", "Mueller"], ["TOTAL", "7.50", "Mueller"]]

        func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine] {
            let (width, height) = (Double(page.picture.width), Double(page.picture.height))
            return Self.rows.enumerated().compactMap { row, words in
                let seen = words.enumerated().compactMap { column, word -> RecognizedWord? in
                    // On the left, where a receipt has print.
                    let left = [0.03, 0.12, 0.3][column] * width
                    let top = (0.3 + 0.2 * Double(row)) * height
                    let box = Box(
                        left: left, top: top, right: left + 0.06 * Double(column + 1) * width,
                        bottom: top + 0.15 * height)
                    let middle = page.picture[x: Int(box.centerX), y: Int(box.centerY)]
                    return middle > 5 ? RecognizedWord(text: word, confidence: 0.9, box: box) : nil
                }
                return seen.isEmpty ? nil : RecognizedLine(words: seen)
            }
        }
    }

    private static let made = Result {
        var options = ReceiptFlattener.Options()
        options.textEngine = SeeingEngine()
        return try ReceiptFlattener(options: options).flatten(DrawnReceipt.capture())
    }

    private func findings(
        _ receipt: FlattenedReceipt, _ write: (ScratchFolder) throws(FlatteningError) -> Void
    ) throws -> [String] {
        let folder = try ScratchFolder()
        let held = try AtomicFile.holding { () throws(FlatteningError) in try write(folder) }
        defer { held.discard() }
        return try RedactionCheck(receipts: [receipt]).findings(in: held)
    }

    @Test(
        "A redacted receipt and its pictures pass, and the report counts what was hidden"
    )
    func clean() throws {
        let receipt = try #require(try Self.made.get().redacted([.names]))
        #expect(receipt.text?.lines.map(\.text) == ["Cashier: **** *******", "TOTAL 7.50 *******"])
        #expect(receipt.report.redaction?.kinds == ["names"])
        #expect(receipt.report.redaction?.hidden == ["names": 2])
        #expect(receipt.report.redaction?.verified == true)
        let found = try findings(receipt) { folder throws(FlatteningError) in
            for name in ["a.png", "a.jpg", "a.tif"] { try receipt.picture.write(toPath: folder.path(name)) }
            try AtomicFile.replace(folder.path("a.txt"), with: Array((receipt.text?.string ?? "").utf8))
            try AtomicFile.replace(folder.path("a.pdf"), with: Array(try receipt.searchablePDF()))
            try AtomicFile.replace(folder.path("a.json"), with: Array(try receipt.report.json()))
        }
        #expect(found == [])
    }

    @Test("A hidden word in an output is found, and the sentence names the output and the kind, not the word")
    func leakedWord() throws {
        let receipt = try #require(try Self.made.get().redacted([.names]))
        let found = try findings(receipt) { folder throws(FlatteningError) in
            try AtomicFile.replace(folder.path("a.txt"), with: Array("TOTAL 7.50\nMUELLER, A.\n".utf8))
        }
        #expect(found.count == 1)
        #expect(found[0].contains("a.txt") && found[0].contains("names"))
        #expect(!found[0].lowercased().contains("mueller"))
    }

    @Test("A picture that shows something where it should be black is found, whatever file it is in")
    func leakedPicture() throws {
        let open = try Self.made.get()
        let receipt = try #require(open.redacted([.names]))
        let found = try findings(receipt) { folder throws(FlatteningError) in
            try open.picture.write(toPath: folder.path("a.png"))
            try AtomicFile.replace(folder.path("b.pdf"), with: Array(try open.searchablePDF()))
        }
        #expect(found.contains { $0.contains("a.png") && $0.contains("picture") })
        #expect(found.contains { $0.contains("b.pdf") && $0.contains("picture") })
        #expect(found.contains { $0.contains("b.pdf") && $0.contains("names") })
    }

    /// A business card that names its person in five ways, as a picture that is all of it.
    private func card(in folder: ScratchFolder) throws -> String {
        let card = try DrawnPage(
            """

              Anna Muellerova
              Sales Manager

              Acme Widgets Ltd
              Tel. +44 20 7946 0991
              anna.muellerova@acme.example
              www.acme.example/anna.muellerova

              MUELLEROVA, ANNA
              desk 555-1628095

            """)
        let path = folder.path("anna-muellerova.pgm")
        let picture = card.picture
        try (Data("P5 \(picture.width) \(picture.height) 255\n".utf8) + Data(picture.elements)).write(
            to: URL(filePath: path))
        return path
    }

    /// Words of which none may be in any output, in small letters.
    private static let secrets = ["anna", "muellerova", "7946", "1628095", "0991"]

    private func says(_ text: String) -> [String] {
        let small = text.lowercased()
        return Self.secrets.filter(small.contains)
    }

    @Test(
        "A card that names its person several times loses every occurrence, in every output",
        arguments: ["auto", "tesseract"])
    func everyOutput(reader: String) throws {
        let input = try ScratchFolder()
        let folder = try ScratchFolder()
        let pictures = ["a.png", "a.jpg", "a.tif"]
        let texts = ["a.txt", "a.json", "a.tsv", "a.hocr", "a.alto", "a.pdf"]
        let others = [
            ("--report", "r.json"), ("--page", "p.html"), ("--contact", "c.vcf"), ("--table", "t.csv"),
            ("--merge", "m.pdf"),
        ]
        let open = try FlattenProcess.run([try card(in: input), "--reader", reader, "--text", "-"])
        #expect(says(open.text).count == Self.secrets.count, "the reader reads the card: \(open.text)")
        let outcome = try FlattenProcess.run(
            [
                try card(in: input), "--reader", reader, "--redact", "names,phones,emails", "--find",
                "items,contact",
            ]
                + pictures.flatMap { ["-o", folder.path($0)] } + texts.flatMap { ["-t", folder.path($0)] }
                + others.flatMap { [$0.0, folder.path($0.1)] })
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        for name in try folder.contents {
            let bytes = [UInt8](try Data(contentsOf: folder.url.appending(path: name)))
            let content = WrittenContent(bytes)
            #expect(says(content.text) == [], "\(name)")
            // Letters as they stand; digits may be a place's.
            if content.pictures.isEmpty {
                #expect(
                    !says(String(decoding: bytes, as: UTF8.self)).contains { $0.first?.isLetter == true },
                    "\(name)")
            }
        }
        let report = try FlatteningReport(json: Data(contentsOf: folder.url.appending(path: "r.json")))
        #expect(report.redaction?.verified == true)
        #expect(report.redaction?.kinds == ["emails", "names", "phones"])
        let again = try FlattenProcess.run([folder.path("a.png"), "--text", "-"])
        #expect(says(again.text) == [])
        #expect(again.text.contains("Manager"), "the rest is still there: \(again.text)")
    }

    @Test("A batch's files, page, table, merged PDF and index say nothing of what is hidden")
    func batch() throws {
        let input = try ScratchFolder()
        let folder = try ScratchFolder()
        let open = try card(in: input)
        // A batch calls its files by its captures' names.
        try FileManager.default.moveItem(atPath: open, toPath: input.path("card.pgm"))
        let outcome = try FlattenProcess.run([
            "batch", input.url.path(), "-o", folder.path("out"), "--text", "--report", "--page", "--contact",
            "--table",
            folder.path("t.csv"), "--merge", folder.path("m.pdf"), "--redact", "names,phones,emails",
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let files = try #require(FileManager.default.enumerator(atPath: folder.url.path()))
        var count = 0
        for case let name as String in files {
            guard let data = try? Data(contentsOf: folder.url.appending(path: name)) else { continue }
            #expect(says(WrittenContent([UInt8](data)).text) == [], "\(name)")
            count += 1
        }
        #expect(count > 8)
    }

    @Test(
        "What is left in an output is exit code 3: nothing is written, or with --keep a report that says so")
    func leftInAnOutput() throws {
        let sample = FlattenProcess.samples.appending(path: "fold-structured").path()
        let folder = try ScratchFolder()
        // An OBJ names the file of its material, here by the number that is printed on the sample.
        let words = [
            sample, "--redact", "phones", "--mesh", folder.path("871-3344.obj"), "--report",
            folder.path("r.json"),
        ]
        let outcome = try FlattenProcess.run(words)
        #expect(outcome.exitCode == 3, "\(outcome.errors)")
        #expect(outcome.errors.contains("871-3344.obj still holds what was to be hidden (phones)"))
        #expect(try folder.contents == [])
        let kept = try FlattenProcess.run(words + ["--keep"])
        #expect(kept.exitCode == 3)
        #expect(try folder.contents == ["871-3344.jpg", "871-3344.mtl", "871-3344.obj", "r.json"])
        let report = try FlatteningReport(json: Data(contentsOf: folder.url.appending(path: "r.json")))
        #expect(report.redaction?.verified == false)
        #expect(report.redaction?.hidden == ["phones": 1])
        let sheet = try FlattenProcess.run([
            sample, "--redact", "phones", "--mesh", folder.path("sheet.glb"), "--page", folder.path("p.html"),
        ])
        #expect(sheet.exitCode == 0, "\(sheet.errors)")
    }
}
