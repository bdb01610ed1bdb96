import DepthGeometry
import DrawnReceipts
import Imaging
import SheetFlattening
import Testing

@testable import ReceiptFlattening

/// Photographs that show a part of a sheet, without depth.
@Suite struct CutSheetTests {
    /// The part of the drawn receipt's photograph that shows some shares of the sheet's width and height.
    private static func photograph(
        showing columns: ClosedRange<Double>, _ rows: ClosedRange<Double>
    ) throws -> RGBImage {
        let capture = try DrawnReceipt.capture()
        let outline = try #require(try ReceiptFlattener().flatten(capture).outline).polygon
        let (xs, ys) = (outline.map(\.x), outline.map(\.y))
        func range(_ values: [Double], _ shares: ClosedRange<Double>, count: Int) throws -> Range<Int> {
            let (low, high) = (try #require(values.min()), try #require(values.max()))
            let ends = [shares.lowerBound, shares.upperBound].map { Int(low + $0 * (high - low)) }
            return max(ends[0], 0)..<min(ends[1], count)
        }
        let image = capture.image
        let xRange = try range(xs, columns, count: image.width)
        let yRange = try range(ys, rows, count: image.height)
        return RGBImage(
            width: xRange.count, height: yRange.count,
            elements: yRange.flatMap { y in xRange.map { image[x: $0, y: y] } })
    }

    @Test(
        "Where the rim cuts three sides, the fourth and the rows make the sheet flat, and no table is shown")
    func oneSideSeen() throws {
        let photograph = try Self.photograph(showing: -0.4...0.85, 0.15...0.9)
        let receipt = try ReceiptFlattener().flatten(Capture(image: photograph))
        #expect(receipt.report.method == .corners)
        #expect(receipt.report.sides?.cut == ["upper", "right", "lower"])
        let picture = receipt.picture.render()
        // The table beside the sheet is a quarter of the photograph's width, and darker than paper by half.
        #expect(picture.width < photograph.width * 4 / 5)
        let left = (0..<picture.height).map { picture[x: 1, y: $0].green }
        let middle = (0..<picture.height).map { picture[x: picture.width / 8, y: $0].green }
        #expect(Double(left.sorted()[left.count / 2]) > 0.9 * Double(middle.sorted()[middle.count / 2]))
    }

    @Test func whereTheRimCutsAllSidesThePhotographIsShownAsItLies() throws {
        let photograph = try Self.photograph(showing: 0.1...0.9, 0.2...0.8)
        let receipt = try ReceiptFlattener().flatten(Capture(image: photograph))
        #expect([.angle, .unchanged, .scan].contains(receipt.report.method))
    }

    @Test(
        "The scale of a level page does not vary, and of a page that narrows to a third widths vary by three and heights by nine"
    )
    func variation() {
        let size = PixelSize(width: 300, height: 400)
        let level = SamplingMap(outputSize: size, spacing: 8) { $0 * 0.5 }
        #expect(abs(ReceiptFlattener.variation(ofScale: level, in: size) - 1) < 1e-3)
        // A plane seen in perspective: at depth d widths are as 1 / d, and heights too as d grows by as much a row.
        let leaning = SamplingMap(outputSize: size, spacing: 1) { place in
            let depth = 1 + 2 * place.y / 400
            return SIMD2(150 + (place.x - 150) / depth, 600 * (1 - 1 / depth))
        }
        // Widths vary by 3, heights by 9: areas by 27.
        let photograph = PixelSize(width: 300, height: 420)
        #expect(abs(ReceiptFlattener.variation(ofScale: leaning, in: photograph) - 27.0.squareRoot()) < 0.1)
        // What lies beside the photograph does not count.
        let half = PixelSize(width: 300, height: 200)
        #expect(ReceiptFlattener.variation(ofScale: leaning, in: half) < 3)
    }

    @Test("Rows may not get less even by half, but what no letter can show does not count") func unevenness()
    {
        #expect(ReceiptFlattener.isUneven(1.6, asShown: 1))
        #expect(!ReceiptFlattener.isUneven(1.4, asShown: 1))
        #expect(!ReceiptFlattener.isUneven(0.5, asShown: 0.3))
        #expect(ReceiptFlattener.isUneven(0.8, asShown: 0.3))
    }
}
