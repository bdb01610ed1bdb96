import Testing

@testable import FlattenServer

/// Forms, taken apart as they come.
@Suite struct FormParserTests {
    /// The parts of a form that comes in chunks of so many bytes: head and bytes of each.
    private func parts(_ form: [UInt8], chunk: Int) throws -> [(head: [String], bytes: [UInt8])] {
        var parser = FormParser(boundary: "xYz")
        var parts: [(head: [String], bytes: [UInt8])] = []
        var (head, bytes): ([String], [UInt8]) = ([], [])
        for start in stride(from: 0, to: form.count, by: chunk) {
            for event in try parser.read(Array(form[start..<min(start + chunk, form.count)])) {
                switch event {
                case .header(let name, let value): head.append(name + "=" + value)
                case .body(let more): bytes += more
                case .end:
                    parts.append((head, bytes))
                    (head, bytes) = ([], [])
                }
            }
        }
        try parser.requireEnd()
        return parts
    }

    @Test("Parts come whole, however the form is cut", arguments: [1, 2, 3, 7, 64, 10_000])
    func cut(chunk: Int) throws {
        // Bytes that look like the beginning of a boundary, and all that there are.
        let picture = Array("\r\n--xY\r\n--x".utf8) + (0...255).map(UInt8.init) + Array("\r\n".utf8)
        let form =
            Array(
                "preamble\r\n--xYz\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.jpg\"\r\nX: 1\r\n\r\n"
                    .utf8)
            + picture
            + Array(
                "\r\n--xYz \r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n{}\r\n--xYz\r\n\r\n\r\n--xYz--\r\nepilogue"
                    .utf8)
        let parts = try parts(form, chunk: chunk)
        #expect(parts.map(\.bytes) == [picture, Array("{}".utf8), []])
        #expect(
            parts[0].head == ["Content-Disposition=form-data; name=\"image\"; filename=\"a.jpg\"", "X=1"])
        #expect(parts[2].head.isEmpty)
    }

    @Test("A form without preamble, and one without parts")
    func bare() throws {
        #expect(
            try parts(Array("--xYz\r\nA: b\r\n\r\nc\r\n--xYz--".utf8), chunk: 5).map(\.bytes) == [
                Array("c".utf8)
            ])
        #expect(try parts(Array("--xYz--".utf8), chunk: 3).isEmpty)
    }

    @Test(
        "What is no form is refused",
        arguments: [
            "", "no boundary at all", "--xYz\r\nA: b\r\n\r\nbreaks off",
            "--xYz\r\nno colon\r\n\r\nc\r\n--xYz--",
            "--xYzuvw\r\n\r\nc\r\n--xYz--", "--xYz\r\n" + String(repeating: "a", count: 5000),
            String(repeating: "--xYz\r\n\r\n\r\n", count: 20) + "--xYz--",
        ])
    func broken(form: String) {
        let problem = #expect(throws: Problem.self) { try parts(Array(form.utf8), chunk: 16) }
        #expect(problem?.status == .badRequest)
    }
}
