import Foundation
import TestSupport
import Testing

/// The forms of `--text`, as the command writes them.
@Suite struct TextOutputTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    /// How a file of each format begins, and something that only it contains.
    private static let signs: [(name: String, starts: String, contains: String)] = [
        ("text", "", "TOTAL"),
        ("json", "{", #""legibility" : "readable""#),
        ("tsv", "level\tpage_num\t", "\tTOTAL\n"),
        ("hocr", "<?xml", "ocrx_word"),
        ("alto", "<?xml", "<alto "),
        ("pdf", "%PDF-1.", "/DCTDecode"),
    ]

    /// One reading in one format. Bytes are taken for Latin-1, since a PDF is no UTF-8.
    private func read(to name: String, format: String? = nil) throws -> String {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            [Self.sample, "--text", name == "-" ? name : folder.path(name)]
                + (format.map { ["--format", $0] } ?? []))
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let bytes = name == "-" ? outcome.output : try Data(contentsOf: folder.url.appending(path: name))
        return String(bytes.map { Character(Unicode.Scalar($0)) })
    }

    @Test("hOCR shows the flat picture that lies beside it")
    func hocrWithPicture() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("elsewhere"), withIntermediateDirectories: true)
        let words = ["--language", "eng", "--reader", "tesseract", "-o", folder.path("the flat.png")]
        for (text, isShown) in [("text.html", true), ("elsewhere/text.html", false)] {
            let outcome = try FlattenProcess.run([Self.sample] + words + ["--text", folder.path(text)])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            let page = try String(contentsOfFile: folder.path(text), encoding: .utf8)
            #expect(page.contains("<img src='./the%20flat.png'") == isShown)
        }
    }

    @Test("The text's JSON says which engine read it")
    func reader() throws {
        #expect(try read(to: "a.json").contains(#""reader" : "builtin""#))
    }

    private func check(_ written: String, is format: String) throws {
        let sign = try #require(Self.signs.first { $0.name == format })
        #expect(written.hasPrefix(sign.starts), "\(format) begins with \(written.prefix(20))")
        #expect(written.contains(sign.contains), "\(format) without \(sign.contains)")
        if format != "alto", format != "hocr", format != "pdf" { #expect(!written.contains("<?xml")) }
    }

    @Test(
        "The extension chooses the format; without one it is plain text",
        arguments: [
            ("a.txt", "text"), ("a.json", "json"), ("a.TSV", "tsv"), ("a.hocr", "hocr"), ("a.xml", "alto"),
            ("a.alto", "alto"), ("a.pdf", "pdf"), ("receipt", "text"), ("a.text", "text"), ("-", "text"),
        ])
    func byExtension(name: String, format: String) throws {
        try check(try read(to: name), is: format)
    }

    @Test(
        "--format overrides the extension", arguments: [("a.txt", "json"), ("a.json", "text"), ("-", "pdf")])
    func byOption(name: String, format: String) throws {
        try check(try read(to: name, format: format), is: format)
    }

    @Test(
        "Any other extension is refused, unless --format says what is meant",
        arguments: ["csv", "odt", "docx", "png"])
    func otherExtensions(fileExtension: String) throws {
        let folder = try ScratchFolder()
        let refused = try FlattenProcess.run([Self.sample, "--text", folder.path("a.\(fileExtension)")])
        #expect(refused.exitCode == 64)
        #expect(refused.errors.contains(".hocr") && refused.errors.contains("--format"))
        #expect(try folder.contents.isEmpty)
        try check(try read(to: "a.\(fileExtension)", format: "text"), is: "text")
    }

    @Test("Several texts and pictures come of one run, each in its own format")
    func several() throws {
        let folder = try ScratchFolder()
        let texts = [("a.txt", "text"), ("a.json", "json"), ("a.pdf", "pdf")]
        let outcome = try FlattenProcess.run(
            [Self.sample, "-o", folder.path("a.png"), "-o", folder.path("a.jpg")]
                + texts.flatMap { ["--text", folder.path($0.0)] })
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try folder.contents == ["a.jpg", "a.json", "a.pdf", "a.png", "a.txt"])
        for (name, format) in texts {
            let bytes = try Data(contentsOf: folder.url.appending(path: name))
            try check(String(bytes.map { Character(Unicode.Scalar($0)) }), is: format)
        }
        #expect(try Data(contentsOf: folder.url.appending(path: "a.jpg")).starts(with: [0xFF, 0xD8]))
        let one = try FlattenProcess.run([
            Self.sample, "--text", folder.path("b"), "--text", folder.path("c"), "--format", "tsv",
        ])
        #expect(one.exitCode == 64)
    }

    @Test("The PDF's page has the sheet's true size")
    func pageSize() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample, "--text", folder.path("a.pdf"), "--report", folder.path("a.json"),
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let report =
            try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url.appending(path: "a.json")))
            as? [String: Any]
        let size = try #require(report?["size_mm"] as? [String: Double])
        let bytes = try Data(contentsOf: folder.url.appending(path: "a.pdf"))
        let pdf = String(bytes.map { Character(Unicode.Scalar($0)) })
        let box = try #require(pdf.firstMatch(of: #/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/#))
        // Thousandths of a point are written: 0.0002 mm.
        for (points, millimetres) in [(box.1, size["width"]), (box.2, size["height"])] {
            let written = try #require(Double(points)) / 72 * 25.4
            #expect(abs(written - (millimetres ?? 0)) < 0.001)
        }
    }
}
