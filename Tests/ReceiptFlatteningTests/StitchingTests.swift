import DepthGeometry
import Diagnostics
import DrawnReceipts
import Foundation
import Imaging
import SyntheticCaptures
import Testing

@testable import ReceiptFlattening

/// Three overlapping photographs of a receipt of 600 mm become one page: its length is true, and no row is lost or
/// doubled.
@Suite struct StitchingTests {
    private typealias Drawn = (DrawnLongReceipt, [SyntheticCapture])

    /// Each shape's photographs, drawn once.
    private static let drawn: [DrawnLongReceipt.Bend: Result<Drawn, any Error>] = {
        let bends = DrawnLongReceipt.Bend.allCases
        return Dictionary(uniqueKeysWithValues: zip(bends, bends.map { draw($0) }))
    }()

    private static func draw(_ bend: DrawnLongReceipt.Bend) -> Result<Drawn, any Error> {
        Result {
            let receipt = DrawnLongReceipt(bend)
            return (receipt, try receipt.captures())
        }
    }

    /// In an order of no use.
    private static func captures(_ drawn: [SyntheticCapture], withDepth: Bool) -> [Capture] {
        [1, 2, 0].map { index in
            var capture = Capture(
                image: drawn[index].image, depth: withDepth ? drawn[index].depth : nil,
                intrinsics: drawn[index].intrinsics)
            capture.metadata.imageName = "\(index + 1).jpg"
            return capture
        }
    }

    private static var reading: ReceiptFlattener {
        var options = ReceiptFlattener.Options()
        options.language = "eng"
        options.reader = .tesseract
        return ReceiptFlattener(options: options)
    }

