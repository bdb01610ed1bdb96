import Foundation
import TestSupport
import Testing

/// Recordings through the command: which frame is taken, what fusing gains, and batches of them.
@Suite struct RecordingCommandTests {
    private func report(_ arguments: [String]) throws -> (
        report: [String: Any], outcome: FlattenProcess.Outcome
    ) {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            arguments + [
                "-o", folder.path("flat.png"), "--report", folder.path("report.json"), "--dpi", "100",
            ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let data = try Data(contentsOf: URL(filePath: folder.path("report.json")))
        return (try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any]), outcome)
    }

    private func planeResidual(_ report: [String: Any]) throws -> Double {
        let plane = try #require(report["plane"] as? [String: Any])
        return try #require(plane["rms_mm"] as? Double)
    }

    @Test func theFrameInTheMiddleIsTakenUnlessOneIsNamedOrTheBestIsAskedFor() throws {
        let recording = try DrawnRecordings.tum.get()
        for (options, frame) in [([], 2), (["--frame", "0"], 0), (["--best"], 3)] {
            let outcome = try FlattenProcess.run(["inspect", recording] + options)
            #expect(
                outcome.exitCode == 0 && outcome.text.contains("frame \(frame) of 0 to 3"), "\(outcome.text)")
        }
        let both = try FlattenProcess.run(["inspect", recording, "--best", "--frame", "1"])
        #expect(both.exitCode == 64)
        let beyond = try FlattenProcess.run(["inspect", recording, "--frame", "4"])
        #expect(beyond.exitCode == 65 && beyond.errors.contains("0 to 3"))
    }

    @Test func aFrameIsNamedByItsFileTooAndAnImageOfARecordingIsThatFrame() throws {
        let recording = try DrawnRecordings.strayScanner.get()
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: recording + "/rgb").sorted().first)
        let folder = try ScratchFolder()
        func flat(_ arguments: [String]) throws -> (picture: Data, errors: String) {
            let outcome = try FlattenProcess.run(
                arguments + ["-o", folder.path("flat.png"), "--dpi", "100"])
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
            return (try Data(contentsOf: folder.url.appending(path: "flat.png")), outcome.errors)
        }
        let expected = try flat([recording, "--frame", "0"])
        for frame in [name, "rgb/" + name] {
            #expect(try flat([recording, "--frame", frame]).picture == expected.picture)
        }
        let named = try flat([recording + "/rgb/" + name])
        #expect(named.picture == expected.picture)
        #expect(named.errors.contains("taken as frame 0 of "), "\(named.errors)")
        let unknown = try FlattenProcess.run(["inspect", recording, "--frame", "none.png"])
        #expect(
            unknown.exitCode == 65 && unknown.errors.contains("or a name: rgb/\(name)"), "\(unknown.errors)")
        let empty = try FlattenProcess.run(["inspect", recording, "--frame", ""])
        #expect(empty.exitCode == 64)
    }

    @Test func aFolderItsArchivesAndTheFolderAroundItGiveTheSameBytes() throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path("around/scan")
        try FileManager.default.createDirectory(
            atPath: scratch.path("around"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: try DrawnRecordings.strayScanner.get(), toPath: folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        let files = try names.filter { $0.contains(".") }.map { name in
            (name, [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + name))))
        }
        for (archive, prefix) in [("bare.zip", ""), ("wrapped.zip", "scan/")] {
            let zip = HandmadeZIP(files.map { .init(prefix + $0.0, $0.1) })
            try Data(zip.bytes).write(to: URL(filePath: scratch.path(archive)))
        }
        func outputs(_ capture: String, root: String) throws -> (picture: Data, report: String) {
            let outcome = try FlattenProcess.run([
                capture, "-o", scratch.path("flat.png"), "--report", scratch.path("report.json"), "--dpi",
                "100",
                "--reproducible",
            ])
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
            return (
                try Data(contentsOf: URL(filePath: scratch.path("flat.png"))),
                try String(contentsOfFile: scratch.path("report.json"), encoding: .utf8)
                    .replacing(root, with: "ROOT")
            )
        }
        let expected = try outputs(folder, root: folder)
        #expect(expected.report.contains("\"sheet_mm\" : {"))
        for (capture, root) in [
            ("around", "around/scan"), ("bare.zip", "bare.zip"), ("wrapped.zip", "wrapped.zip/scan"),
        ] {
            let outputs = try outputs(scratch.path(capture), root: scratch.path(root))
            #expect(outputs.picture == expected.picture && outputs.report == expected.report, "\(capture)")
        }
    }

    @Test func fusingFiveFramesHalvesTheNoiseOfOne() throws {
        let path = try DrawnRecordings.noisy.get()
        let one = try report([path])
        let fused = try report([path, "--fuse"])
        #expect(!fused.outcome.errors.contains("is not fused"), "\(fused.outcome.errors)")
        // The root of five is 2.24. Reading between pixels smooths a little more, registration adds a little, and the residual
        // of one frame is itself known to a hundredth from so many readings.
        let ratio = try planeResidual(fused.report) / planeResidual(one.report)
        #expect(ratio < 0.6 && ratio > 0.3, "\(ratio)")
    }

    @Test func inspectingAFusedRecordingTellsHowManyFramesTookPart() throws {
        let outcome = try FlattenProcess.run(["inspect", try DrawnRecordings.strayScanner.get(), "--fuse"])
        #expect(outcome.exitCode == 0 && outcome.text.contains("mean of 3 frames"), "\(outcome.text)")
    }

    @Test func posesBringFramesTogetherThatPicturesAloneDoNot() throws {
        let recording = try DrawnRecordings.shaken.get()
        let posed = try FlattenProcess.run(["inspect", recording, "--fuse"])
        #expect(
            posed.exitCode == 0 && posed.text.contains("mean of 3 frames"), "\(posed.text) \(posed.errors)")

        let bare = try ScratchFolder()
        let copy = bare.path("recording")
        try FileManager.default.copyItem(atPath: recording, toPath: copy)
        try FileManager.default.removeItem(atPath: copy + "/groundtruth.txt")
        let unposed = try FlattenProcess.run(["inspect", copy, "--fuse"])
        #expect(!unposed.text.contains("mean of 3 frames"), "\(unposed.text)")
        #expect((unposed.text + unposed.errors).contains("its picture"), "\(unposed.text) \(unposed.errors)")
    }

    // MARK: Batches

    private static var fixtures: URL {
        FlattenProcess.samples.deletingLastPathComponent().appending(path: "Tests/CapturesTests/Fixtures")
    }

    @Test func aBatchTakesRecordingsAndArchivesEachAsOneCapture() throws {
        let input = try ScratchFolder()
        let output = try ScratchFolder()
        try FileManager.default.copyItem(atPath: try DrawnRecordings.tum.get(), toPath: input.path("walk"))
        try FileManager.default.copyItem(
            at: Self.fixtures.appending(path: "record3d.r3d"), to: input.url.appending(path: "scan.r3d"))
        let options = ["--best", "--dpi", "100"]
        let outcome = try FlattenProcess.run(
            ["batch", input.url.path(), "-o", output.url.path()] + options)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try output.contents == ["jobs.jsonl", "scan.png", "walk.png"])
        // What a batch makes of a recording is what flatten makes of it, with the same options.
        let alone = try ScratchFolder()
        let single = try FlattenProcess.run(
            [input.path("walk"), "-o", alone.path("flat.png"), "--reproducible"] + options)
        #expect(single.exitCode == 0)
        #expect(
            try Data(contentsOf: output.url.appending(path: "walk.png"))
                == Data(contentsOf: alone.url.appending(path: "flat.png")))
    }

    @Test func anImageOfARecordingStandsAloneInABatch() throws {
        let image = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: try DrawnRecordings.strayScanner.get())
                .first { $0.hasPrefix("rgb/") })
        let output = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            "batch", try DrawnRecordings.strayScanner.get() + "/" + image, "-o", output.url.path(),
            "--report",
            "--dpi", "100",
        ])
        #expect(outcome.exitCode == 0 && !outcome.errors.contains("taken as frame"), "\(outcome.errors)")
        let report = try #require(try output.contents.first { $0.hasSuffix(".json") })
        let text = try String(contentsOfFile: output.path(report), encoding: .utf8)
        #expect(text.contains("\"size_mm\" : null"))
    }

    @Test func aRecordingWithAVideoCostsABatchOnlyItself() throws {
        let input = try ScratchFolder()
        let output = try ScratchFolder()
        let scan = input.path("scan")
        try FileManager.default.createDirectory(atPath: scan + "/depth", withIntermediateDirectories: true)
        try "42, 0, 18\n0, 44, 16\n0, 0, 1\n".write(
            toFile: scan + "/camera_matrix.csv", atomically: true, encoding: .utf8)
        for (fixture, name) in [("depth-mm.png", "depth/000001.png"), ("turned.mp4", "rgb.mp4")] {
            try FileManager.default.copyItem(
                atPath: Self.fixtures.appending(path: fixture).path(), toPath: scan + "/" + name)
        }
        try FileManager.default.copyItem(
            at: Self.fixtures.appending(path: "record3d.r3d"), to: input.url.appending(path: "other.r3d"))
        let outcome = try FlattenProcess.run(["batch", input.url.path(), "-o", output.url.path()])
        // Whether ffmpeg is installed or not: a worker starts nothing.
        #expect(outcome.exitCode == 1, "\(outcome.errors)")
        #expect(try output.contents == ["jobs.jsonl", "other.png"])
        #expect(
            outcome.errors.contains("rgb.mp4") && outcome.errors.contains("rgb/%06d.jpg"), "\(outcome.errors)"
        )
    }
}
