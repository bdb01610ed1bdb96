import SyntheticCaptures
import Testing

@testable import ReceiptFlattening

@Suite struct FlatPageTests {
    @Test(
        "A whole photograph is shown whole, however it is turned",
        arguments: [(1200, 800), (31, 997), (640, 1)])
    func coverageOfTheWhole(width: Int, height: Int) throws {
        let capture = Capture(image: RGBImage(luma: GrayImage(width: width, height: height, filledWith: 90)))
        let flattener = ReceiptFlattener()
        let sheet = try FlatteningLadder(
            capture: capture, search: try flattener.locateSheet(in: capture), options: flattener.options
        ).climb()
        try #require(sheet.method == .unchanged)
        let page = try FlatPage(sheet: sheet, photograph: capture.image.size, options: flattener.options)
        for quarters in 0..<4 {
            #expect(page.turned(clockwiseQuarters: quarters).coverage(of: sheet.region) == 1, "\(quarters)")
        }
    }

    @Test func halfAPageShowsHalf() throws {
        let capture = Capture(image: DrawnReceipt.grayPicture)
        let flattener = ReceiptFlattener()
        let sheet = try FlatteningLadder(
            capture: capture, search: try flattener.locateSheet(in: capture), options: flattener.options
        ).climb()
        let page = try FlatPage(sheet: sheet, photograph: capture.image.size, options: flattener.options)
        // Of four points two lie a picture's breadth beside it.
        let points = [SIMD2(10.0, 10), SIMD2(300, 200), SIMD2(650, 10), SIMD2(-320, 200)]
        #expect(page.coverage(of: points) == 0.5)
    }
}
