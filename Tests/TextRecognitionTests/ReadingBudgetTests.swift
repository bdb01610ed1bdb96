import Diagnostics
import Imaging
import PrintDetection
import RobustStatistics
import Synchronization
import Testing
import TextTestSupport

@testable import TextRecognition

/// How much is read of what has more rows than any page: counted in rows and their lengths, never in seconds.
@Suite struct ReadingBudgetTests {
    /// Pictures without print that break into rows of marks.
    enum Texture: String, CaseIterable, CustomTestStringConvertible {
        case cardboard, cloth, noise

        var testDescription: String { rawValue }

        /// The texture at a place, 0 to 255.
        func level(_ x: Int, _ y: Int, _ random: inout SplitMix64) -> Double {
            let chance = Double.random(in: -1...1, using: &random)
            switch self {
            case .cardboard:
                let fibre = Double((x / 9 + (y / 5) * 7) % 3 - 1)
                return 150 + 40 * chance + 30 * fibre
            case .cloth:
                let thread: Double = (x / 5 + y / 5) % 2 == 0 ? 55 : -55
                return 130 + thread + 25 * chance
            case .noise: return 128 + 90 * chance
            }
        }

        func picture(_ width: Int, _ height: Int) -> GrayImage {
            let seed: UInt64 = 5
            print("seed \(seed)")
            var random = SplitMix64(seed: seed)
            return GrayImage(width: width, height: height) { pixels in
                for index in 0..<width * height {
                    let level = level(index % width, index / width, &random)
                    pixels.initializeElement(at: index, to: UInt8(min(max(level, 0), 255)))
                }
            }
        }
    }

    /// What reading a page comes to where each row is read with one confidence.
    private func read(
        _ page: TextPage, confidence: Double
    ) throws -> (length: Double, boxes: [Box], unread: UnreadRows?) {
        let asked = Mutex<(length: Double, boxes: [Box])>((0, []))
        let unread = Mutex<UnreadRows?>(nil)
        var context = ReadingContext()
        context.onUnread = { rows in unread.withLock { $0 = rows } }
        _ = try PaleReading.lines(on: page, context: context) { rows, indices, _ throws(FlatteningError) in
            asked.withLock {
                $0.length += ReadingBudget.length(of: indices, on: rows)
                $0.boxes += indices.map { rows.rows[$0].box }
            }
            return indices.map { index in
                RecognizedLine(words: [
                    RecognizedWord(text: "WORDS", confidence: confidence, box: rows.rows[index].box)
                ])
            }
        }
        let (length, boxes) = asked.withLock { $0 }
        return (length, boxes, unread.withLock { $0 })
    }

    @Test(
        "A texture is read in one portion of its usual and one of its pale rows", arguments: Texture.allCases)
    func textures(texture: Texture) throws {
        let page = TextPage(texture.picture(1800, 1800))
        let rows = PageRows(on: page)
        let all = ReadingBudget.length(of: Array(rows.rows.indices), on: rows)
        try #require(all > 2 * ReadingTuning.Budget.portion, "\(all) letter heights")
        let read = try read(page, confidence: 0.1)
        #expect(read.length > 0 && read.length <= 2 * ReadingTuning.Budget.portion)
        let unread = try #require(read.unread)
        #expect(unread.count > 0 && unread.count <= unread.found)
    }

    @Test("Whatever rows are read as, reading ends with the page's budget")
    func bound() throws {
        let page = TextPage(Texture.noise.picture(1800, 1800))
        let read = try read(page, confidence: 0.99)
        #expect(read.length <= ReadingBudget(pixels: page.picture.size.pixelCount).rest)
        #expect(read.length > ReadingTuning.Budget.portion)
        #expect(read.unread != nil)
    }

    @Test("Rows of print are read before those of the table that they lie on", arguments: Texture.allCases)
    func printFirst(texture: Texture) throws {
        var picture = texture.picture(1800, 1800)
        let receipt = try DrawnPage(smallReceipt).picture
        for y in 0..<receipt.height {
            for x in 0..<receipt.width { picture[x: 700 + x, y: 800 + y] = receipt[x: x, y: y] }
        }
        let page = TextPage(picture)
        let rows = PageRows(on: page)
        let sheet = Box(
            left: 700, top: 800, right: Double(700 + receipt.width), bottom: Double(800 + receipt.height))
        let ofReceipt = rows.rows.filter { row in
            row.box.top > sheet.top && row.box.bottom < sheet.bottom && row.box.left > sheet.left
                && row.box.right < sheet.right && row.marks.count > 8
        }
        let read = try read(page, confidence: 0.1)
        #expect(ofReceipt.allSatisfy { row in read.boxes.contains(row.box) })
    }

    @Test("A receipt is read whole, and nothing is said of rows that were not")
    func receipt() throws {
        let page = TextPage(try DrawnPage(smallReceipt).picture)
        let read = try read(page, confidence: 0.95)
        #expect(read.boxes.count >= PageRows(on: page).rows.count)
        #expect(read.unread == nil)
    }

    @Test("What is left pays for second looks at the likeliest rows, and no more")
    func second() throws {
        let page = PageRows(on: TextPage(try DrawnPage(smallReceipt).picture))
        let all = Array(page.rows.indices)
        var budget = ReadingBudget(pixels: 0)
        #expect(budget.take(all, of: page) == all)
        var rest = budget.rest
        while rest > 0 {
            let taken = budget.take(all, of: page, times: 2)
            #expect(ReadingBudget.length(of: taken, on: page) * 2 <= rest)
            guard !taken.isEmpty else { break }
            rest = budget.rest
        }
        #expect(budget.rest >= 0 && !budget.takeAll(of: page))
    }
}
