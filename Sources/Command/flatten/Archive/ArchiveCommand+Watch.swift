import ArgumentParser
import BatchProcessing
import ChildProcesses
import Diagnostics
import DocumentArchive
import LocalFiles
import Parallelism
import Platform
import ReceiptFlattening

extension ArchiveCommand {
    /// `flatten archive watch FOLDER`.
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add every file that comes into a folder, until it is ended.",
            discussion: """
                A file is taken as soon as the program that wrote it closes it or moves it there; one of which the system says \
                nothing, as of those that come over a network, once it has not changed between two looks. Each is worked on in a process of its own, within --timeout, and taken once, also when \
                the command is started again. The files stay where they are. One that fails is said and not tried again \
                before it changes; --failures lists those.
                """)

        @Argument(help: "The folder that is watched.", completion: .directory)
        var folder: String

        @OptionGroup var store: ArchiveArguments

        @Option(help: "Seconds between two looks.")
        var every = 2.0

        @Option(
            name: .shortAndLong,
            help: "Files worked on at once, at most and by default as many as there are processors.")
        var jobs = ProcessInfo.processInfo.activeProcessorCount

        @Flag(
            help:
                "End when no file is left to be taken, after two looks at the least; with exit code 1 if some failed."
        )
        var once = false

        @Flag(help: "Show the files that failed, with the reasons, and end.")
        var failures = false

        @OptionGroup var time: TimeArguments

        mutating func validate() throws {
            guard every > 0, every <= 3600 else {
                throw ValidationError("--every lies between 0 and 3600 seconds")
            }
            guard (1...256).contains(jobs) else { throw ValidationError("--jobs lies between 1 and 256") }
        }

        func run() throws {
            var failed = 0
            try store.use(.creating) { archive, console throws(FlatteningError) in
                if failures {
                    return try TextOutput.write(
                        try archive.refusals().map { "\($0.name)\t\($0.reason)".visible + "\n" }.joined())
                }
                var watch = FolderWatch(folder: folder, patience: .seconds(every))
                let events = FolderEvents(folder: folder)
                var complete: Swift.Set<String> = []
                // The last message for each file, so that repeated attempts do not repeat it.
                var said: [String: String] = [:]
                // Number of attempts, by the files' hashes.
                var tries: [String: Int] = [:]
                while true {
                    let ready = try watch.look(complete: complete)
                    // Groups are small enough that results are reported soon.
                    for first in stride(from: 0, to: ready.count, by: Self.filesAtOnce) {
                        let paths = Array(ready[first..<min(first + Self.filesAtOnce, ready.count)])
                        let outcomes = shareOut(paths, among: Array(0..<jobs), longestFirst: { _ in 0 }) {
                            (path, _: Int) in take(path, archive)
                        }
                        for (path, outcome) in zip(paths, outcomes) {
                            if outcome.wasAdded { console.say("\(path) was added") }
                            guard let reason = outcome.failure else { continue }
                            if outcome.isTemporary, !once { watch.giveAgain(path) }
                            if let hash = outcome.hash {
                                tries[hash, default: 0] += 1
                                if !outcome.isTemporary || tries[hash, default: 0] >= Self.mostTries {
                                    try archive.refuse(hash, name: path, reason: reason)
                                }
                            }
                            failed += 1
                            if said.updateValue(reason, forKey: path) != reason {
                                console.fail("\(path): \(reason)")
                            }
                        }
                    }
                    if once, watch.isQuiet { return }
                    // If the program ends between two files nothing is lost; a signal ends the sleep and the program.
                    complete = events.wait(seconds: every)
                }
            }
            if failed > 0 { throw ExitCode(ExitReason.someFailed.rawValue) }
        }

        /// The result for a file; empty for a known one.
        private struct Outcome: Sendable {
            var wasAdded = false
            var failure: String?
            /// Whether the problem may lie with the archive, the disk or the machine, not the file.
            var isTemporary = false
            /// The hash under which the file may be refused; nil if it may be tried forever.
            var hash: String?
        }

        private func take(_ path: String, _ archive: DocumentArchive) -> Outcome {
            do throws(FlatteningError) {
                let hash = try archive.hash(ofFile: path)
                guard try !archive.knows(hash) else { return Outcome() }
                let seconds = time.secondsOfOne
                let passphrase = store.encryption.passphraseFile.map { ["--passphrase-file", $0] } ?? []
                let worker = try WorkerProcess.run(
                    arguments: [
                        "archive", "add", path, "--archive", store.archive, "--quiet", "--timeout",
                        "\(seconds)",
                    ] + passphrase, time: seconds > 0 ? .seconds(seconds + Self.grace) : Self.unlimited)
                let words = worker.messages.split(separator: "\n").last.map(String.init) ?? ""
                let reason = words.isEmpty ? "it was ended: \(worker.ending)" : words
                return switch worker.ending {
                case .exited(0): Outcome(wasAdded: true)
                case .exited(ExitReason.file.rawValue), .exited(ExitReason.missingLibrary.rawValue):
                    Outcome(failure: reason, isTemporary: true)
                // Memory may have been short, as many files are worked on at once, or the file needs too much.
                case .exited(ExitReason.limit.rawValue), .signalled, .unknown:
                    Outcome(failure: reason, isTemporary: true, hash: hash)
                case .exited, .overdue, .cancelled: Outcome(failure: reason, hash: hash)
                }
            } catch {
                // The file is gone or unreadable, or the archive is busy: other files go on.
                return Outcome(failure: error.message, isTemporary: true)
            }
        }

        private static let filesAtOnce = 32
        /// Most attempts for a file that may have failed because of the machine.
        private static let mostTries = 2
        /// Seconds that a process gets to report that its time is over.
        private static let grace = 5.0
        /// A hundred years.
        private static let unlimited = Duration.seconds(3_155_760_000)
    }
}

