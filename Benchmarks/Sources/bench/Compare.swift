import ArgumentParser
import Foundation
import Stages
import ToolWords

/// Every case beside its peer, run in turn, as one table.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure ours and the peers in turn on the same inputs; write the table.")

    @Option(help: "The folder of the inputs, drawn if they are missing.") var inputs: String
    @Option(help: "A Python that has the peers: see `make bench-peers`.") var python: String?
    @Option(help: "The peers' program.") var peers = "peers.py"
    @Option(help: "Where the table goes, beside standard output.") var results: String?
    @Option(help: "Only rows whose name contains this.") var only: String?
    @Option(help: "Seconds that a row may take, its inputs apart; two rounds are timed in any case.")
    var budget = 6.0
    @Flag(help: "12 MP only and a second a row: for trying.") var quick = false

    func run() throws {
        let sizes = quick ? [PhotographSize.standard] : PhotographSize.all
        let folder = InputFolder(path: inputs)
        try FileManager.default.createDirectory(atPath: inputs, withIntermediateDirectories: true)
        try folder.fill(sizes: sizes) { note($0) }
        var table = ResultTable()
        table.busyShares = [Machine.busyShare()].compactMap(\.self)
        for comparison in Comparison.rows(sizes: sizes) {
            if let only, !comparison.ours.name.contains(only) { continue }
            note(comparison.ours.name)
            table.add(comparison, measure(comparison))
        }
        table.busyShares += [Machine.busyShare()].compactMap(\.self)
        let text = table.markdown
        print(text)
        guard table.isJudged || results == nil else {
            note(
                "\(results ?? ""): not written, as others took more of the machine than \(Machine.mostBusy) of it"
            )
            throw ExitCode.failure
        }
        if let results { try Data(text.utf8).write(to: URL(filePath: results), options: .atomic) }
    }

    private func measure(_ comparison: Comparison) -> Measurement {
        do {
            let isSingle = comparison.ours.threading == .single
            let ours = try contestant(for: comparison.ours, isPinned: isSingle)
            var absence: String?
            var rival: Contestant?
            var versions: [String: String] = [:]
            do {
                rival = try self.rival(of: comparison)
                versions = try rival?.begin() ?? [:]
            } catch let absent as Contestant.Absent {
                rival = nil
                absence = absent.reason
            }
            _ = try ours.begin()
            // The first round fills caches and starts threads; it does not count.
            let deadline = ContinuousClock.now + .seconds(quick ? 1 : budget)
            var rounds = 0
            while rounds < 3 || (ContinuousClock.now < deadline && rounds < 41) {
                try ours.run()
                try rival?.run()
                rounds += 1
            }
            let ourEnd = try ours.finish()
            let rivalEnd = try rival?.finish()
            return Measurement(
                ours: .init(ours.seconds.dropFirst(), ourEnd),
                peer: rival.flatMap { rival in rivalEnd.map { .init(rival.seconds.dropFirst(), $0) } },
                versions: versions, absence: absence)
        } catch {
            return Measurement(ours: nil, peer: nil, versions: [:], absence: "\(error)")
        }
    }

    private func contestant(for stageCase: StageCase, isPinned: Bool) throws -> Contestant {
        try Contestant(
            [ToolWords.program, "serve", stageCase.name, "--inputs", inputs], isPinned: isPinned)
    }

    private func rival(of comparison: Comparison) throws -> Contestant? {
        switch comparison.peer {
        case .nobody: return nil
        case .ours(let other, _):
            // One thread against several: by the clock, both.
            return try contestant(for: other, isPinned: false)
        case .program(let name, _):
            guard let python, FileManager.default.isExecutableFile(atPath: python) else {
                throw Contestant.Absent(reason: "no Python with the peers (make bench-peers)")
            }
            let isSingle = comparison.ours.threading == .single
            let threads = isSingle ? 1 : ProcessInfo.processInfo.activeProcessorCount
            return try Contestant([python, peers, name, inputs, "\(threads)"], isPinned: isSingle)
        }
    }

    private func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
