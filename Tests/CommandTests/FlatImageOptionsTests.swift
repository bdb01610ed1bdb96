import Foundation
import TestSupport
import Testing

/// Options that say where the sheet lies and how its light is shown.
@Suite struct FlatImageOptionsTests {
    private let sample = FlattenProcess.samples.appending(path: "plane-structured").path()

    private func report(_ arguments: [String]) throws -> [String: Any] {
        let outcome = try FlattenProcess.run([sample, "--report", "-"] + arguments)
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        return try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    }

    @Test("The corners that were given are the outline that is reported, however they are quoted")
    func corners() throws {
        let found = try #require(try report([])["outline"] as? [[Double]])
        let xs = found.map { $0[0] }
        let ys = found.map { $0[1] }
        // The middle of the sheet that was found: a rectangle of it, in whole pixels.
        let middle = [xs.reduce(0, +) / Double(xs.count), ys.reduce(0, +) / Double(ys.count)].map {
            $0.rounded()
        }
        let given = [[-60.0, -80], [60, -80], [60, 80], [-60, 80]].map {
            [$0[0] + middle[0], $0[1] + middle[1]]
        }
        let points = given.map { "\($0[0]),\($0[1])" }
        for arguments in [["--corners"] + points, ["--corners=" + points.joined(separator: " ")]] {
            let report = try report(arguments)
            #expect(report["outline"] as? [[Double]] == given)
            #expect(report["outline_confidence"] as? Double == 1)
        }
    }

    @Test(
        "Corners that are none are wrong usage; corners that enclose no sheet of this picture are bad input")
    func badCorners() throws {
        for arguments in [["1,1", "2,2", "3,3"], ["1,1", "a,2", "3,3", "4,4"], ["1", "2", "3", "4"]] {
            #expect(try FlattenProcess.run([sample, "-o", "-", "--corners"] + arguments).exitCode == 64)
        }
        let crossed = try FlattenProcess.run([
            sample, "-o", "-", "--corners", "10,10", "200,200", "200,10", "10,200",
        ])
        #expect(crossed.exitCode == 65)
        #expect(crossed.errors.contains("convex"))
    }

    @Test("Light is corrected on demand only, and only one way")
    func light() throws {
        let folder = try ScratchFolder()
        var pictures: Set<Data> = []
        for arguments in [[], ["--clean"], ["--bw"]] {
            let outcome = try FlattenProcess.run([sample, "-o", folder.path("flat.png")] + arguments)
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            pictures.insert(try Data(contentsOf: folder.url.appending(path: "flat.png")))
        }
        #expect(pictures.count == 3)
        #expect(try FlattenProcess.run([sample, "-o", "-", "--clean", "--bw"]).exitCode == 64)
    }

    @Test("--look says how the sheet is shown; images are photographs and PDFs documents by default")
    func look() throws {
        let folder = try ScratchFolder()
        func picture(_ name: String, _ arguments: [String] = []) throws -> Data {
            let file = folder.url.appending(path: name)
            let option = name.hasSuffix(".pdf") ? "--text" : "-o"
            let outcome = try FlattenProcess.run([sample, option, file.path()] + arguments)
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
            return try Data(contentsOf: file)
        }
        let photo = try picture("flat.png")
        #expect(try picture("photo.png", ["--look", "photo"]) == photo)
        let document = try picture("document.png", ["--look", "document"])
        #expect(try document != photo && document != picture("clean.png", ["--clean"]))
        #expect(try picture("bw.png", ["--look", "bw"]) == picture("one-bit.png", ["--bw"]))
        let pdf = try picture("flat.pdf")
        #expect(try picture("document.pdf", ["--look", "document"]) == pdf)
        #expect(try picture("photo.pdf", ["--look", "photo"]) != pdf)
        for wrong in [["--look", "grey"], ["--look", "photo", "--clean"], ["--look", "bw", "--bw"]] {
            #expect(try FlattenProcess.run([sample, "-o", "-"] + wrong).exitCode == 64)
        }
    }

    @Test("--bw writes one bit a pixel: PNG, TIFF and PDF, and grey in JPEG, which has no such kind")
    func oneBit() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            [sample, "--bw"]
                + ["flat.png", "flat.tif", "flat.jpg"].flatMap { ["-o", folder.path($0)] }
                + ["--text", folder.path("flat.pdf")])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.path(name))) }
        // IHDR: bit depth 1, grey.
        #expect(try Array(bytes("flat.png")[24..<26]) == [1, 0])
        let pdf = String(decoding: try bytes("flat.pdf"), as: UTF8.self)
        #expect(pdf.contains("/BitsPerComponent 1 /Filter /CCITTFaxDecode") && !pdf.contains("/DCTDecode"))
        for name in ["flat.png", "flat.tif", "flat.pdf"] {
            #expect(try bytes(name).count < bytes("flat.jpg").count / 3, "\(name)")
        }
    }
}
