import Foundation

/// Text as ACCURACY.md has it.
enum Markdown {
    static func table(_ header: [String], _ rows: [[String]]) -> String {
        let lines = [header, header.map { _ in "---" }] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    static func number(_ value: Double) -> String { String(format: "%.3f", value) }
}
