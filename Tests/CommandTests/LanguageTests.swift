import Foundation
import TestSupport
import Testing
import TextRecognition

@testable import flatten

/// `--list-languages` and `--language`.
@Suite struct LanguageTests {
    private static let sample = FlattenProcess.samples.appending(path: "plane-structured").path()

    /// A folder of language data in which English stands under other names too: tesseract reads it under any.
    /// - Parameter further: languages that are there with their own data.
    private func data(_ names: [String], further: [String] = []) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let usual = try #require(
            ["/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tessdata"].map { $0 + "/eng.traineddata" }
                .first { FileManager.default.fileExists(atPath: $0) })
        for name in names { try folder.copy(usual, as: name + ".traineddata") }
        for name in further {
            let file = URL(filePath: usual).deletingLastPathComponent().appending(path: name + ".traineddata")
            try folder.copy(file.path(), as: name + ".traineddata")
        }
        return folder
    }

    @Test("The languages that are there are listed, a line each, with their names")
    func list() throws {
        let folder = try data(["eng", "ell", "osd"])
        let outcome = try FlattenProcess.run(
            ["--list-languages"], environment: ["TESSDATA_PREFIX": folder.path])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.contains("ell\tGreek") && lines.contains("eng\tEnglish"), "\(outcome.text)")
        // These are the built-in reader's, whatever tesseract has.
        #expect(lines.contains("deu\tGerman") && lines.contains("ces\tCzech"))
        #expect(!lines.contains { $0.hasPrefix("osd") } && lines == lines.sorted())
    }

    @Test(
        "Languages go by tesseract's codes, by two letters and by their English names",
        arguments: [
            ("eng", "eng"), ("en", "eng"), ("de+EN", "deu+eng"), ("german", "deu"), ("zh", "chi_sim"),
            ("chi_tra", "chi_tra"), ("script/Latin", "script/Latin"), ("xx", "xx"), ("+en", "+eng"),
        ])
    func names(words: String, codes: String) throws {
        #expect(LanguageName.codes(in: words) == codes)
        #expect(try FlattenArguments.parse(["x.jpg", "--language=" + words]).how.language == codes)
    }

    /// A receipt drawn in DejaVu Sans Mono, with Russian words.
    private static let cyrillic = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/cyrillic.png").path()

    @Test("A page in other letters is read by tesseract where that has data for them, unasked")
    func otherLetters() throws {
        let folder = try ScratchFolder()
        let russian = try data(["eng"], further: ["rus"])
        let report = folder.path("r.json")
        let outcome = try FlattenProcess.run(
            [
                Self.cyrillic, "-o", folder.path("flat.png"), "-t", "-", "--fields", folder.path("f.json"),
                "-r",
                report,
                "--quiet",
            ], environment: ["TESSDATA_PREFIX": russian.path])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        for words in ["Молоко 3.2% 89.90", " 455.40", "Сдача 44.60"] {
            #expect(outcome.text.contains(words), "\(outcome.text)")
        }
        let told = try String(contentsOfFile: report, encoding: .utf8)
        #expect(told.contains("\"language\" : \"rus\"") && !told.contains("most of the print was not read"))
        #expect(told.contains("\"tesseract\" : \"") && told.contains("\"builtin\" : \""))
        let fields = try String(contentsOfFile: folder.path("f.json"), encoding: .utf8)
        #expect(
            fields.contains("\"total\" : \"455.40\"") && fields.contains("\"currency\" : \"RUB\""),
            "\(fields)")
        // Without data for the script the page is as the built-in reader has it, and that is said.
        let english = try data(["eng"])
        let without = try FlattenProcess.run(
            [Self.cyrillic, "-o", folder.path("flat.png"), "-t", "-", "--force"],
            environment: ["TESSDATA_PREFIX": english.path])
        #expect(without.exitCode == 0 && without.text.contains("455.40"))
        #expect(without.errors.contains("most of the print was not read"), "\(without.errors)")
    }

    @Test("What is no language is no package either")
    func unknown() throws {
        let folder = try data(["eng"])
        let outcome = try FlattenProcess.run(
            [Self.sample, "-l", "klingonish", "-t", "-", "--reader", "tesseract"],
            environment: ["TESSDATA_PREFIX": folder.path])
        #expect(
            outcome.exitCode == 69 && outcome.errors.contains("no language klingonish"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("tesseract-ocr-k"))
    }

    @Test("Several languages are read at once, and the report names them")
    func several() throws {
        let folder = try data(["eng", "deu"])
        let outcome = try FlattenProcess.run(
            [Self.sample, "--language", "eng+deu", "--text", "/dev/null", "--report", "-", "--dpi", "150"],
            environment: ["TESSDATA_PREFIX": folder.path])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let report = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
        #expect((report?["text"] as? [String: Any])?["language"] as? String == "eng+deu")
    }

    @Test("Languages without data are named before any work, each with its package, and none that is there")
    func missing() throws {
        let folder = try data(["eng"])
        let outcome = try FlattenProcess.run(
            [Self.sample, "--language", "eng+deu+chi_sim", "--text", "-"],
            environment: ["TESSDATA_PREFIX": folder.path])
        #expect(outcome.exitCode == 69)
        #expect(
            outcome.errors.contains("no data for chi_sim, deu")
                && outcome.errors.contains("tesseract-ocr-chi-sim tesseract-ocr-deu")
                && !outcome.errors.contains("tesseract-ocr-eng"), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }
}
