import ArgumentParser
import Diagnostics
import Foundation
import ReceiptFlattening
import Testing

@testable import flatten

/// The documented exit codes: what the documents say is what the program does.
@Suite struct ExitReasonTests {
    private static let root = FlattenProcess.samples.deletingLastPathComponent()

    /// The cells of the rows of a document's table whose head is this.
    private func rows(of path: String, under head: String) throws -> [[String]] {
        let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == head }, "\(path) has no such table")
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map {
                $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
            }
        }
    }

    @Test("The article on errors lists every exit code with its meaning")
    func codes() throws {
        let rows = try rows(
            of: "Sources/Products/ReceiptFlattening/Documentation.docc/Errors.md",
            under: "| exit code | means |")
        #expect(rows == ExitReason.allCases.map { ["\($0.rawValue)", $0.meaning] })
    }

    @Test("The article on errors gives each kind of error its exit code")
    func article() throws {
        let rows = try rows(
            of: "Sources/Products/ReceiptFlattening/Documentation.docc/Errors.md",
            under: "| code | means | the command's exit code |")
        for row in rows where row[2] != "-" {
            for name in row[0].split(separator: ", ") {
                let code = FlatteningError.Code(rawValue: String(name))
                #expect("\(code.exitCode)" == row[2], "\(name)")
            }
        }
        // A kind that is not listed ends as a defect, and so would one that is misspelt.
        let codes = Set(rows.compactMap { Int32($0[2]) })
        let expected: [ExitReason] = [.badInput, .missingLibrary, .defect, .limit, .file, .timeout]
        #expect(codes == Set(expected.map(\.rawValue)))
    }

    @Test("The help lists every exit code with its meaning")
    func help() throws {
        let text = try FlattenProcess.run(["--help-all"]).text.split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        for reason in ExitReason.allCases {
            #expect(text.contains("\(reason.rawValue) \(reason.meaning)"))
        }
    }

    @Test("What the parser refuses is wrong usage")
    func parser() {
        #expect(ArgumentParser.ExitCode.validationFailure.rawValue == ExitReason.usage.rawValue)
    }
}
