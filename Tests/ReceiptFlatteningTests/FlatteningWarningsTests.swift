import DepthGeometry
import DrawnReceipts
import Imaging
import SheetFlattening
import SyntheticCaptures
import Testing
import TextTestSupport

@testable import ReceiptFlattening

/// What is said of a result that is none, or of which there is doubt: once, and never of a good one.
@Suite struct FlatteningWarningsTests {
    /// The warnings about a capture whose sheet lies where it was drawn, or where a search came out.
    private static func warnings(
        _ capture: Capture, confidence: Double = 1, others: Int = 0, usesDepth: Bool = true
    ) throws -> [String] {
        var options = ReceiptFlattener.Options()
        options.usesDepth = usesDepth
        let found = try #require(SheetFlattener().locateSheet(in: try DrawnReceipt.capture()).outline)
        let outline = SheetOutline(
            imageSize: found.imageSize, polygon: found.polygon, cornerIndices: found.cornerIndices,
            confidence: confidence, borderShare: 0)
        let search = SheetSearch.found(Array(repeating: outline, count: 1 + others))
        let sheet = try FlatteningLadder(capture: capture, search: search, options: options.sheet).climb()
        return FlatteningWarnings(capture: capture, search: search, sheet: sheet, options: options).all
    }

    private static func farther(_ factor: Float, assumedUnit: Double?) throws -> Capture {
        var capture = try DrawnReceipt.capture()
        capture.depth = capture.depth?.mapReadings { _, _, depth in factor * depth }
        capture.metadata.assumedDepthUnit = assumedUnit
        return capture
    }

    @Test func aGoodCaptureIsNotWarnedOf() throws {
        #expect(try ReceiptFlattener().flatten(try DrawnReceipt.capture()).report.warnings == [])
    }

    @Test func thatNoSheetWasFoundIsSaidOnceWithWhatWasDone() throws {
        let capture = Capture(image: DrawnReceipt.grayPicture)
        let report = try ReceiptFlattener().flatten(capture).report
        #expect(report.warnings.count == 1)
        let warning = try #require(report.warnings.first)
        #expect(warning.hasPrefix("no sheet was found: "))
        #expect(warning.contains("only turned upright") && warning.contains("four corners"))
        #expect(try ReceiptFlattener().inspect(capture).findings.filter { $0 == warning }.count == 1)
        var given = ReceiptFlattener.Options()
        given.corners = [SIMD2(20, 20), SIMD2(300, 20), SIMD2(300, 220), SIMD2(20, 220)]
        #expect(try ReceiptFlattener(options: given).flatten(capture).report.warnings == [])
    }

