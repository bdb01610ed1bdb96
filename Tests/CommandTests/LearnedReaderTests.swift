import Foundation
import TestSupport
import Testing

/// What is read with, and the learned reader where `make reader` has brought it.
@Suite struct LearnedReaderTests {
    /// The folder of the user's data, which the tests' own runs do not see.
    private static let userData =
        ProcessInfo.processInfo.environment["USER_DATA"]
        ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share").path()
    private static let reader = userData + "/receipt-flattening/reader"
    private static var isThere: Bool { FileManager.default.fileExists(atPath: reader + "/line.onnx") }

    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    private static func read(
        _ options: [String], data: String
    ) throws -> (outcome: FlattenProcess.Outcome, report: [String: Any]?) {
        let outcome = try FlattenProcess.run(
            [sample, "--text", "-", "--report", "/dev/stderr"] + options, environment: ["XDG_DATA_HOME": data]
        )
        let report = try? JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any]
        return (outcome, report)
    }

    @Test func theBuiltInReaderReadsUnlessAnotherIsNamed() throws {
        let folder = try ScratchFolder()
        let automatic = try Self.read([], data: folder.url.path())
        let named = try Self.read(["--reader", "builtin"], data: folder.url.path())
        let tesseract = try Self.read(["--reader", "tesseract"], data: folder.url.path())
        #expect(automatic.outcome.exitCode == 0)
        #expect(automatic.outcome.output == named.outcome.output)
        #expect(automatic.outcome.text.uppercased().contains("TOTAL"))
        #expect(tesseract.outcome.text.uppercased().contains("TOTAL"))
        func readers(_ report: [String: Any]?) -> [String] {
            ["builtin", "onnxruntime", "tesseract"].filter {
                (report?["versions"] as? [String: Any])?[$0] != nil
            }
        }
        #expect(readers(automatic.report) == ["builtin"] && readers(tesseract.report) == ["tesseract"])
    }

    @Test func theBuiltInReaderRefusesOtherScripts() throws {
        let folder = try ScratchFolder()
        let outcome = try Self.read(["--reader", "builtin", "-l", "ell"], data: folder.url.path()).outcome
        #expect(outcome.exitCode == 65 && outcome.errors.contains("--reader tesseract"), "\(outcome.errors)")
    }

    @Test func theBuiltInReaderTakesNoModel() throws {
        let folder = try ScratchFolder()
        let outcome = try Self.read(
            ["--reader", "builtin", "--reader-model", "x.onnx"], data: folder.url.path()
        ).outcome
        #expect(outcome.exitCode == 65 && outcome.errors.contains("--reader onnx"), "\(outcome.errors)")
    }

    @Test func aReaderThatIsMissingIsNamedWithTheWayToGetIt() throws {
        let folder = try ScratchFolder()
        let outcome = try Self.read(["--reader", "onnx"], data: folder.url.path()).outcome
        #expect(outcome.exitCode == 69)
        #expect(outcome.errors.contains("make reader") && outcome.errors.contains(folder.url.path()))
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: ["line.onnx", "libonnxruntime.so"], [["--reader", "onnx"], ["--language", "jpn"]])
    func aReaderThatOthersCanWriteIsRefusedAndLeavesNoReading(file: String, options: [String]) throws {
        let folder = try ScratchFolder()
        for name in ["line.onnx", "libonnxruntime.so"] {
            let path = try folder.write("of no use", as: "receipt-flattening/reader/" + name)
            try FileManager.default.setAttributes(
                [.posixPermissions: name == file ? 0o666 : 0o644], ofItemAtPath: path)
        }
        let outcome = try Self.read(options, data: folder.path).outcome
        #expect(outcome.exitCode == 74 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("chmod go-w '\(folder.path)/receipt-flattening/reader/\(file)'"))
    }

    @Test(.enabled(if: isThere, "make reader brings the learned reader"))
    func aBrokenModelIsNamed() throws {
        let folder = try ScratchFolder()
        try Data("no model".utf8).write(to: folder.url.appending(path: "broken.onnx"))
        let outcome = try Self.read(
            ["--reader-model", folder.path("broken.onnx")], data: Self.userData
        ).outcome
        #expect(outcome.exitCode == 65)
        #expect(outcome.errors.contains("broken.onnx") && outcome.errors.contains("--reader tesseract"))
    }

    @Test(.enabled(if: isThere, "make reader brings the learned reader"), arguments: SampleCorpusTests.names)
    func samplesAreReadAsPrinted(name: String) throws {
        let folder = try ScratchFolder()
        let sample = FlattenProcess.samples.appending(path: name)
        let outcome = try FlattenProcess.run(
            [
                sample.path(), "--reader", "onnx", "--text", folder.path("a.txt"), "--report",
                folder.path("a.json"),
            ], environment: ["XDG_DATA_HOME": Self.userData])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let report = try String(contentsOf: folder.url.appending(path: "a.json"), encoding: .utf8)
        #expect(report.contains("onnxruntime") && !report.contains("\"tesseract\""))
        let printed = SampleCorpusTests.rows(
            of: try String(contentsOf: sample.appending(path: "text.txt"), encoding: .utf8))
        let read = try String(contentsOf: folder.url.appending(path: "a.txt"), encoding: .utf8)
        #expect(SampleCorpusTests.errorRate(of: read, against: printed) <= Self.allowed)
    }

    /// ONNX Runtime's own telemetry would leave a machine's number and a queue of events here.
    @Test(.enabled(if: isThere, "make reader brings the learned reader"), arguments: [nil, "0"])
    func nothingIsKeptToBeSent(wish: String?) throws {
        let folder = try ScratchFolder()
        for name in ["home", "cache", "tmp"] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: false)
        }
        var environment = [
            "HOME": folder.path("home"), "XDG_CACHE_HOME": folder.path("cache"),
            "TMPDIR": folder.path("tmp"), "XDG_DATA_HOME": Self.userData,
        ]
        environment["ORT_DISABLE_TELEMETRY"] = wish
        let outcome = try FlattenProcess.run(
            [Self.sample, "--reader", "onnx", "--text", "-"], environment: environment,
            program: "/usr/bin/env",
            // Where these are set it is quiet anyway.
            before: ["-u", "CI", "-u", "GITHUB_ACTIONS", FlattenProcess.binary.path()])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: folder.url.path()).sorted()
                == ["cache", "home", "tmp"])
    }

    @Test(.enabled(if: isThere, "make reader brings the learned reader"))
    func aBatchReadsAsASingleRunDoes() throws {
        let folder = try ScratchFolder()
        let environment = ["XDG_DATA_HOME": Self.userData]
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "in"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: Self.sample, toPath: folder.path("in/fold-structured"))
        let single = try FlattenProcess.run(
            [Self.sample, "--reader", "onnx", "--text", "-"], environment: environment)
        let batch = try FlattenProcess.run(
            [
                "batch", folder.path("in"), "-o", folder.path("out"), "--text", "--jobs", "1", "--reader",
                "onnx",
            ],
            environment: environment)
        #expect(batch.exitCode == 0, "\(batch.errors)")
        #expect(try Data(contentsOf: folder.url.appending(path: "out/fold-structured.txt")) == single.output)
    }

    /// Measured: 3 characters wrong of the 4,049 on all samples. A row that is lost is more than that.
    private static let allowed = 0.016
}
