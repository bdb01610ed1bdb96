import Foundation
import TestSupport
import Testing

/// The manual page that `make install` puts beside the program.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "there is no python3"))
struct ManualTests {
    private static let script = Repository.folder.appending(path: "Scripts/make-manual").path()

    private func page(environment: [String: String] = [:]) throws -> String {
        let outcome = try FlattenProcess.run(
            [FlattenProcess.binary.path()], environment: environment, program: Self.script)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        return outcome.text
    }

    @Test("The page names every option that a help page names, and every exit code")
    func options() throws {
        // troff's words: a minus is written \- there.
        let page = try page().replacing("\\-", with: "-")
        for words in [["single"], ["inspect"], ["batch"], ["cards", "add"], ["cards", "export"]] {
            let help = try FlattenProcess.run(words + ["--help"]).text
            let options = help.matches(of: /\n  (?:-[a-z], )?--([a-z-]+)/).map { String($0.output.1) }
            #expect(options.count > 4)
            for option in options {
                let isNamed = page.contains("Fl \"-\(option)\"")
                #expect(isNamed, "\(words) --\(option)")
            }
        }
        for code in [0, 1, 3, 64, 65, 69, 70, 71, 74, 75] {
            let isNamed = page.contains("\n.It \(code)\n")
            #expect(isNamed, "\(code)")
        }
    }

    @Test("The page is dated by SOURCE_DATE_EPOCH, and otherwise the same")
    func date() throws {
        let (first, second) = (
            try page(environment: ["SOURCE_DATE_EPOCH": "86400"]),
            try page(environment: ["SOURCE_DATE_EPOCH": "172800"])
        )
        #expect(first.contains("\n.Dd January 2, 1970\n"))
        #expect(first.replacing("January 2,", with: "January 3,") == second)
    }

    @Test(
        "mandoc finds nothing wrong with the page",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc"), "there is no mandoc"))
    func lint() throws {
        let folder = try ScratchFolder()
        let path = try folder.write(page(), as: "flatten.1")
        let outcome = try FlattenProcess.run(
            ["-T", "lint", "-W", "warning", path], program: "/usr/bin/mandoc")
        #expect(outcome.text == "" && outcome.exitCode == 0, "\(outcome.text)")
    }
}
