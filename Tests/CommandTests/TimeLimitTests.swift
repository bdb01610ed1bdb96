import Foundation
import ReceiptFlattening
import TestSupport
import Testing

@testable import flatten

/// `--timeout` covers the whole run, also what nobody can interrupt.
@Suite struct TimeLimitTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    @Test("Standard input that never ends is given up on", arguments: [["-"], ["inspect", "-"]])
    func input(words: [String]) throws {
        let folder = try ScratchFolder()
        let output = words.count == 1 ? "-o \"$1/flat.png\"" : ""
        // A pipe that stays open and empty: its other end is our own descriptor.
        let script = """
            mkfifo "$1/pipe" && exec 3<> "$1/pipe" && exec "$0" \(words.joined(separator: " ")) \(output) \
            --timeout 0.5 < "$1/pipe"
            """
        let start = ContinuousClock.now
        let outcome = try FlattenProcess.run(
            ["-c", script, FlattenProcess.binary.path(), folder.url.path()], program: "/bin/sh")
        #expect(outcome.exitCode == 75 && !outcome.wasSignalled, "\(outcome.errors)")
        #expect(outcome.errors.contains("allowed: 0.5 s"))
        // Half a second and the grace; the rest is for a machine that is busy with other tests. Without a limit it would
        // never end.
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(try folder.contents == ["pipe"])
    }

    @Test("A pipe that nobody reads is given up on")
    func output() throws {
        let folder = try ScratchFolder()
        // The picture is 155 kB, pipes hold 64 KiB; the time is for the flattening before that.
        let script = """
            mkfifo "$1/pipe" && exec 3<> "$1/pipe" && exec "$0" "$2" -o - --dpi 100 --timeout 15 > "$1/pipe"
            """
        let outcome = try FlattenProcess.run(
            ["-c", script, FlattenProcess.binary.path(), folder.url.path(), Self.sample], program: "/bin/sh")
        #expect(outcome.exitCode == 75, "\(outcome.errors)")
        #expect(outcome.errors.contains("write: "))
    }

    @Test("Programs that were started end with it")
    func programs() throws {
        let folder = try ScratchFolder()
        let capture = folder.path("capture")
        for part in ["bin", "capture/depth"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(part), withIntermediateDirectories: true)
        }
        // Stray Scanner's layout with a video, and an ffmpeg that never comes back.
        try Data("500, 0, 320\n0, 500, 240\n0, 0, 1\n".utf8).write(
            to: folder.url.appending(path: "capture/camera_matrix.csv"))
        try FileManager.default.copyItem(
            atPath: Self.sample + "/depth.png", toPath: capture + "/depth/000000.png")
        try Data("\0\0\0\u{8}ftypno video".utf8).write(to: folder.url.appending(path: "capture/rgb.mp4"))
        try folder.writeProgram("#!/bin/sh\nexec sleep 61.25\n", as: "bin/ffmpeg")
        let outcome = try FlattenProcess.run(
            [capture, "-o", folder.path("flat.png"), "--timeout", "1"],
            environment: ["PATH": folder.path("bin") + ":/usr/bin:/bin"])
        #expect(outcome.exitCode == 75, "\(outcome.errors)")
        #expect(try FlattenProcess.running(with: "61.25").isEmpty)
        #expect(try folder.contents == ["bin", "capture"])
    }

    @Test("Without the option a capture has five minutes, and 0 is no limit")
    func usual() throws {
        let sample = FlattenProcess.samples.path()
        func limit(_ words: [String]) throws -> Duration? {
            try FlattenArguments.parse([sample] + words).request.limit().end.map { $0 - ProgramStart.instant }
        }
        #expect(try limit([]) == .seconds(300))
        #expect(try limit([]) == ReceiptFlattener.Options().timeLimit)
        #expect(try limit(["--timeout", "0"]) == nil)
        #expect(try TimeArguments.parse([]).limit(captures: 3).end == ProgramStart.instant + .seconds(900))
    }

    @Test("A limit that is kept changes nothing; one that is no time is wrong usage")
    func kept() throws {
        let limited = try FlattenProcess.run([Self.sample, "-o", "-", "--dpi", "50", "--timeout", "600"])
        #expect(limited.exitCode == 0, "\(limited.errors)")
        for words in [["--timeout", "-1"], ["--timeout", "nan"], ["--timeout", "1 minute"]] {
            #expect(try FlattenProcess.run([Self.sample, "-o", "-"] + words).exitCode == 64)
            #expect(try FlattenProcess.run(["inspect", Self.sample] + words).exitCode == 64)
        }
    }
}
