import Foundation
import TestSupport
import Testing

/// The program that reads videos, as `flatten` runs it: here a script that goes by the name of ffmpeg.
@Suite struct VideoProgramTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "CapturesTests/Fixtures")

    private func recording() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path("depth"), withIntermediateDirectories: true)
        try "42, 0, 18\n0, 44, 16\n0, 0, 1\n".write(
            toFile: folder.path("camera_matrix.csv"), atomically: true, encoding: .utf8)
        for (fixture, name) in [("depth-mm.png", "depth/000001.png"), ("turned.mp4", "rgb.mp4")] {
            try files.copyItem(
                atPath: Self.fixtures.appending(path: fixture).path(), toPath: folder.path(name))
        }
        return folder
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self")))
    func theProgramDiesWithWhoStartedIt() throws {
        let recording = try recording()
        let programs = try ScratchFolder()
        // A number of seconds that no other process has among its arguments.
        let seconds = "100\(UInt32.random(in: 0...UInt32.max))"
        try programs.writeProgram("#!/bin/sh\nexec /bin/sleep \(seconds)\n", as: "ffmpeg")
        let process = Process()
        process.executableURL = FlattenProcess.binary
        process.arguments = [recording.url.path(), "-o", programs.path("flat.png")]
        process.environment = ProcessInfo.processInfo.environment.merging(["PATH": programs.url.path()]) {
            $1
        }
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, !isRunning(with: seconds) { usleep(1000) }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(try FlattenProcess.running(with: seconds).isEmpty)
    }

    private func isRunning(with word: String) -> Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { process in
            guard Int32(process) != nil,
                let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            else { return false }
            return line.split(separator: 0).contains { String(decoding: $0, as: UTF8.self) == word }
        }
    }
}
