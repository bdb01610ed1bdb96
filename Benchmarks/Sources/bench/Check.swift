import ArgumentParser
import Foundation
import Stages
import ToolWords

/// Whether a stage has become slower: instructions counted by valgrind, which the machine's load does not touch.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Count the instructions of small cases and hold them against a table.")

    @Option(help: "The folder of the inputs, drawn if they are missing.") var inputs: String
    @Option(help: "The table: instructions by case, JSON.") var table: String
    @Flag(help: "Write the table anew instead.") var update = false

    /// Counts repeat to within a thousandth: what differs is where memory happens to lie and how often a lock is tried. A
    /// compiler's or library's next version moves them by a few hundredths, a step of an algorithm that was lost by
    /// far more. Fewer instructions are no failure, but a table to be updated.
    private static let tolerance = 0.05

    /// One case of each stage that takes its time in code of ours, small enough for a program that runs it fifty times
    /// slower. (The text is tesseract's time; end to end is the sum; guidance searches for sheets, as every flattening does.)
    private static let cases = StageCase.all.filter { stageCase in
        guard stageCase.threading == .single else { return false }
        switch stageCase.stage {
        case .codecs, .resampling: return stageCase.size == "3 MP" || stageCase.size == "1.5 MP"
        case .cloud: return stageCase.size == "256x192"
        case .plane, .unrolling: return true
        case .surface: return stageCase.task == "free surface"
        case .reading, .guidance, .endToEnd: return false
        }
    }

    func run() throws {
        try FileManager.default.createDirectory(atPath: inputs, withIntermediateDirectories: true)
        try InputFolder(path: inputs).fill(sizes: [.small, .standard]) { note("\($0)\n") }
        var counts: [String: Int] = [:]
        for stageCase in Self.cases {
            counts[stageCase.name] = try instructions(of: stageCase)
            note("\(stageCase.name): \(counts[stageCase.name] ?? 0)\n")
        }
        let file = URL(filePath: table)
        if update {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try (encoder.encode(counts) + Data("\n".utf8)).write(to: file, options: .atomic)
            return
        }
        let before = try JSONDecoder().decode([String: Int].self, from: Data(contentsOf: file))
        var slower = 0
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            guard let old = before[name] else {
                print("new      \(name): not in the table (make check-bench UPDATE=1)")
                slower += 1
                continue
            }
            let change = Double(count) / Double(old) - 1
            let isSlower = change > Self.tolerance
            if isSlower { slower += 1 }
            let verdict = isSlower ? "SLOWER  " : change < -Self.tolerance ? "faster  " : "same    "
            print(verdict, "\(name): \(String(format: "%+.1f %%", change * 100))")
        }
        guard slower == 0 else { throw ExitCode.failure }
    }

    /// How many instructions one run takes, its input's reading left out.
    private func instructions(of stageCase: StageCase) throws -> Int {
        let process = Process()
        let (questions, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
            "--toggle-collect=*measuredWork*", ToolWords.program, "serve", stageCase.name, "--inputs",
            inputs,
            "--unchecked",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(["OPENBLAS_NUM_THREADS": "1"]) {
            $1
        }
        process.standardInput = questions
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        try questions.fileHandleForWriting.write(contentsOf: Data("run\n".utf8))
        try questions.fileHandleForWriting.close()
        let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let line = words.split(separator: "\n").first { $0.contains("Collected : ") }
        guard process.terminationStatus == 0,
            let count = line?.split(separator: " ").last.flatMap({ Int($0) }), count > 0
        else { throw ValidationError("valgrind could not count \(stageCase.name):\n\(words)") }
        return count
    }

    private func note(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
