import ContactStore
import Documents
import Foundation
import Imaging
import ReceiptFlattening
import TestSupport
import TextTestSupport
import Testing

/// `flatten cards`: what is shown of a store, what changes it, and how each command ends.
@Suite struct CardsCommandTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path("cards.store")
    }

    private func run(_ words: String...) throws -> FlattenProcess.Outcome {
        try FlattenProcess.run(["cards"] + words + ["--store", path])
    }

    /// A store of three contacts, the first two of which are the same.
    private func fill() throws {
        let book = try ContactBook(path: path)
        var anna = Contact()
        anna.names = [.init(.init(full: "Anna Müller"))]
        anna.organisation = .init("Weiß & Söhne")
        anna.phones = [.init(.init(number: "+491715550123", kind: .mobile))]
        try book.add(anna)
        anna.names[0].value.full = "Dr. Anna Müller"
        anna.emails = [.init("anna@weiss.example"), .init("info@weiss.example")]
        try book.add(anna)
        var bert = Contact()
        bert.names = [.init(.init(full: "Bert\u{1B}[31m\tKoch\n"))]
        try book.add(bert)
    }

    @Test func contactsAreLinesThatNoNameBreaks() throws {
        try fill()
        let list = try run("list")
        #expect(list.exitCode == 0 && list.errors.isEmpty)
        #expect(
            list.text == """
                1\tAnna Müller\tWeiß & Söhne\t\t+491715550123\t
                3\tBert\\u{1B}[31m\\tKoch\\n\t\t\t\t
                2\tDr. Anna Müller\tWeiß & Söhne\t\t+491715550123\tanna@weiss.example, info@weiss.example

                """)
        #expect(try run("search", "mull", "info").text.hasPrefix("2\t"))
        #expect(try run("search", "nobody").text.isEmpty)
    }

    @Test func allThatIsKnownIsJSON() throws {
        try fill()
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let list = try decoder.decode([StoredContact].self, from: run("list", "--json").output)
        #expect(list.map(\.id) == [1, 3, 2])
        #expect(list[2].contact.emails.map(\.value) == ["anna@weiss.example", "info@weiss.example"])
        let groups = try decoder.decode([[StoredContact]].self, from: run("duplicates", "--json").output)
        #expect(groups.map { $0.map(\.id) } == [[1, 2]])
    }

    @Test func duplicatesAreMergedAndContactsRemoved() throws {
        try fill()
        #expect(try run("duplicates").text.split(separator: "\n").count == 2)
        let merged = try run("merge", "--all")
        #expect(merged.exitCode == 0 && merged.text.hasPrefix("1\tDr. Anna Müller\t"))
        #expect(try run("duplicates").text.isEmpty)
        #expect(try run("remove", "3").exitCode == 0)
        #expect(try run("list").text == merged.text)
        #expect(try run("merge", "1", "3").exitCode == 65)
        #expect(try run("remove", "3").errors.contains("there is no contact 3"))
    }

    @Test func contactsAreExportedAsVCardsAndAsATable() throws {
        try fill()
        let cards = folder.path("all.vcf")
        #expect(try run("export", "-o", cards).exitCode == 0)
        let text = try String(contentsOfFile: cards, encoding: .utf8)
        #expect(text.components(separatedBy: "BEGIN:VCARD\r\n").count == 4)
        #expect(text.contains("VERSION:4.0\r\n") && text.contains("FN:Anna Müller\r\n"))
        #expect(try run("export", "2", "-o", cards, "--vcard", "3.0").exitCode == 0)
        let one = try String(contentsOfFile: cards, encoding: .utf8)
        #expect(one.components(separatedBy: "BEGIN:VCARD\r\n").count == 2 && one.contains("VERSION:3.0\r\n"))
        #expect(try run("export", "2", "1", "-o", folder.path("two.csv")).exitCode == 0)
        let table = try String(contentsOfFile: folder.path("two.csv"), encoding: .utf8)
        let rows = table.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        #expect(rows.count == 3 && rows[0].hasPrefix("name,"))
        // In the order that was asked for; no cell is a formula.
        #expect(rows[1].hasPrefix("Dr. Anna Müller,") && rows[2].hasPrefix("Anna Müller,"))
        #expect(rows[2].contains(",+491715550123,"))
        #expect(try run("export", "-o", folder.path("all.txt")).exitCode == 64)
        #expect(try run("export", "9", "-o", cards).exitCode == 65)
        #expect(try String(contentsOfFile: cards, encoding: .utf8) == one)
        // The store is no output, whatever it is called.
        let store = folder.path("store.vcf")
        try FileManager.default.copyItem(atPath: path, toPath: store)
        #expect(try FlattenProcess.run(["cards", "export", "-o", store, "--store", store]).exitCode == 64)
    }

    @Test func eachErrorHasItsExitCode() throws {
        #expect(try run("list").exitCode == 74)
        #expect(!FileManager.default.fileExists(atPath: path))
        try folder.write("something else", as: "cards.store")
        let other = try run("list")
        #expect(other.exitCode == 65 && other.errors.contains("no store of contacts"))
        for words in [
            ["list"], ["merge", "1", "--store", path], ["remove", "--store", path], ["add", "--store", path],
            [],
        ] {
            let outcome = try FlattenProcess.run(["cards"] + words)
            // Without a subcommand it is the help.
            #expect(outcome.exitCode == (words.isEmpty ? 0 : 64), "\(words): \(outcome.errors)")
        }
        #expect(try run("list", "--store", folder.path("two")).exitCode == 64)
    }

    @Test func photographsOfCardsAreAddedOnce() throws {
        let card = try draw(
            """
            Northern Harbour Ltd

            Anna Miller
            Sales Manager

            Phone +44 20 7946 0018
            anna.miller@northern-harbour.co.uk
            www.northern-harbour.co.uk
            """, as: "card.png")
        let added = try run("add", card, "--reader", "tesseract")
        #expect(added.exitCode == 0, "\(added.errors)")
        #expect(added.text.hasPrefix("1\t") && added.text.contains("anna.miller@northern-harbour.co.uk"))
        // Another file with the same photograph is no other one.
        try folder.copy(card, as: "copy.png")
        let again = try run("add", folder.path("copy.png"), "--reader", "tesseract")
        #expect(again.exitCode == 0 && again.text.isEmpty)
        #expect(again.errors.contains("in the store already"))
        #expect(try run("list").text == added.text)
    }

    @Test func aPhotographWithoutACardFailsAloneAndTheOthersAreAdded() throws {
        let blank = try draw("Nothing\n\n\nof use", as: "blank.png")
        let card = try draw("Anna Miller\nanna.miller@harbour.co.uk", as: "card.png")
        let outcome = try run("add", blank, folder.path("none.png"), card, "--reader", "tesseract")
        #expect(outcome.exitCode == 1)
        #expect(outcome.text.split(separator: "\n").count == 1 && outcome.text.contains("anna.miller@"))
        #expect(outcome.errors.contains("blank.png: no contact was found"))
        #expect(outcome.errors.contains("none.png"))
        // Alone, what it fails by is the command's own error.
        #expect(try run("add", folder.path("none.png")).exitCode == 74)
    }

    /// Type on paper as a picture.
    private func draw(_ text: String, as name: String) throws -> String {
        let page = try DrawnPage(text).picture
        let image = RGBImage(
            width: page.width, height: page.height,
            elements: page.elements.map { RGB(red: $0, green: $0, blue: $0) })
        try image.write(to: folder.url.appending(path: name))
        return folder.path(name)
    }
}
