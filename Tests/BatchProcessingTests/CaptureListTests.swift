import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import BatchProcessing

@Suite(.timeLimit(.minutes(1))) struct CaptureListTests {
    private func entries(_ inputs: [String], output: String = "out", recursive: Bool = false) throws
        -> [CaptureList.Entry]
    {
        try CaptureList.entries(of: inputs, output: output, recursive: recursive)
    }

    private func paths(_ inputs: [String], output: String = "out", recursive: Bool = false) throws -> [String]
    {
        let found = try entries(inputs, output: output, recursive: recursive)
        #expect(found.allSatisfy { $0.refusal == nil }, "\(found)")
        return found.map(\.path)
    }

    @Test func subfoldersAndPicturesAreCapturesInTheOrderOfTheirNames() throws {
        let folder = try ScratchFolder()
        for name in ["b/capture.json", "B/x", "a.png", "c.JPG", "notes.txt", ".hidden.png", "out/jobs.jsonl"]
        {
            try folder.write("x", as: name)
        }
        try folder.write("\u{FFFD}", as: "d")
        // A picture by its first bytes, whatever its name.
        try Data([0xFF, 0xD8, 0xFF, 0xE0]).write(to: URL(filePath: folder.path("e.bin")))
        let found = try paths([folder.path], output: folder.path("out"))
        #expect(found == ["B", "a.png", "b", "c.JPG", "e.bin"].map(folder.path))
    }

    /// What people keep receipts in is never passed over, whether or not it is read; all else is told of.
    @Test func eachFileOfAFolderIsACaptureOrIsToldOf() throws {
        let folder = try ScratchFolder()
        let captures = [
            "a.png", "b.jpg", "c.TIF", "d.heic", "e.pgm", "f.r3d", "g.pdf", "h.webp", "i.GIF", "j.bmp",
            "k.jp2", "l.jxl",
            "m.avif",
        ]
        let others = ["notes.txt", "report.docx", "table.csv", "depth.npy", "film.mp4", "empty"]
        for name in captures + others {
            try folder.write(name == "report.docx" ? "PK\u{3}\u{4}" : "x", as: name)
        }
        // By their first bytes, whatever their names.
        for (name, start) in [("scan", "%PDF-1.7"), ("sticker", "RIFF    WEBPVP8 "), ("anim", "GIF89a")] {
            try folder.write(start, as: name)
        }
        var passedOver: [String] = []
        let found = try CaptureList.entries(
            of: [folder.path], output: "out", onPassedOver: { passedOver.append($0) })
        #expect(found.allSatisfy { $0.refusal == nil })
        #expect(Set(found.map(\.path)) == Set((captures + ["scan", "sticker", "anim"]).map(folder.path)))
        #expect(Set(passedOver) == Set(others.map(folder.path)))
        #expect(found.count + passedOver.count == (try folder.contents.count))
    }

    @Test func archivesAndPortableMapsAreCapturesByTheirExtension() throws {
        let folder = try ScratchFolder()
        // Text may begin as a portable map does; a document may be a ZIP.
        for name in ["a.r3d", "b.ZIP", "c.pgm", "d.ppm", "e.docx", "f.txt"] {
            try folder.write("P5 1 1 255 x", as: name)
        }
        #expect(try paths([folder.path]) == ["a.r3d", "b.ZIP", "c.pgm", "d.ppm"].map(folder.path))
    }

    @Test(arguments: [
        "camera_matrix.csv", "transforms.json", "DepthMetadata.json", "keyframes/images/1.jpg", "rgb.txt",
    ])
    func theFolderOfOneRecordingIsNoBatchButMayBeOneOfSeveral(sign: String) throws {
        let folder = try ScratchFolder()
        for name in ["rgb/1.jpg", "depth/1.png", sign] { try folder.write("x", as: "scan/" + name) }
        let error = try #require(throws: FlatteningError.self) { try entries([folder.path("scan")]) }
        #expect(error.code == .badInput && error.seen == sign.split(separator: "/").first.map(String.init))
        #expect(try paths([folder.path]) == [folder.path("scan")])
        try folder.write("x", as: "a.png")
        #expect(
            try paths([folder.path("scan"), folder.path("a.png")]) == ["scan", "a.png"].map(folder.path))
    }

    @Test func severalFoldersCapturesAndListsAreOneBatch() throws {
        let folder = try ScratchFolder()
        for name in ["one/b.jpg", "one/a.jpg", "two.png", "three.r3d", "four/capture.json"] {
            try folder.write("x", as: name)
        }
        try folder.write("five.jpg\n\(folder.path("two.png"))\n", as: "list.txt")
        let inputs = ["one", "two.png", "three.r3d", "four/capture.json", "list.txt"].map(folder.path)
        #expect(
            try paths(inputs)
                == ["one/a.jpg", "one/b.jpg", "two.png", "three.r3d", "four/capture.json"].map(folder.path)
                + ["five.jpg"])
    }

    @Test func foldersWithinFoldersAreLookedIntoWhereThatIsAskedFor() throws {
        let folder = try ScratchFolder()
        for name in [
            "jan/1.jpg", "jan/scan/rgb.txt", "feb/deep/2.jpg", "feb/color.png", "pair/color.png",
            "pair/depth.png",
        ] {
            try folder.write("x", as: name)
        }
        let flat = try entries([folder.path])
        #expect(flat.map(\.path) == ["feb", "jan", "pair"].map(folder.path))
        #expect(flat[0].hint?.contains("--recursive") == true && flat[2].hint == nil)
        let walk = try ScratchFolder()
        for name in ["2024/jan/1.jpg", "2024/feb/2.jpg", "2025/x.txt"] { try walk.write("x", as: name) }
        #expect(try entries([walk.path]).map(\.hint) == ["It is a folder of folders: use --recursive", nil])
        #expect(
            try paths([folder.path], recursive: true)
                == ["feb/color.png", "feb/deep/2.jpg", "jan/1.jpg", "jan/scan", "pair"].map(folder.path))
    }

    /// A pipe would be waited for, a device read for ever, and a link decides what is read.
    @Test func whatIsNoFileIsToldOfAndNotOpened() throws {
        let folder = try ScratchFolder()
        try folder.write("x", as: "a.png")
        mkfifo(folder.path("pipe"), 0o600)
        for (name, target) in [
            ("zero.png", "/dev/zero"), ("to-pipe", "pipe"), ("passwd", "/etc/passwd"),
            ("gone.jpg", "nowhere"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
        }
        let found = try entries([folder.path])
        #expect(
            found.filter { $0.refusal == nil }.map(\.path) == [folder.path("a.png")])
        #expect(
            found.filter { $0.refusal != nil }.map(\.path)
                == ["gone.jpg", "passwd", "pipe", "to-pipe", "zero.png"].map(folder.path))
    }

    #if os(Linux)
        /// macOS makes no such names.
        @Test func aNameThatIsNoTextIsToldOf() throws {
            let folder = try ScratchFolder()
            for bytes: [UInt8] in [Array("caf".utf8) + [0xE9] + Array(".jpg".utf8), [0x64, 0xFF]] {
                let path = Array((folder.path + "/").utf8) + bytes + [0]
                let made = open(path.map(CChar.init(bitPattern:)), O_CREAT | O_WRONLY, 0o600)
                try #require(made >= 0)
                // The second is a picture by its first bytes only.
                write(made, [0xFF, 0xD8, 0xFF, 0xE0] as [UInt8], 4)
                close(made)
            }
            let found = try entries([folder.path])
            #expect(found.map(\.path) == ["caf\\xe9.jpg", "d\\xff"].map(folder.path))
            #expect(found.allSatisfy { $0.refusal?.contains("UTF-8") == true })
            try Data(Array("b.jpg\ncaf".utf8) + [0xE9, 0x0A]).write(to: URL(filePath: folder.path("list")))
            let listed = try entries([folder.path("list")])
            #expect(listed.map(\.path) == ["b.jpg", "caf\\xe9"])
            #expect(listed[0].refusal == nil && listed[1].refusal != nil)
        }
    #endif

    @Test func twoSpellingsOfALetterAreTwoCaptures() throws {
        let folder = try ScratchFolder()
        let (composed, decomposed) = ("caf\u{E9}.jpg", "cafe\u{301}.jpg")
        try folder.write("\(composed)\n\(decomposed)\n\(composed)\n", as: "list.txt")
        let found = try paths([folder.path("list.txt")])
        #expect(found.map { Array($0.utf8) } == [composed, decomposed].map { Array($0.utf8) })
        let names = try OutputNames.unique(for: found, suffixes: [".png"])
        #expect(Set(names.map { Array($0.utf8) }).count == 2)
    }

    @Test func aListNamesEachCaptureOnceInItsOrder() throws {
        let folder = try ScratchFolder()
        // A line separator is a character like any other.
        try folder.write("z/last.png\r\n\n-dash.png\nz/last.png\na\u{2028}b.jpg", as: "list.txt")
        #expect(try paths([folder.path("list.txt")]) == ["z/last.png", "./-dash.png", "a\u{2028}b.jpg"])
        try folder.write("a\nb.jpg\u{0}c.jpg\u{0}", as: "zero")
        #expect(try paths([folder.path("zero")]) == ["a\nb.jpg", "c.jpg"])
    }

    @Test func aCaptureOfSeveralPathsIsOneAndAFileOfTwoNamesIsTwo() throws {
        let folder = try ScratchFolder()
        for name in ["a.jpg", "sub/b.jpg", "scan/capture.json"] { try folder.write("x", as: name) }
        let files = FileManager.default
        try files.createSymbolicLink(atPath: folder.path("link.jpg"), withDestinationPath: "a.jpg")
        try files.linkItem(atPath: folder.path("a.jpg"), toPath: folder.path("hard.jpg"))
        try folder.write(
            [
                "a.jpg", "sub/../a.jpg", "link.jpg", "hard.jpg", "scan/", "scan", "scan/capture.json",
                "gone.jpg",
            ]
            .map { folder.path + "/" + $0 }.joined(separator: "\n"), as: "list")
        var repeats: [String] = []
        let found = try CaptureList.entries(
            of: ["list", "sub"].map(folder.path), output: "out", onRepeat: { repeats += [$0, $1] })
        #expect(
            found.map(\.path)
                == ["a.jpg", "hard.jpg", "scan/", "gone.jpg", "sub/b.jpg"].map { folder.path + "/" + $0 })
        #expect(
            repeats
                == [
                    "sub/../a.jpg", "a.jpg", "link.jpg", "a.jpg", "scan", "scan/", "scan/capture.json",
                    "scan/",
                ].map { folder.path + "/" + $0 })
    }

    @Test func aListOfLinesIsRefusedWhereZeroBytesAreToEndItsPaths() throws {
        let folder = try ScratchFolder()
        func zeroEnded(_ text: String) throws -> [String] {
            try folder.write(text, as: "list")
            return try CaptureList.entries(of: [folder.path("list")], output: "out", zeroEndsPaths: true)
                .map(\.path)
        }
        let error = try #require(throws: FlatteningError.self) { try zeroEnded("a.jpg\nb.jpg\n") }
        #expect(error.code == .badInput && error.advice?.contains("--null") == true)
        #expect(try zeroEnded("a\n.jpg\0") == ["a\n.jpg"])
        #expect(try zeroEnded("a.jpg") == ["a.jpg"])
    }

    @Test func emptyLinesArePassedOver() throws {
        let folder = try ScratchFolder()
        try folder.write("\n\na.jpg\n\r\n\nb.jpg\n\n", as: "list")
        #expect(try paths([folder.path("list")]) == ["a.jpg", "b.jpg"])
        try folder.write("\n\n", as: "list")
        #expect(try paths([folder.path("list")]) == [])
    }

    @Test func whatIsNeitherIsSaidSo() throws {
        let folder = try ScratchFolder()
        mkfifo(folder.path("pipe"), 0o600)
        try folder.write("{}", as: "capture/capture.json")
        for name in ["pipe", "capture"] {
            let error = try #require(throws: FlatteningError.self) { try entries([folder.path(name)]) }
            #expect(error.code == .badInput, "\(name)")
        }
        let missing = try #require(throws: FlatteningError.self) { try entries([folder.path("none")]) }
        #expect(missing.code == .fileAccess)
        let same = try #require(throws: FlatteningError.self) {
            try entries([folder.path], output: folder.path + "/.")
        }
        #expect(same.code == .badInput)
    }
}

