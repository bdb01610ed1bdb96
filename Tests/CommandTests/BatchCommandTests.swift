import Foundation
import TestSupport
import Testing

@testable import flatten

/// `flatten batch`: what it writes, what it survives, and what its workers may not do.
@Suite struct BatchCommandTests {
    /// Captures small and quick to flatten, without depth.
    private static func captures(_ count: Int) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let sample = FlattenProcess.samples.appending(path: "fold-structured/image.jpg")
        let picture = try Data(contentsOf: sample)
        // A comment makes each file another one, and so its key.
        for index in 0..<count {
            let comment = Array("capture \(index)".utf8)
            let segment = [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment
            try (picture.prefix(2) + Data(segment) + picture.dropFirst(2))
                .write(to: folder.url.appending(path: "c\(index).jpg"))
        }
        return folder
    }

    private func batch(_ input: ScratchFolder, _ output: ScratchFolder, _ options: [String] = []) throws
        -> FlattenProcess.Outcome
    {
        try FlattenProcess.run(
            ["batch", input.url.path(), "-o", output.url.path(), "--report", "--dpi", "100"] + options)
    }

    /// Every output with its bytes; the log is not one.
    private func outputs(_ folder: ScratchFolder) throws -> [String: Data] {
        var all: [String: Data] = [:]
        for name in try folder.contents where name != "jobs.jsonl" {
            all[name] = try Data(contentsOf: folder.url.appending(path: name))
        }
        return all
    }

    private func log(_ folder: ScratchFolder) throws -> [(name: String, state: String)] {
        let text = try String(contentsOf: folder.url.appending(path: "jobs.jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            let entry = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            return (
                try #require(entry["name"] as? String), try #require(entry["state"] as? String)
            )
        }
    }

    /// Pages and hOCR name their capture; a report does where the file is damaged or has further pages.
    @Test(arguments: [["--text", "--format", "hocr"], ["--page"]])
    func equalCapturesGiveTheSameBytesInAnyOrder(options: [String]) throws {
        let input = try ScratchFolder()
        for name in ["x.jpg", "twin.jpg"] {
            try input.copy(FlattenProcess.samples.appending(path: "plane-lidar/image.jpg").path(), as: name)
        }
        var all: [[String: Data]] = []
        for order in [["x.jpg", "twin.jpg"], ["twin.jpg", "x.jpg"]] {
            let output = try ScratchFolder()
            let outcome = try FlattenProcess.run(
                ["batch"] + order.map(input.path)
                    + ["-o", output.path, "--once", "--report", "--jobs", "1", "--dpi", "100"] + options)
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            var files: [String: Data] = [:]
            // The index and the log have them in the order in which they are named.
            for name in try output.contents
            where !["index.html", "jobs.jsonl"].contains(name) && name.first != "." {
                files[name] = try Data(contentsOf: output.url.appending(path: name))
            }
            all.append(files)
        }
        #expect(all[0].keys.sorted() == all[1].keys.sorted() && all[0].count >= 6)
        for (name, bytes) in all[0] {
            #expect(bytes == all[1][name], "\(name)")
            if name.hasSuffix(".html") || name.hasSuffix(".hocr") {
                let other = name.hasPrefix("x") ? "twin" : "x"
                let text = String(decoding: bytes, as: UTF8.self)
                #expect([".jpg", ".png"].allSatisfy { !text.contains(other + $0) }, "\(name)")
            }
        }
    }

