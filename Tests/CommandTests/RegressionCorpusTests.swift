import Foundation
import TestSupport
import Testing

/// What once failed is answered: `Fixtures/Regressions/README.md` says what each input is and what it did.
@Suite struct RegressionCorpusTests {
    /// A file or folder of the corpus in its role.
    struct Input: CustomTestStringConvertible {
        var role: String
        var name: String

        var path: String { RegressionCorpusTests.corpus.appending(path: role).appending(path: name).path() }
        var testDescription: String { role + "/" + name }

        /// The command's arguments; what else a capture needs is the sample's.
        var arguments: [String] {
            let sample = FlattenProcess.samples.appending(path: "curl-structured")
            let picture = sample.appending(path: "image.jpg").path()
            switch role {
            case "depth": return [picture, "--depth", path] + RegressionCorpusTests.camera
            case "intrinsics":
                return [picture, "--depth", sample.appending(path: "depth.png").path(), "--intrinsics", path]
            default: return [path] + (RegressionCorpusTests.raised[name] ?? [])
            }
        }
    }

    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/Regressions")

    private static let inputs: [Input] = ["picture", "depth", "intrinsics", "capture"].flatMap { role in
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: corpus.appending(path: role).path())
        return (names ?? []).sorted().map { Input(role: role, name: $0) }
    }

    /// Any camera: what is read of a map is what counts here.
    private static let camera = ["--fx=1500", "--fy=1500", "--cx=750", "--cy=1000"]

    /// What failed only where limits were raised.
    private static let raised = ["one-bit-26756.png": ["--max-megapixels", "1000", "--max-side", "30000"]]

    /// Those that the help names, and 70 is not among them: it means a defect.
    private static let exitCodes: Set<Int32> = [0, 64, 65, 69, 71, 74, 75]

    /// Seconds of processor time. The slowest, the sample with 12 MP and depth, takes 2; under 20 processes at once a
    /// second of that is waiting for memory.
    private static let processorSeconds = 20

    @Test func thereAreInputsOfEachRole() {
        #expect(Set(Self.inputs.map(\.role)).count == 4)
        #expect(Self.inputs.count >= 60)
    }

    @Test(
        "Each is answered in bounded time, with a documented exit code; a refusal writes nothing and steers no terminal",
        .timeLimit(.minutes(5)), arguments: inputs)
    func input(_ input: Input) throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            [
                "-c", "ulimit -t \(Self.processorSeconds); exec \"$0\" \"$@\"", FlattenProcess.binary.path(),
            ] + input.arguments + ["-o", folder.path("flat.png"), "--dpi", "60"],
            environment: ["SWIFT_BACKTRACE": "enable=no"], program: "/bin/sh")
        // Escaped, so that a failure of this test steers no terminal either.
        let errors = outcome.errors.debugDescription
        #expect(!outcome.wasSignalled, "signal \(outcome.exitCode): \(errors)")
        #expect(Self.exitCodes.contains(outcome.exitCode), "\(outcome.exitCode): \(errors)")
        let controls = outcome.errors.unicodeScalars.filter { $0 != "\n" && Self.steersTerminal($0) }
            .map(\.value)
        #expect(controls.isEmpty, "\(errors)")
        if outcome.exitCode == 0 {
            #expect(try folder.contents == ["flat.png"])
        } else {
            #expect(try folder.contents.isEmpty)
            #expect(errors.contains("error: "), "it says why")
        }
    }

    /// C0, DEL, C1, and what turns the direction of text.
    private static func steersTerminal(_ character: Unicode.Scalar) -> Bool {
        switch character.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
