import Foundation
import TestSupport
import Testing

/// The command where memory or descriptors are short: never a signal, never advice to install what is there, one line.
@Suite struct ShortageCommandTests {
    /// A run with text under limits that the shell sets before it becomes the command.
    private func run(under limits: String, reader: String) throws -> FlattenProcess.Outcome {
        let folder = try ScratchFolder()
        return try FlattenProcess.run(
            [
                "-c", limits + "; exec \"$0\" \"$@\"", FlattenProcess.binary.path(),
                FlattenProcess.samples.appending(path: "curl-structured").path(), "-o",
                folder.path("flat.png"),
                "--text", folder.path("text.txt"), "--reader", reader,
            ], environment: ["SWIFT_BACKTRACE": "enable=no"], program: "/bin/sh")
    }

    @Test(arguments: [5, 6, 7, 8, 9, 10])
    func fewDescriptorsAreALimitAndNoMissingLanguage(count: Int) throws {
        let outcome = try run(under: "ulimit -n \(count)", reader: "tesseract")
        // How many suffice depends on how many the loader has open at once.
        if count > 6, outcome.exitCode == 0 { return }
        #expect(!outcome.wasSignalled && outcome.exitCode == 71, "\(outcome.exitCode): \(outcome.errors)")
        #expect(!outcome.errors.contains("Install") && !outcome.errors.contains("Error opening data"))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    #if os(Linux)
        /// As a user without a process of its own, whom the kernel gives one thread: it does not hold root to the limit.
        private func runOnOneThread(_ words: [String], folder: ScratchFolder) throws -> FlattenProcess.Outcome
        {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            let user = geteuid() == 0 ? ["setpriv", "--reuid=64004", "--regid=64004", "--clear-groups"] : []
            return try FlattenProcess.run(
                user + ["prlimit", "--nproc=1", FlattenProcess.binary.path()] + words, program: "/usr/bin/env"
            )
        }

        /// libdispatch waited for a thread for ever.
        @Test func withoutASecondThreadTheFirstDoesAllOrSaysSo() throws {
            let folder = try ScratchFolder()
            let sample = FlattenProcess.samples.appending(path: "curl-structured").path()
            let words = [sample, "-o", folder.path("flat.png"), "--text", folder.path("text.txt")]
            let limited = try runOnOneThread(words, folder: folder)
            #expect(limited.exitCode == 71, "\(limited.errors)")
            #expect(limited.errors.contains("no thread can be started"))
            let alone = try runOnOneThread(words + ["--timeout", "0", "--reproducible"], folder: folder)
            #expect(alone.exitCode == 0, "\(alone.errors)")
            let (threaded, single) = (folder.path("threaded.png"), folder.path("flat.png"))
            #expect(try FlattenProcess.run([sample, "-o", threaded]).exitCode == 0)
            #expect(FileManager.default.contentsEqual(atPath: threaded, andPath: single))
        }

        @Test func withoutASecondThreadABatchSaysSo() throws {
            let folder = try ScratchFolder()
            let outcome = try runOnOneThread(
                ["batch", FlattenProcess.samples.path(), "-o", folder.path("out")], folder: folder)
            #expect(outcome.exitCode == 71 && outcome.errors.contains("no thread"), "\(outcome.errors)")
        }

        /// KiB of address space, from what does not suffice to load tesseract to what does not suffice for OpenBLAS, which
        /// then used to ask for its workspace for ever. What passes and what does not depends on the libraries installed.
        @Test(
            arguments: [150_000, 170_000, 190_000, 250_000, 280_000, 320_000], ["tesseract", "builtin"])
        func littleAddressSpaceIsALimitAndNoMissingLibrary(size: Int, reader: String) throws {
            let outcome = try run(under: "ulimit -v \(size)", reader: reader)
            #expect(!outcome.wasSignalled, "\(outcome.exitCode): \(outcome.errors)")
            #expect([0, 71].contains(outcome.exitCode), "\(outcome.exitCode): \(outcome.errors)")
            #expect(!outcome.errors.contains("Install"))
        }
    #endif
}
