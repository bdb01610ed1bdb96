import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import Testing

@testable import SheetFlattening

@Suite struct PageLayoutTests {
    /// A photograph that shows nothing, as the ladder's last step takes it.
    private static func wholePhotograph(width: Int, height: Int) throws -> UnrolledSheet {
        let capture = Capture(image: RGBImage(luma: GrayImage(width: width, height: height, filledWith: 90)))
        let flattener = SheetFlattener()
        let sheet = try FlatteningLadder(
            capture: capture, search: try flattener.locateSheet(in: capture), options: flattener.options
        ).climb()
        try #require(sheet.method == .unchanged)
        return sheet
    }

    @Test(
        "A whole photograph is shown whole, however it is turned",
        arguments: [(1200, 800), (31, 997), (640, 1)])
    func coverageOfTheWhole(width: Int, height: Int) throws {
        let sheet = try Self.wholePhotograph(width: width, height: height)
        let page = try PageLayout(
            sheet: sheet, photograph: PixelSize(width: width, height: height), options: .init())
        for quarters in 0..<4 {
            #expect(page.turned(clockwiseQuarters: quarters).coverage(of: sheet.region) == 1, "\(quarters)")
        }
    }

    @Test("However a page is turned, it can stand as its photograph does")
    func standing() throws {
        let sheet = try Self.wholePhotograph(width: 320, height: 240)
        let page = try PageLayout(
            sheet: sheet, photograph: PixelSize(width: 320, height: 240), options: .init())
        for quarters in 0..<4 {
            let turned = page.turned(clockwiseQuarters: quarters)
            // A whole photograph's map is exact but for single precision.
            #expect(abs(cos(turned.angleInPhotograph + Double(quarters) * .pi / 2) - 1) < 1e-6, "\(quarters)")
            let standing = turned.standingAsPhotographed
            #expect(abs(standing.angleInPhotograph) < 1e-3, "\(quarters)")
            #expect(standing.samplingMap().outputSize == PixelSize(width: 320, height: 240))
        }
    }

    @Test func halfAPageShowsHalf() throws {
        let sheet = try Self.wholePhotograph(width: 320, height: 240)
        let page = try PageLayout(
            sheet: sheet, photograph: PixelSize(width: 320, height: 240), options: .init())
        // Of four points two lie a picture's breadth beside it.
        let points = [SIMD2(10.0, 10), SIMD2(300, 200), SIMD2(650, 10), SIMD2(-320, 200)]
        #expect(page.coverage(of: points) == 0.5)
    }

    @Test("A sliver thinner than any pixel is an error, not a map without end", arguments: [1e-6, 1e-12])
    func sliver(breadth: Double) throws {
        var sheet = try Self.wholePhotograph(width: 320, height: 240)
        sheet.frame.size.y = breadth
        let error = try #require(throws: FlatteningError.self) {
            try PageLayout(sheet: sheet, photograph: PixelSize(width: 320, height: 240), options: .init())
        }
        #expect(error.stage == .framing)
    }
}