    /// The rows of the list: their numbers as read, and the middles of their heights in pixels.
    private static func rows(_ receipt: FlattenedReceipt) throws -> [(number: Int, y: Double, width: Double)]
    {
        try #require(receipt.text).lines.compactMap { line in
            guard let first = line.words.first, let last = line.words.last, let number = Int(first.text),
                (1000..<2000).contains(number)
            else { return nil }
            return (number, (first.box.top + first.box.bottom) / 2, last.box.right - first.box.left)
        }.sorted { $0.y < $1.y }
    }

    /// Each row of the list is there once, in order: none is lost, none doubled.
    private static func expectEachOnce(
        _ rows: [(number: Int, y: Double, width: Double)], _ receipt: DrawnLongReceipt
    ) {
        #expect(rows.count == receipt.numbers.count)
        // Readers take a 0 for a 6 in up to 4 of 147 rows; a lost or doubled row would shift all that follow.
        let misread = zip(rows.map(\.number), receipt.numbers).count { $0 != $1 }
        #expect(misread <= receipt.numbers.count / 25, "\(rows.map(\.number))")
        let gaps = zip(rows, rows.dropFirst()).map { $1.y - $0.y }
        let pitch = gaps.sorted()[gaps.count / 2]
        for gap in gaps { #expect(abs(gap / pitch - 1) < 0.25, "\(gap) for \(pitch)") }
    }

    @Test("Length is true and every row is there once", arguments: DrawnLongReceipt.Bend.allCases)
    func withDepth(shape: DrawnLongReceipt.Bend) throws {
        let (receipt, drawn) = try #require(try Self.drawn[shape]?.get())
        let page = try Self.reading.stitch(Self.captures(drawn, withDepth: true))
        let stitch = try #require(page.report.stitch)
        #expect(stitch.pictures.map(\.picture) == ["1.jpg", "2.jpg", "3.jpg"])
        #expect(stitch.pictures.map(\.number) == [3, 1, 2])
        #expect(stitch.showsTop && stitch.showsBottom)
        let rows = try Self.rows(page)
        Self.expectEachOnce(rows, receipt)
        // What is asked for: 1 %. The margins around the sheet are 1.5 mm each.
        let length = try #require(page.report.sizeMm).height - 3
        #expect(abs(length - 600) < 6, "\(length) mm")
        #expect(!page.report.warnings.contains { $0.contains("was cut off") })
        let sheet = try #require(page.report.sheetMm)
        // The width is found by samples of half a millimetre: 1.5 %.
        #expect(abs(sheet.height - 600) < 6 && abs(sheet.width - 80) < 1.2, "\(sheet)")
        // Rows of the list are one pitch apart: the print itself says the same.
        let scale = try #require(page.pixelsPerMeter)
        let printed = Double(receipt.numbers.count - 1) * receipt.document.linePitch
        let shown = (try #require(rows.last).y - rows[0].y) / scale
        #expect(abs(shown / printed - 1) < 0.01, "\(shown) m for \(printed) m")
        // Beyond the sheet's edge the paper goes on; the table is darker than paper by more than this.
        let picture = page.picture.render()
        for y in [picture.height / 3, picture.height / 2] {
            let (rim, paper) = (picture[x: 0, y: y].luma, picture[x: Int(0.003 * scale), y: y].luma)
            #expect(abs(Double(rim) - Double(paper)) < 30, "\(rim) beside \(paper)")
        }
    }

    @Test("An end that something narrower hangs on is told of, and the report gives no length of the sheet")
    func tab() throws {
        let (_, drawn) = try #require(try Self.drawn[.flat]?.get())
        var captures = Self.captures(drawn, withDepth: true)
        // A slip of the sheet's own paper, 0.4 of its width, above the middle of its upper end.
        let outline = try #require(try Self.reading.flatten(captures[2]).outline)
        let upper = outline.polygon.map(\.y).min() ?? 0
        let ends = outline.polygon.filter { $0.y < upper + 20 }.map(\.x)
        let (left, right) = (try #require(ends.min()), try #require(ends.max()))
        let middle = (left + right) / 2
        let half = (right - left) / 5
        let paper = captures[2].image[x: Int(left) + 20, y: Int(upper) + 30]
        for y in max(0, Int(upper - 2 * half))...Int(upper + 8) {
            for x in Int(middle - half)...Int(middle + half) { captures[2].image[x: x, y: y] = paper }
        }
        let page = try Self.reading.stitch(captures)
        #expect(page.report.warnings.contains { $0.contains("upper end, and was cut off") })
        #expect(page.report.sheetMm == nil)
    }

    @Test func withoutDepthProportionsAreTrueAndEveryRowIsThereOnce() throws {
        let (receipt, drawn) = try #require(try Self.drawn[.flat]?.get())
        let page = try Self.reading.stitch(Self.captures(drawn, withDepth: false))
        #expect(page.pixelsPerMeter == nil && page.report.sizeMm == nil)
        let rows = try Self.rows(page)
        Self.expectEachOnce(rows, receipt)
        // The type is 42 columns wide, less the white beside the outermost glyphs, which is a fifth of a column.
        let printed =
            Double(receipt.numbers.count - 1) * receipt.document.linePitch
            / (41.8 * receipt.document.paper.columnPitch)
        let shown = (try #require(rows.last).y - rows[0].y) / rows.map(\.width).sorted()[rows.count / 2]
        // What is asked for of lengths, 1 %, and half a per cent for the boxes' edges.
        #expect(abs(shown / printed - 1) < 0.015, "\(shown) for \(printed)")
    }

    @Test("A sheet that the photograph cuts is made flat by itself", arguments: [(1, "upper"), (2, "lower")])
    func cut(index: Int, end: String) throws {
        let (receipt, drawn) = try #require(try Self.drawn[.flat]?.get())
        let capture = Self.captures(drawn, withDepth: false)[index]
        let page = try Self.reading.flatten(capture)
        #expect(page.report.method == .corners)
        #expect(page.report.warnings.contains { $0.contains("cuts the sheet off at its \(end) end") })
        // Nothing that is shown is left out: the outline reaches the rim that cuts the sheet.
        let heights = try #require(page.outline).polygon.map(\.y)
        if end == "upper" {
            #expect(try #require(heights.min()) < 1)
        } else {
            #expect(try #require(heights.max()) > Double(capture.image.height) - 2)
        }
        let rows = try Self.rows(page)
        #expect(rows.count > 20)
        let gaps = zip(rows, rows.dropFirst()).map { ($1.y - $0.y) / Double($1.number - $0.number) }.sorted()
        let printed = receipt.document.linePitch / (41.8 * receipt.document.paper.columnPitch)
        let shown = gaps[gaps.count / 2] / rows.map(\.width).sorted()[rows.count / 2]
        // As for the joined page.
        #expect(abs(shown / printed - 1) < 0.015, "\(shown) for \(printed)")
    }

    @Test func anEndThatNoPictureShowsIsSaid() throws {
        let (_, drawn) = try #require(try Self.drawn[.flat]?.get())
        let page = try ReceiptFlattener().stitch(
            Self.captures(drawn, withDepth: true).filter { $0.metadata.imageName != "3.jpg" })
        let stitch = try #require(page.report.stitch)
        #expect(stitch.showsTop && !stitch.showsBottom && page.report.sheetMm == nil)
        #expect(page.report.warnings.contains { $0.contains("lower end") })
        let json = try #require(
            try JSONSerialization.jsonObject(with: try page.report.json()) as? [String: Any])
        let written = try #require(json["stitch"] as? [String: Any])
        #expect(written["shows_bottom"] as? Bool == false)
        let pictures = try #require(written["pictures"] as? [[String: Any]])
        #expect(pictures.count == 2 && pictures[0]["overlap"] is NSNull)
        #expect((pictures[1]["overlap"] as? [String: Any])?["length_mm"] is Double)
        #expect(try FlatteningReport(json: try page.report.json()) == page.report)
    }

    @Test func aPictureWithoutOverlapIsNamed() throws {
        let (_, drawn) = try #require(try Self.drawn[.flat]?.get())
        let ends = Self.captures(drawn, withDepth: true).filter { $0.metadata.imageName != "2.jpg" }
        let error = #expect(throws: FlatteningError.self) { try ReceiptFlattener().stitch(ends) }
        #expect(
            error?.code == .badInput && error?.file == "1.jpg" && error?.message.contains("overlap") == true)
    }

    @Test func oneCaptureAndGivenCornersAreRefused() throws {
        let gray = Capture(image: DrawnReceipt.grayPicture)
        for count in [0, 1, ReceiptFlattener.mostStitchedCaptures + 1] {
            let error = #expect(throws: FlatteningError.self) {
                try ReceiptFlattener().stitch(Array(repeating: gray, count: count))
            }
            #expect(error?.code == .badInput && error?.seen == "\(count)")
        }
        var options = ReceiptFlattener.Options()
        options.corners = [SIMD2(0, 0), SIMD2(9, 0), SIMD2(9, 9), SIMD2(0, 9)]
        let error = #expect(throws: FlatteningError.self) {
            try ReceiptFlattener(options: options).stitch([gray, gray])
        }
        #expect(error?.message.contains("corners") == true)
    }

    @Test func picturesOfNothingAreRefusedByName() {
        var gray = Capture(image: DrawnReceipt.grayPicture)
        gray.metadata.imageName = "gray.png"
        let error = #expect(throws: FlatteningError.self) { try ReceiptFlattener().stitch([gray, gray]) }
        #expect(error?.code == .badInput && error?.file == "gray.png")
    }
}
