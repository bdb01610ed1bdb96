import BatchProcessing
import Foundation
import ReceiptFlattening
import TestSupport
import Testing

/// The schemas in `Schemas`: what the program writes is what they describe, and nothing else.
@Suite struct SchemaTests {
    private static let sample = FlattenProcess.samples.appending(path: "curl-structured").path()

    private func written(_ words: [String], to path: String) throws -> JSONValue {
        let outcome = try FlattenProcess.run(words)
        #expect(outcome.exitCode == 0, "\(words): \(outcome.errors)")
        return try JSONValue(Data(contentsOf: URL(filePath: path)))
    }

    @Test(
        "A report is as its schema says",
        arguments: [
            [sample, "--text", "/dev/null", "--find", "all"], [sample], [sample + "/image.jpg"],
            [sample + "/image.jpg", "--sheets", "all"], [sample, "--method", "plane", "--reproducible"],
        ])
    func report(words: [String]) throws {
        let folder = try ScratchFolder()
        let isNumbered = words.contains("--sheets")
        let words = words.map { $0 == "/dev/null" ? folder.path("text.txt") : $0 }
        let report = try written(
            words + ["--report", folder.path("r.json")], to: folder.path(isNumbered ? "r-1.json" : "r.json"))
        #expect(try JSONSchema(named: "report").violations(by: report) == [])
    }

    @Test("Every key of the report's schema is one that the program knows, and it writes no other")
    func allKeys() throws {
        let schema = try JSONSchema(named: "report")
        let example = schema.example
        #expect(schema.violations(by: example) == [], "the example is one of its own schema")
        let report = try FlatteningReport(json: JSONEncoder().encode(example))
        let again = try JSONValue(report.json())
        // A key that the program does not know is lost on the way; one that the schema does not know has come.
        #expect(again == example)
        #expect(schema.violations(by: again) == [])
    }

