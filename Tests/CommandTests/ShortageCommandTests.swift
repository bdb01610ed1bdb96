import Foundation
import TestSupport
import Testing

/// The command where memory or descriptors are short: never a signal, never advice to install what is there, one line.
@Suite struct ShortageCommandTests {
    /// A run with text under limits that the shell sets before it becomes the command.
    private func run(under limits: String) throws -> FlattenProcess.Outcome {
        let folder = try ScratchFolder()
        return try FlattenProcess.run(
            [
                "-c", limits + "; exec \"$0\" \"$@\"", FlattenProcess.binary.path(),
                FlattenProcess.samples.appending(path: "curl-structured").path(), "-o",
                folder.path("flat.png"),
                "--text", folder.path("text.txt"),
            ], environment: ["SWIFT_BACKTRACE": "enable=no"], program: "/bin/sh")
    }

    @Test(arguments: [5, 6, 7, 8, 9, 10])
    func fewDescriptorsAreALimitAndNoMissingLanguage(count: Int) throws {
        let outcome = try run(under: "ulimit -n \(count)")
        // How many suffice depends on how many the loader has open at once.
        if count > 6, outcome.exitCode == 0 { return }
        #expect(!outcome.wasSignalled && outcome.exitCode == 71, "\(outcome.exitCode): \(outcome.errors)")
        #expect(!outcome.errors.contains("Install") && !outcome.errors.contains("Error opening data"))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    #if os(Linux)
        /// KiB of address space, from what does not suffice to load tesseract to what does not suffice for OpenBLAS, which
        /// then used to ask for its workspace for ever. What passes and what does not depends on the libraries installed.
        @Test(arguments: [150_000, 170_000, 190_000, 250_000, 280_000, 320_000])
        func littleAddressSpaceIsALimitAndNoMissingLibrary(size: Int) throws {
            let outcome = try run(under: "ulimit -v \(size)")
            #expect(!outcome.wasSignalled, "\(outcome.exitCode): \(outcome.errors)")
            #expect([0, 71].contains(outcome.exitCode), "\(outcome.exitCode): \(outcome.errors)")
            #expect(!outcome.errors.contains("Install"))
        }
    #endif
}
