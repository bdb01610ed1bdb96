import Foundation
import Imaging
import Testing

@testable import TextRecognition

@Suite struct PrintedRowTests {
    @Test("The rows of a page are found with the amounts at their right; rules and blank lines are none")
    func rows() throws {
        let page = try DrawnPage(smallReceipt)
        let finder = PrintedRowFinder(marks: PrintedMark.marks(in: Ink(of: page.picture)))
        #expect(finder.rows().count == readingForm(of: smallReceipt).count)
    }

    @Test("The pitch is the distance of the cells", arguments: [11, 14, 19])
    func pitch(cellWidth: Int) throws {
        let page = try DrawnPage(
            smallReceipt, cellWidth: cellWidth, cellHeight: 2 * cellWidth, linePitch: 5 * cellWidth / 2)
        let reader = ReceiptReader(page: page.picture)
        let found = try #require(reader.pitch)
        // The search steps by 0.4 %; letters that stand off their cells' middles add about as much.
        #expect(abs(found / Double(cellWidth) - 1) < 0.01)
    }

    @Test("Wide-set type, squeezed letters: the pitch does not depend on the letters' shape")
    func wideSet() throws {
        let page = try DrawnPage(smallReceipt, cellWidth: 20, cellHeight: 26, linePitch: 34)
        #expect(abs(try #require(ReceiptReader(page: page.picture).pitch) / 20 - 1) < 0.01)
    }

    @Test("Marks are joined over corners, and counted once where arms meet late")
    func marks() {
        // A U: two arms that meet in the last row, and a dot that touches by a corner.
        let rows = ["#...#.", "#...#.", "#####.", ".....#", "......"]
        let picture = GrayImage(
            width: 6, height: 5, elements: rows.joined().utf8.map { $0 == 0x23 ? 0 : 255 })
        let marks = PrintedMark.marks(in: Ink(of: picture), leastArea: 1)
        #expect(marks == [PrintedMark(left: 0, top: 0, right: 6, bottom: 4, area: 10)])
    }

    @Test("A shadow over the page is no ink")
    func shadow() throws {
        var page = try DrawnPage(smallReceipt).picture
        for y in 0..<page.height {
            for x in 0..<page.width {
                // Light falls off to half across the page.
                let light = 1 - 0.5 * Double(x) / Double(page.width)
                page[x: x, y: y] = UInt8(Double(page[x: x, y: y]) * light)
            }
        }
        let finder = PrintedRowFinder(marks: PrintedMark.marks(in: Ink(of: page)))
        #expect(finder.rows().count == readingForm(of: smallReceipt).count)
    }

    @Test("Otsu's threshold lies between two groups")
    func otsu() {
        var histogram = [Int](repeating: 0, count: 256)
        histogram[10] = 900
        histogram[90] = 100
        #expect((10..<90).contains(Ink.otsu(histogram)))
    }
}

@Suite struct ReceiptReaderTests {
    @Test("A drawn receipt is read without error, a row for a row")
    func small() throws {
        let text = try TextRecognizer().recognize(try DrawnPage(smallReceipt).picture, pixelsPerMillimeter: 8)
        #expect(text.lines.map(\.text) == readingForm(of: smallReceipt))
        #expect(text.legibility == .readable)
        #expect(text.confidence > 0.8)
    }

