import Imaging
import Testing

@testable import PrintDetection

@Suite struct InkTests {
    @Test("Otsu's threshold lies between two groups")
    func otsu() {
        var histogram = [Int](repeating: 0, count: 256)
        histogram[10] = 900
        histogram[90] = 100
        #expect((10..<90).contains(Ink.otsu(histogram)))
    }

    @Test("Pale letters stay whole beside a black rim of any width", arguments: [0, 6, 20])
    func paleLetters(rim: Int) {
        // Letters of two strokes 64 below the paper, joined by one 44 below it: Otsu's threshold for print and rim is higher.
        let (stroke, joint, paper): (UInt8, UInt8, UInt8) = (166, 186, 230)
        var page = GrayImage(width: 480, height: 240, filledWith: paper)
        for y in 0..<240 {
            for x in 0..<rim { page[x: x, y: y] = 0 }
        }
        let lefts = Array(stride(from: 120, to: 440, by: 20))
        for left in lefts {
            for y in 100..<120 {
                for x in left..<left + 12 {
                    let isStroke = x < left + 4 || x >= left + 8
                    if isStroke || (108..<112).contains(y) { page[x: x, y: y] = isStroke ? stroke : joint }
                }
            }
        }
        let letters = PageMarks(of: page).marks.filter { $0.top == 100 && $0.bottom == 120 }
        #expect(letters.map(\.left).sorted() == lefts)
        #expect(letters.allSatisfy { $0.width == 12 })
    }
}
