import Foundation
import TestSupport
import Testing

/// Pages, overlays and meshes that the command writes.
@Suite struct PageCommandTests {
    private let sample = FlattenProcess.samples.appending(path: "curl-structured").path()

    @Test func anOverlayWouldShowWhatRedactionHides() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([sample, "--overlay", folder.path("o.png"), "--redact", "names"])
        #expect(outcome.exitCode == 64, "\(outcome.errors)")
        #expect(try folder.contents.isEmpty)
    }

    @Test func withoutDepthNoMeshIsWrittenAndAWarningSaysSo() throws {
        let folder = try ScratchFolder()
        try FileManager.default.copyItem(atPath: sample + "/image.jpg", toPath: folder.path("photo.jpg"))
        let outcome = try FlattenProcess.run([
            folder.path("photo.jpg"), "--mesh", folder.path("sheet.glb"), "-o", folder.path("flat.png"),
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("sheet.glb is not written"))
        #expect(try folder.contents.sorted() == ["flat.png", "photo.jpg"])
    }

    @Test func aRedactedPageHoldsNoPhotographAndNoNumber() throws {
        let folder = try ScratchFolder()
        let words = [
            sample, "--page", folder.path("open.html"), "--language", "eng", "--reader", "tesseract",
        ]
        #expect(try FlattenProcess.run(words).exitCode == 0)
        let hidden = [
            sample, "--page", folder.path("hidden.html"), "--redact", "phones", "--language", "eng",
            "--reader", "tesseract",
        ]
        #expect(try FlattenProcess.run(hidden).exitCode == 0)
        func page(_ name: String) throws -> String {
            try String(contentsOfFile: folder.path(name), encoding: .utf8)
        }
        // The number that is printed on the sample.
        #expect(try page("open.html").contains("906 8637"))
        #expect(try !page("hidden.html").contains("8637"))
        // Text and report stand in it to be saved.
        let saved = try page("hidden.html").matches(
            of: /data:(?:text|application)\/[a-z]+;base64,([A-Za-z0-9+\/=]+)/
        )
        .compactMap { Data(base64Encoded: String($0.1)) }
        #expect(saved.count == 2)
        // A confidence may have these four digits among its places.
        #expect(
            saved.allSatisfy {
                !String(decoding: $0, as: UTF8.self).replacing(/\b0\.[0-9]+/, with: "").contains("8637")
            })
        func pictures(_ page: String) -> Int { page.components(separatedBy: "data:image/jpeg").count }
        #expect(pictures(try page("hidden.html")) < pictures(try page("open.html")))
    }

    @Test func aBatchWritesAnIndexOfItsPagesWithFailuresFirst() throws {
        let folder = try ScratchFolder()
        try (sample + "\n" + folder.path("missing.jpg") + "\n").write(
            toFile: folder.path("list.txt"), atomically: true, encoding: .utf8)
        let outcome = try FlattenProcess.run([
            "batch", folder.path("list.txt"), "-o", folder.path("out"), "--page",
        ])
        #expect(outcome.exitCode == 1, "\(outcome.errors)")
        let index = try String(contentsOfFile: folder.path("out/index.html"), encoding: .utf8)
        let failed = try #require(index.range(of: "missing"))
        let done = try #require(index.range(of: "curl-structured"))
        #expect(failed.lowerBound < done.lowerBound)
        for name in ["curl-structured.html", "curl-structured.thumb.jpg"] {
            #expect(FileManager.default.fileExists(atPath: folder.path("out/" + name)), "\(name)")
        }
    }

    /// A capture may be called as the index is, and names of files may hold line feeds.
    @Test func anIndexKnowsAllCapturesWhicheverRunMadeThem() throws {
        let folder = try ScratchFolder()
        for name in ["index", "two\nlines"] {
            try FileManager.default.copyItem(
                atPath: sample + "/image.jpg", toPath: folder.path(name + ".jpg"))
        }
        try ["index.jpg", "two\nlines.jpg"].map { folder.path($0) + "\0" }.joined().write(
            toFile: folder.path("list"), atomically: true, encoding: .utf8)
        let batch = [
            "batch", "--null", folder.path("list"), "-o", folder.path("out"), "--page", "--mesh", "--metrics",
            folder.path("counts.prom"),
        ]
        for (words, state) in [(batch, "done"), (batch + ["--resume"], "done_earlier")] {
            let outcome = try FlattenProcess.run(words)
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            let index = try String(contentsOfFile: folder.path("out/index.html"), encoding: .utf8)
            #expect(index.components(separatedBy: "<li ").count == 3)
            // No depth, no mesh: a warning, not a failure.
            #expect(index.contains("0 failed"))
            let counts = try String(contentsOfFile: folder.path("counts.prom"), encoding: .utf8)
            #expect(counts.contains("state=\"\(state)\"} 2\n"), "\(counts)")
        }
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).filter {
            $0.hasSuffix(".html") && $0 != "index.html"
        }
        #expect(pages.count == 2 && pages.contains { $0.hasPrefix("index-") })
    }

    @Test func twoRunsGiveTheSamePage() throws {
        let folder = try ScratchFolder()
        func page(_ name: String) throws -> Data {
            let words = [sample, "--page", folder.path(name), "--reproducible", "--reader", "tesseract"]
            #expect(try FlattenProcess.run(words).exitCode == 0)
            return try Data(contentsOf: URL(filePath: folder.path(name)))
        }
        #expect(try page("one.html") == page("two.html"))
    }

    @Test func aPageOfOneReceiptIsNoIndexThatABatchMayReplace() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("out"), withIntermediateDirectories: true)
        let index = folder.path("out/index.html")
        #expect(try FlattenProcess.run([sample, "--page", index, "--reader", "tesseract"]).exitCode == 0)
        let before = try Data(contentsOf: URL(filePath: index))
        try sample.write(toFile: folder.path("list.txt"), atomically: true, encoding: .utf8)
        let batch = ["batch", folder.path("list.txt"), "-o", folder.path("out"), "--page"]
        #expect(try FlattenProcess.run(batch).exitCode == 65)
        #expect(try Data(contentsOf: URL(filePath: index)) == before)
        // What a batch wrote, the next one replaces.
        #expect(try FlattenProcess.run(batch + ["--force"]).exitCode == 0)
        #expect(try FlattenProcess.run(batch + ["--resume"]).exitCode == 0)
    }
}
