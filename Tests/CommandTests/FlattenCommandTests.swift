import DepthGeometry
import Foundation
import TestSupport
import Testing

/// The command's contract: outputs, exit codes, standard output and error.
@Suite struct FlattenCommandTests {
    private let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    @Test func helpNamesEveryOptionAndExitCode() throws {
        let outcome = try FlattenProcess.run(["--help-all"])
        #expect(outcome.exitCode == 0)
        for word in [
            "--output", "--map", "--report", "--text", "--cloud", "--depth-preview", "--no-depth", "--dpi",
            "--method", "--sheets",
            "--format", "--depth-unit", "--intrinsics", "--fx", "--timeout", "--quiet", "--verbose",
            "inspect", "batch", "standard input", "--force", "--no-clobber", "--require", "--min-confidence",
            "--keep",
            "1 some", "3 what", "64", "65", "69", "71", "74", "75",
        ] {
            #expect(outcome.text.contains(word), "the help says nothing of \(word)")
        }
    }

    @Test func everyOutputIsWritten() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            sample, "-o", folder.path("flat.png"), "--map", folder.path("map.npy"),
            "--report", folder.path("report.json"), "--text", folder.path("text.txt"),
            "--cloud", folder.path("cloud.ply"), "--depth-preview", folder.path("relief.png"),
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(
            try folder.contents == [
                "cloud.ply", "flat.png", "map.npy", "relief.png", "report.json", "text.txt",
            ],
            "no more and no fewer files, so no temporary ones")
        let report = try #require(
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: folder.url.appending(path: "report.json")))
                as? [String: Any])
        #expect(report["schema"] as? Int == 1)
        #expect(report["dpi"] as? Double != nil)
        let text = try String(contentsOf: folder.url.appending(path: "text.txt"), encoding: .utf8)
        #expect(text.uppercased().contains("TOTAL"))
        let fields = try #require(report["fields"] as? [String: Any])
        let total = try #require(fields["total"] as? [String: Any])
        #expect((total["value"] as? String).flatMap { Decimal(string: $0) } != nil)
        let polygon = try #require(total["polygon"] as? [String: Any])
        for picture in ["flat", "photograph", "mm"] {
            #expect((polygon[picture] as? [[Double]])?.count == 4, "no polygon in \(picture)")
        }
    }

    @Test func aFrameOfARecordingIsPickedByItsNumber() throws {
        let folder = try ScratchFolder()
        for name in ["fold-structured", "curl-lidar"] {
            try FileManager.default.copyItem(
                at: FlattenProcess.samples.appending(path: name), to: folder.url.appending(path: name))
            try FileManager.default.removeItem(at: folder.url.appending(path: name + "/capture.json"))
        }
        let frames = #"[{"file_path": "fold-structured/image.jpg"}, {"file_path": "curl-lidar/image.jpg"}]"#
        try Data(#"{"fl_x": 1660, "cx": 757, "cy": 992, "frames": \#(frames)}"#.utf8)
            .write(to: folder.url.appending(path: "transforms.json"))
        for (index, name) in [(0, "fold-structured"), (1, "curl-lidar")] {
            let outcome = try FlattenProcess.run(["inspect", folder.url.path(), "--frame", "\(index)"])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            #expect(outcome.text.contains("nerfstudio (transforms.json), frame \(index) of 0 to 1"))
            #expect(outcome.text.contains(name + "/image.jpg"))
        }
        #expect(try FlattenProcess.run(["inspect", folder.url.path(), "--frame", "2"]).exitCode == 65)
        #expect(try FlattenProcess.run(["inspect", folder.url.path(), "--frame", "x"]).exitCode == 64)
    }

    @Test func fieldsAreNullUnlessTextWasRead() throws {
        let outcome = try FlattenProcess.run([sample, "--report", "-"])
        let report = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
        #expect(report?["fields"] is NSNull)
        #expect(report?["text"] is NSNull)
    }

    @Test func theFlatPictureHasTheSheetsTrueSize() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            sample, "-o", folder.path("flat.png"), "--report", folder.path("report.json"), "--margin", "0",
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let report = try #require(
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: folder.url.appending(path: "report.json")))
                as? [String: Any])
        let size = try #require(report["size_mm"] as? [String: Double])
        // The sample's paper is 80 mm wide; the outline adds at most a pixel or two of the photograph at each side.
        #expect(abs((size["width"] ?? 0) - 80) < 1.5)
    }

    @Test func withoutDepthThereAreNoMillimetres() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            sample, "--no-depth", "-o", folder.path("flat.png"), "--report", folder.path("report.json"),
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let report = try #require(
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: folder.url.appending(path: "report.json")))
                as? [String: Any])
        #expect(report["dpi"] is NSNull)
        #expect(report["size_mm"] is NSNull)
        #expect(["edges", "corners", "unchanged"].contains(report["method"] as? String))
        let steps = (report["refused"] as? [[String: String]])?.compactMap { $0["step"] } ?? []
        #expect(steps.contains("depth"))
    }

    @Test func whatOnlyDepthCanShowIsAWarningWithoutIt() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            sample, "--no-depth", "-o", folder.path("flat.png"), "--report", folder.path("report.json"),
            "--cloud", folder.path("cloud.ply"), "--depth-preview", folder.path("relief.png"),
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try folder.contents == ["flat.png", "report.json"])
        #expect(outcome.errors.contains("cloud.ply") && outcome.errors.contains("relief.png"))
    }

    @Test func aLimitCanBeRaisedAndLowered() throws {
        let folder = try ScratchFolder()
        let lowered = try FlattenProcess.run([
            sample, "-o", folder.path("flat.png"), "--max-depth-megapixels", "0.01",
        ])
        #expect(lowered.exitCode == 71)
        let raised = try FlattenProcess.run([
            sample, "-o", folder.path("flat.png"), "--max-depth-megapixels", "100", "--max-side", "20000",
            "--max-file-mib", "100", "--max-json-mib", "2",
        ])
        #expect(raised.exitCode == 0, "\(raised.errors)")
    }

    @Test(arguments: ["flat.jpg", "flat.tif"])
    func otherPictureFormatsFollowTheExtension(name: String) throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([sample, "-o", folder.path(name)])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let bytes = try Data(contentsOf: folder.url.appending(path: name))
        #expect(
            name.hasSuffix("jpg")
                ? bytes.starts(with: [0xFF, 0xD8]) : bytes.starts(with: [0x49, 0x49, 0x2A, 0]))
    }

    @Test func aDashIsStandardOutput() throws {
        let outcome = try FlattenProcess.run([sample, "-o", "-"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let text = try FlattenProcess.run([sample, "--text", "-"])
        #expect(text.text.uppercased().contains("TOTAL"))
    }

    @Test func nothingIsSaidOnStandardErrorWhenQuiet() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([sample, "-o", folder.path("flat.png"), "--quiet"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: [
        [], ["CAPTURE"], ["CAPTURE", "-o", "a.png", "--report", "./a.png"],
        ["CAPTURE", "-o", "a.png", "--dpi", "5"],
        ["CAPTURE", "-o", "a.png", "--format", "json"],
        ["CAPTURE", "--text", "a.txt", "--format", "word"],
        ["CAPTURE", "-o", "a.png", "--fy", "500"], ["CAPTURE", "-o", "a.png", "--no-such-option"],
        ["CAPTURE", "-o", "a.png", "--quiet", "--verbose"],
        ["CAPTURE", "-o", "a.xyz"], ["-", "--depth", "-", "-o", "a.png"],
    ])
    func wrongUsageIs64(arguments: [String]) throws {
        let outcome = try FlattenProcess.run(arguments.map { $0 == "CAPTURE" ? sample : $0 })
        #expect(outcome.exitCode == 64)
        #expect(!outcome.errors.isEmpty)
    }

    @Test func whatIsWrongWithTheWordsIsSaidFirst() throws {
        for (words, said) in [
            ([sample, "--bogus"], "--bogus"), ([sample], "at least one output"),
            ([sample, "out.png"], "-o out.png"),
            (
                [sample, "-o", "/dev/null/a.png", "--report", "/dev/null", "--report", "/dev/null"],
                "--report is given twice"
            ),
        ] {
            let outcome = try FlattenProcess.run(words)
            #expect(outcome.exitCode == 64)
            #expect(outcome.errors.split(separator: "\n").first?.contains(said) == true, "\(outcome.errors)")
        }
        let missing = try FlattenProcess.run(["no-such-capture"])
        #expect(missing.exitCode == 74)
        #expect(missing.errors.contains("no-such-capture"))
    }

    @Test func aPictureThatCannotBeResampledIsRefused() throws {
        let folder = try ScratchFolder()
        // 27000 x 27000: more than the bytes of its RGB that 32 bits can count. The header is enough to tell.
        try Data("P6 27000 27000 255\n".utf8).write(to: folder.url.appending(path: "large.ppm"))
        func run(_ megapixels: String) throws -> FlattenProcess.Outcome {
            try FlattenProcess.run([
                folder.path("large.ppm"), "--max-megapixels", megapixels, "--max-side", "30000", "-o",
                folder.path("flat.png"),
            ])
        }
        #expect(try run("1000").exitCode == 64)
        #expect(try run("716").exitCode == 64)
        #expect(try run("715").exitCode == 71)
    }

    @Test func aBrokenPictureIs65AndNamesItself() throws {
        let folder = try ScratchFolder()
        try Data("\u{89}PNG\r\n\u{1A}\nnot a picture".utf8).write(
            to: folder.url.appending(path: "broken.png"))
        let outcome = try FlattenProcess.run([folder.path("broken.png"), "-o", folder.path("flat.png")])
        #expect(outcome.exitCode == 65)
        #expect(outcome.errors.contains("broken.png"))
        #expect(try folder.contents == ["broken.png"])
    }

    @Test func missingLanguageDataIs69AndNothingIsWritten() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            sample, "-o", folder.path("flat.png"), "--text", folder.path("text.txt"), "--language", "xyz",
        ])
        #expect(outcome.exitCode == 69)
        #expect(outcome.errors.contains("xyz"))
        #expect(try folder.contents.isEmpty)
    }

    @Test func aPassedLimitIs71() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            sample, "-o", folder.path("flat.png"), "--max-megapixels", "0.01",
        ])
        #expect(outcome.exitCode == 71)
        #expect(outcome.errors.contains("allowed"))
        #expect(try folder.contents.isEmpty)
    }

    @Test func aMissingFileAndAnUnwritableFolderAre74() throws {
        let folder = try ScratchFolder()
        let missing = try FlattenProcess.run([folder.path("none.png"), "-o", folder.path("flat.png")])
        #expect(missing.exitCode == 74)
        let unwritable = try FlattenProcess.run([sample, "-o", folder.path("no-such-folder/flat.png")])
        #expect(unwritable.exitCode == 74)
        #expect(unwritable.errors.contains("no-such-folder"))
    }

    @Test func aFullDiskIs74() throws {
        try #require(FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full")
        let outcome = try FlattenProcess.run([sample, "-o", "-"], shell: "> /dev/full")
        #expect(outcome.exitCode == 74)
    }

    @Test func tooLittleTimeIs75() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            sample, "-o", folder.path("flat.png"), "--text", folder.path("text.txt"), "--timeout", "0.001",
        ])
        #expect(outcome.exitCode == 75)
        #expect(try folder.contents.isEmpty)
    }

    @Test func inspectSaysWhatWasUnderstood() throws {
        let outcome = try FlattenProcess.run(["inspect", sample])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        for word in ["Picture", "Depth", "Intrinsics", "Sheet", "Plane", "Surface"] {
            #expect(outcome.text.contains(word), "nothing is said of \(word)")
        }
    }

    @Test func theSameCaptureGivesTheSameBytes() throws {
        let first = try FlattenProcess.run([sample, "-o", "-"])
        let second = try FlattenProcess.run([sample, "-o", "-"])
        #expect(first.output == second.output)
        #expect(!first.output.isEmpty)
    }
}
