import Foundation
import ReceiptFlattening
import TestSupport
import Testing

@testable import flatten

/// What a result must have to count as one.
@Suite struct RequirementTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    /// A grey picture without anything on it.
    private func blank(in folder: ScratchFolder) throws -> String {
        try (Data("P5 300 200 255\n".utf8) + Data(repeating: 128, count: 60_000))
            .write(to: folder.url.appending(path: "blank.pgm"))
        return folder.path("blank.pgm")
    }

    @Test(
        "What is not reached is exit code 3, a line each, and writes nothing",
        arguments: [
            (["--require", "sheet"], 1), (["--require=depth,Sheet", "--require", "text"], 3),
            (["--min-confidence", "0.5"], 1),
        ])
    func unmet(options: [String], lines: Int) throws {
        let folder = try ScratchFolder()
        let picture = try blank(in: folder)
        let outcome = try FlattenProcess.run(
            [picture, "-o", folder.path("a.png"), "--report", folder.path("a.json")] + options)
        #expect(outcome.exitCode == 3, "\(outcome.errors)")
        let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
        if options.contains("sheet") {
            // With the reason, which the report has too.
            #expect(errors.contains { $0.contains("(seen: method unchanged; ") }, "\(outcome.errors)")
        }
        #expect(errors.count == lines && errors.allSatisfy { $0.contains("seen: ") }, "\(outcome.errors)")
        #expect(try folder.contents == ["blank.pgm"])
    }

    @Test("--keep writes what there is; the exit code stays")
    func keep() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            try blank(in: folder), "-o", folder.path("a.png"), "--require", "sheet", "--keep",
        ])
        #expect(outcome.exitCode == 3, "\(outcome.errors)")
        #expect(try folder.contents == ["a.png", "blank.pgm"])
    }

    @Test("What is reached changes nothing; text is read for it")
    func met() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample, "-o", folder.path("a.png"), "--require", "depth,sheet,text", "--min-confidence",
            "0.1",
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try folder.contents == ["a.png"])
        try folder.copy(Self.sample + "/image.jpg", as: "alone.jpg")
        let without = try FlattenProcess.run([
            folder.path("alone.jpg"), "-o", folder.path("b.png"), "--require", "depth",
        ])
        #expect(without.exitCode == 3)
        #expect(without.errors.contains("depth"))
    }

    @Test("A sheet that was not made flat, a surface without depth and guessed text do not count")
    func whatCounts() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample, "-o", folder.path("a.png"), "--report", folder.path("a.json"), "--text", "/dev/null",
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let json = try Data(contentsOf: folder.url.appending(path: "a.json"))
        var report = try FlatteningReport(json: json)
        func met() -> [Requirements.Requirement] {
            Requirements.Requirement.allCases.filter { $0.isMet(by: report) }
        }
        #expect(met() == [.depth, .sheet, .text])
        for method in [FlatteningMethod.corners, .scan] {
            report.method = method
            #expect(met() == [.sheet, .text])
        }
        // What the last step of the ladder leaves: the outline that was found, and the whole photograph.
        for method in [FlatteningMethod.unchanged, .angle] {
            report.method = method
            #expect(report.outline != nil && met() == [.text])
        }
        report.text?.confidence = 0.2
        #expect(met().isEmpty)
    }

    @Test(
        "What cannot be asked for is wrong usage",
        arguments: [
            ["--require", "colour"], ["--require="], ["--require", "depth,"], ["--min-confidence", "2"],
            ["--min-confidence", "nan"], ["--keep"], ["--require", "depth", "--no-depth"],
        ])
    func wrong(options: [String]) throws {
        let outcome = try FlattenProcess.run([Self.sample, "-o", "/dev/null/a.png"] + options)
        #expect(outcome.exitCode == 64, "\(outcome.errors)")
    }
}
