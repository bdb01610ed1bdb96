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
                A file is taken once it has not changed between two looks; so files may be copied or synchronised there slowly, \
                also over a network. Each is worked on in a process of its own, within --timeout, and taken once, also when \
                the command is started again. The files stay where they are. One that fails is said and not tried again \
                before it changes; --failures lists those.
                """)

        @Argument(help: "The folder that is watched.", completion: .directory)
        var folder: String

        @OptionGroup var store: ArchiveArguments

        @Option(help: "Seconds between two looks.")
        var every = 2.0

        @Flag(help: "End when no file is left to be taken, after two looks at the least.")
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
            try store.use(.creating) { archive, console throws(FlatteningError) in
                if failures {
                    return try TextOutput.write(
                        try archive.refusals().map { "\($0.name)\t\($0.reason)".visible + "\n" }.joined())
                }
                var watch = FolderWatch(folder: folder)
                while true {
                    let ready = try watch.look()
                    for path in ready { try take(path, archive, console) }
                    if once, watch.isQuiet { return }
                    // Ended between two files nothing is lost; a signal ends the sleep and the program.
                    usleep(UInt32(every * 1e6))
                }
            }
        }

        private func take(_ path: String, _ archive: DocumentArchive, _ console: Console)
            throws(FlatteningError)
        {
            let hash: String
            do throws(FlatteningError) {
                hash = try archive.hash(ofFile: path)
            } catch {
                // Gone again, or not ours to read: others go on.
                console.fail(error)
                return
            }
            guard try !archive.knows(hash) else { return }
            var arguments = ["archive", "add", path, "--archive", store.archive, "--quiet"]
            let seconds = time.limit().remaining.map { $0 / .seconds(1) } ?? 0
            arguments += ["--timeout", "\(time.timeout?.seconds ?? seconds)"]
            let worker = try WorkerProcess.run(
                arguments: arguments, time: .seconds(max(seconds, Self.leastSeconds) + Self.grace))
            switch worker.ending {
            case .exited(0): console.say("\(path) was added")
            case .exited(ExitReason.file.rawValue):
                // The archive's trouble, not the file's: it is tried again with the next look.
                console.fail("\(path): \(worker.messages.lastLine)")
            case .exited, .signalled, .overdue, .cancelled, .unknown:
                let reason =
                    worker.messages.isEmpty ? "it was ended: \(worker.ending)" : worker.messages.lastLine
                try archive.refuse(hash, name: path, reason: reason)
                console.fail("\(path): \(reason)")
            }
        }

        /// Seconds that a process gets though none are left of our own: a start takes a fraction of one.
        private static let leastSeconds = 60.0
        /// Seconds for a process to say that its time is over.
        private static let grace = 5.0
    }
}

extension String {
    fileprivate var lastLine: String { split(separator: "\n").last.map(String.init) ?? "" }
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

    /// Looks once.
    /// - Returns: paths of files that are as they were at the last look and were not given so before.
    mutating func look() throws(FlatteningError) -> [String] {
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
            guard seen[name] == entry.stamp, given[name] != entry.stamp else { continue }
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
