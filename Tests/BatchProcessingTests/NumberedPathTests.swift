import BatchProcessing
import Testing

@Suite struct NumberedPathTests {
    @Test(arguments: [
        ("flat.png", 1, "flat-1.png"), ("out/flat.png", 12, "out/flat-12.png"), ("text", 2, "text-2"),
        ("a.b/text", 2, "a.b/text-2"), ("scan 3.5.jpg", 1, "scan 3.5-1.jpg"), (".png", 1, ".png-1"),
        ("NAME.words.json", 2, "NAME-2.words.json"), ("NAME.alto.xml", 2, "NAME-2.alto.xml"),
        ("NAME.relief.png", 2, "NAME-2.relief.png"), ("x/.words.json", 1, "x/.words-1.json"),
        ("a-1.png", 1, "a-1-1.png"), ("a.b/\u{301}x", 2, "a.b/\u{301}x-2"),
        ("a.b\u{600}/\u{301}x.png", 2, "a.b\u{600}/\u{301}x-2.png"), ("\u{FC}.PNG", 1, "\u{FC}-1.PNG"),
    ])
    func theNumberStandsBeforeTheExtension(path: String, number: Int, numbered: String) throws {
        #expect(NumberedPath.numbered(path, number) == numbered)
        let parted = try #require(NumberedPath.parted(numbered))
        #expect(parted.path == path && parted.number == number)
    }

    @Test(arguments: [
        "flat.png", "flat-.png", "flat-0.png", "flat-01.png", "flat-+1.png", "flat-1000.png", "-", "",
        "a-1/flat.png", "flat.png-1/x", "scan-a.png", "flat-1 .png",
    ])
    func whatHasNoNumberIsNotTakenForOne(path: String) {
        #expect(NumberedPath.parted(path) == nil)
    }

    @Test func pathsThatDifferStayDifferent() {
        let paths = [
            "a", "a-1", "a-1-1", "a.png", "a-1.png", "a.words.json", "a.words", "a.json", "a-1.json",
        ]
        var owners: [String: String] = [:]
        for path in paths {
            for number in 1...12 {
                let other = owners.updateValue(path, forKey: NumberedPath.numbered(path, number))
                #expect(other == nil, "\(path) and \(other ?? "")")
            }
        }
    }
}
