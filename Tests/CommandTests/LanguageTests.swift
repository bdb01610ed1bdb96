import Foundation
import TestSupport
import Testing
import TextRecognition

@testable import flatten

/// `--list-languages` and `--language`.
@Suite struct LanguageTests {
    private static let sample = FlattenProcess.samples.appending(path: "plane-structured").path()

    /// A folder of language data in which English stands under other names too: tesseract reads it under any.
    private func data(_ names: [String]) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let usual = try #require(
            ["/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tessdata"].map { $0 + "/eng.traineddata" }
                .first { FileManager.default.fileExists(atPath: $0) })
        for name in names { try folder.copy(usual, as: name + ".traineddata") }
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
        #expect(try FlattenArguments.parse(["x.jpg", "--language=" + words]).language == codes)
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
