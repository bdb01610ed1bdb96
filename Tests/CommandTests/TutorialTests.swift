import Foundation
import TestSupport
import Testing

/// The documentation's walk through the command, taken literally.
@Suite struct TutorialTests {
    /// The lines of the article's shell blocks.
    private static func lines() throws -> [String] {
        let article = Repository.folder.appending(
            path: "Sources/Products/ReceiptFlattening/Documentation.docc/Tutorial.md")
        var isInside = false
        return try String(contentsOf: article, encoding: .utf8).split(separator: "\n").compactMap { line in
            guard !line.hasPrefix("```") else {
                isInside = line == "```sh"
                return nil
            }
            return isInside ? String(line) : nil
        }
    }

    @Test func everyLineOfTheTutorialWorks() throws {
        let lines = try Self.lines()
        #expect(lines.count { $0.hasPrefix("flatten ") } >= 7)
        let folder = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "SampleData"), withDestinationURL: FlattenProcess.samples)
        let script =
            "set -e\nflatten() { \"\(FlattenProcess.binary.path())\" \"$@\"; }\ncd \"\(folder.path)\"\n"
            + lines.joined(separator: "\n")
        let outcome = try FlattenProcess.run(["-c", script], program: "/bin/sh")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        for name in [
            "flat.png", "report.json", "relief.png", "receipt.txt", "receipt.pdf", "receipt.csv",
            "receipt-items.csv", "receipt-tax.csv", "alone.png", "hidden.png", "fused.txt",
            "out/curl-structured.txt",
            "out/jobs.jsonl",
            "receipts.csv",
        ] {
            #expect(FileManager.default.fileExists(atPath: folder.path(name)), "\(name)")
        }
        // What the tutorial says of one frame, and of all.
        let head = ["MAPLE & MOSS BISTRO", "141 Quarry Hill", "Merrowport 91499"]
        let (frame, fused) = (
            try String(contentsOfFile: folder.path("frame.txt"), encoding: .utf8),
            try String(contentsOfFile: folder.path("fused.txt"), encoding: .utf8)
        )
        #expect(!head.allSatisfy(frame.contains), "\(frame)")
        #expect(head.allSatisfy(fused.contains), "\(fused)")
    }
}