    @Test("Wide-set type is read, and a space is an empty cell, not a wide gap")
    func wideSet() throws {
        let page = try DrawnPage(smallReceipt, cellWidth: 19, cellHeight: 28, linePitch: 40)
        #expect(
            try TextRecognizer().recognize(page.picture).lines.map(\.text) == readingForm(of: smallReceipt))
    }

    @Test("Pale print on grey paper is read")
    func faded() throws {
        let page = try DrawnPage(smallReceipt, ink: 140, paper: 190)
        #expect(
            try TextRecognizer().recognize(page.picture).lines.map(\.text) == readingForm(of: smallReceipt))
    }

    @Test("Rows that are light on dark are read like the others")
    func lightOnDark() throws {
        let page = try DrawnPage(smallReceipt, inverted: [0, 9])
        #expect(
            try TextRecognizer().recognize(page.picture).lines.map(\.text) == readingForm(of: smallReceipt))
    }

    @Test("A word's box encloses its cells' print, in the page's pixels")
    func boxes() throws {
        let page = try DrawnPage(smallReceipt)
        let words = try TextRecognizer().recognize(page.picture).words
        let total = try #require(words.first { $0.text == "TOTAL" })
        // The row is the tenth; the letters stand within the cells 0 to 5 and the row's height.
        #expect(
            total.box.left >= Double(page.margin)
                && total.box.right <= Double(page.margin + 5 * page.cellWidth))
        #expect(total.box.width > 4 * Double(page.cellWidth))
        let top = Double(page.margin + 9 * page.linePitch)
        #expect(total.box.top >= top && total.box.bottom <= top + 28)
    }

    @Test("Two readings of one page are the same to the last digit, on one thread or on two")
    func deterministic() throws {
        let page = try DrawnPage(smallReceipt).picture
        let first = try TextRecognizer(concurrency: 1).recognize(page)
        #expect(try TextRecognizer(concurrency: 2).recognize(page) == first)
    }

    @Test("The fields of a drawn receipt are right")
    func fields() throws {
        let fields = ReceiptFields(of: try TextRecognizer().recognize(try DrawnPage(smallReceipt).picture))
        #expect(fields.merchant?.value == "HARBOUR KIOSK")
        #expect(fields.date?.value == "2025-06-21")
        #expect(fields.total?.value == 2111 / Decimal(100))
        #expect(fields.items.count == 3 && fields.items.first?.quantity == 2)
        #expect(fields.contradictions.isEmpty)
    }

    @Test("A cancelled task ends reading with .cancelled")
    func cancellation() async throws {
        let page = try DrawnPage(smallReceipt).picture
        let recognizer = try TextRecognizer()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await recognizer.recognized(page)
        }
        do {
            _ = try await task.value
            Issue.record("a cancelled task went on reading")
        } catch let error as FlatteningError {
            #expect(error.code == .cancelled)
        }
    }

    @Test("A wish to stop that comes while reading ends it")
    func stopWhileReading() throws {
        let asked = CancellationFlag()
        // Not wanted any more once tesseract has asked the first time.
        let options = TextRecognizer.Options(isCancelled: {
            defer { asked.raise() }
            return asked.isRaised
        })
        do {
            _ = try TextRecognizer().recognize(try DrawnPage(smallReceipt).picture, options: options)
            Issue.record("reading went on")
        } catch {
            #expect((error as? FlatteningError)?.code == .cancelled)
        }
    }
}

@Suite struct TextOrientationTests {
    @Test("All four turns are undone", arguments: [ImageOrientation.up, .right, .down, .left])
    func turns(turn: ImageOrientation) throws {
        let page = try DrawnPage(smallReceipt).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(page: page, recognizer: TextRecognizer())
        #expect(decision.orientation == turn.inverse)
        #expect(decision.confidence > 0.6)
    }

    @Test(
        "Without a recogniser the rows' direction is right",
        arguments: [ImageOrientation.up, .right, .down, .left])
    func direction(turn: ImageOrientation) throws {
        let page = try DrawnPage(smallReceipt).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(page: page, recognizer: nil)
        #expect(decision.orientation.swapsAxes == turn.swapsAxes)
        #expect(decision.basis == .ink)
        #expect(decision.confidence <= 0.9)
    }

    @Test(
        "Small letters and stops tell which way is up without reading",
        arguments: [ImageOrientation.up, .right, .down, .left])
    func shape(turn: ImageOrientation) throws {
        let page = try DrawnPage(textOfSmallLetters).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(page: page, recognizer: try unwanted())
        #expect(decision.orientation == turn.inverse)
        #expect(decision.basis == .ink)
        #expect(decision.confidence > 0.9)
    }

    @Test("Capitals without stops have to be read", arguments: [ImageOrientation.up, .down])
    func capitals(turn: ImageOrientation) throws {
        let page = try DrawnPage(textOfCapitals).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(page: page, recognizer: try TextRecognizer())
        #expect(decision.orientation == turn.inverse)
        #expect(decision.basis == .text)
    }

    private func unwanted() throws(FlatteningError) -> TextRecognizer? {
        Issue.record("a recogniser was asked for")
        return nil
    }

