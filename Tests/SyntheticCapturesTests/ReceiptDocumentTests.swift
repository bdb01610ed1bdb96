import Foundation
import RobustStatistics
import SyntheticCaptures
import Testing

@Suite("Receipts")
struct ReceiptDocumentTests {
    @Test(
        "Sums add up and lines fit the paper", arguments: ReceiptDocument.Paper.allCases,
        1...20 as ClosedRange<UInt64>)
    func sumsAddUp(paper: ReceiptDocument.Paper, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let document = ReceiptDocument.generated(paper: paper, using: &generator)
        let facts = try #require(document.facts)
        #expect(facts.items.reduce(0) { $0 + $1.price } == facts.subtotal)
        #expect(facts.subtotal + facts.tax == facts.total)
        #expect(document.text.contains(facts.store))
        #expect(document.text.contains(facts.date))
        #expect(document.text.contains(facts.printedTotal))
        for item in facts.items { #expect(document.text.contains(item.name)) }
        for line in document.lines {
            #expect(line.text.count <= paper.columns)
            #expect(line.text.allSatisfy { $0.isASCII && !$0.isNewline })
        }
        #expect(document.width == paper.width)
        // Pages keep their size; what comes off a roll is as long as its print.
        let pitches = document.lines.reduce(0) { $0 + ($1.isDoubleHeight ? 2 : 1) }
        let printed = Double(pitches) * document.linePitch + 2 * document.endMargin
        if let height = paper.height {
            #expect(document.height == height)
            #expect(printed <= height)
        } else {
            #expect(document.height == printed)
        }
    }

    @Test("The text is the lines as printed")
    func textIsThePrintedLines() {
        let document = ReceiptDocument(
            paper: .narrow,
            lines: [
                .init("  SHOP"), .init(""), .init("Tea             1.20  "),
                .init("TOTAL", isDoubleHeight: true),
            ])
        #expect(document.text == "  SHOP\n\nTea             1.20\nTOTAL\n")
        // Five lines, the double one counting twice, and two margins.
        #expect(abs(document.height - (5 * document.linePitch + 2 * document.endMargin)) < 1e-12)
    }

    @Test("The same seed writes the same receipt")
    func seedsRepeat() {
        var first = SeededGenerator(seed: 9)
        var second = SeededGenerator(seed: 9)
        var third = SeededGenerator(seed: 10)
        let document = ReceiptDocument.generated(paper: .wide, using: &first)
        #expect(document == ReceiptDocument.generated(paper: .wide, using: &second))
        #expect(document != ReceiptDocument.generated(paper: .wide, using: &third))
    }

    @Test("SplitMix64 gives its published numbers")
    func generatorIsSplitMix64() {
        // The first numbers of the authors' reference program for the seed 1234567.
        var generator = SeededGenerator(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ]
        #expect(expected.map { _ in generator.next() } == expected)
    }
}
