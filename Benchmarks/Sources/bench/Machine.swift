import Foundation

/// What a table was measured on.
struct Machine {
    /// The share of all cores' time that others may take for times to be judged. An idle machine of two cores has 0 to 0.02.
    static let mostBusy = 0.05

    /// The share of all cores' time that something takes now, over a second; nil where the system does not tell.
    static func busyShare() -> Double? {
        func ticks() -> (idle: Double, all: Double)? {
            guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
                let first = text.split(separator: "\n").first
            else { return nil }
            let values = first.split(separator: " ").dropFirst().compactMap { Double($0) }
            // user nice system idle iowait irq softirq steal
            guard values.count >= 8 else { return nil }
            return (values[3] + values[4], values[..<8].reduce(0, +))
        }
        guard let before = ticks() else { return nil }
        Thread.sleep(forTimeInterval: 1)
        guard let after = ticks(), after.all > before.all else { return nil }
        return 1 - (after.idle - before.idle) / (after.all - before.all)
    }

    let processor: String
    let system: String
    let load: String
    let commit: String

    init() {
        func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        func value(_ key: String, in text: String, separator: Character) -> String? {
            text.split(separator: "\n").first { $0.hasPrefix(key) }?.split(separator: separator).last.map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " \""))
            }
        }
        processor = value("model name", in: text("/proc/cpuinfo"), separator: ":") ?? "unknown processor"
        system =
            value("PRETTY_NAME", in: text("/etc/os-release"), separator: "=")
            ?? ProcessInfo.processInfo.operatingSystemVersionString
        load = text("/proc/loadavg").split(separator: " ").prefix(3).joined(separator: " ")
        let git = Process()
        let output = Pipe()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
        git.standardOutput = output
        try? git.run()
        commit = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
