import Foundation
import Imaging
import Testing

@testable import BatchProcessing

@Suite struct CaptureListTests {
    @Test func subfoldersAndPicturesAreCapturesInTheOrderOfTheirNames() throws {
        let folder = try ScratchFolder()
        for name in ["b/capture.json", "B/x", "a.png", "c.JPG", "notes.txt", ".hidden.png", "out/jobs.jsonl"]
        {
            try folder.write("x", to: name)
        }
        try folder.write("\u{FFFD}", to: "d")
        // A picture by its first bytes, whatever its name.
        try Data([0xFF, 0xD8, 0xFF, 0xE0]).write(to: URL(filePath: folder.path("e.bin")))
        let paths = try CaptureList.paths(of: folder.path, output: folder.path("out"))
        #expect(paths == ["B", "a.png", "b", "c.JPG", "e.bin"].map(folder.path))
    }

    @Test func archivesAndPortableMapsAreCapturesByTheirExtension() throws {
        let folder = try ScratchFolder()
        // Text may begin as a portable map does; a document may be a ZIP.
        for name in ["a.r3d", "b.ZIP", "c.pgm", "d.ppm", "e.docx", "f.txt"] {
            try folder.write("P5 1 1 255 x", to: name)
        }
        let paths = try CaptureList.paths(of: folder.path, output: folder.path("out"))
        #expect(paths == ["a.r3d", "b.ZIP", "c.pgm", "d.ppm"].map(folder.path))
    }

    @Test(arguments: [
        "camera_matrix.csv", "transforms.json", "DepthMetadata.json", "keyframes/images/1.jpg", "rgb.txt",
    ])
    func theFolderOfOneRecordingIsNoBatch(sign: String) throws {
        let folder = try ScratchFolder()
        for name in ["rgb/1.jpg", "depth/1.png", sign] { try folder.write("x", to: "scan/" + name) }
        let error = try #require(throws: FlatteningError.self) {
            try CaptureList.paths(of: folder.path("scan"), output: folder.path("out"))
        }
        #expect(error.code == .badInput && error.seen == sign.split(separator: "/").first.map(String.init))
        #expect(try CaptureList.paths(of: folder.path, output: folder.path("out")) == [folder.path("scan")])
    }

    @Test func aListNamesEachCaptureOnceInItsOrder() throws {
        let folder = try ScratchFolder()
        try folder.write("z/last.png\r\n\n-dash.png\nz/last.png\na b.jpg", to: "list.txt")
        let paths = try CaptureList.paths(of: folder.path("list.txt"), output: "out")
        #expect(paths == ["z/last.png", "./-dash.png", "a b.jpg"])
    }

    @Test func whatIsNoListIsSaidSo() throws {
        let folder = try ScratchFolder()
        try Data([0xFF, 0xD8, 0xFF, 0xE0]).write(to: URL(filePath: folder.path("picture.jpg")))
        try Data([0x61, 0xFF, 0x0A]).write(to: URL(filePath: folder.path("latin.txt")))
        try folder.write("a\u{0}b\n", to: "zero.txt")
        try folder.write("{}", to: "capture/capture.json")
        for name in ["picture.jpg", "latin.txt", "zero.txt", "capture"] {
            let error = try #require(throws: FlatteningError.self) {
                try CaptureList.paths(of: folder.path(name), output: folder.path("out"))
            }
            #expect(error.code == .badInput, "\(name)")
        }
        let missing = try #require(throws: FlatteningError.self) {
            try CaptureList.paths(of: folder.path("none"), output: folder.path("out"))
        }
        #expect(missing.code == .fileAccess)
        let same = try #require(throws: FlatteningError.self) {
            try CaptureList.paths(of: folder.path, output: folder.path + "/.")
        }
        #expect(same.code == .badInput)
    }
}

@Suite struct OutputNamesTests {
    private func names(_ paths: [String], _ suffixes: [String] = [".png"]) -> [String] {
        OutputNames.unique(for: paths, suffixes: suffixes)
    }

    @Test func aNameIsTheLastPartWithoutAPicturesExtension() {
        #expect(names(["x/one.jpg", "two.tar.png", "x/three/capture.json"]) == ["one", "two.tar", "three"])
    }

    @Test func thoseThatWouldShareAFileAllSayWhichTheyAre() {
        let given = ["x/a.jpg", "y/A.png", "b.png"]
        let made = names(given)
        #expect(Set(made.map { $0.lowercased() }).count == 3)
        #expect(made[2] == "b")
        #expect(made[0].hasPrefix("a-") && made[1].hasPrefix("A-"))
        // In another order each is still called the same.
        #expect(names(given.reversed()) == made.reversed())
    }

    @Test func otherOutputsCountToo() {
        let made = names(["a.jpg", "a.relief.jpg"], [".png", ".relief.png"])
        #expect(made.allSatisfy { $0.contains("-") })
        #expect(names(["a.jpg", "a.relief.jpg"]) == ["a", "a.relief"])
    }

    @Test func noNameIsTooLongOrHidden() {
        for name in names([String(repeating: "\u{FC}", count: 150) + ".png", "x/.hidden.png", "..", "/"]) {
            #expect(name.utf8.count <= 240 && !name.hasPrefix(".") && !name.isEmpty)
        }
    }
}
