import DrawnReceipts
import Foundation
import TestSupport
import Testing

/// `--stitch` as a user gives it: what it writes, and what it refuses.
@Suite struct StitchCommandTests {
    @Test func threeCapturesBecomeOneImageAndOneReport() throws {
        let folder = try ScratchFolder()
        let names = ["a", "b", "c"].map { folder.path($0) }
        for (capture, name) in zip(try DrawnLongReceipt().captures(), names) {
            try capture.write(to: URL(filePath: name))
        }
        let outcome = try FlattenProcess.run(
            [names[1], names[2], names[0], "--stitch", "-o", folder.path("long.png"), "--report"]
                + [folder.path("report.json"), "--dpi", "150"])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let data = try Data(contentsOf: URL(filePath: folder.path("report.json")))
        let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let stitch = try #require(report["stitch"] as? [String: Any])
        let pictures = try #require(stitch["pictures"] as? [[String: Any]])
        #expect(pictures.map { $0["picture"] as? String } == names)
        #expect(report["dpi"] as? Double == 150)
        let height = try #require((report["sheet_mm"] as? [String: Any])?["height"] as? Double)
        // What is asked for: 1 %.
        #expect(abs(height - 600) < 6, "\(height)")

        let apart = try FlattenProcess.run([names[0], names[2], "--stitch", "-o", folder.path("none.png")])
        #expect(apart.exitCode == 65 && apart.errors.contains(names[2]), "\(apart.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("none.png")))
    }

    @Test(
        "What is of one photograph does not go with it",
        arguments: [
            ["--best"], ["--frame", "1"], ["--fuse"], ["--depth", "d.png"], ["--sheets", "all"],
            ["--map", "m.npy"],
            ["--cloud", "c.ply"], ["--depth-preview", "p.png"], ["--overlay", "o.png"], ["--mesh", "m.glb"],
            ["--corners", "0,0", "9,0", "9,9", "0,9"],
        ])
    func refusals(option: [String]) throws {
        let outcome = try FlattenProcess.run(["a.jpg", "b.jpg", "--stitch", "-o", "x.png"] + option)
        #expect(outcome.exitCode == 64 && outcome.errors.contains(option[0]), "\(outcome.errors)")
    }

    @Test func severalCapturesWithoutItAreToldOfIt() throws {
        let outcome = try FlattenProcess.run(["a.jpg", "b.jpg", "-o", "x.png"])
        #expect(outcome.exitCode == 64 && outcome.errors.contains("--stitch"), "\(outcome.errors)")
    }

    @Test func oneCaptureIsNotJoined() throws {
        let outcome = try FlattenProcess.run(["a.jpg", "--stitch", "-o", "x.png"])
        #expect(outcome.exitCode == 64 && outcome.errors.contains("2 to 16"), "\(outcome.errors)")
    }

    @Test func aBatchJoinsNothing() throws {
        let outcome = try FlattenProcess.run(["batch", "a.jpg", "b.jpg", "--stitch", "-o", "flat"])
        #expect(outcome.exitCode == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("'--stitch': it is for single captures"), "\(outcome.errors)")
    }
}
