import Foundation
import TestSupport
import Testing
import TextTestSupport

/// `--contact` and `--find items`, as the command takes them.
@Suite struct ContactOutputTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    @Test("A receipt is no contact: none is written, a warning says so, and report and page show none")
    func receipt() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample, "--contact", folder.path("a.vcf"), "--report", folder.path("r.json"), "--page",
            folder.path("p.html"),
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url.appending(path: "r.json")))
                as? [String: Any])
        #expect(report["finds"] as? [String] == ["contact"])
        #expect(report["items"] is NSNull)
        let contact = try #require(report["contact"] as? [String: Any])
        for (key, value) in contact {
            #expect(value is NSNull || (value as? [Any])?.isEmpty == true, "\(key)")
        }
        #expect(outcome.errors.contains("a.vcf is not written"))
        #expect(try folder.contents == ["p.html", "r.json"])
        let page = try String(contentsOf: folder.url.appending(path: "p.html"), encoding: .utf8)
        #expect(!page.contains("<caption>Contact</caption>") && !page.contains(">Job</th>"))
    }

    /// A business card as a picture that is all of it.
    private func card(in folder: ScratchFolder) throws -> String {
        let picture = try DrawnPage(
            """

              Anna Huber
              Sales Manager

              Acme Widgets Ltd
              Tel. +44 20 7946 0991
              anna.huber@acme.example

            """
        ).picture
        let path = folder.path("card.pgm")
        try (Data("P5 \(picture.width) \(picture.height) 255\n".utf8) + Data(picture.elements)).write(
            to: URL(filePath: path))
        return path
    }

    @Test("A business card's contact is a vCard or a table by its extension")
    func byExtension() throws {
        let folder = try ScratchFolder()
        let card = try card(in: folder)
        for (name, start) in [("a.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\n"), ("a.CSV", "name,given_name,")] {
            let outcome = try FlattenProcess.run([card, "--contact", folder.path(name)])
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
            let written = try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
            #expect(written.hasPrefix(start) && written.contains("Anna Huber"), "\(written)")
        }
    }

    @Test(
        "Any other extension and any other version are refused",
        arguments: [["a.txt"], ["a"], ["a.vcf", "--vcard", "2.1"]])
    func refused(words: [String]) throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            [Self.sample, "--contact", folder.path(words[0])] + words.dropFirst())
        #expect(outcome.exitCode == 64)
        #expect(try folder.contents.isEmpty)
    }

    @Test("Items stand in the report with their places; what is blacked out stands in none") func items()
        throws
    {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample, "--find", "items", "--report", folder.path("r.json"),
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url.appending(path: "r.json")))
                as? [String: Any])
        let items = try #require(report["items"] as? [[String: Any]])
        #expect(items.contains { $0["kind"] as? String == "price" })
        for item in items {
            let place = try #require(item["polygon"] as? [String: Any])
            #expect((place["flat"] as? [Any])?.count == 4)
            #expect((place["mm"] as? [Any])?.count == 4, "the sample's scale is metric")
        }
        #expect(report["contact"] is NSNull)
    }

    @Test("A batch writes a vCard of each business card, in the version asked for") func batch() throws {
        let folder = try ScratchFolder()
        try "\(Self.sample)\n\(card(in: folder))\n".write(
            toFile: folder.path("list.txt"), atomically: true, encoding: .utf8)
        let outcome = try FlattenProcess.run(
            [
                "batch", folder.path("list.txt"), "-o", folder.path("out"), "--contact", "--vcard", "3.0",
                "--no-picture",
            ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let cards = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).filter {
            $0.hasSuffix(".vcf")
        }
        #expect(cards == ["card.vcf"])
    }
}
