import ChildProcesses
import Diagnostics
import Foundation
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures

private let isFFmpegInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/ffmpeg") }

@Suite struct VideoFrameTests {
    static func recording() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write("42, 0, 18\n0, 44, 16\n0, 0, 1\n", as: "camera_matrix.csv")
        for number in ["000001", "000003"] { try folder.lay("depth-mm.png", as: "depth/\(number).png") }
        try folder.lay("turned.mp4", as: "rgb.mp4")
        return folder
    }

    @Test(.enabled(if: isFFmpegInstalled))
    func framesAreThoseOfTheDepthMapsNumbersAndLieAsTheSensorDoes() throws {
        let folder = try Self.recording()
        let recording = try Recording.open(folder.path)
        #expect(recording.frameCount == 2)
        for (index, grey) in [(0, 80), (1, 160)] {
            let capture = try recording.frame(at: index).capture
            #expect(capture.image.size == PixelSize(width: 40, height: 30) && capture.depth != nil)
            // Lossy coding and the round trip through YUV.
            #expect(abs(Int(capture.image[x: 30, y: 20].green) - grey) <= 4)
            #expect(capture.image[x: 3, y: 3].green < 20)
        }
    }

    @Test(.enabled(if: isFFmpegInstalled))
    func aFrameBeyondTheEndIsAnError() throws {
        let folder = try Self.recording()
        try folder.lay("depth-mm.png", as: "depth/000009.png")
        let recording = try Recording.open(folder.path)
        #expect(failure { try recording.frame(at: 2) }?.code == .badInput)
    }

    @Test func whereNoProgramMayBeStartedAVideoIsRefusedWithTheWayOut() throws {
        let folder = try Self.recording()
        var limits = FlatteningLimits()
        limits.startsPrograms = false
        let recording = try Recording.open(folder.path, limits: limits)
        let error = failure { try recording.frame(at: 0) }
        #expect(error?.code == .unsupported && error?.file?.hasSuffix("rgb.mp4") == true)
        #expect(error?.advice?.contains("ffmpeg -noautorotate -i rgb.mp4") == true)
    }

    @Test func aMissingProgramIsNamedWithHowToInstallIt() {
        let error = failure { try VideoFrame.run("no-such-program", [], limit: 1) }
        #expect(error?.code == .missingDependency && error?.advice?.contains("ffmpeg") == true)
    }

    // MARK: - A stranger's video, and a program that is not ffmpeg

    /// A script in a folder of its own that goes by the name of ffmpeg.
    private static func program(_ script: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.writeProgram("#!/bin/sh\n" + script + "\n", as: "ffmpeg")
        return folder
    }

    private static func files(
        of folder: ScratchFolder, deadline: ContinuousClock.Instant? = nil
    ) throws -> RecordedFiles {
        var limits = FlatteningLimits()
        limits.deadline = deadline
        return try RecordedFiles.list(folder: folder.path, limits: limits)
    }

    private static func picture(
        _ script: String, deadline: ContinuousClock.Instant? = nil
    ) throws -> [UInt8] {
        let recording = try recording()
        let program = try program(script)
        return try VideoFrame.picture(
            number: 7, of: "rgb.mp4", in: files(of: recording, deadline: deadline),
            searchPath: program.path
        ).bytes
    }

    @Test func onlyOneFormatFromOneFileWithoutSoundIsAskedFor() throws {
        let words = String(decoding: try Self.picture(#"printf '%s\n' "$@""#), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        let input = try #require(words.firstIndex(of: "-i"))
        #expect(words[input + 1].hasPrefix("file:/") && words[input + 1].hasSuffix("/rgb.mp4"))
        let before = words[..<input]
        for pair in [["-protocol_whitelist", "file,pipe"], ["-f", "mov"], ["-max_pixels", "64000000"]] {
            let place = try #require(before.firstIndex(of: pair[0]))
            #expect(words[place + 1] == pair[1])
        }
        for option in ["-nostdin", "-an", "-sn", "-dn"] { #expect(before.contains(option)) }
        #expect(words.contains("select=eq(n\\,7)"))
    }

    @Test func aProgramThatSleepsIsEndedInTime() throws {
        let start = ContinuousClock.now
        let error = failure {
            try Self.picture("exec /bin/sleep 60", deadline: .now + .milliseconds(300))
        }
        #expect(
            error?.code == .timeout && error?.file?.hasSuffix("rgb.mp4") == true,
            "\(error?.description ?? "none")")
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func aProgramThatFailsIsQuoted() {
        let error = failure { try Self.picture("echo first >&2; echo moov atom not found >&2; exit 1") }
        #expect(error?.code == .badInput && error?.detail == "moov atom not found")
        #expect(error?.seen == "ffmpeg's exit code 1")
    }

    @Test func aProgramGetsNoSecretsAndLimitsOfItsOwn() throws {
        setenv("FLATTEN_TEST_SECRET", "s3cret", 1)
        defer { unsetenv("FLATTEN_TEST_SECRET") }
        let said = String(
            decoding: try Self.picture("set; ulimit -v; ulimit -t; ulimit -f; ulimit -c; ulimit -n"),
            as: UTF8.self)
        #expect(!said.contains("s3cret"))
        #expect(said.hasSuffix("\n2097152\n600\n0\n0\n256\n"), "\(said)")
    }

    @Test(.enabled(if: ConfinementSupport.current.landlockVersion > 0))
    func aProgramReadsTheVideoAndNoOtherFile() throws {
        let other = try ScratchFolder()
        try other.write("secret", as: "file")
        #expect(
            throws: Never.self,
            performing: { try Self.picture("for last; do :; done; read -r line < \"${10}\"; echo ok") })
        let error = failure { try Self.picture("read -r line < '\(other.path)/file' && echo \"$line\"") }
        #expect(error?.code == .badInput && error?.detail?.contains("ermission denied") == true)
    }

    @Test(.enabled(if: ConfinementSupport.current.filtersSystemCalls))
    func aProgramStartsNoOther() throws {
        let error = failure { try Self.picture("/bin/sleep 60 & echo started") }
        #expect(error?.code == .badInput && error?.detail?.lowercased().contains("fork") == true)
    }

    @Test(arguments: ["", "#EXTM3U\n", "ffconcat version 1.0\n", "RIFF....AVI "])
    func whatIsNoMP4IsRefusedBeforeAnyProgramSeesIt(start: String) throws {
        let recording = try Self.recording()
        try recording.write(start, as: "rgb.mp4")
        let error = failure {
            try VideoFrame.picture(
                number: 0, of: "rgb.mp4", in: Self.files(of: recording), searchPath: "/no/such/folder")
        }
        #expect(error?.code == .badInput && error?.file?.hasSuffix("rgb.mp4") == true)
    }

    @Test func aProgramIsLookedForInAbsoluteFoldersOnly() throws {
        let recording = try Self.recording()
        let error = failure {
            try VideoFrame.picture(
                number: 0, of: "rgb.mp4", in: Self.files(of: recording), searchPath: ":.:bin:usr/bin")
        }
        #expect(error?.code == .missingDependency)
    }

    @Test func aVideoWithinAnArchiveIsRefusedWithTheWayOut() throws {
        let files = RecordedFiles(
            root: "x.zip", names: ["rgb.mp4"], limits: FlatteningLimits(),
            unpack: { (_: String) throws(FlatteningError) -> [UInt8] in [] })
        let error = try #require(failure { try VideoFrame.picture(number: 0, of: "rgb.mp4", in: files) })
        #expect(error.code == .unsupported && error.advice == "Unpack the archive first")
    }
}
