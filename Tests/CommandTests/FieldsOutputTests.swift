import Foundation
import TestSupport
import Testing

/// `--fields`: what a receipt says, as short JSON.
@Suite struct FieldsOutputTests {
    private static let sample = FlattenProcess.samples.appending(path: "fold-structured").path()

    private func object(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("The values of the report stand in it, without any other output asking for text") func values()
        throws
    {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([
            Self.sample, "--fields", folder.path("f.json"), "--report", folder.path("r.json"),
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try folder.contents == ["f.json", "r.json"])
        let data = try Data(contentsOf: folder.url.appending(path: "f.json"))
        let values = try object(data)
        #expect(try JSONSchema(named: "fields").violations(by: JSONValue(data)) == [])
        let report = try object(Data(contentsOf: folder.url.appending(path: "r.json")))
        #expect(report["fields_missing"] is NSNull)
        let fields = try #require(report["fields"] as? [String: Any])
        #expect(Set(values.keys).subtracting(["schema", "pages"]) == Set(fields.keys))
        var given = 0
        for (key, value) in values where !(value is [Any] || value is [String: Any]) && key != "schema" {
            let field = fields[key] as? [String: Any]
            #expect(value as? String == field?["value"] as? String, "\(key)")
            if field != nil { given += 1 }
        }
        #expect(given > 4, "else little was compared")
        let total = try #require(values["total"] as? String)
        #expect(total.wholeMatch(of: #/\d+\.\d\d/#) != nil, "its currency has two digits: \(total)")
        let items = try #require(values["items"] as? [[String: Any]])
        #expect(items.count == (fields["items"] as? [Any])?.count && !items.isEmpty)
        // What is null says why, and nothing else does.
        let missing = try #require(values["missing"] as? [String: String])
        #expect(values["pages"] is NSNull, "the receipt is on one page")
        let null = values.filter { $0.value is NSNull && $0.key != "pages" }.map(\.key)
        #expect(Set(missing.keys) == Set(null))
    }

    @Test("On standard output it is all there is") func standardOutput() throws {
        let outcome = try FlattenProcess.run([Self.sample, "--fields", "-"])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try object(outcome.output)["schema"] as? Int == 1)
    }

    @Test("A sheet without print has every value null, and says why") func blank() throws {
        let folder = try ScratchFolder()
        try Data("P5 64 64 255\n".utf8 + Array(repeating: 200, count: 64 * 64))
            .write(to: URL(filePath: folder.path("blank.pgm")))
        let outcome = try FlattenProcess.run([folder.path("blank.pgm"), "--fields", "-"])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let values = try object(outcome.output)
        #expect(values["total"] is NSNull)
        #expect((values["missing"] as? [String: String])?["total"] == "no text was read")
    }

    @Test("A report alone has no text read, and says so") func reportAlone() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run([Self.sample, "--report", folder.path("r.json")])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let report = try object(Data(contentsOf: folder.url.appending(path: "r.json")))
        #expect(report["fields"] is NSNull && report["text"] is NSNull)
        #expect((report["fields_missing"] as? String)?.contains("--fields") == true)
    }

    @Test("A batch writes one of each capture") func batch() throws {
        let folder = try ScratchFolder()
        try "\(Self.sample)\n".write(toFile: folder.path("list.txt"), atomically: true, encoding: .utf8)
        let outcome = try FlattenProcess.run([
            "batch", folder.path("list.txt"), "-o", folder.path("out"), "--fields", "--no-picture",
        ])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let data = try Data(contentsOf: URL(filePath: folder.path("out/fold-structured.fields.json")))
        #expect(try JSONSchema(named: "fields").violations(by: JSONValue(data)) == [])
    }

    @Test("--today is the day by which dates are read; any other word is refused") func today() throws {
        let values = try object(
            FlattenProcess.run([Self.sample, "--fields", "-", "--today", "2031-12-31"]).output)
        #expect(values["date"] is String)
        for word in ["2025-02-30", "yesterday", "13.02.2025"] {
            let outcome = try FlattenProcess.run([Self.sample, "--fields", "-", "--today", word])
            #expect(
                outcome.exitCode == 64 && outcome.errors.contains("2025-02-13"), "\(word): \(outcome.errors)")
        }
    }
}
