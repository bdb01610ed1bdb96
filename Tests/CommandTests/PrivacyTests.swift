import Foundation
import Testing

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
        let folder = try TemporaryFolder()
        let photograph = try describedPhotograph()
        #expect(photograph.range(of: Data("SECRET-MAKER".utf8)) != nil)
        try photograph.write(to: folder.url.appending(path: "photo.jpg"))
        let outputs = try TemporaryFolder()
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
        #expect(outputs.contents.count == 6)
        for name in outputs.contents {
            let bytes = try Data(contentsOf: outputs.url.appending(path: name))
            for sign in ["SECRET", "Exif", "ns.adobe.com"] {
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
        let folder = try TemporaryFolder()
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

    @Test func whatOnlyThePhotographShowsIsNotOfferedAsRedacted() throws {
        let folder = try TemporaryFolder()
        for option in ["--cloud", "--depth-preview"] {
            let outcome = try FlattenProcess.run([
                Self.sample.path(), "--redact", option, folder.path("a.png"),
            ])
            #expect(outcome.exitCode == 64)
        }
        #expect(
            try FlattenProcess.run([Self.sample.path(), "-o", folder.path("a.png"), "--redact", "faces"])
                .exitCode
                == 64)
    }
}
