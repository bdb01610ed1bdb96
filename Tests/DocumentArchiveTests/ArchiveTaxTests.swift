import Foundation
import TestSupport
import Testing

@testable import DocumentArchive

/// What was paid for what, and the taxes in it.
@Suite struct ArchiveTaxTests {
    private let archive: DocumentArchive
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        archive = try DocumentArchive(path: folder.path("papers"))
    }

    private func receipt(
        _ name: String, tax: String, lines: String, category: String?, currency: String = "EUR"
    ) -> NewDocument {
        var document = TestDocuments.receipt(name)
        document.read["tax"] = .init(tax, confidence: 0.9)
        document.read["category"] = category.map { .init($0, confidence: 0.9) }
        document.read["currency"] = .init(currency, confidence: 0.9)
        document.report = #"{"method": "plane", "fields": {"tax_lines": [\#(lines)]}}"#
        return document
    }

    private let full = #"{"rate": "19", "base": "10.00", "amount": "1.90", "gross": null}"#
    private let reduced = #"{"rate": "7", "base": null, "amount": "0.70", "gross": "10.70"}"#

    @Test("Taxes are summed by rate and currency, the highest first, what is not known last")
    func byRate() throws {
        try archive.addOne(receipt("A", tax: "2.60", lines: full + "," + reduced, category: nil))
        try archive.addOne(receipt("B", tax: "1.90", lines: full, category: nil))
        try archive.addOne(receipt("C", tax: "3.00", lines: "", category: nil))
        try archive.addOne(receipt("D", tax: "1.90", lines: full, category: nil, currency: "CHF"))
        let taxes = try archive.taxes()
        #expect(
            taxes == [
                ArchiveTax(rate: "19", currency: "CHF", base: 10, tax: 1.9, count: 1),
                ArchiveTax(rate: "19", currency: "EUR", base: 20, tax: 3.8, count: 2),
                ArchiveTax(rate: "7", currency: "EUR", base: 10, tax: 0.7, count: 1),
                ArchiveTax(rate: nil, currency: "EUR", base: nil, tax: 3, count: 1),
            ])
        var query = ArchiveQuery()
        query.merchant = "B"
        #expect(try archive.taxes(query).map(\.tax) == [1.9])
    }

    @Test("A base that one line does not say is not summed")
    func withoutBase() throws {
        let bare = #"{"rate": "19.0", "base": null, "amount": "0.19", "gross": null}"#
        try archive.addOne(receipt("A", tax: "1.90", lines: full, category: nil))
        try archive.addOne(receipt("B", tax: "0.19", lines: bare, category: nil))
        let taxes = try archive.taxes()
        // 19 and 19.0 percent are one rate.
        #expect(taxes.count == 1 && taxes[0].base == nil && taxes[0].tax == 2.09 && taxes[0].count == 2)
    }

    @Test("A tax that a person enters stands for the lines that were read")
    func entered() throws {
        let id = try archive.addOne(receipt("A", tax: "2.60", lines: full + "," + reduced, category: nil)).id
        try archive.change(id, ArchiveChange(values: ["tax": "2.50"]))
        #expect(
            try archive.taxes() == [ArchiveTax(rate: nil, currency: "EUR", base: nil, tax: 2.5, count: 1)])
        try archive.undo(id)
        #expect(try archive.taxes().count == 2)
        try archive.remove([id])
        #expect(try archive.taxes().isEmpty && archive.check().isEmpty)
    }

    @Test("Documents are summed and asked for by what is sold")
    func byCategory() throws {
        try archive.addOne(receipt("A", tax: "0", lines: "", category: "groceries"))
        try archive.addOne(receipt("B", tax: "0", lines: "", category: "groceries"))
        let last = try archive.addOne(receipt("C", tax: "0", lines: "", category: nil)).id
        #expect(try archive.totals(by: .category).map(\.group) == ["", "groceries"])
        #expect(try archive.totals(by: .category).map(\.count) == [1, 2])
        try archive.change(last, ArchiveChange(values: ["category": "fuel"]))
        var query = ArchiveQuery()
        query.category = "fuel"
        #expect(try archive.list(query).map(\.id) == [last] && archive.list(query)[0].category == "fuel")
    }
}