    /// U+0600 is one Character with the full stop behind it.
    @Test func equalCapturesShareTheirFilesWhateverTheirNamesEndWith() throws {
        let input = try ScratchFolder()
        let names = ["a\u{600}", "b\u{600}"]
        for name in names {
            try input.copy(
                FlattenProcess.samples.appending(path: "plane-lidar/image.jpg").path(), as: name + ".jpg")
        }
        let output = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            ["batch", input.path, "-o", output.path, "--once", "--jobs", "1", "--dpi", "60"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let files = try names.map {
            try FileManager.default.attributesOfItem(atPath: output.path($0 + ".png"))[.systemFileNumber]
                as? Int
        }
        #expect(files[0] != nil && files[0] == files[1])
    }

    @Test func oneBadCaptureNeverStopsTheRest() throws {
        let input = try Self.captures(2)
        let output = try ScratchFolder()
        try Data("\u{89}PNG\r\n\u{1A}\nnot a picture".utf8).write(to: input.url.appending(path: "bad.png"))
        try FileManager.default.createDirectory(
            at: input.url.appending(path: "empty"), withIntermediateDirectories: true)
        let outcome = try batch(input, output)
        #expect(outcome.exitCode == 1, "\(outcome.errors)")
        #expect(try output.contents == ["c0.json", "c0.png", "c1.json", "c1.png", "jobs.jsonl"])
        #expect(outcome.errors.contains("bad.png") && outcome.errors.contains("2 failed"))
        let states = Dictionary(try log(output).map { ($0.name, $0.state) }) { $1 }
        #expect(states == ["c0": "done", "c1": "done", "bad": "failed", "empty": "failed"])

        // What failed stays failed, unless it is asked for; then it is done if its cause is gone.
        try FileManager.default.removeItem(at: input.url.appending(path: "empty"))
        let again = try batch(input, output, ["--resume"])
        #expect(again.exitCode == 1)
        #expect(try log(output).count == 4)
        #expect(try batch(input, output, ["--retry-failed"]).exitCode == 1)
        #expect(try log(output).count == 5)
        try FileManager.default.removeItem(at: input.url.appending(path: "bad.png"))
        #expect(try batch(input, output, ["--retry-failed"]).exitCode == 0)
        #expect(try log(output).count == 5)
    }

    @Test func aBatchKilledAtAnyMomentGoesOnToTheSameBytes() throws {
        let input = try Self.captures(4)
        let clean = try ScratchFolder()
        #expect(try batch(input, clean, ["--jobs", "2"]).exitCode == 0)
        let expected = try outputs(clean)
        #expect(expected.count == 8)

        let output = try ScratchFolder()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<4 {
            let milliseconds = UInt32.random(in: 20...2500, using: &generator)
            print("killed after \(milliseconds) ms")
            let process = Process()
            process.executableURL = FlattenProcess.binary
            process.arguments = [
                "batch", input.url.path(), "-o", output.url.path(), "--report", "--dpi", "100", "--jobs", "2",
                "--resume",
            ]
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(milliseconds * 1000)
            kill(process.processIdentifier, Bool.random(using: &generator) ? SIGKILL : SIGTERM)
            process.waitUntilExit()
        }
        let last = try batch(input, output, ["--jobs", "2", "--resume"])
        #expect(last.exitCode == 0, "\(last.errors)")
        #expect(try outputs(output) == expected)
        #expect(try log(output).map(\.name).sorted() == ["c0", "c1", "c2", "c3"], "one line for each")
        #expect(try FlattenProcess.running(with: output.url.path()).isEmpty)
    }

    @Test func aTornLogIsMendedAndALostOutputMadeAgain() throws {
        let input = try Self.captures(2)
        let output = try ScratchFolder()
        #expect(try batch(input, output, ["--jobs", "1"]).exitCode == 0)
        let expected = try outputs(output)
        let path = output.url.appending(path: "jobs.jsonl")
        let whole = try Data(contentsOf: path)
        try whole.dropLast(30).write(to: path)
        try FileManager.default.removeItem(at: output.url.appending(path: "c0.json"))
        #expect(try batch(input, output, ["--resume"]).exitCode == 0)
        #expect(try outputs(output) == expected)
        // c0's old line, then both again.
        #expect(try log(output).map(\.name).sorted() == ["c0", "c0", "c1"])
    }

    @Test func aListFromStandardInputIsABatch() throws {
        let input = try Self.captures(2)
        let output = try ScratchFolder()
        let list = input.url.appending(path: "list.txt")
        try Data("\(input.path("c1.jpg"))\n\(input.path("none.jpg"))\n".utf8).write(to: list)
        let outcome = try FlattenProcess.run(
            ["batch", "-o", output.path("new"), "--no-picture", "--report", "-"], shell: "< \(list.path())")
        #expect(outcome.exitCode == 1, "\(outcome.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: output.path("new")).sorted()
                == ["c1.json", "jobs.jsonl"])
    }

