import BatchProcessing
import DepthGeometry
import Foundation
import Imaging
import ReceiptFlattening
import SyntheticCaptures
import TestSupport
import Testing

@testable import flatten

/// `--sheets`: one sheet, or all of them with outputs of their own.
@Suite struct SheetChoiceTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured")

    private func report(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: path))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    // MARK: One sheet in view

    @Test func ofAllSheetsEveryOutputHasANumberEvenIfThereIsOne() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample.path(), "--sheets", "all", "-o", folder.path("flat.png"), "-o",
            folder.path("flat.jpg"),
            "--map", folder.path("map.npy"), "--report", folder.path("report.json"),
            "--text", folder.path("text.txt"), "--text", folder.path("text.alto.xml"), "--text",
            folder.path("text.pdf"), "--cloud", folder.path("cloud.ply"),
            "--depth-preview", folder.path("relief.png"),
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(
            try folder.contents == [
                "cloud-1.ply", "flat-1.jpg", "flat-1.png", "map-1.npy", "relief-1.png", "report-1.json",
                "text-1.alto.xml", "text-1.pdf", "text-1.txt",
            ])
        let sheet = try #require(try report(folder.path("report-1.json"))["sheet"] as? [String: Int])
        #expect(sheet == ["index": 1, "count": 1])
        let alone = try FlattenProcess.run([Self.sample.path(), "-o", folder.path("flat.png")])
        #expect(alone.exitCode == 0)
        #expect(
            try Data(contentsOf: folder.url.appending(path: "flat.png"))
                == Data(contentsOf: folder.url.appending(path: "flat-1.png")))
    }

    @Test func standardOutputAndDevicesTakeNoNumber() throws {
        for output in [["-o", "-"], ["--report", "-"], ["--text", "/dev/null"]] {
            let outcome = try FlattenProcess.run([Self.sample.path(), "--sheets", "all"] + output)
            #expect(outcome.exitCode == 64, "\(outcome.errors)")
            #expect(outcome.errors.contains("name a file") && outcome.output.isEmpty)
        }
        #expect(
            try FlattenProcess.run([Self.sample.path(), "--sheets", "both", "-o", "/dev/null"]).exitCode == 64
        )
        #expect(
            try FlattenProcess.run([
                Self.sample.path(), "--sheets", "all", "--sheets", "best", "-o", "/dev/null",
            ]).errors.contains("--sheets is given twice"))
    }

    @Test func whatARunWithMoreSheetsLeftIsSaidAndStays() throws {
        let folder = try ScratchFolder()
        try folder.write("older", as: "flat-2.png")
        try folder.write("older", as: "flat-x.png")
        let arguments = [Self.sample.path(), "--sheets", "all", "--dpi", "60", "-o", folder.path("flat.png")]
        // With --no-clobber it is in the way of a second sheet, which nobody has counted yet.
        let refused = try FlattenProcess.run(arguments + ["--no-clobber"])
        #expect(refused.exitCode == 74 && refused.errors.contains("flat-2.png"))
        #expect(try folder.contents == ["flat-2.png", "flat-x.png"])
        let outcome = try FlattenProcess.run(arguments)
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors.contains("not of this run") && outcome.errors.contains("flat-2.png"))
        #expect(try folder.contents == ["flat-1.png", "flat-2.png", "flat-x.png"])
        #expect(try String(contentsOfFile: folder.path("flat-2.png"), encoding: .utf8) == "older")
    }

    @Test func aNumberedOutputThatIsTheCaptureIsRefused() throws {
        let folder = try ScratchFolder()
        for name in ["photo-1.jpg", "photo-2.jpg"] {
            try folder.copy(Self.sample.appending(path: "image.jpg").path(), as: name)
            let outcome = try FlattenProcess.run([
                folder.path(name), "--sheets", "all", "-o", folder.path("photo.jpg"),
            ])
            #expect(outcome.exitCode == 64 && outcome.errors.contains("would replace"), "\(outcome.errors)")
        }
    }

    @Test func inABatchTheNumberFollowsTheCapturesName() throws {
        let (input, output) = (try ScratchFolder(), try ScratchFolder())
        for name in ["a.jpg", "a-1.jpg"] {
            try input.copy(Self.sample.appending(path: "image.jpg").path(), as: name)
        }
        let outcome = try FlattenProcess.run([
            "batch", input.path, "-o", output.path, "--sheets", "all", "--report", "--dpi", "60",
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(
            try output.contents == ["a-1-1.json", "a-1-1.png", "a-1.json", "a-1.png", "jobs.jsonl"])
        #expect(try report(output.path("a-1.json"))["sheet"] as? [String: Int] == ["index": 1, "count": 1])
        let again = try FlattenProcess.run([
            "batch", input.path, "-o", output.path, "--sheets", "all", "--report", "--dpi", "60", "--resume",
        ])
        #expect(again.exitCode == 0 && again.errors.contains("done earlier"), "\(again.errors)")
    }

    @Test("A number stands between a capture's name and all that a batch adds to it")
    func numbersInNames() throws {
        var outputs = try BatchOutputs.parse([
            "--report", "--text", "--fields", "--map", "--cloud", "--depth-preview", "--overlay", "--contact",
            "--mesh",
        ])
        for format in TextOutputFormat.allCases {
            outputs.format = format
            var request = FlatteningRequest(input: .init(captures: ["capture"]))
            (request.sheets, request.outputs) = (.all, outputs.requested("NAME"))
            let paths = request.forSheet(2).files.map(\.path)
            // What a batch joins pages by is there once for all sheets.
            let names = outputs.suffixes.map { ($0 == OutputKind.valuesPart.suffix ? "NAME" : "NAME-2") + $0 }
            #expect(paths.sorted() == names.sorted())
        }
    }

    // MARK: Two sheets in view: these hold once both are found

    /// A photograph of two receipts side by side, drawn once.
    private static let pair: Result<Data, any Error> = Result {
        let sheets = try [1, 2].map { (seed: UInt64) throws -> RGBImage in
            var generator = SeededGenerator(seed: seed)
            var scene = SyntheticScene.random(
                .plane, paper: .narrow, itemCount: 4, imageSize: PixelSize(width: 540, height: 720),
                table: .dark, using: &generator)
            scene.quality = .draft
            return try scene.render(sensor: .structuredLight).image
        }
        let (width, height) = (sheets[0].width, sheets[0].height)
        let both = RGBImage(width: 2 * width, height: height) { pixels in
            for y in 0..<height {
                for x in 0..<2 * width {
                    pixels.initializeElement(at: y * 2 * width + x, to: sheets[x / width][x: x % width, y: y])
                }
            }
        }
        return try both.pngData()
    }

    private func photograph(in folder: ScratchFolder) throws -> String {
        try Self.pair.get().write(to: folder.url.appending(path: "pair.png"))
        return folder.path("pair.png")
    }

    @Test func twoSheetsBecomeTwoSetsOfOutputsInReadingOrder() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            try photograph(in: folder), "--sheets", "all", "-o", folder.path("flat.png"),
            "--report", folder.path("report.json"), "--text", folder.path("text.hocr"),
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(
            try folder.contents == [
                "flat-1.png", "flat-2.png", "pair.png", "report-1.json", "report-2.json", "text-1.hocr",
                "text-2.hocr",
            ])
        var columns: [Double] = []
        for index in [1, 2] {
            let report = try report(folder.path("report-\(index).json"))
            #expect(report["sheet"] as? [String: Int] == ["index": index, "count": 2])
            #expect((report["warnings"] as? [String])?.contains { $0.contains("in view") } == false)
            let outline = try #require(report["outline"] as? [[Double]])
            columns.append(outline.reduce(0) { $0 + $1[0] } / Double(outline.count))
        }
        try #require(columns.count == 2)
        #expect(columns[0] < 540 && columns[1] > 540, "the middles' columns: \(columns)")
    }

    @Test func ofTheBestAloneTheWarningTellsOfTheOther() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            try photograph(in: folder), "-o", folder.path("flat.png"), "--report", folder.path("report.json"),
        ])
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors.contains("warning: another sheet is in view"))
        #expect((try report(folder.path("report.json"))["sheet"] as? [String: Int])?["count"] == 2)
        #expect(try folder.contents == ["flat.png", "pair.png", "report.json"])
    }

    @Test func whatIsRequiredIsRequiredOfEverySheet() throws {
        let folder = try ScratchFolder()
        let arguments = [
            try photograph(in: folder), "--sheets", "all", "-o", folder.path("flat.png"), "--require",
            "depth",
        ]
        let outcome = try FlattenProcess.run(arguments)
        #expect(outcome.exitCode == 3)
        #expect(outcome.errors.contains("sheet 1 of 2: --require depth"))
        #expect(outcome.errors.contains("sheet 2 of 2: --require depth"))
        #expect(try folder.contents == ["pair.png"])
        #expect(try FlattenProcess.run(arguments + ["--keep"]).exitCode == 3)
        #expect(try folder.contents == ["flat-1.png", "flat-2.png", "pair.png"])
    }

    @Test func aBatchTakesOverEverySheet() throws {
        let (input, output) = (try ScratchFolder(), try ScratchFolder())
        _ = try photograph(in: input)
        let outcome = try FlattenProcess.run([
            "batch", input.path, "-o", output.path, "--sheets", "all", "--report",
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(
            try output.contents == [
                "jobs.jsonl", "pair-1.json", "pair-1.png", "pair-2.json", "pair-2.png",
            ])
        let log = try String(contentsOfFile: output.path("jobs.jsonl"), encoding: .utf8)
        let record = try JSONDecoder().decode(JobRecord.self, from: Data(log.utf8))
        #expect(
            record.outputs.map(\.name) == ["pair-1.png", "pair-1.json", "pair-2.png", "pair-2.json"])
    }
}
