import ArgumentParser
import Foundation
import Stages

/// Our side of a comparison; see `Contestant`.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run one case once for each line of standard input.")

    @Argument(help: "The case's name.") var name: String
    @Option(help: "The folder of the inputs.") var inputs: String
    @Flag(help: "Leave out the check of the result.") var unchecked = false

    func run() throws {
        guard let stageCase = StageCase.all.first(where: { $0.name == name }) else {
            throw ValidationError("no case is named \(name)")
        }
        let work = try stageCase.prepare(InputFolder(path: inputs))
        try say(["ready": [String: String]()])
        while readLine() != nil {
            let start = (clock: ContinuousClock.now, processor: clock())
            try work.run()
            try say([
                "seconds": (ContinuousClock.now - start.clock) / .seconds(1),
                "processor_seconds": Double(clock() - start.processor) / Double(CLOCKS_PER_SEC),
            ])
        }
        let own = try PeakMemory.bytesOfThisProcess() / 1e6
        var facts = unchecked ? [:] : try work.check()
        // Of what a case runs in a process of its own the memory is told there.
        let peak = facts.removeValue(forKey: "peak MB") ?? own
        try say(Ending(facts: facts, peak_mb: peak))
    }

    private struct Ending: Encodable {
        let facts: [String: Double]
        // The line's own spelling.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let peak_mb: Double
    }

    private func say(_ answer: some Encodable) throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(answer) + Data("\n".utf8))
    }
}
