import Foundation
import ArgumentParser
import TestSupport
import Testing

@testable import flatten

/// What of a receipt and of its photograph's metadata is let out, and where.
@Suite struct PrivacyTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured")

    /// A sample's photograph with a comment, XMP, and EXIF that names a maker and a place (GPS), built from EXIF 2.32's
    /// description. Each says SECRET.
    private func describedPhotograph() throws -> Data {
        func little16(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
        func little32(_ value: Int) -> [UInt8] { little16(value & 0xFFFF) + little16(value >> 16) }
        func entry(_ tag: Int, type: Int, count: Int, value: [UInt8]) -> [UInt8] {
            little16(tag) + little16(type) + little32(count) + value
        }
        func segment(_ marker: UInt8, _ content: [UInt8]) -> Data {
            let length = content.count + 2
            return Data([0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content)
        }
        let maker = Array("SECRET-MAKER\0".utf8)
        // Header 8, a directory of 2 entries 30, the maker's name 13 and a byte to be even, then the GPS directory.
        let tiff: [UInt8] =
            Array("II*\0".utf8) + little32(8) + little16(2)
            + entry(0x010F, type: 2, count: maker.count, value: little32(38))
            + entry(0x8825, type: 4, count: 1, value: little32(52)) + little32(0) + maker + [0]
            + little16(1) + entry(1, type: 2, count: 2, value: Array("N\0\0\0".utf8)) + little32(0)
        let picture = try Data(contentsOf: Self.sample.appending(path: "image.jpg"))
        return picture.prefix(2) + segment(0xE1, Array("Exif\0\0".utf8) + tiff)
            + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x>SECRET-XMP</x>".utf8))
            + segment(0xFE, Array("SECRET-COMMENT".utf8)) + picture.dropFirst(2)
    }

    @Test func outputsCarryNothingOfThePhotographsMetadata() throws {
        let folder = try ScratchFolder()
        let photograph = try describedPhotograph()
        #expect(photograph.range(of: Data("SECRET-MAKER".utf8)) != nil)
        try photograph.write(to: folder.url.appending(path: "photo.jpg"))
        let outputs = try ScratchFolder()
        for picture in ["flat.png", "flat.jpg", "flat.tif"] {
            let outcome = try FlattenProcess.run([
                folder.path("photo.jpg"), "-o", outputs.path(picture), "--dpi", "100", "--verbose",
                "--report", outputs.path("report.json"), "--map", outputs.path("map.npy"),
            ])
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
            #expect(!outcome.errors.contains("SECRET"))
        }
        let pdf = try FlattenProcess.run([folder.path("photo.jpg"), "--text", outputs.path("text.pdf")])
        try #require(pdf.exitCode == 0, "\(pdf.errors)")
        #expect(try outputs.contents.count == 6)
        for name in try outputs.contents {
            let bytes = try Data(contentsOf: outputs.url.appending(path: name))
            // The PDF has XMP of its own.
            for sign in ["SECRET", "Exif"] + (name == "text.pdf" ? [] : ["ns.adobe.com"]) {
                #expect(bytes.range(of: Data(sign.utf8)) == nil, "\(name) has \(sign)")
            }
        }
    }

    @Test func noTextIsSaidOnStandardError() throws {
        let outcome = try FlattenProcess.run([Self.sample.path(), "--text", "-", "--verbose"])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        // Words that a message could use by itself are left out: what remains is this receipt's own.
        let words = Set(outcome.text.split(whereSeparator: \.isWhitespace).map(String.init))
            .filter { $0.count >= 5 && ($0.contains { $0.isNumber } || $0.first?.isUppercase == true) }
        #expect(words.count > 10)
        for word in words { #expect(!outcome.errors.contains(word), "\(word) is said") }
    }

    @Test func whatIsRedactedIsGoneFromTextReportAndPicture() throws {
        let folder = try ScratchFolder()
        let plain = try FlattenProcess.run([
            Self.sample.path(), "-o", folder.path("plain.png"), "--text", "-",
        ])
        #expect(plain.text.contains("871 3344"))
        let redacted = try FlattenProcess.run([
            Self.sample.path(), "--redact", "phones,cards", "-o", folder.path("redacted.png"),
            "--text", folder.path("text.json"), "--report", folder.path("report.json"), "--verbose",
        ])
        try #require(redacted.exitCode == 0, "\(redacted.errors)")
        for name in ["text.json", "report.json"] {
            let text = try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
            // As words; the digits alone may stand in a coordinate.
            for spelling in ["871 3344", "\"871\"", "\"3344\""] {
                #expect(!text.contains(spelling), "\(name)")
            }
            #expect(text.contains("145.06"), "the rest of \(name) stays")
        }
        #expect(!redacted.errors.contains("3344"))
        // The black picture is read again: what is hidden is not to be read, and the rest still is.
        let again = try FlattenProcess.run([folder.path("redacted.png"), "--text", "-"])
        #expect(!again.text.contains("3344") && !again.text.contains("871"))
        #expect(again.text.contains("145.06"))
    }

    /// Every output that can show what is read, by what it is named by.
    private static let outputs = [
        ("-o", "a.png"), ("-o", "a.jpg"), ("-o", "a.tif"), ("--text", "a.txt"), ("--text", "a.json"),
        ("--text", "a.tsv"), ("--text", "a.hocr"), ("--text", "a.alto"), ("--text", "a.pdf"),
        ("--report", "b.json"),
    ]

    @Test(
        "A kind that there is not fails and writes nothing, in whatever format",
        arguments: [
            "--redact=phones,typo", "--redact=typo", "--redact=", "--redact=phone", "--redact=phones,",
            "--redact phones,typo", "--redact typo", "--redact phones --redact cards",
        ])
    func wrongKinds(words: String) throws {
        let folder = try ScratchFolder()
        for (option, name) in Self.outputs {
            let outcome = try FlattenProcess.run(
                [Self.sample.path(), option, folder.path(name)] + words.split(separator: " ").map(String.init)
            )
            #expect(outcome.exitCode == 64)
            #expect(
                words.contains("cards") || outcome.errors.contains("cards, names, phones")
                    || outcome.errors.contains("Missing value"), "\(outcome.errors)")
        }
        #expect(try folder.contents.isEmpty)
        let input = try ScratchFolder()
        try FileManager.default.copyItem(
            at: Self.sample.appending(path: "image.jpg"), to: input.url.appending(path: "a.jpg"))
        let batch = try FlattenProcess.run(
            ["batch", input.url.path(), "-o", folder.path("out"), "--text"]
                + words.split(separator: " ").map(String.init))
        #expect(batch.exitCode == 64, "\(batch.errors)")
        #expect(try folder.contents.isEmpty)
    }

    /// The text of a PDF: its codes of two bytes by its map to Unicode.
    private func text(ofPDF bytes: Data) -> String {
        let pdf = String(decoding: bytes, as: UTF8.self)
        var map: [Substring: String] = [:]
        for match in pdf.matches(of: #/\n<([0-9A-F]{4})> <([0-9A-F]{4})>/#) {
            map[match.1] = UInt32(match.2, radix: 16).flatMap(Unicode.Scalar.init).map {
                String(Character($0))
            }
        }
        return pdf.matches(of: #/<([0-9A-F]+)> Tj/#).map { match in
            stride(from: 0, to: match.1.count, by: 4).map { map[match.1.dropFirst($0).prefix(4)] ?? "?" }
                .joined()
        }.joined()
    }

    /// Whether a file shows the sample's telephone number: as text, or to who reads the picture.
    private func showsNumber(_ path: String) throws -> Bool {
        if ["png", "jpg", "tif"].contains(URL(filePath: path).pathExtension) {
            return try FlattenProcess.run([path, "--text", "-"]).text.contains("3344")
        }
        let bytes = try Data(contentsOf: URL(filePath: path))
        if path.hasSuffix(".pdf") { return text(ofPDF: bytes).contains(" 3344") }
        // As a word of its own; the digits alone may stand in a coordinate.
        return [" 3344", "\"3344", ">3344", "\t3344"]
            .contains { bytes.range(of: Data($0.utf8)) != nil }
    }

    @Test("A kind that there is hides in every format, in a batch too, however it is spelled")
    func everyFormat() throws {
        for (spelling, shows) in [([], true), (["--redact= Phones ,cards"], false)] {
            let folder = try ScratchFolder()
            let outcome = try FlattenProcess.run(
                [Self.sample.path()] + spelling + Self.outputs.flatMap { [$0.0, folder.path($0.1)] })
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
            for (_, name) in Self.outputs where name != "b.json" {
                #expect(try showsNumber(folder.path(name)) == shows, "\(name)")
            }
            #expect(try shows || !showsNumber(folder.path("b.json")))
        }
        let input = try ScratchFolder()
        try FileManager.default.copyItem(at: Self.sample, to: input.url.appending(path: "a"))
        for (words, shows) in [([], true), (["--redact", "phones"], false), (["--redact=PHONES"], false)] {
            let output = try ScratchFolder()
            let outcome = try FlattenProcess.run(
                ["batch"] + words + [input.url.path(), "-o", output.url.path(), "--text", "--report"])
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
            #expect(try showsNumber(output.path("a.txt")) == shows)
            #expect(try showsNumber(output.path("a.png")) == shows)
        }
    }

    @Test(
        "An area is black, nothing says what stands there, and the rest stays; how far it is, a program is told"
    )
    func anArea() throws {
        let folder = try ScratchFolder()
        let place = try FlattenProcess.run([
            Self.sample.path(), "--report", folder.path("plain.json"), "--fields", folder.path("fields.json"),
        ])
        try #require(place.exitCode == 0, "\(place.errors)")
        let plain = try JSONDecoder().decode(
            PlacedTotal.self, from: Data(contentsOf: folder.url.appending(path: "plain.json")))
        let corners = try #require(plain.fields?.total.polygon.flat)
        let (left, top) = (corners[0][0], corners[0][1])
        let outcome = try FlattenProcess.run([
            Self.sample.path(), "--redact-area",
            "\(left),\(top),\(corners[2][0] - left),\(corners[2][1] - top)",
            "-o", folder.path("a.png"), "--text", folder.path("a.txt"), "--report", folder.path("a.json"),
            "--fields", folder.path("b.json"), "--progress", "--quiet",
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        for name in ["a.txt", "a.json", "b.json"] {
            let text = try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
            #expect(!text.contains("145.06"), "\(name)")
            #expect(name == "b.json" || text.contains("871 3344"), "the rest of \(name) stays")
        }
        let report = try String(contentsOf: folder.url.appending(path: "a.json"), encoding: .utf8)
        #expect(report.contains("\"areas\" : 1") || report.contains("\"areas\": 1"))
        let again = try FlattenProcess.run([folder.path("a.png"), "--text", "-"])
        #expect(!again.text.contains("145.06") && again.text.contains("3344"))
        let told = outcome.errors.split(separator: "\n")
        #expect(told.allSatisfy { $0.hasPrefix("progress: {") })
        #expect(
            told.first == "progress: {\"stage\":\"read\"}" && told.last == "progress: {\"stage\":\"write\"}")
        #expect(told.contains { $0.contains("\"share\"") && $0.contains("\"text\"") })
    }

    /// Where a report says that the total stands.
    private struct PlacedTotal: Decodable {
        struct Fields: Decodable { var total: Total }
        struct Total: Decodable { var polygon: Polygon }
        struct Polygon: Decodable { var flat: [[Double]] }
        var fields: Fields?
    }

    @Test(
        "An area that cannot be blacked out is refused",
        arguments: [
            ["a.jpg", "--redact-area", "1,2,3"], ["a.jpg", "--redact-area", "1,2,3,0"],
            ["a.jpg", "--redact-area", "1,2,-3,4"], ["a.jpg", "--redact-area", "nan,2,3,4"],
            ["a.jpg", "--redact-area", "1,2,3,4", "--sheets", "all"],
            ["a.jpg", "--redact-area", "1,2,3,4", "--cloud", "c.ply"],
            ["a.jpg", "--redact-area", "1,2,3,4", "--overlay", "o.png"],
        ])
    func areasThatAreNone(words: [String]) throws {
        #expect(throws: (any Error).self) { try FlattenArguments.parse(words) }
        let several = try FlattenArguments.parse(["a.jpg", "b.jpg", "--redact-area=-1,2,3,4"]).request
        #expect(throws: ValidationError.self) { try several.requirePages() }
        #expect(throws: ValidationError.self) { try several.requireOneImage(pages: 2) }
        try several.requireOneImage(pages: 1)
    }

    @Test func anAreaBesideTheFlatImageIsRefusedAndNothingIsWritten() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample.path(), "-o", folder.path("a.png"), "--dpi", "100", "--redact-area", "9000,0,5,5",
        ])
        #expect(outcome.exitCode == 65 && outcome.errors.contains("lies beside the flat image"))
        #expect(try folder.contents.isEmpty)
    }

    @Test func whatOnlyThePhotographShowsIsNotOfferedAsRedacted() throws {
        let folder = try ScratchFolder()
        for option in ["--cloud", "--depth-preview"] {
            let outcome = try FlattenProcess.run([
                Self.sample.path(), "--redact", option, folder.path("a.png"),
            ])
            #expect(outcome.exitCode == 64)
        }
        #expect(
            try FlattenProcess.run([Self.sample.path(), "-o", folder.path("a.png"), "--redact", "tattoos"])
                .exitCode
                == 64)
    }
}
