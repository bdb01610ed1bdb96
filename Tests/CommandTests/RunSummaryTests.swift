import Foundation
import TestSupport
import Testing

@testable import flatten

/// The line that ends a run on a terminal.
@Suite struct RunSummaryTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()
    private static let script = "/usr/bin/script"

    @Test(
        "On a terminal a run ends with what was written and how; elsewhere, and with --quiet, without a word",
        .enabled(if: FileManager.default.isExecutableFile(atPath: script), "there is no program script"))
    func terminal() throws {
        let folder = try ScratchFolder()
        let paths = [folder.path("flat.png"), folder.path("text.txt")]
        let words = [Self.sample, "-o", paths[0], "-t", paths[1]]
        func onTerminal(_ words: [String]) throws -> String {
            let line = ([FlattenProcess.binary.path()] + words).joined(separator: " ")
            return try FlattenProcess.run(["-qec", line, "/dev/null"], program: Self.script).text
        }
        let shown = try onTerminal(words)
        // What is drawn over ends with the control sequence that clears the line.
        let last = try #require(shown.split(separator: "\u{1B}[K").last)
        #expect(last.hasPrefix("\(paths[0]), \(paths[1]): "), "\(shown.debugDescription)")
        for fact in [" mm, ", " dpi, ", " lines of text, ", "confidence "] { #expect(last.contains(fact)) }
        #expect(!(try onTerminal(words + ["--quiet"])).contains("dpi"))
        #expect(try FlattenProcess.run(words).errors == "")
    }
}
