import ArgumentParser
import Diagnostics
import Foundation
import ReceiptFlattening
import TestSupport
import Testing

@testable import flatten

/// No output is another one or, unless that is meant, an input.
@Suite struct OutputPlanTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    private func check(
        _ outputs: [String], capture: String = "/nonexistent", inputs: [String] = [],
        _ existing: OutputPlan.Existing = .replaced
    ) throws {
        try OutputPlan(
            outputs: outputs.map { .init(option: "-o", path: $0) },
            inputs: inputs.map { .init(option: "-i", path: $0) },
            capture: capture
        ).check(existing)
    }

    private func folder(with names: [String]) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for name in names { try Data("old \(name)".utf8).write(to: folder.url.appending(path: name)) }
        return folder
    }

    @Test("Two outputs are one whatever they are called")
    func sameOutputs() throws {
        let folder = try folder(with: ["there.png"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.png"), withDestinationPath: "there.png")
        try FileManager.default.linkItem(atPath: folder.path("there.png"), toPath: folder.path("hard.png"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("folder"), withDestinationPath: ".")
        let path = folder.url.path() + "/"
        for (one, other) in [
            ("new.png", "new.png"), ("new.png", "./new.png"), ("new.png", "folder/new.png"),
            ("new.png", "NEW.PNG"),
            ("\u{E9}.png", "e\u{301}.png"), ("there.png", "link.png"), ("there.png", "hard.png"),
            ("none/a.png", "none/../none/a.png"),
        ] {
            #expect(throws: ValidationError.self, "\(one), \(other)") {
                try check([path + one, path + other])
            }
            #expect(throws: ValidationError.self) { try check([path + one, path + other], .forced) }
        }
        #expect(throws: ValidationError.self) { try check(["-", "-"]) }
        try check([path + "new.png", path + "new.jpg", path + "there.png", "-"])
        try check(["/dev/null", "/dev/null", "-"])
    }

    @Test("A file is the same one whatever becomes of its other names")
    func namesOfOneFile() throws {
        let folder = try folder(with: ["a.png"])
        let before = OutputPlan.Identity(output: folder.path("a.png"))
        try FileManager.default.linkItem(atPath: folder.path("a.png"), toPath: folder.path("b.png"))
        #expect(before != nil && before == OutputPlan.Identity(output: folder.path("b.png")))
    }

    @Test("An input is replaced only where that is meant, by whatever name")
    func inputs() throws {
        let folder = try folder(with: ["depth.png", "other.png"])
        // What begins as a picture describes nothing beside it.
        try Data([0xFF, 0xD8, 0xFF, 0xE0]).write(to: folder.url.appending(path: "photo.jpg"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.jpg"), withDestinationPath: "photo.jpg")
        try FileManager.default.linkItem(atPath: folder.path("photo.jpg"), toPath: folder.path("hard.jpg"))
        let path = folder.url.path() + "/"
        for output in ["photo.jpg", "link.jpg", "hard.jpg", "depth.png"] {
            let plan = { (existing: OutputPlan.Existing) in
                try check(
                    [path + output], capture: path + "photo.jpg", inputs: [path + "depth.png"], existing)
            }
            #expect(throws: ValidationError.self, "\(output)") { try plan(.replaced) }
            try plan(.forced)
        }
        try check([path + "other.png"], capture: path + "link.jpg", inputs: [path + "depth.png"])
    }

    @Test("A file of the capture's folder is replaced only where that is meant; a new one may lie there")
    func captureFolder() throws {
        let folder = try folder(with: ["capture.json", "image.jpg", "extra.png"])
        try FileManager.default.createDirectory(
            atPath: folder.path("rgb"), withIntermediateDirectories: true)
        try Data("old".utf8).write(to: folder.url.appending(path: "rgb/0.jpg"))
        let outside = try self.folder(with: ["result.png"])
        try FileManager.default.linkItem(
            atPath: folder.path("image.jpg"), toPath: outside.path("elsewhere.jpg"))
        try FileManager.default.createSymbolicLink(
            atPath: outside.path("capture"), withDestinationPath: folder.url.path())
        for capture in [folder.url.path(), outside.path("capture"), folder.path("capture.json")] {
            for output in [
                folder.path("image.jpg"), folder.path("rgb/0.jpg"), outside.path("elsewhere.jpg"),
                outside.path("capture/extra.png"),
            ] {
                #expect(throws: ValidationError.self, "\(capture), \(output)") {
                    try check([output], capture: capture)
                }
                try check([output], capture: capture, .forced)
            }
            try check([folder.path("flat.png"), outside.path("result.png"), "/dev/null"], capture: capture)
        }
    }

    @Test("What exists is kept where that is asked for, dangling links too; devices are no files")
    func kept() throws {
        let folder = try folder(with: ["there.png"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("dangling.png"), withDestinationPath: "none.png")
        for name in ["there.png", "dangling.png"] {
            let error = #expect(throws: FlatteningError.self) { try check([folder.path(name)], .kept) }
            #expect(error?.code == .fileAccess && error?.file == folder.path(name))
        }
        try check([folder.path("new.png"), "/dev/null", "-"], .kept)
    }

    // MARK: - The command

    @Test("The command refuses to replace the only photograph, and does as it is told")
    func command() throws {
        let folder = try ScratchFolder()
        try FileManager.default.copyItem(atPath: Self.sample, toPath: folder.path("capture"))
        let picture = folder.url.appending(path: "capture/image.jpg")
        let original = try Data(contentsOf: picture)
        for capture in ["capture/image.jpg", "capture", "capture/capture.json"] {
            let outcome = try FlattenProcess.run([
                folder.path(capture), "-o", folder.path("capture/image.jpg"), "--dpi", "100",
            ])
            #expect(outcome.exitCode == 64)
            #expect(outcome.errors.contains("image.jpg") && outcome.errors.contains("--force"))
            #expect(try Data(contentsOf: picture) == original)
        }
        #expect(
            try FlattenProcess.run([
                picture.path(), "-o", "-", "--dpi", "100", "--force", "--no-clobber",
            ]).exitCode == 64)
        let forced = try FlattenProcess.run([
            picture.path(), "-o", picture.path(), "--dpi", "100", "--force",
        ])
        #expect(forced.exitCode == 0, "\(forced.errors)")
        #expect(try Data(contentsOf: picture) != original)
    }

    @Test("The depth map beside an image that was named is not replaced either")
    func depthOfANamedImage() throws {
        let folder = try ScratchFolder()
        try FileManager.default.copyItem(atPath: Self.sample, toPath: folder.path("capture"))
        let depth = folder.url.appending(path: "capture/depth.png")
        let original = try Data(contentsOf: depth)
        let arguments = [folder.path("capture/image.jpg"), "-o", depth.path(), "--dpi", "100"]
        let refused = try FlattenProcess.run(arguments)
        #expect(refused.exitCode == 64 && refused.errors.contains("--force"), "\(refused.errors)")
        #expect(try Data(contentsOf: depth) == original)
        // Named by --depth, it is an input like any other.
        let alone = try FlattenProcess.run(arguments + ["--depth", folder.path("capture/depth.png")])
        #expect(alone.exitCode == 64)
        let forced = try FlattenProcess.run(arguments + ["--force"])
        #expect(forced.exitCode == 0, "\(forced.errors)")
    }

    @Test("No output replaces a file of the recording around a file that was named")
    func recordingOfANamedFrame() throws {
        let folder = try ScratchFolder()
        let scan = folder.path("scan")
        for part in ["images", "depth", "cameras"] {
            try FileManager.default.createDirectory(
                atPath: scan + "/keyframes/" + part, withIntermediateDirectories: true)
        }
        var originals: [String: Data] = [:]
        for frame in ["1", "2"] {
            for (name, source) in [
                ("images/\(frame).jpg", "image.jpg"), ("depth/\(frame).png", "depth.png"),
            ] {
                let path = scan + "/keyframes/" + name
                try FileManager.default.copyItem(atPath: Self.sample + "/" + source, toPath: path)
                originals[path] = try Data(contentsOf: URL(filePath: path))
            }
            let camera = Data(#"{"fx":1660,"fy":1660,"cx":745,"cy":997,"width":1500,"height":2000}"#.utf8)
            originals[scan + "/keyframes/cameras/\(frame).json"] = camera
            try camera.write(to: URL(filePath: scan + "/keyframes/cameras/\(frame).json"))
        }
        let keyframes = scan + "/keyframes/"
        for (named, output) in [
            ("depth/1.png", ["-o", keyframes + "images/1.jpg"]),
            ("images/1.jpg", ["-o", keyframes + "depth/1.png", "--no-depth"]),
            ("images/1.jpg", ["-o", keyframes + "images/2.jpg"]),
            ("images/1.jpg", ["-o", folder.path("flat.png"), "--report", keyframes + "cameras/1.json"]),
        ] {
            let refused = try FlattenProcess.run([keyframes + named] + output + ["--dpi", "50"])
            #expect(refused.exitCode == 64, "\(named) \(output): \(refused.errors)")
            #expect(refused.errors.contains("a file of the capture") && refused.errors.contains("--force"))
        }
        for (path, original) in originals {
            #expect(try Data(contentsOf: URL(filePath: path)) == original, "\(path)")
        }
        #expect(try folder.contents == ["scan"])
        let new = try FlattenProcess.run([
            keyframes + "images/1.jpg", "-o", scan + "/flat.png", "--dpi", "50",
        ])
        #expect(new.exitCode == 0, "\(new.errors)")
    }

    @Test("--no-clobber leaves what exists, before any work")
    func noClobber() throws {
        let folder = try folder(with: ["flat.png"])
        let kept = try FlattenProcess.run([
            Self.sample, "-o", folder.path("flat.png"), "--report", folder.path("a.json"), "-n",
        ])
        #expect(kept.exitCode == 74)
        #expect(kept.errors.contains("flat.png"))
        #expect(try folder.contents == ["flat.png"])
        #expect(try Data(contentsOf: folder.url.appending(path: "flat.png")) == Data("old flat.png".utf8))
        let new = try FlattenProcess.run([
            Self.sample, "-o", folder.path("new.png"), "--dpi", "50", "--no-clobber",
        ])
        #expect(new.exitCode == 0, "\(new.errors)")
        #expect(try folder.contents == ["flat.png", "new.png"])
    }
}
