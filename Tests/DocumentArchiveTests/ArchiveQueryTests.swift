import Foundation
import TestSupport
import Testing

@testable import DocumentArchive

@Suite struct ArchiveQueryTests {
    private let archive: DocumentArchive
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        archive = try DocumentArchive(path: folder.path("papers"))
        try Self.fill(archive)
    }

    /// Four receipts.
    static func fill(_ archive: DocumentArchive) throws {
        try archive.addOne()
        try archive.addOne(
            TestDocuments.receipt(
                "REWE Markt", day: "2026-05-01", total: "7.16", text: "REWE\nKäse 3,58\nTel 05251-123456",
                codes: ["4006381333931"]))
        var rewe = TestDocuments.receipt(
            "Rewe-Markt GmbH", day: "2026-06-30", total: "110",
            text: "REWE\nWein\nIBAN DE02120300000000202051")
        rewe.tags = ["office"]
        rewe.notes = "Jubiläum"
        try archive.addOne(rewe)
        try archive.addOne(TestDocuments.receipt("Post", day: nil, total: nil, text: "Letter"))
    }

    private func found(_ ask: (inout ArchiveQuery) -> Void) throws -> [String] {
        var query = ArchiveQuery()
        ask(&query)
        #expect(try archive.count(query) == archive.list(query).count)
        return try archive.list(query).map { $0.merchant ?? "" }
    }

    /// Words, and the merchants of what is found by them.
    static let words: [(String, [String])] = [
        ("kase", ["REWE Markt"]), ("KÄS rewe", ["REWE Markt"]), ("jubilaum", ["Rewe-Markt GmbH"]),
        ("office", ["Rewe-Markt GmbH"]), ("23456", ["REWE Markt"]), ("0815", ["Bäckerei Groß GmbH"]),
        ("81333 rewe", ["REWE Markt"]), ("2020", ["Rewe-Markt GmbH"]), ("nothing", []), ("wein kase", []),
        ("\" OR wein", []), ("baeck gross", []), ("gross", ["Bäckerei Groß GmbH"]),
        ("GROß", ["Bäckerei Groß GmbH"]),
        ("rew", ["Rewe-Markt GmbH", "REWE Markt"]),
    ]

    @Test(arguments: words)
    func wordsAreFoundByTheirBeginningsAndNumbersByTheirParts(_ words: String, _ expected: [String]) throws {
        #expect(try found { $0.words = words } == expected)
    }

    @Test func spellingsOfOneMerchantAreOne() throws {
        for spelling in ["rewe markt", "REWE", "Rewe-Markt GmbH", "rewe-markt gmbh"] {
            #expect(
                try found { $0.merchant = spelling } == ["Rewe-Markt GmbH", "REWE Markt"], "\(spelling)")
        }
        #expect(try found { $0.merchant = "" }.isEmpty)
        // What a person enters is another merchant, though the chain was read.
        var own = TestDocuments.receipt("IKEA Deutschland GmbH & Co. KG", day: "2026-01-05")
        own.read["brand"] = .init("IKEA", confidence: 0.9)
        let id = try archive.addOne(own).id
        #expect(try found { $0.merchant = "Ikea" } == ["IKEA Deutschland GmbH & Co. KG"])
        #expect(try found { $0.merchant = "ikea deutschland gmbh & co. kg" }.count == 1)
        try archive.change(id, ArchiveChange(values: ["merchant": "Möbel Meier"]))
        #expect(try found { $0.merchant = "Ikea" }.isEmpty)
        #expect(try found { $0.merchant = "mobel meier" } == ["Möbel Meier"])
    }

    @Test func daysSumsAndKindsLimitWhatIsListed() throws {
        #expect(try found { $0.since = "2026-05-01" } == ["Rewe-Markt GmbH", "REWE Markt"])
        #expect(try found { $0.until = "2026-05-01" } == ["REWE Markt", "Bäckerei Groß GmbH"])
        #expect(try found { $0.least = 24.23 } == ["Rewe-Markt GmbH", "Bäckerei Groß GmbH"])
        #expect(try found { $0.most = 24.22 } == ["REWE Markt"])
        #expect(try found { $0.tag = "office" } == ["Rewe-Markt GmbH"])
        #expect(try found { $0.code = "4006381333931" } == ["REWE Markt"])
        #expect(try found { $0.kind = "invoice" }.isEmpty)
        #expect(try found { $0.currency = "EUR" }.count == 4)
    }

    private func totals(
        by grouping: ArchiveTotal.Grouping, _ ask: (inout ArchiveQuery) -> Void = { _ in }
    ) throws -> [String] {
        var query = ArchiveQuery()
        ask(&query)
        return try archive.totals(query, by: grouping).map {
            "\($0.group) \($0.total) \($0.currency ?? "?") \($0.count)+\($0.withoutSum)"
        }
    }

    @Test func documentsComeToSumsByGroupAndCurrency() throws {
        let day = try #require(try archive.list().last?.day)
        #expect(
            try totals(by: .month) == [
                " 0 EUR 0+1", "\(day.prefix(7)) 24.23 EUR 1+0", "2026-05 7.16 EUR 1+0", "2026-06 110 EUR 1+0",
            ])
        // Spellings of one merchant are one, in that of the latest day.
        #expect(try totals(by: .merchant).contains("Rewe-Markt GmbH 117.16 EUR 2+0"))
        #expect(try totals(by: .all) == [" 141.39 EUR 3+1"])
        #expect(
            try totals(by: .tag) { $0.merchant = "rewe markt" } == [" 7.16 EUR 1+0", "office 110 EUR 1+0"])
        #expect(try totals(by: .year) { $0.since = "2026-06-01" } == ["2026 110 EUR 1+0"])
        var deli = TestDocuments.receipt("Deli", day: "2026-05-02", total: "3.50", text: "Deli")
        deli.read["currency"] = .init("USD", confidence: 0.9)
        try archive.addOne(deli)
        #expect(
            try totals(by: .month) { $0.since = "2026-05-01" } == [
                "2026-05 7.16 EUR 1+0", "2026-05 3.5 USD 1+0", "2026-06 110 EUR 1+0",
            ])
        #expect(try totals(by: .month) { $0.words = "nothing" }.isEmpty)
    }

    @Test func newForANameIsWhatItDidNotGetOrWhatChangedSince() throws {
        let documents = try archive.documents()
        var query = ArchiveQuery()
        query.newFor = "accountant"
        let start = Date()
        try archive.noteExport(of: documents.prefix(3).map(\.id) + [UUID()], to: "accountant", date: start)
        #expect(try archive.list(query).map(\.id) == [documents[3].id])
        #expect(try archive.document(documents[0].id)?.exported["accountant"] != nil)
        // Another name got nothing.
        query.newFor = "Accountant"
        #expect(try archive.count(query) == 4)
        query.newFor = "accountant"
        try archive.change(documents[0].id, ArchiveChange(values: ["total": "1"]), date: start + 1)
        #expect(try archive.list(query).map(\.id) == [documents[0].id, documents[3].id])
        try archive.noteExport(of: [documents[0].id], to: "accountant", date: start + 1)
        #expect(try archive.list(query).map(\.id) == [documents[3].id])
        try archive.undo(documents[0].id, date: start + 2)
        #expect(try archive.list(query).map(\.id) == [documents[0].id, documents[3].id])
        // What stands for two that were passed on is not what was passed on.
        try archive.merge([documents[1].id, documents[2].id], date: start + 3)
        #expect(try archive.count(query) == 3)
    }

    @Test func listsComeInPagesTheLatestDayFirst() throws {
        let all = try archive.list()
        // What has no day stands where it was added, which is after all of these.
        #expect(all.map(\.merchant) == ["Post", "Rewe-Markt GmbH", "REWE Markt", "Bäckerei Groß GmbH"])
        #expect(try archive.list(offset: 1, limit: 2) == Array(all[1...2]))
        #expect(try archive.list(limit: 0).isEmpty && archive.list(offset: 9).isEmpty)
    }
}
