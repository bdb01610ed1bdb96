import Foundation
import ReceiptFlattening
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
        let shown = try Self.onTerminal(words)
        let last = try #require(Self.lastLine(shown))
        #expect(last.hasPrefix("\(paths[0]), \(paths[1]): "), "\(shown.debugDescription)")
        for fact in [" mm, ", " dpi, ", " lines of text, ", "confidence "] { #expect(last.contains(fact)) }
        #expect(!(try Self.onTerminal(words + ["--quiet"])).contains("dpi"))
        #expect(try FlattenProcess.run(words).errors == "")
    }

    @Test(
        "The line names no file that only depth could have made where there is none",
        .enabled(if: FileManager.default.isExecutableFile(atPath: script), "there is no program script"))
    func withoutDepth() throws {
        let folder = try ScratchFolder()
        // By itself: beside the files of its capture it has depth.
        try folder.copy(Self.sample + "/image.jpg", as: "photo.jpg")
        let flat = folder.path("flat.png")
        let shown = try Self.onTerminal([
            folder.path("photo.jpg"), "-o", flat, "--mesh", folder.path("m.obj"), "--cloud",
            folder.path("c.ply"), "--dpi", "100",
        ])
        #expect(try #require(Self.lastLine(shown)).hasPrefix("\(flat): "), "\(shown.debugDescription)")
        #expect(try folder.contents == ["flat.png", "photo.jpg"])
    }

    /// What a run shows on a terminal.
    private static func onTerminal(_ words: [String]) throws -> String {
        let line = ([FlattenProcess.binary.path()] + words).joined(separator: " ")
        return try FlattenProcess.run(["-qec", line, "/dev/null"], program: script).text
    }

    /// The line that stays: what is drawn over ends with the control sequence that clears the line.
    private static func lastLine(_ shown: String) -> Substring? { shown.split(separator: "\u{1B}[K").last }

    @Test("What was written is told by the writing itself", arguments: [false, true])
    func written(isRelative: Bool) throws {
        let folder = try ScratchFolder()
        let words = ["-o", "flat.png", "--report", "r.json", "--mesh", "m.obj", "--cloud", "c.ply"].map {
            $0.hasPrefix("-") ? $0 : folder.path($0)
        }
        let request = try FlattenArguments.parse(
            [Self.sample] + words + ["--dpi", "100", "--timeout", "0"]
                + (isRelative ? ["--depth-relative"] : [])
        ).request
        let capture = try request.input.read(until: nil).capture
        let receipt = try ReceiptFlattener(options: request.options).flatten(capture)
        let paths =
            try request.write(receipt, of: capture, isFirst: true, console: Console(isQuiet: true))
            + request.write(FlattenedPage(receipt), to: request.valueOutputs)
        #expect(Set(paths) == Set(try folder.contents.map(folder.path)))
        #expect(paths.contains(folder.path("m.obj")) != isRelative)
    }
}