/// Finds new files in a folder: files that are complete, or have not changed for some time.
struct FolderWatch {
    let folder: String
    /// How long a file that the system reports nothing about must stay unchanged.
    let patience: Duration
    /// Files as of the last look, each with the time since which it has been unchanged.
    private var seen: [String: (stamp: FolderEntry.Stamp, since: ContinuousClock.Instant)] = [:]
    /// Files that were returned, with their stamps at that time.
    private var given: [String: FolderEntry.Stamp] = [:]
    private var looks = 0

    init(folder: String, patience: Duration = .zero) {
        self.folder = folder
        self.patience = patience
    }

    /// Whether two looks in a row found nothing new or changing.
    var isQuiet: Bool { looks > 1 && seen.allSatisfy { given[$0.key] == $0.value.stamp } }

    /// Makes the next look return a file again.
    mutating func giveAgain(_ path: String) {
        given = given.filter { FilePath.join(folder, $0.key) != path }
    }

    /// Looks once.
    /// - Parameter complete: names of files that the system reports as no longer being written.
    /// - Returns: paths of files that are complete, or unchanged since a look long enough ago, and were not returned in
    ///   this state before.
    mutating func look(complete: Set<String> = []) throws(FlatteningError) -> [String] {
        looks += 1
        let now = ContinuousClock.now
        let entries = try OpenFolder(path: folder, follows: true, stage: .documents).entries(
            most: Self.mostFiles)
        var found: [String: (stamp: FolderEntry.Stamp, since: ContinuousClock.Instant)] = [:]
        var ready: [String] = []
        for entry in entries where entry.kind == .file && entry.stamp.size > 0 {
            // Hidden files belong to programs that have not finished them.
            guard let name = entry.name, !name.hasPrefix("."), !name.hasSuffix(".part"),
                !name.hasSuffix(".tmp")
            else { continue }
            let before = seen[name].flatMap { $0.stamp == entry.stamp ? $0.since : nil }
            found[name] = (entry.stamp, before ?? now)
            guard complete.contains(name) || before.map({ $0 + patience <= now }) == true,
                given[name] != entry.stamp
            else { continue }
            given[name] = entry.stamp
            ready.append(FilePath.join(folder, name))
        }
        given = given.filter { found[$0.key] != nil }
        seen = found
        return ready
    }

    /// Most files; a folder with more is no inbox.
    private static let mostFiles = 1_000_000
}