    @Test("What lies around the sheet has no say", arguments: [ImageOrientation.up, .right, .down, .left])
    func surroundings(turn: ImageOrientation) throws {
        let receipt = try DrawnPage(smallReceipt).picture
        // A table beside the receipt, on which the same text lies the other way up and twice.
        let other = receipt.oriented(by: .down)
        let page = GrayImage(width: 3 * receipt.width, height: receipt.height) { out in
            for y in 0..<receipt.height {
                for x in 0..<3 * receipt.width {
                    let source = x < receipt.width ? receipt : other
                    out.initializeElement(
                        at: y * 3 * receipt.width + x, to: source[x: x % receipt.width, y: y])
                }
            }
        }.oriented(by: turn)
        let upright = turn.inverse.size(turning: page.size)
        let decision = try TextOrientation.decide(
            page: page, recognizer: TextRecognizer(),
            options: .init(isOnSheet: {
                turn.inverse.turn($0, in: page.size).x < Double(upright.width) / 3 - 0.5
            }))
        #expect(decision.orientation == turn.inverse)
    }

    @Test("A page without text is left as it is, with no confidence")
    func empty() throws {
        let page = GrayImage(width: 200, height: 300, filledWith: 200)
        let decision = try TextOrientation.decide(page: page, recognizer: nil)
        #expect(decision == TextOrientation(orientation: .up, confidence: 0, basis: .none))
    }
}

@Suite struct AmountColumnTests {
    private func line(_ amount: String, right: Double) -> RecognizedLine {
        let box = TextBox(left: right - 50, top: 0, right: right, bottom: 10)
        return RecognizedLine(words: [RecognizedWord(text: amount, confidence: 1, box: box)])
    }

    @Test("A column's amounts have one decimal mark")
    func unified() {
        var lines = ["1.50", "2.25", "13,00", "1.99", "4.75"].map { line($0, right: 300) }
        AmountColumn.unifyDecimalMarks(in: &lines, tolerance: 5)
        #expect(lines.map(\.text) == ["1.50", "2.25", "13.00", "1.99", "4.75"])
    }

    @Test("Amounts of another column, whole numbers and an even split are left alone")
    func leftAlone() {
        let printed = ["1.50", "2,25", "13,00", "1.99", "1,234"]
        var lines = printed.map { line($0, right: 300) } + [line("7,77", right: 150)]
        AmountColumn.unifyDecimalMarks(in: &lines, tolerance: 5)
        #expect(lines.map(\.text) == printed + ["7,77"])
    }
}

@Suite struct PeriodOrCommaTests {
    @Test("Stops stay stops and commas stay commas, however they were read", arguments: [".", ","])
    func settled(mark: String) throws {
        let printed = "Tea 12\(mark)50 34\(mark)75"
        let reader = ReceiptReader(
            page: try DrawnPage(printed + "\n" + printed + "\nmore text of one pitch").picture)
        let pitch = try #require(reader.pitches[0])
        let cells = PrintedCells(row: reader.rows[0], pitch: pitch)
        // A reading that has every mark wrong.
        let wrong = Array(printed.filter { $0 != " " }).map { $0 == "." ? "," : $0 == "," ? "." : String($0) }
        #expect(cells.indices.count == wrong.count)
        var votes = CellVotes(cells: cells)
        votes.add(
            RowReading(
                symbols: zip(wrong, cells.boxes).map { .init(text: $0, confidence: 0.9, box: $1) },
                wordStarts: []))
        PeriodOrComma.settle(&votes, letterHeight: reader.rows[0].letterHeight)
        #expect(votes.words().map(\.text).joined(separator: " ") == printed)
    }
}

@Suite struct RuleTests {
    @Test(
        "A row of one sign is a rule, a number or a word is not",
        arguments: [
            ("--------------", true), ("==", true), ("SSSSSSSSSsssss", true), ("**********", true),
            ("0000000000", false),
            ("NOON", false), ("Mississippi river", false),
        ])
    func rules(text: String, isRule: Bool) {
        let box = TextBox(left: 0, top: 0, right: 10, bottom: 10)
        #expect(RecognizedLine(words: [RecognizedWord(text: text, confidence: 1, box: box)]).isRule == isRule)
    }
}

/// Twelve rows of sentences.
private let textOfSmallLetters = Array(
    repeating: """
        The sheet lay on the table. A hand had
        folded it, twice, and left it there; by
        noon its edges had curled up, a little.
        Nobody looked, though all passed by it.
        """, count: 3
).joined(separator: "\n")

/// Eight rows that end as sharply at the top as at the foot.
private let textOfCapitals = Array(
    repeating: """
        HARD CHEESE AND BREAD     MILK
        THE NEAREST FARM HAS MADE THEM
        """, count: 4
).joined(separator: "\n")