    @Test("Every key of the report is documented, and every documented key is one")
    func documentation() throws {
        let folder = Repository.folder.appending(
            path: "Sources/Products/ReceiptFlattening/Documentation.docc")
        let page = try String(contentsOf: folder.appending(path: "Report.md"), encoding: .utf8)
        let names = try JSONSchema(named: "report").propertyNames
        let words = Set(page.matches(of: /`([a-z0-9_]+)`/).map { String($0.output.1) })
        #expect(names.subtracting(words).sorted() == [], "not documented")
        // The first column of a table holds keys, but where it is headed by values.
        var keys: Set<String> = []
        var isOfKeys = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                isOfKeys = false
                continue
            }
            let cell = line.split(separator: "|").first ?? ""
            if cell.contains("key") { isOfKeys = true }
            guard isOfKeys else { continue }
            keys.formUnion(cell.matches(of: /`([a-z0-9_]+)`/).map { String($0.output.1) })
        }
        #expect(keys.count > 40)
        // What the tables of fields and zones are headed by is a key too.
        #expect(keys.subtracting(names).sorted() == [], "documented, but no key")
    }

    @Test("What inspect prints as JSON is as its schema says", arguments: ["", "/image.jpg"])
    func inspection(file: String) throws {
        let outcome = try FlattenProcess.run(["inspect", Self.sample + file, "--json"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(
            try JSONSchema(named: "inspection").violations(by: JSONValue(outcome.output)) == [])
    }

    @Test("Text as JSON is as its schema says, also where there is none", arguments: [sample, nil])
    func text(capture: String?) throws {
        let folder = try ScratchFolder()
        // A picture of equal pixels.
        try Data("P5 64 64 255\n".utf8 + Array(repeating: 200, count: 64 * 64))
            .write(to: URL(filePath: folder.path("blank.pgm")))
        let path = folder.path("text.json")
        let text = try written([capture ?? folder.path("blank.pgm"), "--text", path], to: path)
        #expect(try JSONSchema(named: "text").violations(by: text) == [])
        #expect((text["blocks"] == .array([])) == (capture == nil))
    }

    @Test("A batch's log is as its schema says, for what is done and for what failed")
    func jobs() throws {
        let folder = try ScratchFolder()
        try folder.copy(Self.sample + "/image.jpg", as: "in/good.jpg")
        try folder.write("no picture", as: "in/bad.jpg")
        let outcome = try FlattenProcess.run([
            "batch", folder.path("in"), "-o", folder.path("out"), "--quiet",
        ])
        #expect(outcome.exitCode == 1, "\(outcome.errors)")
        let schema = try JSONSchema(named: "job")
        let lines = try String(contentsOfFile: folder.path("out/jobs.jsonl"), encoding: .utf8)
            .split(separator: "\n")
        let records = try lines.map { try JSONValue(Data($0.utf8)) }
        #expect(records.count == 2)
        for record in records { #expect(schema.violations(by: record) == []) }
        // The example has every key: one that the program does not know would be lost, one more would be seen.
        let example = schema.example
        let record = try JSONDecoder().decode(JobRecord.self, from: JSONEncoder().encode(example))
        #expect(try JSONValue(JSONEncoder().encode(record)) == example)
    }

    @Test("A batch's status is as its schema says, with every key of it, and where little is known")
    func status() throws {
        let folder = try ScratchFolder()
        let hash = String(repeating: "0", count: 64)
        func line(_ name: String, _ second: Int, _ state: String, _ rest: String) -> String {
            let outputs = state == "done" ? "[{\"name\":\"\(name).png\",\"sha256\":\"\(hash)\"}]" : "[]"
            return "{\"captures\":4,\"ended\":\"2026-01-31T12:00:0\(second)Z\",\"input\":\"\(name).jpg\","
                + "\"key\":\"\(hash)\",\"name\":\"\(name)\",\"outputs\":\(outputs),\"seconds\":1.5,"
                + "\"state\":\"\(state)\",\(rest)}\n"
        }
        try folder.write(
            line("a", 1, "done", "\"exit_code\":0") + line("b", 2, "done", "\"exit_code\":0")
                + line("c", 3, "failed", "\"exit_code\":65,\"error\":\"c.jpg: too dark\""),
            as: "out/jobs.1-of-2.jsonl")
        try folder.write("other", as: "out/a.png")
        try folder.write("a.jpg\nb.jpg\nc.jpg\nd.jpg\n", as: "list")
        let schema = try JSONSchema(named: "status")
        func status(_ words: [String]) throws -> JSONValue {
            let outcome = try FlattenProcess.run(["batch", "status", folder.path("out"), "--json"] + words)
            #expect(outcome.exitCode == 1, "\(outcome.errors)")
            return try JSONValue(outcome.output)
        }
        let whole = try status(["--list", folder.path("list"), "--verify"])
        #expect(schema.violations(by: whole) == [])
        #expect(Self.keys(of: whole) == schema.propertyNames)
        #expect(whole["missing_captures"] == .array([.string("d.jpg")]))
        #expect(schema.violations(by: try status([])) == [])
    }

    private static func keys(of value: JSONValue) -> Set<String> {
        switch value {
        case .object(let members):
            members.reduce(into: Set(members.keys)) { $0.formUnion(keys(of: $1.value)) }
        case .array(let values): values.reduce(into: []) { $0.formUnion(keys(of: $1)) }
        default: []
        }
    }

    @Test("The captures of SampleData are as the schema says")
    func captures() throws {
        let schema = try JSONSchema(named: "capture")
        let folders = try FileManager.default.contentsOfDirectory(
            at: FlattenProcess.samples, includingPropertiesForKeys: nil)
        let files = folders.map { $0.appending(path: "capture.json") }
            .filter { FileManager.default.fileExists(atPath: $0.path()) }
        #expect(files.count >= 11)
        for file in files { #expect(try schema.violations(by: JSONValue(Data(contentsOf: file))) == []) }
    }

    @Test(
        "What the schema of capture.json refuses, the program refuses",
        arguments: [
            "[]", "{}", #"{"image": 3}"#, #"{"image": "../image.jpg"}"#, #"{"image": "/image.jpg"}"#,
            #"{"image": "a//b.jpg"}"#, #"{"image": "-"}"#,
            #"{"image": "image.jpg", "depth": {"unit_metres": 0.001}}"#,
            #"{"image": "image.jpg", "depth": {"file": "depth.png", "unit_metres": 0}}"#,
            #"{"image": "image.jpg", "depth": {"file": "depth.png", "unit_metres": "1"}}"#,
            #"{"image": "image.jpg", "depth": {"file": "depth.png", "kind": "distance"}}"#,
            #"{"image": "image.jpg", "depth": {"file": "depth.png", "accuracy": "good"}}"#,
            #"{"image": "image.jpg", "intrinsics": {"fx": -1, "fy": 1, "cx": 1, "cy": 1}}"#,
            #"{"image": "image.jpg", "confidence": 1}"#,
        ])
    func badCaptures(json: String) throws {
        let folder = try ScratchFolder()
        for name in ["image.jpg", "depth.png"] { try folder.copy(Self.sample + "/" + name, as: name) }
        try folder.write(json, as: "capture.json")
        #expect(try JSONSchema(named: "capture").violations(by: JSONValue(Data(json.utf8))) != [])
        #expect(try FlattenProcess.run([folder.path, "-o", folder.path("flat.png")]).exitCode == 65)
    }
}