    @Test func memoryThatSufficesForNoneEndsTheBatchAndIsHeldAgainstNone() throws {
        let input = try Self.captures(1)
        let output = try ScratchFolder()
        // The libraries alone take some 300 MiB of address space.
        let outcome = try batch(input, output, ["--text", "--memory-mib", "256"])
        #expect(outcome.exitCode == 71 && !outcome.wasSignalled, "\(outcome.errors)")
        #expect(outcome.errors.contains("--memory-mib"))
        #expect(try output.contents == ["jobs.jsonl"])
        #expect(try log(output).isEmpty)
    }

    @Test func severalInputsAreOneBatch() throws {
        let (one, two) = (try Self.captures(1), try Self.captures(2))
        let output = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            "batch", two.path("c1.jpg"), one.url.path(), "--dpi", "100", "-o", output.path("out"),
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: output.path("out")).sorted()
                == ["c0.png", "c1.png", "jobs.jsonl"])
    }

    @Test func zeroBytesMayEndTheNamesOfAList() throws {
        let input = try Self.captures(1)
        let output = try ScratchFolder()
        let name = "a\nb.jpg"
        try FileManager.default.moveItem(atPath: input.path("c0.jpg"), toPath: input.url.path() + "/" + name)
        try Data("\(input.url.path())/\(name)\0".utf8).write(to: output.url.appending(path: "list"))
        let outcome = try FlattenProcess.run(
            ["batch", "-", "--dpi", "100", "-o", output.path("out")], shell: "< \(output.path("list"))")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }

    @Test func aListOfLinesIsNoListOfZeroBytes() throws {
        let folder = try ScratchFolder()
        try folder.write("a.jpg\nb.jpg\n", as: "list")
        let outcome = try FlattenProcess.run([
            "batch", "--null", folder.path("list"), "-o", folder.path("out"),
        ])
        #expect(outcome.exitCode == 65 && outcome.errors.contains("--null"), "\(outcome.errors)")
        #expect(try folder.contents == ["list"])
    }

    @Test func aListOfEmptyLinesNamesNoCaptures() throws {
        let folder = try ScratchFolder()
        try folder.write("\n\n", as: "list")
        let outcome = try FlattenProcess.run(["batch", folder.path("list"), "-o", folder.path("out")])
        #expect(outcome.exitCode == 65 && outcome.errors.contains("there are no captures"))
        #expect(!outcome.errors.contains("--recursive"), "\(outcome.errors)")
        #expect(try folder.contents == ["list"])
    }

    @Test func aLinkThatLeadsNowhereIsNoOutputFolder() throws {
        let input = try Self.captures(1)
        let folder = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("out"), withDestinationPath: "nowhere")
        let outcome = try FlattenProcess.run(["batch", input.url.path(), "-o", folder.path("out")])
        #expect(outcome.exitCode == 74 && outcome.errors.contains("link"), "\(outcome.errors)")
    }

    @Test func aCaptureOfTwoPathsIsWorkedOnOnceAndThatIsSaid() throws {
        let input = try Self.captures(1)
        let output = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: input.path("link.jpg"), withDestinationPath: "c0.jpg")
        try input.write(
            ["c0.jpg", "./c0.jpg", "link.jpg"].map(input.path).joined(separator: "\n"), as: "list.txt")
        let outcome = try FlattenProcess.run([
            "batch", input.path("list.txt"), "-o", output.url.path(), "--dpi", "100",
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try output.contents == ["c0.png", "jobs.jsonl"])
        #expect(outcome.errors.contains("named twice") && outcome.errors.contains(": 2, such as"))
        let status = try FlattenProcess.run([
            "batch", "status", output.url.path(), "--list", input.path("list.txt"),
        ])
        #expect(status.exitCode == 0, "\(status.text)")
    }

    @Test func aFinishedCaptureKeepsItsNameWhenTheListGrows() throws {
        let input = try ScratchFolder()
        let captures = try Self.captures(2)
        for (file, path) in [("c0.jpg", "one/a.jpg"), ("c1.jpg", "two/a.jpg")] {
            try input.copy(captures.path(file), as: path)
        }
        let output = try ScratchFolder()
        func batch(_ paths: [String]) throws -> FlattenProcess.Outcome {
            try input.write(paths.map(input.path).joined(separator: "\n"), as: "list.txt")
            return try FlattenProcess.run([
                "batch", input.path("list.txt"), "-o", output.url.path(), "--dpi", "100", "--resume",
            ])
        }
        #expect(try batch(["one/a.jpg"]).exitCode == 0)
        let grown = try batch(["one/a.jpg", "two/a.jpg"])
        #expect(grown.exitCode == 0 && grown.errors.contains("a: done earlier"), "\(grown.errors)")
        #expect(try output.contents.count == 3 && output.contents.contains("a.png"))
        #expect(try log(output).count == 2)
        // And when it shrinks: the one that is left keeps its digits.
        let shrunk = try batch(["two/a.jpg"])
        #expect(shrunk.exitCode == 0 && shrunk.errors.contains(": done earlier"), "\(shrunk.errors)")
        #expect(try log(output).count == 2)
    }

    /// Errors alone are printed: that it was asked to end is none, that it did not come to its end is one.
    @Test func aQuietBatchThatIsEndedSaysOnlyThatItStopped() throws {
        let input = try Self.captures(6)
        let output = try ScratchFolder()
        let process = Process()
        process.executableURL = FlattenProcess.binary
        process.arguments = ["batch", input.url.path(), "-o", output.url.path(), "--jobs", "1", "--quiet"]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        // Once there is a line in the log the signals are watched.
        let log = output.url.appending(path: "jobs.jsonl")
        while process.isRunning, (try? Data(contentsOf: log))?.isEmpty ?? true { usleep(20_000) }
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationStatus == 75)
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(said.hasPrefix("error: stopped after ") && said.split(separator: "\n").count == 1, "\(said)")
    }

    @Test(.enabled(if: InterruptedWritingTests.canMount, "needs mounts"))
    func aFullDiskEndsTheBatchAndIsHeldAgainstNoCapture() throws {
        let input = try Self.captures(6)
        let clean = try ScratchFolder()
        #expect(try batch(input, clean).exitCode == 0)
        let folder = try ScratchFolder()
        let small = folder.path("small")
        try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: true)
        // Room for some of the pictures; then for all.
        let most = try outputs(clean).values.map(\.count).reduce(0, +) / 1024 / 2
        let script = """
            mount -t tmpfs -o size=\(most)k tmpfs "$1" || exit 99
            "$0" batch "$2" -o "$1" --report --dpi 100 --jobs 1 --resume
            echo "$?"
            grep -c '"state":"failed"' "$1/jobs.jsonl"
            mount -o remount,size=64m "$1"
            "$0" batch "$2" -o "$1" --report --dpi 100 --jobs 1 --resume
            echo "$?"
            ls -A "$1" | grep -v '^c[0-9].\\(png\\|json\\)$'
            cp "$1"/c* "$3"
            umount "$1"
            """
        let again = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            [
                "-m", "/bin/sh", "-c", script, FlattenProcess.binary.path(), small, input.url.path(),
                again.url.path(),
            ], program: "/usr/bin/unshare")
        #expect(outcome.text == "74\n0\n0\njobs.jsonl\n", "\(outcome.text) \(outcome.errors)")
        #expect(try outputs(again) == outputs(clean))
    }

    @Test func filesThatNoBatchWroteAreNotReplaced() throws {
        let input = try Self.captures(1)
        let output = try ScratchFolder()
        try Data("mine".utf8).write(to: output.url.appending(path: "c0.png"))
        let refused = try batch(input, output)
        #expect(refused.exitCode == 65 && refused.errors.contains("--force"), "\(refused.errors)")
        #expect(try Data(contentsOf: output.url.appending(path: "c0.png")) == Data("mine".utf8))
        #expect(try batch(input, output, ["--force"]).exitCode == 0)
    }

    @Test func aLaterBatchReplacesNoStrangersFileEither() throws {
        let (first, more) = (try Self.captures(1), try Self.captures(2))
        let output = try ScratchFolder()
        #expect(try batch(first, output).exitCode == 0)
        let mine = output.url.appending(path: "c1.png")
        try Data("mine".utf8).write(to: mine)
        #expect(try batch(more, output).exitCode == 65)
        #expect(try Data(contentsOf: mine) == Data("mine".utf8))
        // What a batch wrote it writes again.
        #expect(try batch(first, output).exitCode == 0)
    }

    @Test func recordsThatCannotBeWrittenAreAnErrorUnlessNobodyReadsThem() throws {
        let input = try Self.captures(2)
        for (target, code) in [("> /dev/full", "74"), ("| true", "75")] {
            let output = try ScratchFolder()
            let script = """
                set -o pipefail; "$0" batch "$1" -o "$2" --jobs 1 --records - \(target); echo $?
                """
            let outcome = try FlattenProcess.run(
                ["-c", script, FlattenProcess.binary.path(), input.url.path(), output.url.path()],
                program: "/bin/bash")
            #expect(outcome.text == code + "\n", "\(target): \(outcome.errors)")
        }
    }

    @Test func countsAreWrittenToNoOtherFile() throws {
        let input = try Self.captures(1)
        let output = try ScratchFolder()
        #expect(try batch(input, output, ["--metrics", output.path("jobs.jsonl")]).exitCode == 64)
        #expect(try output.contents.isEmpty)
    }

    /// A hangup ends at once, by the signal; an interrupt does so too, which whoever runs these tests may have had ignored.
    /// A scheduler's signals leave captures their time, or none, and end by the code for "try again".
    @Test(arguments: [
        (SIGHUP, "20", Int32?.none), (SIGTERM, "0", 75), (SIGTERM, "20", 75), (SIGUSR1, "20", 75),
    ])
    func anInterruptedBatchSaysHowItGoesOn(signal: Int32, grace: String, code: Int32?) throws {
        let input = try Self.captures(8)
        let output = try ScratchFolder()
        let process = Process()
        process.executableURL = FlattenProcess.binary
        process.arguments = [
            "batch", input.url.path(), "-o", output.url.path(), "--jobs", "1", "--grace", grace,
        ]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        // It tells of the first capture once the signals are watched.
        var said = ""
        while !said.contains("1/8") {
            let piece = errors.fileHandleForReading.availableData
            guard !piece.isEmpty else { break }
            said += String(decoding: piece, as: UTF8.self)
        }
        // The second capture has begun then, and takes three times as long at least.
        usleep(100_000)
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        said += String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect((process.terminationReason == .uncaughtSignal) == (code == nil))
        #expect(process.terminationStatus == code ?? signal)
        let states = try log(output).map(\.state)
        #expect(states.count < 8 && states.allSatisfy { $0 == "done" })
        // The capture that was being worked on has come to its end.
        if code != nil, grace != "0" { #expect(states.count >= 2) }
        #expect(said.contains("--resume"), "\(said)")
        #expect(try FlattenProcess.running(with: output.url.path()).isEmpty)
        #expect(try !output.contents.contains { $0.hasPrefix(".flatten-batch-") })
    }

    @Test func aLinkOutOfACaptureIsNotFollowed() throws {
        let input = try ScratchFolder()
        let secret = try Self.captures(1)
        let capture = input.url.appending(path: "a")
        try FileManager.default.createDirectory(at: capture, withIntermediateDirectories: true)
        try Data(#"{"image": "image.jpg"}"#.utf8).write(to: capture.appending(path: "capture.json"))
        try FileManager.default.createSymbolicLink(
            atPath: capture.appending(path: "image.jpg").path(), withDestinationPath: secret.path("c0.jpg"))
        let output = try ScratchFolder()
        let outcome = try batch(input, output)
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("image.jpg"), "\(outcome.errors)")
        #expect(try output.contents == ["jobs.jsonl"])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self")))
    func aWorkerReadsItsCaptureAndWritesTheOutputFolderOnly() throws {
        let input = try Self.captures(1)
        let output = try ScratchFolder()
        let elsewhere = try ScratchFolder()
        func worker(reading folder: ScratchFolder, report: String) throws -> FlattenProcess.Outcome {
            var request = FlatteningRequest(input: .init(captures: [input.path("c0.jpg")]))
            request.dpi = 100
            return try FlattenProcess.runWorker(
                request, readable: [folder.url], writable: output, outputs: ["report=" + report])
        }
        let kept = try worker(reading: input, report: "kept.json")
        #expect(kept.exitCode == 0, "\(kept.errors)")
        let secret = try worker(reading: elsewhere, report: "secret.json")
        #expect(secret.exitCode == 74 && secret.errors.contains("c0.jpg"), "\(secret.errors)")
        let outside = "../\(elsewhere.url.lastPathComponent)/stray.json"
        let stray = try worker(reading: input, report: outside)
        #expect(stray.exitCode == 74 && stray.errors.contains("stray.json"), "\(stray.errors)")
        #expect(try output.contents == ["kept.json"])
        #expect(try elsewhere.contents.isEmpty)
    }

    @Test("A reader that is not there is no wrong usage, and no capture's fault") func noReader() throws {
        let (input, output, data) = (try Self.captures(1), try ScratchFolder(), try ScratchFolder())
        let outcome = try FlattenProcess.run(
            ["batch", input.path, "-o", output.path("out"), "--text", "--reader", "onnx"],
            environment: ["XDG_DATA_HOME": data.path])
        #expect(outcome.exitCode == 69 && outcome.errors.contains("make reader"), "\(outcome.errors)")
        #expect(try output.contents.isEmpty)
    }

    @Test(arguments: [
        ["batch"], ["batch", "FOLDER"], ["batch", "-o", "OUT"],
        ["batch", "FOLDER", "-o", "OUT", "--jobs", "0"],
        ["batch", "FOLDER", "-o", "OUT", "--dpi", "5"], ["batch", "FOLDER", "-o", "OUT", "--no-clobber"],
        ["batch", "FOLDER", "-o", "OUT", "--no-such-option"],
        ["batch", "FOLDER", "-o", "OUT", "--no-picture"],
        ["batch", "FOLDER", "-o", "OUT", "--format", "json"], ["batch", "FOLDER", "-o", ""],
    ])
    func wrongUsageIs64AndNothingIsWritten(arguments: [String]) throws {
        let input = try Self.captures(1)
        let output = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            arguments.map { $0 == "FOLDER" ? input.url.path() : $0 == "OUT" ? output.url.path() : $0 })
        #expect(outcome.exitCode == 64, "\(outcome.errors)")
        #expect(try output.contents.isEmpty)
    }

    @Test func whatConcernsAllCapturesEndsTheBatch() throws {
        let input = try Self.captures(2)
        let output = try ScratchFolder()
        let language = try batch(input, output, ["--text", "--language", "xyz"])
        #expect(language.exitCode == 69)
        #expect(language.errors.contains("xyz"))
        #expect(try batch(input, input).exitCode == 65)
        try Data().write(to: output.url.appending(path: "file"))
        let unwritable = try FlattenProcess.run(["batch", input.url.path(), "-o", output.path("file")])
        #expect(unwritable.exitCode == 74)
    }
}

extension FlattenProcess {
    /// The processes that still run with this word among their arguments, a second from now at the latest.
    static func running(with word: String) throws -> [String] {
        var found: [String] = []
        for _ in 0..<20 {
            found = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { process in
                guard Int32(process) != nil,
                    let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
                else { return false }
                return line.split(separator: 0).contains { String(decoding: $0, as: UTF8.self) == word }
            }
            if found.isEmpty { break }
            usleep(50_000)
        }
        return found
    }
}
