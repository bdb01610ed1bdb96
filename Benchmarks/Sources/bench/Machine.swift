import Foundation

/// What a table was measured on.
struct Machine {
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
