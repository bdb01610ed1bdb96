import Foundation
import TestSupport
import Testing

/// `--contact` and `--find items`, as the command takes them.
@Suite struct ContactOutputTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    @Test(
        "The contact is a vCard or a table by its extension; a sheet that is no card gives none, and a warning"
    )
    func byExtension() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample, "--contact", folder.path("a.vcf"), "--report", folder.path("r.json"),
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url.appending(path: "r.json")))
                as? [String: Any])
        #expect(report["finds"] as? [String] == ["contact"])
        #expect(report["items"] is NSNull)
        let contact = try #require(report["contact"] as? [String: Any])
        #expect((contact["names"] as? [Any])?.isEmpty == true, "a receipt names nobody")
        let card = try String(contentsOf: folder.url.appending(path: "a.vcf"), encoding: .utf8)
        #expect(card.isEmpty == outcome.errors.contains("holds no contact"))
        #expect(card.isEmpty || card.hasPrefix("BEGIN:VCARD\r\nVERSION:4.0\r\n"))

        let table = try FlattenProcess.run([Self.sample, "--contact", folder.path("a.CSV")])
        try #require(table.exitCode == 0, "\(table.errors)")
        #expect(
            try String(contentsOf: folder.url.appending(path: "a.CSV"), encoding: .utf8).hasPrefix(
                "name,given_name,"))
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

    @Test("A batch writes a vCard of each capture, in the version asked for") func batch() throws {
        let folder = try ScratchFolder()
        try Self.sample.write(toFile: folder.path("list.txt"), atomically: true, encoding: .utf8)
        let outcome = try FlattenProcess.run(
            [
                "batch", folder.path("list.txt"), "-o", folder.path("out"), "--contact", "--vcard", "3.0",
                "--no-picture",
            ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let cards = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).filter {
            $0.hasSuffix(".vcf")
        }
        #expect(cards == ["fold-structured.vcf"])
    }
}
