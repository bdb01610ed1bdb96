import Foundation
import TestSupport
import Testing

@testable import DocumentArchive

@Suite struct ArchiveDuplicatesTests {
    private static let text =
        "Bäckerei Groß Hauptstraße 12 Paderborn Brezel Roggenbrot Kaffee Summe bar Rückgeld Beleg 4711081599"

    @Test func twoPhotographsOfOnePaperAreFoundAndTwoPapersAreNot() throws {
        let folder = try ScratchFolder()
        let archive = try DocumentArchive(path: folder.path("papers"))
        let first = try archive.addOne(TestDocuments.receipt(text: Self.text))
        let again = try archive.addOne(
            TestDocuments.receipt(text: Self.text.replacingOccurrences(of: "Kaffee", with: "Kaffce")))
        // The same goods on another day; another paper of the same sum and day.
        try archive.addOne(TestDocuments.receipt(day: "2026-03-03", text: Self.text))
        try archive.addOne(
            TestDocuments.receipt(
                "Post", text: "Deutsche Post Briefmarken Einschreiben Porto Filiale Summe bar"))
        let groups = try archive.duplicates()
        #expect(groups.map { Set($0.map(\.id)) } == [[first.id, again.id]])
        try archive.merge([first.id, again.id])
        #expect(try archive.duplicates().isEmpty)
    }

    @Test func wordsDecideUnlessWhatIsSureDiffers() {
        let words = DocumentTraits.words(of: Self.text)
        let one = DocumentTraits(words: words, facts: ["time": "10:15"])
        #expect(one.isSame(as: DocumentTraits(words: words, facts: ["total": "1.00"])))
        #expect(!one.isSame(as: DocumentTraits(words: words, facts: ["time": "10:16"])))
        #expect(!one.isSame(as: DocumentTraits(words: ["summe"], facts: [:])))
        let half = Set(words.sorted().prefix(words.count / 3))
        #expect(
            !one.isSame(as: DocumentTraits(words: half.union(["x1", "x2", "x3", "x4", "x5"]), facts: [:])))
    }
}
