import Imaging
import Testing
import TextRecognition
import TextTestSupport

@testable import Documents

@Suite struct HiddenNamesTests {
    private func hidden(_ line: String, exactly: Bool = false, names: [String] = ["Anna von Müller"])
        -> [String]
    {
        var hidden = HiddenNames()
        for name in names { hidden.hide(name) }
        let words = readText(line).lines[0]
        return hidden.words(of: words, isExact: exactly).sorted().map { words.words[$0].text }
    }

    @Test(
        "A name is known in any order, in capitals, in addresses and with its letters spelled otherwise",
        arguments: [
            ("MUELLER, ANNA", ["MUELLER,", "ANNA"]),
            ("see acme.example/anna.mueller now", ["acme.example/anna.mueller"]),
            ("amueller@acme.example", ["amueller@acme.example"]), ("Müllers Laden", ["Müllers"]),
            ("A. Muller here", ["A.", "Muller"]), ("Anna-Maria", ["Anna-Maria"]),
            ("von Muller", ["von", "Muller"]),
        ])
    func spelled(line: String, expected: [String]) {
        #expect(hidden(line) == expected)
        #expect(hidden(line, exactly: true) == expected)
    }

    @Test(
        "One letter in four may be misread, and a word made two; what is written is not misread",
        arguments: [("Mueiler", ["Mueiler"]), ("Muel ler", ["Muel", "ler"]), ("Anne", ["Anne"])])
    func misread(line: String, expected: [String]) {
        #expect(hidden(line) == expected)
        #expect(hidden(line, exactly: true) == [])
    }

    @Test(
        "Other words stay, also those that differ by a letter where they are words of receipts",
        arguments: ["Total 12.50", "von Hand", "A 12", "Miele", "Annual fee", "und", "Super 95"])
    func others(line: String) {
        #expect(hidden(line, names: ["Anna von Müller", "Huber"]) == [])
    }

    @Test("A word that many sheets have is hidden only beside another word of the name")
    func common() {
        #expect(hidden("Price 12.50", names: ["Anna Price"]) == [])
        #expect(hidden("Price, Anna", names: ["Anna Price"]) == ["Price,", "Anna"])
        #expect(hidden("the manager said", names: ["the manager"]) == [])
        // A given name is one, whatever else the word means.
        #expect(hidden("Thanks, Mark", names: ["Mark"]) == ["Mark"])
    }
}
