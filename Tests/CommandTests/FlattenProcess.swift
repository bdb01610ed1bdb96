import Foundation
import TestSupport

/// The built command in a child process, as a user runs it.
///
/// `FLATTEN` in the environment names the binary, as `make test` does; otherwise it is the one that lies
/// beside the tests.
struct FlattenProcess {
    /// What a finished run left behind.
    struct Outcome {
        var exitCode: Int32
        var wasSignalled: Bool
        var output: Data
        var errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    static var binary: URL {
        if let named = ProcessInfo.processInfo.environment["FLATTEN"] { return URL(filePath: named) }
        let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        return products.appending(path: "flatten")
    }

    /// A light sheet on a dark table, as PNG: it is made flat in half the time of a sample, having no print.
    static let blankSheet = Data(
        HandmadePNG(width: 240, height: 320, bitDepth: 8, colorType: 0) { x, y, _ in
            (50..<190).contains(x) && (40..<280).contains(y) ? 230 : 60
        }.bytes)

    /// The repository's sample captures.
    static var samples: URL { Repository.samples }

    /// Runs the command, or another program, to its end.
    /// - Parameter before: words before the arguments, for a program that starts another.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], shell: String? = nil,
        program: String? = nil, before: [String] = []
    ) throws -> Outcome {
        let process = Process()
        if let shell {
            // For redirections that Process itself cannot make, such as > /dev/full.
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "exec \"$0\" \"$@\" " + shell, binary.path()] + arguments
        } else {
            process.executableURL = program.map { URL(filePath: $0) } ?? binary
            process.arguments = before + arguments
        }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        let errors = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both pipes are emptied at once: a child that fills one while we wait on the other would never end.
        nonisolated(unsafe) var errorData = Data()
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            errorData = (try? errors.fileHandleForReading.readToEnd()) ?? Data()
        }
        let outputData = try output.fileHandleForReading.readToEnd() ?? Data()
        group.wait()
        process.waitUntilExit()
        return Outcome(
            exitCode: process.terminationStatus, wasSignalled: process.terminationReason == .uncaughtSignal,
            output: outputData, errors: String(decoding: errorData, as: UTF8.self))
    }
}