    @Test func aScanIsNotWarnedOfAndCountsAsASheet() throws {
        let page = try DrawnPage(
            (1...12).map { "\($0 + 10) ROLLS OF RYE AND WHEAT     \($0).20" }.joined(separator: "\n"))
        var picture = RGBImage(
            width: page.picture.width, height: page.picture.height, filledWith: RGB(red: 0, green: 0, blue: 0)
        )
        picture.elements = page.picture.elements.map { RGB(red: $0, green: $0, blue: $0) }
        let report = try ReceiptFlattener().flatten(Capture(image: picture)).report
        #expect(report.method == .scan && report.foundSheet && report.confidence >= 0.9)
        #expect(report.warnings == [])
        #expect(report.outline?.count == 4 && report.sheet?.count == 1)
        #expect(
            try ReceiptFlattener().inspect(Capture(image: picture)).description.contains(
                "the picture itself, "))
    }

    @Test func depthThatIsGivenAndNotUsedIsSaidOnceWithTheReason() throws {
        var capture = try DrawnReceipt.capture()
        // A reading in a thousand is left.
        capture.depth = capture.depth?.mapReadings { x, y, z in x % 32 == 0 && y % 32 == 0 ? z : .nan }
        let warnings = try Self.warnings(capture)
        #expect(warnings.count == 1, "\(warnings)")
        #expect(warnings.first?.hasPrefix("the depth is not used: only ") == true)
        #expect(try Self.warnings(capture, usesDepth: false) == [])
        #expect(try ReceiptFlattener().inspect(capture).findings.contains(warnings[0]))
        // What could not be read is in the capture's own warnings.
        capture.depth = nil
        capture.depthRefusal = "it has another shape"
        capture.warnings = ["the depth is not used: it has another shape"]
        let report = try ReceiptFlattener().flatten(capture).report
        #expect(report.warnings == capture.warnings)
    }

    @Test func aCameraThatIsAssumedIsToldWithItsRemedyAndNoMillimetres() throws {
        var capture = try DrawnReceipt.capture()
        capture.intrinsics = nil
        let report = try ReceiptFlattener().flatten(capture).report
        #expect(report.usedDepth && report.sizeMm == nil && report.sheetMm == nil && report.dpi == nil)
        #expect(report.plane == nil && report.surface == nil)
        #expect(report.warnings.count == 1, "\(report.warnings)")
        let warning = try #require(report.warnings.first)
        #expect(warning.hasPrefix("the camera is not known: a view angle of 60 degrees is assumed"))
        #expect(warning.contains("--intrinsics") && warning.contains("--fx"))
        #expect(try Self.warnings(capture, usesDepth: false) == [])
    }

    @Test func anOutlineOfLittleConfidenceIsSaidToBeUnsure() throws {
        let capture = try DrawnReceipt.capture()
        #expect(try Self.warnings(capture, confidence: 0.1).first?.contains("outline is unsure") == true)
        #expect(try Self.warnings(capture, confidence: 0.6) == [])
    }

    @Test func otherSheetsInViewAreCounted() throws {
        let capture = try DrawnReceipt.capture()
        #expect(try Self.warnings(capture, others: 0) == [])
        let one = try Self.warnings(capture, others: 1)
        #expect(one.count == 1 && one.first?.hasPrefix("another sheet is in view") == true)
        let three = try Self.warnings(capture, others: 3)
        #expect(three.count == 1 && three.first?.hasPrefix("3 other sheets are in view") == true)
    }

    // An outline that is the picture's rim, and one that leaves a strip of a tenth.
    @Test func aSheetThatFillsThePictureIsSaidToInsteadOfAskingForItsCorners() throws {
        let capture = Capture(image: DrawnReceipt.grayPicture)
        let size = capture.image.size
        for (bottom, fills) in [(1.0, true), (0.9, false)] {
            let (right, bottom) = (Double(size.width), Double(size.height) * bottom)
            let outline = SheetOutline(
                imageSize: size,
                polygon: [
                    SIMD2(0, 0), SIMD2(right / 2, 0), SIMD2(right, 0), SIMD2(right, bottom), SIMD2(0, bottom),
                ], cornerIndices: nil, confidence: 1, borderShare: 1)
            let search = SheetSearch.found([outline])
            var options = ReceiptFlattener.Options()
            options.usesDepth = false
            let sheet = try FlatteningLadder(capture: capture, search: search, options: options.sheet).climb()
            let said = FlatteningWarnings(capture: capture, search: search, sheet: sheet, options: options)
                .all
            #expect(said.first?.hasPrefix("the sheet fills the picture") == fills, "\(said)")
            #expect(said.first?.contains("corners") == !fills)
        }
    }

    @Test func anAssumedUnitThatMakesNoSheetIsDoubtedWithABetterOne() throws {
        for factor: Float in [10, 0.1] {
            let warnings = try Self.warnings(try Self.farther(factor, assumedUnit: 0.001))
            #expect(warnings.count == 1)
            #expect(
                warnings.first?.hasPrefix("the depth's unit looks wrong: none is stated, 0.001 m") == true)
            #expect(warnings.first?.contains("; \(factor > 1 ? 0.0001 : 0.01) would make it ") == true)
        }
        #expect(try Self.warnings(try Self.farther(1, assumedUnit: 0.001)) == [])
    }

    @Test func everyUnitInUseThatMakesASheetIsNamed() throws {
        // Ten times as large in millimetres: 58 mm of paper in tenths, twice that in the benchmark's units.
        let warnings = try Self.warnings(try Self.farther(10, assumedUnit: 0.001))
        let warning = try #require(warnings.first)
        #expect(warning.contains("; 0.0002 would make it ") && warning.contains("; 0.0001 would make it "))
        #expect(warning.contains("--depth-unit") && !warning.contains("; 1.0 would"))
    }

    @Test func aStatedUnitIsDoubtedOnlyWhereItCannotBeMeant() throws {
        #expect(try Self.warnings(try Self.farther(10, assumedUnit: nil)) == [])
        let warnings = try Self.warnings(try Self.farther(100, assumedUnit: nil))
        #expect(warnings.count == 1 && warnings.first?.contains("Check it (--depth-unit") == true)
    }

    @Test func aWarningThatTwoGiveIsSaidOnce() {
        #expect(["b", "a", "b", "c", "a"].withoutRepeats() == ["b", "a", "c"])
    }

    @Test func theReportTellsWhetherSheetDepthAndTextWereThere() throws {
        let nothing = try ReceiptFlattener().flatten(Capture(image: DrawnReceipt.grayPicture)).report
        #expect(!nothing.foundSheet && !nothing.usedDepth && !nothing.hasText)
        var report = try ReceiptFlattener().flatten(try DrawnReceipt.capture()).report
        #expect(report.foundSheet && report.usedDepth && !report.hasText)
        report.text = .init(language: "eng", lines: 3, confidence: 0.9)
        #expect(report.hasText)
        report.text = .init(language: "eng", lines: 3, confidence: 0.2)
        #expect(!report.hasText)
        report.text = .init(language: "eng", lines: 0, confidence: 0)
        #expect(!report.hasText)
        report.method = .angle
        #expect(!report.foundSheet && !report.usedDepth)
        report.method = .plane
        report.outline = nil
        #expect(report.usedDepth && !report.foundSheet)
    }
}
