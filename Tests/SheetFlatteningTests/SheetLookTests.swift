import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

@Suite("Looks of the network")
struct SheetLookTests {
    /// Small receipts on a grey table. Noise by seed 1.
    private func picture(of sheets: [(left: Int, top: Int)]) -> RGBImage {
        var numbers = SplitMix64(seed: 1)
        var picture = RGBImage(
            width: 1200, height: 900, filledWith: RGB(red: 160, green: 160, blue: 160))
        for place in picture.elements.indices {
            let (y, x) = place.quotientAndRemainder(dividingBy: picture.width)
            var level = 160
            for (index, sheet) in sheets.enumerated()
            where (sheet.left..<sheet.left + 90).contains(x) && (sheet.top..<sheet.top + 200).contains(y) {
                let (row, column) = (y - sheet.top - 14, x - sheet.left - 10)
                let isPrint =
                    (0..<172).contains(row) && row % 12 < 5 && (0..<70).contains(column)
                    && (column * 7 + row / 12 * 5 + index) % 11 < 5
                level = isPrint ? 70 : 236
            }
            let value = UInt8(level + Int.random(in: -6...6, using: &numbers))
            picture.elements[place] = RGB(red: value, green: value, blue: value)
        }
        return picture
    }

    @Test("Small sheets that seem to be one from afar are three from near, each where it lies")
    func nearer() {
        // Side by side, two pixels apart, each lower than the one before.
        let sheets = (0..<3).map { (left: 500 + 92 * $0, top: 330 + 20 * $0) }
        let picture = picture(of: sheets)
        let whole = SheetLook(at: picture)
        #expect(whole.regions.count == 1)
        let seen = whole.sheets(of: picture)
        #expect(seen.count == 3)
        for sheet in sheets {
            // The middle of each within 4 pixels: less than a cell of the whole picture's field is across, 6 pixels.
            let middle = SIMD2(Double(sheet.left) + 44.5, Double(sheet.top) + 99.5)
            let nearest = seen.map { seen -> Double in
                let points = seen.line().resampled(count: 200).points
                return distance(points.reduce(.zero, +) / Double(points.count), middle)
            }.min()
            #expect(nearest ?? .infinity < 4)
        }
    }

    @Test("Looks at parts see a small sheet whole, once, and nothing on a bare table")
    func parts() throws {
        let picture = picture(of: [(left: 700, top: 500)])
        let seen = SheetLook.nearer(in: picture)
        #expect(seen.count == 1)
        let points = try #require(seen.first).line().resampled(count: 200).points
        // Less than a cell of the widest window's field is across, 5 pixels.
        #expect(distance(points.reduce(.zero, +) / Double(points.count), SIMD2(744.5, 599.5)) < 4)
        #expect(SheetLook.nearer(in: self.picture(of: [])).isEmpty)
    }

    @Test("A sheet that a window cuts is not whole, and one that the picture cuts is")
    func cutByWindow() throws {
        let picture = picture(of: [(left: 0, top: 330)])
        func isWhole(left: Int, top: Int) -> Bool? {
            let whole = SheetLook(at: picture)
            let window = PictureWindow(left: left, top: top, size: PixelSize(width: 300, height: 300))
            let look = SheetLook(at: window, of: picture, besides: [], of: whole)
            return look.regions.isEmpty ? nil : SeenSheet(look: look, index: 0).isWhole(in: picture.size)
        }
        #expect(isWhole(left: 0, top: 280) == true)
        #expect(isWhole(left: 40, top: 280) == false)
    }

    @Test("A look at a part leaves out the sheets that it is to leave out")
    func neighbours() {
        let picture = picture(of: [(left: 450, top: 330), (left: 560, top: 370)])
        let whole = SheetLook(at: picture)
        #expect(whole.regions.count == 2)
        let window = PictureWindow(left: 400, top: 300, size: PixelSize(width: 300, height: 300))
        #expect(SheetLook(at: window, of: picture, besides: [], of: whole).regions.count == 2)
        for neighbour in whole.regions {
            let look = SheetLook(at: window, of: picture, besides: [neighbour], of: whole)
            #expect(look.regions.count == 1)
            for cell in look.field.sheet.indices
            where look.regions[0].mask.elements[cell] {
                let place = window.place(ofCell: cell, side: look.field.side)
                let there = whole.window.cell(at: place, side: whole.field.side)
                #expect(there.map { !neighbour.mask.elements[$0] } ?? true)
            }
        }
    }

    @Test("A window holds the picture's pixels, and its cells lie where those do")
    func window() {
        let picture = RGBImage(
            width: 20, height: 10,
            elements: (0..<200).map { RGB(red: UInt8($0), green: 0, blue: 0) })
        let window = PictureWindow(left: 5, top: 3, size: PixelSize(width: 8, height: 4))
        let pixels = window.pixels(of: picture)
        #expect(pixels.size == window.size)
        #expect(pixels[x: 0, y: 0].red == 65)
        #expect(pixels[x: 7, y: 3].red == 132)
        for cell in [0, 3, 9, 15] {
            #expect(window.cell(at: window.place(ofCell: cell, side: 4), side: 4) == cell)
        }
        #expect(window.place(ofCell: 0, side: 4) == SIMD2(6, 3.5))
        #expect(window.cell(at: SIMD2(4.9, 4), side: 4) == nil)
        #expect(window.cell(at: SIMD2(6, 7), side: 4) == nil)
    }
}
