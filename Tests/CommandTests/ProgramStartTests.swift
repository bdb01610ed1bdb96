import Foundation
import TestSupport
import Testing

/// What whoever starts the command may leave it with.
@Suite struct ProgramStartTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    @Test(
        "The number of a standard descriptor that is closed is given to no file",
        arguments: ["<&-", ">&-", "2>&-"])
    func closed(redirection: String) throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            [Self.sample, "-o", folder.path("flat.png"), "--dpi", "50", "--verbose"], shell: redirection)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let whole = try FlattenProcess.run([Self.sample, "-o", "-", "--dpi", "50"])
        #expect(try Data(contentsOf: folder.url.appending(path: "flat.png")) == whole.output)
    }

    @Test("What was closed can be neither read nor written")
    func closedResults() throws {
        let written = try FlattenProcess.run([Self.sample, "-o", "-", "--dpi", "50"], shell: ">&-")
        #expect(written.exitCode == 74)
        let read = try FlattenProcess.run(["-", "--report", "/dev/null"], shell: "<&-")
        #expect(read.exitCode == 74)
    }

    @Test(
        "A limit of file size on standard output is an error, not a signal",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "needs GNU env"))
    func fileSize() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            [
                "-c", "ulimit -f 1; exec env --default-signal=XFSZ \"$0\" \"$1\" -o - --dpi 100 > \"$2\"",
                FlattenProcess.binary.path(),
                Self.sample, folder.path("out"),
            ],
            program: "/bin/sh")
        #expect(outcome.exitCode == 74 && !outcome.wasSignalled, "\(outcome.errors)")
    }

    @Test("An argument that is no UTF-8 is refused as it is, never repaired", arguments: [0, 1])
    func notUTF8(place: Int) throws {
        let folder = try ScratchFolder()
        // A name in Latin-1, as the capture and as the output.
        let words = ["\"$(printf 'caf\\351.jpg')\" -o o.png", "\"$1\" -o \"$(printf 'out\\351.png')\""]
        let outcome = try FlattenProcess.run(
            [
                "-c", "cd \"$2\" && exec \"$0\" " + words[place], FlattenProcess.binary.path(), Self.sample,
                folder.url.path(),
            ],
            program: "/bin/sh")
        #expect(outcome.exitCode == 64)
        #expect(outcome.errors.contains(["caf\\xe9.jpg", "out\\xe9.png"][place]))
        #expect(try folder.contents.isEmpty)
    }

    @Test(
        "Without /proc there are no arguments, and that is said",
        .enabled(if: InterruptedWritingTests.canMount, "needs mounts"))
    func noProc() throws {
        let outcome = try FlattenProcess.run(
            [
                "-m", "/bin/sh", "-c", "mount -t tmpfs tmpfs /proc && exec \"$0\" \"$1\" -o /dev/null",
                FlattenProcess.binary.path(), Self.sample,
            ],
            program: "/usr/bin/unshare")
        #expect(outcome.exitCode == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("/proc"))
    }

    @Test("Versions are one line, with --verbose those of what the program is made of too")
    func versions() throws {
        let short = try FlattenProcess.run(["--version"])
        #expect(short.exitCode == 0 && short.text.split(separator: "\n").count == 1)
        for words in [["--version", "--verbose"], ["-v", "--version"]] {
            let long = try FlattenProcess.run(words)
            #expect(long.exitCode == 0)
            #expect(long.text.hasPrefix(short.text))
            #expect(long.text.contains("\nSwift ") && long.text.contains("\nsystem "))
        }
    }
}
