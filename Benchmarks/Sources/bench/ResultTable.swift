import Foundation
import Stages

/// The table of RESULTS.md.
struct ResultTable {
    private var rows: [[String]] = []
    private var versions: [String: String] = [:]
    private var verdicts: [Bool] = []
    /// The share of all cores' time that something else took before and after, as far as the system tells.
    var busyShares: [Double] = []

    /// Whether the machine was idle enough for bars of time to be judged.
    var isJudged: Bool { busyShares.allSatisfy { $0 <= Machine.mostBusy } }
    /// Our own median by task and megapixels, for the growth with size.
    private var growth: [String: [Int: Double]] = [:]

    mutating func add(_ comparison: Comparison, _ measurement: Measurement) {
        versions.merge(measurement.versions) { $1 }
        let ours = comparison.ours
        let (bar, isMet) = judge(comparison.bar, measurement)
        if let isMet, measurement.spread <= Measurement.mostSpread { verdicts.append(isMet) }
        if let seconds = measurement.ours?.seconds, case .program = comparison.peer,
            let megapixels = Double(ours.size.prefix { $0 != " " }), ours.size.hasSuffix(" MP")
        {
            growth[ours.task, default: [:]][Int((megapixels * 10).rounded())] = seconds
        }
        rows.append([
            ours.stage.rawValue, ours.task, ours.size, ours.threading == .single ? "1" : "all",
            time(measurement.ours?.seconds), peerText(comparison.peer, measurement),
            measurement.timeRatio.map { number($0) } ?? "", bar,
            measurement.spread > Measurement.mostSpread && comparison.bar != nil
                ? "too noisy" : isMet.map { $0 ? "met" : "**missed**" } ?? "",
            [measurement.ours, measurement.peer].compactMap {
                $0.map { "\(Int($0.peakMegabytes.rounded()))" }
            }
            .joined(separator: " / "),
            notes(comparison, measurement),
        ])
    }

    /// The whole file.
    var markdown: String {
        let met = verdicts.count { $0 }
        return """
            # Results

            Written by `make bench`; not edited by hand. Ours and the peer run in turn in the same run on the same input, each
            in a process that has read it before; medians. A ratio is our time over the peer's: below 1 we are faster. What
            runs on one thread is held on one core and timed by what it takes of the processor, the rest by the clock. Peak
            memory is the whole process's, its inputs and (for the peers) Python included. Times say something only beside
            each other: machines and loads differ.

            \(circumstances)

            \(isJudged ? "\(met) of \(verdicts.count) bars are met." : "**Not judged: others took more than \(percent(Machine.mostBusy)) of the machine.**")
            A row whose times spread by more than \(percent(Measurement.mostSpread)) of their median, from the first quarter of them to the third, is not judged.

            \(Self.table(["stage", "task", "size", "threads", "ours", "peer", "ratio", "bar", "", "peak MB ours / peer", "notes"], rows))

            ## Growth with size

            Our time a megapixel as a multiple of what it is at 12 MP: 1 everywhere is linear growth.

            \(Self.table(["task", "3 MP", "12 MP", "48 MP"], growthRows))

            """
    }

    private var circumstances: String {
        let machine = Machine()
        let peers = versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
            separator: ", ")
        return Self.table(
            ["", ""],
            [
                ["machine", "\(machine.processor), \(ProcessInfo.processInfo.activeProcessorCount) cores"],
                ["system", machine.system],
                ["taken by others before, after", busyShares.map(percent).joined(separator: ", ")],
                ["load before", machine.load],
                ["commit", machine.commit],
                ["date", Date.now.formatted(.iso8601)],
                ["peers", peers.isEmpty ? "none" : peers],
            ])
    }

    /// The bar as a text, and whether it is met; nil if it could not be judged.
    private func judge(_ bar: Comparison.Bar?, _ measurement: Measurement) -> (String, Bool?) {
        switch bar {
        case nil: return ("", nil)
        case .time(let most): return (number(most), measurement.timeRatio.map { $0 <= most })
        case .timeAndMemory(let most, let mostMemory):
            let isMet = measurement.timeRatio.flatMap { time in
                measurement.memoryRatio.map { time <= most && $0 <= mostMemory }
            }
            return ("\(number(most)), memory \(number(mostMemory))", isMet)
        case .milliseconds(let most):
            return ("\(number(most)) ms", measurement.ours.map { $0.seconds * 1000 <= most })
        case .megabytes(let most):
            return ("\(number(most)) MB", measurement.ours.map { $0.peakMegabytes <= most })
        }
    }

    private func notes(_ comparison: Comparison, _ measurement: Measurement) -> String {
        var notes = [measurement.absence].compactMap(\.self)
        if measurement.spread > Self.tellingSpread { notes.append("spread \(percent(measurement.spread))") }
        if let (name, share) = comparison.sameFact, let ours = measurement.ours?.facts[name],
            let theirs = measurement.peer?.facts[name]
        {
            let ratio = ours / theirs
            notes.append(
                abs(ratio - 1) <= share ? "\(name) \(number(ratio))" : "**\(name) differs: \(number(ratio))**"
            )
        }
        for (name, value) in (measurement.ours?.facts ?? [:]).sorted(by: { $0.key < $1.key })
        where name != comparison.sameFact?.name {
            notes.append(
                "\(name) \(number(value))" + (measurement.peer?.facts[name].map { " / \(number($0))" } ?? ""))
        }
        if let ratio = measurement.memoryRatio, case .timeAndMemory = comparison.bar {
            notes.append("memory \(number(ratio))")
        }
        return notes.joined(separator: "; ")
    }

    private func peerText(_ peer: Comparison.Peer, _ measurement: Measurement) -> String {
        switch peer {
        case .nobody: ""
        case .program(_, let name), .ours(_, let name):
            name + (measurement.peer.map { ": " + time($0.seconds) } ?? ": missing")
        }
    }

    private var growthRows: [[String]] {
        growth.sorted { $0.key < $1.key }.compactMap { task, times in
            // Sizes as written: 3, 12, 48, or half of them for what makes or reads the flat image.
            let sizes = times.keys.sorted()
            guard sizes.count == 3, let middle = times[sizes[1]] else { return nil }
            return [task]
                + sizes.map { size in
                    number((times[size] ?? .nan) / Double(size) / (middle / Double(sizes[1])))
                }
        }
    }

    /// The spread from which a row tells of it.
    private static let tellingSpread = 0.05

    private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    private func time(_ seconds: Double?) -> String {
        guard let seconds else { return "failed" }
        return seconds < 1 ? "\(number(seconds * 1000)) ms" : "\(number(seconds)) s"
    }

    /// Three digits that count.
    private func number(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return "\(value)" }
        let digits = max(0, 2 - Int(log10(abs(value)).rounded(.down)))
        return String(format: "%.\(min(digits, 6))f", value)
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }
}
