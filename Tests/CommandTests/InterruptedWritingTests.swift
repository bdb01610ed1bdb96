import Foundation
import TestSupport
import Testing

/// Whatever interrupts the command, a file is the old one or the new one, whole, and the exit code says which way it went.
@Suite struct InterruptedWritingTests {
    private let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    /// Fills the output with something that is no picture, so that old and new cannot be taken for each other.
    private func folderWithOldFile() throws -> (folder: ScratchFolder, old: Data) {
        let folder = try ScratchFolder()
        let old = Data("the old file".utf8)
        try old.write(to: folder.url.appending(path: "flat.png"))
        return (folder, old)
    }

    @Test func aLimitOfFileSizeLeavesTheOldFile() throws {
        let (folder, old) = try folderWithOldFile()
        // 32 blocks of 512 or 1024 bytes are less than any flat image takes.
        let outcome = try FlattenProcess.run(
            [
                "-c", "ulimit -f 32; exec \"$0\" \"$@\"", FlattenProcess.binary.path(), sample, "-o",
                folder.path("flat.png"),
            ],
            program: "/bin/sh")
        #expect(outcome.exitCode == 74 && !outcome.wasSignalled, "\(outcome.errors)")
        #expect(try Data(contentsOf: folder.url.appending(path: "flat.png")) == old)
        #expect(try folder.contents == ["flat.png"])
    }

    @Test(.enabled(if: InterruptedWritingTests.canMount, "needs mounts"))
    func aFullDiskLeavesTheOldFile() throws {
        let (folder, _) = try folderWithOldFile()
        let small = folder.path("small")
        try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: true)
        let script = """
            mount -t tmpfs -o size=64k tmpfs "$1" || exit 99
            printf old > "$1/flat.png"
            "$0" "$2" -o "$1/flat.png" --report "$1/report.json"
            code=$?
            ls -A "$1"; cat "$1/flat.png"
            umount "$1"
            exit $code
            """
        let outcome = try FlattenProcess.run(
            ["-m", "/bin/sh", "-c", script, FlattenProcess.binary.path(), small, sample],
            program: "/usr/bin/unshare")
        #expect(outcome.exitCode == 74, "\(outcome.errors)")
        #expect(outcome.text == "flat.png\nold")
    }

    @Test(.enabled(if: InterruptedWritingTests.canMount, "needs mounts"))
    func aReadOnlyFolderLeavesTheOldFile() throws {
        let (folder, old) = try folderWithOldFile()
        let script = """
            mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99
            exec "$0" "$2" -o "$1/flat.png"
            """
        let outcome = try FlattenProcess.run(
            ["-m", "/bin/sh", "-c", script, FlattenProcess.binary.path(), folder.url.path(), sample],
            program: "/usr/bin/unshare")
        #expect(outcome.exitCode == 74, "\(outcome.errors)")
        #expect(try Data(contentsOf: folder.url.appending(path: "flat.png")) == old)
        #expect(try folder.contents == ["flat.png"])
    }

    @Test func aSignalAtAnyMomentLeavesOldOrNew() throws {
        let (folder, old) = try folderWithOldFile()
        let output = folder.url.appending(path: "flat.png")
        let whole = try FlattenProcess.run([sample, "-o", "-", "--dpi", "100"])
        try #require(whole.exitCode == 0)
        for milliseconds in (0..<5).map({ _ in UInt32.random(in: 10...1500) }) {
            print("signalled after \(milliseconds) ms")
            try old.write(to: output)
            let process = Process()
            process.executableURL = FlattenProcess.binary
            process.arguments = [sample, "-o", output.path(), "--dpi", "100", "--quiet"]
            try process.run()
            usleep(milliseconds * 1000)
            kill(process.processIdentifier, Bool.random() ? SIGTERM : SIGKILL)
            process.waitUntilExit()
            let left = try Data(contentsOf: output)
            if process.terminationReason == .exit && process.terminationStatus == 0 {
                #expect(left == whole.output)
            } else {
                #expect(left == old || left == whole.output)
            }
            #expect(try folder.contents == ["flat.png"], "no temporary file is left")
        }
    }

    @Test func theInputCanBeTheOutputIfThatIsMeant() throws {
        let folder = try ScratchFolder()
        let picture = folder.url.appending(path: "picture.jpg")
        try FileManager.default.copyItem(atPath: sample + "/image.jpg", toPath: picture.path())
        let original = try Data(contentsOf: picture)
        let expected = try FlattenProcess.run([
            picture.path(), "-o", folder.path("other.jpg"), "--dpi", "100",
        ])
        try #require(expected.exitCode == 0)
        let refused = try FlattenProcess.run([picture.path(), "-o", picture.path(), "--dpi", "100"])
        #expect(refused.exitCode == 64)
        #expect(try Data(contentsOf: picture) == original)
        let outcome = try FlattenProcess.run([
            picture.path(), "-o", picture.path(), "--dpi", "100", "--force",
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try Data(contentsOf: picture) == Data(contentsOf: folder.url.appending(path: "other.jpg")))
    }

    /// Whether this process may make a mount namespace of its own.
    static let canMount: Bool =
        (try? FlattenProcess.run(["-m", "/bin/true"], program: "/usr/bin/unshare").exitCode) == 0
}
