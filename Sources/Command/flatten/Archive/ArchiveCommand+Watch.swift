import ArgumentParser
import BatchProcessing
import ChildProcesses
import Diagnostics
import DocumentArchive
import LocalFiles
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
        }

        func run() throws {
            var failed = 0
            try store.use(.creating) { archive, console throws(FlatteningError) in
                if failures {
                    return try TextOutput.write(
                        try archive.refusals().map { "\($0.name)\t\($0.reason)".visible + "\n" }.joined())
                }
                var watch = FolderWatch(folder: folder)
                let events = FolderEvents(folder: folder)
                var complete: Swift.Set<String> = []
                // What is said of a file that is tried again and again is said once.
                var said: [String: String] = [:]
                while true {
                    for path in try watch.look(complete: complete) {
                        let outcome = try take(path, archive)
                        if outcome.wasAdded { console.say("\(path) was added") }
                        guard let reason = outcome.failure else { continue }
                        failed += 1
                        if outcome.isTemporary, !once { watch.giveAgain(path) }
                        if said.updateValue(reason, forKey: path) != reason {
                            console.fail("\(path): \(reason)")
                        }
                    }
                    if once, watch.isQuiet { return }
                    // Ended between two files nothing is lost; a signal ends the sleep and the program.
                    complete = events.wait(seconds: every)
                }
            }
            if failed > 0 { throw ExitCode(ExitReason.someFailed.rawValue) }
        }

        /// What came of a file; nothing for one that is known.
        private struct Outcome {
            var wasAdded = false
            var failure: String?
            /// Whether the trouble may be the archive's or the disk's, and not the file's.
            var isTemporary = false
        }

        private func take(_ path: String, _ archive: DocumentArchive) throws(FlatteningError) -> Outcome {
            let hash: String
            do throws(FlatteningError) {
                hash = try archive.hash(ofFile: path)
            } catch {
                // Gone again, or not ours to read: others go on.
                return Outcome(failure: error.message, isTemporary: true)
            }
            guard try !archive.knows(hash) else { return Outcome() }
            let seconds = time.secondsOfOne
            let passphrase = store.encryption.passphraseFile.map { ["--passphrase-file", $0] } ?? []
            let worker = try WorkerProcess.run(
                arguments: [
                    "archive", "add", path, "--archive", store.archive, "--quiet", "--timeout", "\(seconds)",
                ] + passphrase, time: seconds > 0 ? .seconds(seconds + Self.grace) : Self.unlimited)
            let words = worker.messages.split(separator: "\n").last.map(String.init) ?? ""
            switch worker.ending {
            case .exited(0): return Outcome(wasAdded: true)
            case .exited(ExitReason.file.rawValue): return Outcome(failure: words, isTemporary: true)
            case .exited, .signalled, .overdue, .cancelled, .unknown:
                let reason = words.isEmpty ? "it was ended: \(worker.ending)" : words
                try archive.refuse(hash, name: path, reason: reason)
                return Outcome(failure: reason)
            }
        }

        /// Seconds for a process to say that its time is over.
        private static let grace = 5.0
        /// A hundred years.
        private static let unlimited = Duration.seconds(3_155_760_000)
    }
}

/// What is new in a folder: files that did not change between two looks.
struct FolderWatch {
    let folder: String
    /// Files as they were at the last look.
    private var seen: [String: FolderEntry.Stamp] = [:]
    /// Files that were given, as they were then.
    private var given: [String: FolderEntry.Stamp] = [:]
    private var looks = 0

    init(folder: String) { self.folder = folder }

    /// Whether two looks in a row found nothing that is new or changing.
    var isQuiet: Bool { looks > 1 && seen.allSatisfy { given[$0.key] == $0.value } }

    /// Has a file given again with the next look.
    mutating func giveAgain(_ path: String) {
        given = given.filter { FilePath.join(folder, $0.key) != path }
    }

    /// Looks once.
    /// - Parameter complete: names of files of which the system says that nobody writes them any more.
    /// - Returns: paths of files that are complete, or as they were at the last look, and were not given so before.
    mutating func look(complete: Set<String> = []) throws(FlatteningError) -> [String] {
        looks += 1
        let entries = try OpenFolder(path: folder, follows: true, stage: .documents).entries(
            most: Self.mostFiles)
        var now: [String: FolderEntry.Stamp] = [:]
        var ready: [String] = []
        for entry in entries where entry.kind == .file && entry.stamp.size > 0 {
            // Hidden files are those of programs that are not done with them.
            guard let name = entry.name, !name.hasPrefix("."), !name.hasSuffix(".part"),
                !name.hasSuffix(".tmp")
            else { continue }
            now[name] = entry.stamp
            guard complete.contains(name) || seen[name] == entry.stamp, given[name] != entry.stamp else {
                continue
            }
            given[name] = entry.stamp
            ready.append(FilePath.join(folder, name))
        }
        given = given.filter { now[$0.key] != nil }
        seen = now
        return ready
    }

    /// A folder with more is no inbox.
    private static let mostFiles = 1_000_000
}
