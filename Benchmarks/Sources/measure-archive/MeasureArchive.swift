import ArgumentParser
import DocumentArchive
import Foundation
import ToolWords

/// Fills an archive with drawn documents and measures what people wait for: opening it, a search, a page of a list.
@main
struct MeasureArchive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure-archive",
        abstract: "Fill an archive with drawn documents, and measure opening, searching and listing.")

    @Option(help: "How many documents.") var documents = 100_000
    @Option(help: "The archive; it is made, or used if it is there.") var archive: String
    @Option(help: "How often each is measured.") var rounds = 20
    @Option(help: "What the archive is encrypted with; without it is plain.") var passphrase: String?

    private static let syllables = [
        "ba", "ko", "mi", "ter", "lan", "su", "re", "gol", "ne", "pra", "vi", "dor", "ka", "lu", "sen", "to",
    ]

    static func main() { main(ToolWords.arguments) }

    func run() throws {
        var generator = Linear(state: 1)
        if !FileManager.default.fileExists(atPath: archive) { try fill(using: &generator) }
        let store = try DocumentArchive(path: archive, access: .existing, passphrase: passphrase)
        print("\(try store.count()) documents")
        var opening: [Double] = []
        for _ in 0..<rounds {
            opening.append(
                try milliseconds {
                    try DocumentArchive(path: archive, access: .existing, passphrase: passphrase).list(
                        limit: 1
                    ).count
                })
        }
        show("opening, to the first line", opening)
        let words = (0..<rounds).map { _ in Self.word(using: &generator) }
        show(
            "a word",
            try words.map { word in
                try milliseconds { try store.list(ArchiveQuery(words: word), limit: 50).count }
            })
        show(
            "two beginnings of three letters",
            try words.map { word in
                try milliseconds {
                    try store.list(ArchiveQuery(words: "\(word.prefix(3)) \(word.suffix(3))"), limit: 50)
                        .count
                }
            })
        show(
            "four digits in a number",
            try (0..<rounds).map { number in
                try milliseconds {
                    try store.list(ArchiveQuery(words: "\(1234 + number * 37)"), limit: 50).count
                }
            })
        var months = ArchiveQuery()
        months.since = "2021-03-01"
        months.until = "2021-03-31"
        months.least = 20
        show(
            "a month and a sum",
            try (0..<rounds).map { _ in try milliseconds { try store.list(months, limit: 50).count } })
        show(
            "a page of the list, from the middle",
            try (0..<rounds).map { _ in
                try milliseconds { try store.list(offset: documents / 2, limit: 50).count }
            })
        print("peak memory: \(try Self.peakMemory()) MB")
    }

    private func fill(using generator: inout Linear) throws {
        let store = try DocumentArchive(path: archive, passphrase: passphrase)
        let start = Date()
        for first in stride(from: 0, to: documents, by: Self.batch) {
            let some = (first..<min(first + Self.batch, documents)).map { number in
                Self.document(number, using: &generator)
            }
            try store.add(
                some, originals: [.init(.original, name: "roll.jpg", content: Data("roll \(first)".utf8))])
        }
        print("filled in \(Int(Date().timeIntervalSince(start))) s")
    }

    /// Documents of one photograph are added as a whole: many at once fill faster.
    private static let batch = 1000

    private static func word(using generator: inout Linear) -> String {
        (0..<Int.random(in: 2...4, using: &generator)).map { _ in
            syllables.randomElement(using: &generator) ?? ""
        }
        .joined()
    }

    /// A receipt of 30 rows.
    private static func document(_ number: Int, using generator: inout Linear) -> NewDocument {
        var document = NewDocument()
        let cents = Int.random(in: 100...20_000, using: &generator)
        let day = Int.random(in: 0..<3650, using: &generator)
        let date = Date(timeIntervalSince1970: 1_451_606_400 + Double(day) * 86_400)
        document.read = [
            "merchant": .init("\(word(using: &generator)) \(word(using: &generator))", confidence: 0.9),
            "date": .init(String(date.formatted(.iso8601).prefix(10)), confidence: 0.97),
            "total": .init("\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)", confidence: 0.99),
            "currency": .init("EUR", confidence: 0.95), "kind": .init("receipt", confidence: 0.9),
        ]
        let rows = (0..<30).map { row in
            let price = "\(Int.random(in: 1...99, using: &generator)),\(10 + row)"
            return "\(word(using: &generator)) \(word(using: &generator)) \(price)"
        }
        let receiptNumber = Int.random(in: 10_000_000...99_999_999, using: &generator)
        document.text = rows.joined(separator: "\n") + "\nNo \(receiptNumber)"
        document.report = "{\"method\":\"drawn\"}"
        return document
    }

    private func milliseconds(_ work: () throws -> Int) throws -> Double {
        let start = ContinuousClock.now
        _ = try work()
        return start.duration(to: .now) / .milliseconds(1)
    }

    private func show(_ name: String, _ times: [Double]) {
        let sorted = times.sorted()
        print(
            "\(name): median \(rounded(sorted[sorted.count / 2])) ms, worst \(rounded(sorted[sorted.count - 1])) ms"
        )
    }

    private func rounded(_ time: Double) -> Double { (time * 10).rounded() / 10 }

    private static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) / 1024
    }
}

/// Numbers that are the same in each run (D. E. Knuth's MMIX).
struct Linear: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 32
    }
}
