import ArgumentParser
import Diagnostics
import Documents
import Foundation
import Testing

@testable import flatten

/// What the words of a command line become, and how a batch stores it.
@Suite struct FlatteningRequestTests {
    private static func request(_ words: String) throws -> FlatteningRequest {
        try FlattenArguments.parse(words.split(separator: " ").map(String.init)).request
    }

    /// Words that give nearly every option another value than its own, and those that exclude some of them.
    private static let words = [
        """
        a.jpg --depth d.png --depth-unit 0.001 --depth-kind disparity --depth-projection radial --depth-relative \
        --confidence c.png --frame 3 --fx 900 --fy 901 --cx 400 --cy 300 --max-megapixels 5.5 --max-depth-megapixels 2 \
        --max-side 900 --max-file-mib 7 --max-tiff-mib 8 --max-json-mib 9 --no-programs -o a.png -t t.any --format json \
        --map m.npy -r r.json --fields f.json --contact c.vcf --page p.html --mesh m.glb --table t.csv --table-for program \
        --merge m.pdf --merge-size original --vcard 3.0 --join-pages none --corners 1,2 3,4 5,6 7,8 --method plane --bw \
        --dpi 150 --margin 2 --edge keep --language de --reader tesseract --reader-model x.onnx --today 2025-02-13 \
        --country us --currency usd --find codes,mrz --redact phones,cards --redact-area 1,2,3,4 --require sheet,text \
        --min-confidence 0.5 --keep --force --timeout 90s --reproducible
        """,
        "a.pdf b.pdf --pages 2-5 --intrinsics k.json --no-depth --sheets all --cloud c.ply --depth-preview d.png --overlay o.svg",
        "a.jpg b.jpg --stitch -o a.png", "a.r3d --best --fuse -o a.png",
    ]

    @Test("A request that a batch stores is the one that its worker reads, with every option")
    func stored() throws {
        let requests = try Self.words.map(Self.request)
        let plain = try values(of: FlatteningRequest(input: .init()).json())
        var changed: Set<String> = []
        for request in requests {
            let json = try request.json()
            #expect(try FlatteningRequest(json: json).json() == json)
            changed.formUnion(try values(of: json).filter { plain[$0.key] != $0.value }.keys)
        }
        // Every value of a request was another one at least once, but for the one that a batch sets itself.
        let request = FlatteningRequest(input: .init())
        let names =
            Mirror(reflecting: request).children.compactMap(\.label).filter { $0 != "input" }
            + Mirror(reflecting: request.input).children.compactMap { $0.label.map { "input." + $0 } }
        #expect(Set(names).subtracting(changed) == ["input.drawnPage"])
        // So was every output that has an option.
        let kinds = Set(requests.flatMap(\.outputs).map(\.kind))
        #expect(kinds == Set(OutputKind.allCases.filter { $0.option.hasPrefix("--") }))
        #expect(requests[0].redact == [.cards, .phones] && requests[0].language == "deu")
    }

    /// The values of JSON by their keys; those of what is read by "input." and theirs.
    private func values(of json: String) throws -> [String: String] {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        var values: [String: String] = [:]
        for (key, value) in object {
            if key == "input", let input = value as? [String: Any] {
                for (name, value) in input { values["input." + name] = "\(value)" }
            } else {
                values[key] = "\(value)"
            }
        }
        return values
    }

    @Test("What is no request is refused and named")
    func broken() {
        for json in ["", "{}", "[1]", "{\"input\": 3}"] {
            let error = #expect(throws: FlatteningError.self) { try FlatteningRequest(json: json) }
            #expect(error?.code == .badInput)
        }
    }

    @Test("The same words make the same JSON, in whatever order kinds are named")
    func order() throws {
        let one = try Self.request(
            "a.jpg -o a.png --find codes,mrz --redact cards,phones --require sheet,text")
        let other = try Self.request(
            "a.jpg -o a.png --find mrz,codes --redact phones,cards --require text,sheet")
        #expect(try one.json() == other.json())
    }

    @Test("An output's number stands in each of its files; what all sheets share has none")
    func numbers() throws {
        let request = try Self.request(
            "a.jpg --sheets all -o a.png -t - --mesh m.obj --table t.csv --fields f.json")
        let paths = Set(request.forSheet(2).files.map(\.path))
        #expect(
            paths == [
                "a-2.png", "-", "m-2.obj", "m-2.mtl", "m-2.jpg", "t.csv", "t-items.csv", "t-tax.csv",
                "f-2.json",
            ])
    }

    @Test(
        "Text is read for what shows or tells it, and for nothing else",
        arguments: [
            ("-o a.png", false), ("--map m.npy -r r.json --mesh m.glb", false), ("--cloud c.ply", false),
            ("-t a.txt", true), ("--fields f.json", true), ("--page p.html", true), ("--table t.csv", true),
            ("--merge m.pdf", true), ("--overlay o.png", true), ("-o a.png --find codes", false),
            ("-o a.png --find items", true), ("-o a.png --contact c.vcf", true), ("-o a.png --redact", true),
            ("-o a.png --redact-area 1,2,3,4", false), ("-o a.png --require text", true),
            ("-o a.png --require sheet", false),
        ])
    func reading(words: String, reads: Bool) throws {
        let words = words.replacing(
            "--redact", with: words.hasSuffix("--redact") ? "--redact=cards" : "--redact")
        #expect((try Self.request("x.jpg " + words).options.language != nil) == reads)
    }

    @Test("Each kind of output has an option of its own")
    func kinds() {
        #expect(Set(OutputKind.allCases.map(\.option)).count == OutputKind.allCases.count)
        // What is blacked out in the flat image stands in the photograph still.
        #expect(
            OutputKind.allCases.filter(\.showsPhotograph) == [.overlay, .cloud, .depthPreview])
    }

    @Test("Faces alone are blacked out without reading; what is printed, and what outputs need, is read")
    func readsForRedaction() throws {
        func reads(_ words: String...) throws -> Bool {
            try FlattenArguments.parse(["photo.jpg", "-o", "flat.png"] + words).request.readsText
        }
        #expect(try !reads("--redact=faces"))
        #expect(try reads("--redact=faces,cards"))
        #expect(try reads("--redact=codes"))
        #expect(try reads("--redact=faces", "-t", "text.txt"))
    }
}
