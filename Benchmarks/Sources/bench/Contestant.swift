import Foundation

/// A process that has its input in memory and runs once whenever it is asked to.
///
/// Ours (`bench serve`) and the peers' (`peers.py`) speak the same lines of JSON, so that they can be run in turn.
final class Contestant {
    /// What a process says.
    struct Answer: Decodable {
        var ready: [String: String]?
        var missing: String?
        var seconds: Double?
        var processorSeconds: Double?
        var facts: [String: Double]?
        var peakMegabytes: Double?

        enum CodingKeys: String, CodingKey {
            case ready, missing, seconds, facts
            case processorSeconds = "processor_seconds"
            case peakMegabytes = "peak_mb"
        }
    }

    /// A contestant that cannot take part, with the reason.
    struct Absent: Error { let reason: String }

    /// How long each run took: by the processor's time where it runs on one core, which other programs do not lengthen,
    /// else by the clock.
    private(set) var seconds: [Double] = []
    private let isPinned: Bool
    private let process = Process()
    private let questions = Pipe()
    private let answers = Pipe()
    private var unread: [UInt8] = []

    /// Starts a process and waits until its input is read.
    /// - Parameter isPinned: holds it on one core, where the system has `taskset`: what is measured on one thread must not
    ///   get a second one from a library underneath.
    init(_ command: [String], isPinned: Bool) throws {
        self.isPinned = isPinned
        let pin = "/usr/bin/taskset"
        let words =
            isPinned && FileManager.default.isExecutableFile(atPath: pin)
            ? [pin, "-c", "0"] + command : command
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        if isPinned {
            // A pool of threads would spin on the one core; the peers' program sets the same for itself.
            process.environment = ProcessInfo.processInfo.environment.merging(["OPENBLAS_NUM_THREADS": "1"]) {
                _, one in one
            }
        }
        process.standardInput = questions
        process.standardOutput = answers
        try process.run()
    }

    /// Waits for the input to be read; returns the versions of what is measured.
    func begin() throws -> [String: String] {
        let answer = try listen()
        if let missing = answer.missing { throw Absent(reason: "\(missing) is not installed") }
        return answer.ready ?? [:]
    }

    /// Runs once and notes the time.
    func run() throws {
        try questions.fileHandleForWriting.write(contentsOf: Array("run\n".utf8))
        let answer = try listen()
        guard let time = isPinned ? answer.processorSeconds : answer.seconds else {
            throw Absent(reason: "it told no time")
        }
        seconds.append(time)
    }

    /// Ends the process; returns what its result is to be compared by, and the most memory it held.
    func finish() throws -> (facts: [String: Double], peakMegabytes: Double) {
        try questions.fileHandleForWriting.close()
        let answer = try listen()
        process.waitUntilExit()
        return (answer.facts ?? [:], answer.peakMegabytes ?? .nan)
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    private func listen() throws -> Answer {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(unread[..<end])
                unread.removeSubrange(...end)
                // Libraries print too.
                guard line.first == UInt8(ascii: "{") else { continue }
                return try JSONDecoder().decode(Answer.self, from: line)
            }
            let bytes = answers.fileHandleForReading.availableData
            guard !bytes.isEmpty else {
                process.waitUntilExit()
                throw Absent(reason: "it ended with status \(process.terminationStatus)")
            }
            unread += bytes
        }
    }
}
