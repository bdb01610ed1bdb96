@testable import Documents
import Foundation
import RobustStatistics
import Testing

/// The search for the likeliest zone whose check digits hold.
@Suite struct ZoneSearchTests {
    private static let passport = [
        "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
    ]

    /// What cells say that are sure of these characters: 0.99, the rest shared.
    private func cells(of lines: [String]) throws -> [[Float]] {
        try lines.joined().map { character in
            let index = try #require(ZoneAlphabet.index(of: character))
            return (0..<ZoneAlphabet.count).map { $0 == index ? log(0.99) : log(0.01 / 36) }
        }
    }

    @Test func sureCellsAreReadAsTheyAre() throws {
        let found = try #require(ZoneSearch(.td3, cells: cells(of: Self.passport)))
        #expect(ZoneAlphabet.text(found.characters) == Self.passport.joined())
        #expect(found.strain < 1e-6)
        #expect(found.posterior > 0.3)
    }

    /// A letter O that was read for a 0 in the number, likelier than the 0: only the 0 holds.
    @Test(arguments: [(49, "O", "0"), (44, "I", "L"), (60, "8", "1")])
    func checkDigitsSettleWhatOneCellGetsWrong(cell: Int, wrong: String, right: String) throws {
        var cells = try cells(of: Self.passport)
        let expected = Array(Self.passport.joined())
        let mistaken = try #require(ZoneAlphabet.index(of: Character(wrong)))
        let printed = try #require(ZoneAlphabet.index(of: expected[cell]))
        cells[cell] = (0..<ZoneAlphabet.count).map {
            $0 == mistaken ? log(0.7) : $0 == printed ? log(0.28) : log(0.02 / 35)
        }
        let found = try #require(ZoneSearch(.td3, cells: cells))
        #expect(ZoneAlphabet.text(found.characters) == Self.passport.joined())
        // By alphabets alone a cell may be settled already, without strain.
        #expect(found.strain < 1.5)
    }

    /// Against all zones, one by one: two cells of the number are open, every other is sure.
    @Test func theBestIsThatOfAllChoices() throws {
        let seed: UInt64 = 41
        var generator = SplitMix64(seed: seed)
        let text = Self.passport.joined().compactMap(ZoneAlphabet.index)
        for _ in 0..<20 {
            var cells = try cells(of: Self.passport)
            let open = [46, 50]
            for cell in open {
                cells[cell] = (0..<ZoneAlphabet.count).map { _ in
                    Float.random(in: -6..<0, using: &generator)
                }
            }
            var best = (score: -Float.infinity, pair: [0, 0])
            for first in 0..<ZoneAlphabet.count {
                for second in 0..<ZoneAlphabet.count {
                    var trial = text
                    (trial[46], trial[50]) = (first, second)
                    // Only the number's check digit and the composite one depend on these.
                    guard ZoneAlphabet.checkDigit(of: trial[44..<53]) == trial[53],
                        ZoneAlphabet.checkDigit(of: Array(trial[44..<54]) + trial[57..<64] + trial[65..<87])
                            == trial[87]
                    else { continue }
                    let score = cells[46][first] + cells[50][second]
                    if score > best.score { best = (score, [first, second]) }
                }
            }
            let found = try #require(ZoneSearch(.td3, cells: cells))
            // Sure cells cost more than any choice of the two open ones can gain.
            #expect(open.map { found.characters[$0] } == best.pair, "seed \(seed)")
        }
    }

    @Test func withoutChecksEachCellSpeaksForItself() throws {
        var lines = Self.passport
        lines[1] = "L898902C36UTO7408123F1204159ZE184226B<<<<<10"
        let cells = try cells(of: lines)
        let bent = try #require(ZoneSearch(.td3, cells: cells))
        #expect(bent.strain > 4)
        let free = try #require(ZoneSearch(.td3, cells: cells, checksHold: false))
        #expect(ZoneAlphabet.text(free.characters) == lines.joined())
    }

    @Test func aLongNumberIsReadWithItsCheckDigit() throws {
        let lines = [
            "I<UTOD23145890<7349<<<<<<<<<<<", "3407127M9507122UTO<<<<<<<<<<<2",
            "STEVENSON<<PETER<JOHN<<<<<<<<<",
        ]
        let found = try #require(ZoneSearch(.td1, cells: cells(of: lines)))
        #expect(ZoneAlphabet.text(found.characters) == lines.joined())
        #expect(found.strain < 1e-6)
    }

    @Test func namesAreLettersThatFillersPart() throws {
        var lines = Self.passport
        lines[0] = "P<UTOERIKSS0N<<ANNA<MARIA<<<<<<<<<<<<K<<<<<<"
        let found = try #require(ZoneSearch(.td3, cells: cells(of: lines)))
        let names = ZoneAlphabet.text(found.characters[5..<44])
        #expect(names.filter(\.isNumber).isEmpty)
        #expect(names.hasSuffix("<<<<<<<<<<<<<<<<<<<"))
    }

    /// Each line of a zone alone, all other cells open: its own characters must pass, whatever they are.
    @Test(
        "No zone scores more than the bound of its lines",
        arguments: [
            (ZoneFormat.td3, Self.passport),
            (
                .td3,
                [
                    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
                    "L898902C<3UTO6908<<1F9406236<<<<<<<<<<<<<<<8",
                ]
            ),
            (
                .td1,
                [
                    "I<UTOD23145890<7349<<<<<<<<<<<", "3407127M9507122UTO<<<<<<<<<<<2",
                    "STEVENSON<<PETER<JOHN<<<<<<<<<",
                ]
            ),
            (.td2, ["I<UTOSTEVENSON<<PETER<<<<<<<<<<<<<<<", "D23145890<UTO3407127M95071227349<<<8"]),
            (
                .mrvA,
                [
                    "V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
                    "L8988901C4XXX4009078F96121096ZE184226B<<<<<<",
                ]
            ),
            (.mrvB, ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "L8988901C4XXX4009078F9612109<<<<<<<<"]),
        ] as [(ZoneFormat, [String])])
    func bound(format: ZoneFormat, lines: [String]) throws {
        let open = [Float](repeating: 0, count: ZoneAlphabet.count)
        for index in lines.indices {
            let own = try lines[index].map { character in
                let index = try #require(ZoneAlphabet.index(of: character))
                return (0..<ZoneAlphabet.count).map { $0 == index ? Float(0) : -20 }
            }
            let cells = lines.indices.flatMap { $0 == index ? own : own.map { _ in open } }
            let bound = ZoneSearch.greatestScore(of: own, format)
            #expect(bound == 0, "line \(index)")
            for checksHold in [true, false] {
                let found = try #require(ZoneSearch(format, cells: cells, checksHold: checksHold))
                #expect(found.score <= bound + 1e-6, "line \(index)")
            }
        }
    }

    /// Names, states and the sex are letters; no line of a passport is digits throughout.
    @Test func aLineIsRuledOutByItsOwnCharacters() throws {
        let names = try cells(of: ["STEVENSON<<PETER<JOHN<<<<<<<<<"])
        #expect(ZoneSearch.greatestScore(of: names, .td1) > -1)
        let letters = try cells(of: [String(repeating: "ABCDEFGHIK", count: 4) + "LMNO"])
        #expect(ZoneSearch.greatestScore(of: letters, .td3) > -1)
        let digits = try cells(of: [String(repeating: "1234567890", count: 4) + "1234"])
        #expect(ZoneSearch.greatestScore(of: digits, .td3) < -20)
    }

    @Test func tooFewCellsAreNoZone() {
        #expect(ZoneSearch(.td3, cells: []) == nil)
    }
}
