import Foundation
import Imaging
import SheetNetwork
import Testing

@testable import SheetFlattening

@Suite("Sheets in a network's field")
struct SheetRegionTests {
    /// A field of 48 x 48 cells from what is probable at each.
    private func field(
        sheet: (SIMD2<Double>) -> Double, border: (SIMD2<Double>) -> Double = { _ in 0 }
    ) -> SheetField {
        let places = (0..<48 * 48).map { SIMD2(Double($0 % 48), Double($0 / 48)) }
        return SheetField(
            side: 48, sheet: places.map { Float(sheet($0)) }, border: places.map { Float(border($0)) },
            presence: 1)
    }

    private func isWithin(_ p: SIMD2<Double>, _ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> Bool {
        x.contains(p.x) && y.contains(p.y)
    }

    @Test("What is connected is one sheet, its holes filled; specks are none")
    func oneSheet() throws {
        let regions = SheetRegion.all(
            in: field { place in
                if isWithin(place, 20...23, 20...23) { return 0.1 }
                return isWithin(place, 10...29, 8...39) || place == SIMD2(44, 44) ? 0.9 : 0.1
            })
        try #require(regions.count == 1)
        // 20 x 32 cells, less an eighth of a cell at each corner.
        #expect(abs(regions[0].areaShare - (640 - 0.5) / 2304) < 1e-12)
        #expect(abs(regions[0].certainty - 0.9) < 1e-6)
        #expect(regions[0].mask.elements.count { $0 } == 640)
        // A straight-sided region fills its hull.
        #expect(regions[0].solidity > 0.999)
    }

    @Test("A border all along parts sheets that touch; each takes its half of it")
    func touchingSheets() throws {
        let regions = SheetRegion.all(
            in: field {
                isWithin($0, 4...39, 8...31) ? 0.9 : 0.1
            } border: {
                isWithin($0, 20...23, 0...47) ? 0.9 : 0.1
            })
        try #require(regions.count == 2)
        for region in regions { #expect(abs(region.areaShare - (18 * 24 - 0.5) / 2304) < 1e-12) }
        #expect(!zip(regions[0].mask.elements, regions[1].mask.elements).contains { $0 && $1 })
    }

    @Test("A border that does not go all the way, or cuts off little, parts nothing")
    func unpartedSheets() {
        let broken = SheetRegion.all(
            in: field {
                isWithin($0, 4...39, 8...31) ? 0.9 : 0.1
            } border: {
                isWithin($0, 20...23, 0...28) ? 0.9 : 0.1
            })
        #expect(broken.count == 1)
        let corner = SheetRegion.all(
            in: field {
                isWithin($0, 4...39, 8...31) ? 0.9 : 0.1
            } border: {
                abs($0.x + $0.y - 66) <= 1 ? 0.9 : 0.1
            })
        #expect(corner.count == 1)
    }

    /// Two sheets, one half covering an end of the other: an upright one, and one that lies across its lower end.
    private func overlapping(border faint: Double) -> SheetField {
        field {
            isWithin($0, 8...23, 4...27) || isWithin($0, 4...41, 28...43) ? 0.9 : 0.1
        } border: {
            // With a gap as wide as a finger in the middle of it.
            isWithin($0, 8...23, 27...28) && !isWithin($0, 13...18, 0...47) ? faint : 0
        }
    }

    @Test("Sheets that overlap are parted from notch to notch along a faint border with a gap")
    func overlappingSheets() throws {
        let regions = SheetRegion.all(in: overlapping(border: 0.25))
        try #require(regions.count == 2)
        // The lower one is 38 x 16 cells, the upper one 16 x 24. A row or so of either may go to the other.
        #expect(abs(regions[0].areaShare * 2304 - 608) < 24)
        #expect(abs(regions[1].areaShare * 2304 - 384) < 24)
        for region in regions { #expect(region.solidity > 0.95) }
        #expect(!zip(regions[0].mask.elements, regions[1].mask.elements).contains { $0 && $1 })
    }

    @Test("Overlapping sheets come apart though their own border is surer than the one between them")
    func sureOwnBorder() throws {
        var field = overlapping(border: 0.25)
        let sheet = Raster(width: field.side, height: field.side, elements: field.sheet.map { $0 > 0.5 })
        let inner = sheet.eroded()
        for index in sheet.elements.indices where sheet.elements[index] && !inner.elements[index] {
            field.border[index] = 0.95
        }
        let regions = SheetRegion.all(in: field)
        try #require(regions.count == 2)
        #expect(abs(regions[0].areaShare * 2304 - 608) < 24)
    }

    @Test(
        "Sheets side by side that leave hardly a notch are parted by a sure border with a gap, and by no faint one"
    )
    func shallowNotches() throws {
        func shifted(border: Double) -> SheetField {
            field {
                isWithin($0, 2...23, 1...41) || isWithin($0, 24...45, 5...45) ? 0.9 : 0.1
            } border: {
                isWithin($0, 23...24, 1...45) && !isWithin($0, 0...47, 20...22) ? border : 0
            }
        }
        let regions = SheetRegion.all(in: shifted(border: 0.9))
        try #require(regions.count == 2)
        // 22 x 41 cells each. Where the border has no say a row may go to the other.
        for region in regions { #expect(abs(region.areaShare * 2304 - 902) < 45) }
        #expect(SheetRegion.all(in: shifted(border: 0.4)).count == 1)
    }

    @Test("Notches without any border between them part nothing: a page may be cut in any shape")
    func notchedSheet() {
        #expect(SheetRegion.all(in: overlapping(border: 0)).count == 1)
    }

    @Test("What hangs on a sheet and is less sure than it is left out, and the line does not go around it")
    func leak() throws {
        let field = field {
            if isWithin($0, 8...31, 4...43) { return 0.98 }
            return isWithin($0, 32...41, 20...29) ? 0.65 : 0.1
        }
        let region = try #require(SheetRegion.all(in: field).first)
        // 24 x 40 cells, of which the leak's 10 x 10 may leave the two next to the sheet.
        #expect(abs(region.areaShare * 2304 - 960) < 20)
        let line = region.line(in: field, size: PixelSize(width: 48, height: 48))
        #expect(abs(line.signedArea - 960) < 20)
    }

    @Test(
        "A corner that the network is less sure of, as one in shadow, stays; so does what hangs on a sheet and is as sure"
    )
    func unsureCorner() throws {
        let shaded = field {
            guard isWithin($0, 8...31, 4...43) else { return 0.1 }
            return $0.x > 22 && $0.y < 14 ? 0.65 : 0.98
        }
        #expect(abs(try #require(SheetRegion.all(in: shaded).first).areaShare * 2304 - 960) < 1)
        let tabbed = field {
            isWithin($0, 8...31, 4...43) || isWithin($0, 32...41, 20...29) ? 0.98 : 0.1
        }
        #expect(abs(try #require(SheetRegion.all(in: tabbed).first).areaShare * 2304 - 1060) < 1)
    }

    @Test(
        "A strip beside a sheet is left out if it is less sure, beyond a border, and the sheet is fuller without it",
        arguments: [
            (0.7, 0.55, 36, false), (0.7, 0.1, 36, true), (0.96, 0.55, 36, true), (0.7, 0.55, 40, true),
        ])
    func strip(probability: Double, seam: Double, length: Int, stays: Bool) throws {
        // A bottle's beside its label, as long as the sheet or shorter; what is as long may be the sheet's own beyond a fold.
        let field = field {
            if isWithin($0, 8...31, 4...43) { return 0.99 }
            return isWithin($0, 32...37, 4...(3 + Double(length))) ? probability : 0.1
        } border: {
            $0.x == 31 || $0.x == 32 ? seam : 0
        }
        let area = try #require(SheetRegion.all(in: field).first).areaShare * 2304
        // The two columns next to the sheet may stay: a sheet's own rim is unsure too.
        #expect(stays ? abs(area - Double(960 + 6 * length)) < 1 : abs(area - 960) < 80, "\(area)")
    }

    @Test("The line runs where the probability is one half, to a tenth of a cell")
    func line() throws {
        // A disc whose probability falls from 1 to 0 over two cells around its rim.
        let middle = SIMD2(23.3, 24.1)
        let disc = field { min(max((15.4 - distance($0, middle)) / 2 + 0.5, 0), 1) }
        let region = try #require(SheetRegion.all(in: disc).first)
        let line = region.line(in: disc, size: PixelSize(width: 480, height: 960))
        let scale = SIMD2(10.0, 20)
        for point in line.points {
            let place = (point + 0.5) / scale - 0.5
            // Cells are divided by four: the line is off by an eighth of a cell before it is smoothed.
            #expect(abs(distance(place, middle) - 15.4) < 0.15, "\(place)")
        }
    }

    @Test("A sheet at the rim is drawn up to the outer sides of the pixels there")
    func rim() throws {
        let cut = field { $0.x < 20 && $0.y > 30 ? 0.9 : 0.1 }
        let region = try #require(SheetRegion.all(in: cut).first)
        let line = region.line(in: cut, size: PixelSize(width: 96, height: 96))
        #expect(line.points.contains { abs($0.x + 0.5) < 1e-9 })
        #expect(line.points.contains { abs($0.y - 95.5) < 1e-9 })
    }

    @Test("A sheet that nothing speaks against is sure, one that much speaks against is none")
    func confidence() throws {
        let clear = field {
            isWithin($0, 10...29, 8...39) ? 0.98 : 0.02
        } border: {
            isWithin($0, 9...30, 7...40) && !isWithin($0, 12...27, 10...37) ? 0.9 : 0
        }
        let sure = try #require(SheetRegion.all(in: clear).first)
        #expect(sure.borderedness > 0.89)
        #expect(sure.confidence(presence: 0.999) > 0.95)
        // A blot with a bay, which the network is half sure of, without a border.
        let blot = field { isWithin($0, 10...29, 8...39) && !isWithin($0, 15...29, 15...30) ? 0.6 : 0.4 }
        let unsure = try #require(SheetRegion.all(in: blot).first)
        #expect(unsure.confidence(presence: 0.5) < 0.05)
        // The less there is a sheet at all, the less this is one.
        #expect(sure.confidence(presence: 0.1) < sure.confidence(presence: 0.999))
    }
}