@Suite struct OutputNamesTests {
    private func names(_ paths: [String], _ suffixes: [String] = [".png"]) throws -> [String] {
        try OutputNames.unique(for: paths, suffixes: suffixes)
    }

    @Test func aNameIsTheLastPartWithoutAPicturesExtension() throws {
        #expect(
            try names(["x/one.jpg", "two.tar.png", "x/three/capture.json"]) == ["one", "two.tar", "three"])
        // A mark joins the slash or the point before it to one Character.
        let marked = try names(["x/\u{301}one.jpg", "x/four.\u{200D}jpg"])
        #expect(marked.map { Array($0.utf8) } == [Array("\u{301}one".utf8), Array("four".utf8)])
    }

    @Test func aDocumentThatIsNotReadTakesNoNameFromAPicture() throws {
        #expect(try names(["x/scan.jpg", "x/scan.jxl"]) == ["scan", "scan.jxl"])
    }

    @Test func aPageIsCalledByItsNumber() throws {
        let labels = [1, 2].map { PageLabel.label("x/scan.pdf", page: $0) }
        #expect(try names(labels + ["x/other.pdf"]) == ["scan-1", "scan-2", "other"])
        #expect(labels[1] == "x/scan.pdf#page=2" && PageLabel.path(of: labels[1]) == "x/scan.pdf")
        for path in [
            "x/a.pdf", "x/a.pdf#page=0", "x/a.pdf#page=02", "x/a.pdf#page=-1", "x/#page=", "#page=2/a",
        ] {
            #expect(PageLabel.parted(path) == nil && PageLabel.path(of: path) == path)
        }
    }

    @Test func thoseThatWouldShareAFileAllSayWhichTheyAre() throws {
        let given = ["x/a.jpg", "y/A.png", "b.png"]
        let made = try names(given)
        #expect(Set(made.map { $0.lowercased() }).count == 3)
        #expect(made[2] == "b")
        #expect(made[0].hasPrefix("a-") && made[1].hasPrefix("A-"))
        // In another order each is still called the same.
        #expect(try names(given.reversed()) == made.reversed())
    }

    @Test func otherOutputsCountToo() throws {
        let made = try names(["a.jpg", "a.relief.jpg"], [".png", ".relief.png"])
        #expect(made.allSatisfy { $0.contains("-") })
        #expect(try names(["a.jpg", "a.relief.jpg"]) == ["a", "a.relief"])
    }

    @Test func whatIsTheBatchsOwnIsNoCapturesFile() throws {
        let made = try OutputNames.unique(
            for: ["Index", "a"], suffixes: [".png", ".html"], taken: ["index.html"])
        #expect(made[0].hasPrefix("Index-") && made[1] == "a")
        #expect(try names(["Index"]) == ["Index"])
    }

    /// The name that one gets by its hash may be another one's own.
    @Test func aNameWithAHashIsNobodyElses() throws {
        let first = try names(["1/a.jpg", "2/a.jpg"])
        let made = try names(["1/a.jpg", "2/a.jpg", first[0] + ".jpg", first[1] + ".jpg"])
        #expect(Set(made).count == 4)
        var paths = ["1/a.jpg", "2/a.jpg"]
        for _ in 0..<5 {
            paths += Array(Set(try names(paths).map { $0 + ".jpg" }).subtracting(paths)).sorted()
        }
        #expect(try Set(names(paths)).count == paths.count)
    }

    @Test func whoHasANameKeepsItAndOthersGiveWay() throws {
        let folder = try ScratchFolder()
        func earlier(_ names: [(path: String, name: String)]) throws -> EarlierNames {
            let log = try JobLog(folder: folder.path)
            for (path, name) in names {
                try log.append(
                    JobRecord(
                        key: "k", name: name, input: path, state: .done, outputs: [], exitCode: 0, error: nil,
                        seconds: 1))
            }
            return try EarlierNames(in: folder.path)
        }
        func names(_ paths: [String], _ earlier: EarlierNames) throws -> [String] {
            try OutputNames.unique(for: paths, suffixes: [".png"], earlier: earlier)
        }
        let paths = ["x/a.jpg", "y/a.jpg", "z/a.jpg"]
        let plain = try self.names(paths)
        // The list grew: what is new gets its digits all the same.
        let one = try earlier([(paths[0], "a")])
        #expect(try names(paths, one) == ["a", plain[1], plain[2]])
        // Whoever begins a moment later finds more names, and comes to the same.
        let two = try earlier([(paths[2], plain[2])])
        #expect(try names(paths, two) == ["a", plain[1], plain[2]])
        // It shrank, and another capture is called what is taken by now.
        let last = try names([paths[2], plain[2] + ".jpg"], two)
        #expect(last[0] == plain[2] && last[1].hasPrefix(plain[2] + "-"))
        // A log may name no file elsewhere, nor one of another capture.
        let forged = try earlier([(paths[0], "../a"), (paths[1], "b")])
        #expect(try names(paths, forged) == plain)
        // Two that have one name, of batches that knew nothing of each other, are told apart.
        let both = try earlier([(paths[0], "a"), (paths[1], "a")])
        #expect(try Set(names(paths, both)).count == 3)
    }

    @Test func noNameIsTooLongOrHidden() throws {
        for name in try names([String(repeating: "\u{FC}", count: 150) + ".png", "x/.hidden.png", "..", "/"])
        {
            #expect(name.utf8.count <= 240 && !name.hasPrefix(".") && !name.isEmpty)
        }
    }
}
