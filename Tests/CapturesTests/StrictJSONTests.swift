import TestSupport
import Testing

@testable import Captures

@Suite struct StrictJSONTests {
    static func parse(_ text: String) throws -> StructuredValue {
        try StrictJSON.parse(Array(text.utf8), name: "test.json")
    }

    @Test("JSON says what it says")
    func values() throws {
        let value = try Self.parse(
            #" {"a": [1, -2.5e1, 0, true, false, null], "b": {"c\n\u00e9\ud83d\ude00": "x\/y"}, "d": "é", "e": {}, "f": []} "#
        )
        #expect(
            value["a"] == .array([.number(1), .number(-25), .number(0), .bool(true), .bool(false), .null]))
        #expect(value["b"] == .object(["c\né😀": .string("x/y")]))
        #expect(value["d"]?.string == "é")
        #expect(value.keys == ["a", "b", "d", "e", "f"])
    }

    @Test(
        "What is not JSON is refused",
        arguments: [
            "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{a:1}", "{'a':1}", "[1 2]", "01",
            "1.", ".5",
            "+1", "1e", "-", "NaN", "[Infinity]", "-Infinity", "1e400", "\"a", "\"\\x\"", "\"\\u12\"",
            "\"\\ud800\"",
            "\"\\u+123\"", "tru", "{\"a\":1}x", "{\"a\":1}\0", "[1]]", "\"a\tb\"", "// comment\n1",
            "{\"a\":1,\"a\":2}",
            "{\"a\"}", "{\"a\":}", "0x10", "1_000",
        ])
    func refused(text: String) throws {
        let error = try #require(failure { try Self.parse(text) })
        #expect(error.code == .badInput)
        #expect(error.file == "test.json")
    }

    @Test("A doubled key is named with its place")
    func doubled() throws {
        let error = try #require(failure { try Self.parse("{\"fx\":500,\n\"fx\":1}") })
        #expect(error.message.contains("fx") && error.message.contains("twice"))
        #expect(error.detail?.hasPrefix("line 2") == true)
    }

    @Test("Nesting ends at the limit, whatever the length")
    func depth() throws {
        let nested = { (count: Int) in
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(throws: Never.self) { try Self.parse(nested(60)) }
        #expect(failure { try Self.parse(nested(100)) }?.message.contains("deep") == true)
        #expect(failure { try Self.parse(String(repeating: "[", count: 500_000)) }?.code == .badInput)
        #expect(failure { try Self.parse(String(repeating: "{\"a\":", count: 100_000)) }?.code == .badInput)
    }

    @Test("Other encodings are named, a UTF-8 mark is passed over")
    func encodings() throws {
        #expect(try StrictJSON.parse([0xEF, 0xBB, 0xBF] + Array("1".utf8), name: "a") == .number(1))
        for bytes: [UInt8] in [[0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B], [0x7B, 0, 0x7D, 0]] {
            #expect(failure { try StrictJSON.parse(bytes, name: "a") }?.message.contains("UTF-8") == true)
        }
        #expect(
            failure { try StrictJSON.parse([0x22, 0xFF, 0xC0, 0x22], name: "a") }?.message.contains("UTF-8")
                == true)
    }

    @Test("Any cut of a good file is an error and never a trap")
    func truncation() throws {
        let text = Array(#"{"image": "a.jpg", "k": [1.5e-3, "\u00e9", {"x": null}]}"#.utf8)
        for count in 0..<text.count {
            #expect(failure { try StrictJSON.parse(Array(text[..<count]), name: "a") } != nil, "\(count)")
        }
    }
}
