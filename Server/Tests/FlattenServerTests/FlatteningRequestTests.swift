import Foundation
import Testing

@testable import FlattenServer

/// What callers may ask for, and no more.
@Suite struct FlatteningRequestTests {
    private func words(_ json: String) throws -> [String] {
        let upload = Upload(images: [URL(filePath: "/in/upload")], depth: URL(filePath: "/in/upload-depth"))
        return try FlatteningRequest(json: Data(json.utf8))
            .arguments(for: upload, in: URL(filePath: "/out"), timeout: 9)
    }

    @Test("A request becomes words of the command line, each value within its option's word")
    func accepted() throws {
        let words = try words(
            """
            {"language": "deu+eng", "look": "bw", "redact": ["cards", "names"], "dpi": 200, "no_depth": true, "best": false,
             "corners": [[1, 2], [30.5, 4], [5, 60], [7, 8]], "outputs": ["image.png", "text.txt"], "country": null}
            """)
        #expect(
            words.starts(with: [
                "/in/upload", "--quiet", "--progress", "--timeout=9", "--depth", "/in/upload-depth",
            ]))
        for word in ["--language=deu+eng", "--look=bw", "--redact=cards,names", "--dpi=200.0", "--no-depth"] {
            #expect(words.contains(word))
        }
        let corners = try #require(words.firstIndex(of: "--corners"))
        #expect(
            words[corners...].prefix(6) == [
                "--corners", "1.0,2.0", "30.5,4.0", "5.0,60.0", "7.0,8.0", words[corners + 5],
            ])
        #expect(words[corners + 5].hasPrefix("--"))
        #expect(
            words.suffix(6) == [
                "--output", "/out/image.png", "--report", "/out/report.json", "--text", "/out/text.txt",
            ])
        #expect(!words.contains { $0.contains("best") || $0.contains("country") })
    }

    @Test("Areas are blacked out, and so is the photograph nobody's to keep; a mesh is an output")
    func areas() throws {
        let json = #"{"redact_areas": [[1, 2.5, 30, 4], [0, 0, 1, 1]], "outputs": ["mesh.glb"]}"#
        let words = try words(json)
        #expect(
            words.filter { $0.hasPrefix("--redact-area=") }
                == ["1.0,2.5,30.0,4.0", "0.0,0.0,1.0,1.0"].map { "--redact-area=" + $0 })
        #expect(words.contains("--mesh") && words.contains("/out/mesh.glb"))
        #expect(try FlatteningRequest(json: Data(json.utf8)).isRedacted)
        #expect(try !FlatteningRequest(json: Data(#"{"redact_areas": []}"#.utf8)).isRedacted)
    }

    @Test(
        "What is not known or not allowed is refused, and named",
        arguments: [
            ("[]", "object"), ("nonsense", "object"), (#"{"output": ["x"]}"#, "output"),
            (#"{"look": "bw\n"}"#, "look"),
            (#"{"look": "--force"}"#, "look"), (#"{"language": "../eng"}"#, "language"),
            (#"{"dpi": 1e9}"#, "dpi"),
            (#"{"dpi": true}"#, "dpi"), (#"{"dpi": "200"}"#, "dpi"),
            (#"{"redact": ["everything"]}"#, "redact"),
            (#"{"redact": "cards"}"#, "redact"), (#"{"no_depth": 1.5}"#, "no_depth"),
            (#"{"corners": [[1, 2], [3, 4], [5, 6]]}"#, "corners"),
            (#"{"corners": [[1, 2], [3, 4], [5, 6], [-7, 8]]}"#, "corners"),
            (#"{"redact_areas": [[1, 2, 3]]}"#, "redact_areas"),
            (#"{"redact_areas": [[1, 2, 0, 4]]}"#, "redact_areas"),
            (#"{"redact_areas": [[-1, 2, 3, 4]]}"#, "redact_areas"),
            (#"{"redact_areas": [[1, 2, 3, "4"]]}"#, "redact_areas"),
            (#"{"redact_areas": [1, 2, 3, 4]}"#, "redact_areas"),
            (#"{"outputs": ["../../etc/passwd"]}"#, "outputs"), (#"{"pages": "0-"}"#, "pages"),
        ])
    func refused(json: String, name: String) {
        let problem = #expect(throws: Problem.self) { try words(json) }
        #expect(problem?.status == .unprocessableContent)
        #expect(problem?.detail.contains(name) == true)
    }
}
