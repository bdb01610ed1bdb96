import DepthGeometry
import DrawnReceipts
import Foundation
import ReceiptFlattening
import SyntheticCaptures
import Testing

/// The report's layout, which programs read.
@Suite struct FlatteningReportTests {
    @Test func everyKeyIsThereAndUnknownValuesAreNull() throws {
        let report = try ReceiptFlattener().flatten(Capture(image: DrawnReceipt.grayPicture)).report
        let object = try #require(try JSONSerialization.jsonObject(with: report.json()) as? [String: Any])
        for key in [
            "schema", "method", "confidence", "refused", "dpi", "size_px", "size_mm", "sheet_mm", "plane",
            "surface",
            "print", "coverage", "outline", "outline_confidence", "sheet", "upright", "text",
            "intrinsics_origin",
            "warnings", "timings",
            "versions",
        ] {
            #expect(object.keys.contains(key), "\(key) is missing")
        }
        #expect(object["schema"] as? Int == 1)
        for key in ["dpi", "size_mm", "sheet_mm", "plane", "surface", "print", "outline", "sheet", "text"] {
            #expect(object[key] is NSNull)
        }
    }

    @Test(arguments: [0, 1.5, 10])
    func theSheetsSizeIsThePicturesWithoutItsMargin(margin: Double) throws {
        var capture = try DrawnReceipt.capture()
        for quarters in 0..<2 {
            var options = ReceiptFlattener.Options()
            options.marginMillimeters = margin
            let report = try ReceiptFlattener(options: options).flatten(capture).report
            let sheet = try #require(report.sheetMm), picture = try #require(report.sizeMm)
            // The picture has whole pixels: half of one is missing or too much.
            let pixel = picture.width / report.sizePx.width
            #expect(abs(picture.width - 2 * margin - sheet.width) <= pixel, "\(quarters) quarters")
            #expect(abs(picture.height - 2 * margin - sheet.height) <= pixel, "\(quarters) quarters")
            // Narrow paper is 58 mm wide; the outline adds at most a pixel or two of the photograph at each side.
            #expect(abs(min(sheet.width, sheet.height) - 58) < 1.5, "\(sheet)")
            // Lying on its side it is as large.
            let depth = try #require(capture.depth), camera = try #require(capture.intrinsics)
            capture = Capture(
                image: capture.image.oriented(by: .right), depth: depth.oriented(by: .right),
                intrinsics: Camera(intrinsics: camera).rotated(.right).intrinsics)
        }
    }

    @Test func aReportFromBeforeTheSheetsSizeIsStillRead() throws {
        let report = try ReceiptFlattener().flatten(try DrawnReceipt.capture()).report
        var object = try #require(try JSONSerialization.jsonObject(with: report.json()) as? [String: Any])
        #expect(object.removeValue(forKey: "sheet_mm") is [String: Double])
        let old = try FlatteningReport(json: try JSONSerialization.data(withJSONObject: object))
        #expect(old.sheetMm == nil && old.sizeMm == report.sizeMm)
    }

    @Test func aReportComesBackFromItsJSON() throws {
        let report = try ReceiptFlattener().flatten(try DrawnReceipt.capture()).report
        let copy = try FlatteningReport(json: report.json())
        #expect(copy.method == report.method)
        #expect(copy.dpi == report.dpi)
        #expect(copy.plane == report.plane)
        #expect(copy.surface == report.surface)
        #expect(copy.outline == report.outline)
        #expect(copy.sheet == .init(index: 1, count: 1))
    }

    @Test func aReportFromBeforeSheetsWereCountedIsStillRead() throws {
        let report = try ReceiptFlattener().flatten(try DrawnReceipt.capture()).report
        var object = try #require(try JSONSerialization.jsonObject(with: report.json()) as? [String: Any])
        let sheet = try #require(object.removeValue(forKey: "sheet") as? [String: Int])
        #expect(sheet == ["index": 1, "count": 1])
        let old = try FlatteningReport(json: try JSONSerialization.data(withJSONObject: object))
        #expect(old.sheet == nil && old.method == report.method)
    }

    @Test func thePlaneIsTheDrawnOne() throws {
        let drawn = try DrawnReceipt.flat.get()
        let report = try ReceiptFlattener().flatten(try DrawnReceipt.capture()).report
        let plane = try #require(report.plane)
        // Three corners of the drawn sheet, in the camera frame.
        let corners = [(0.0, 0.0), (0.04, 0.0), (0.0, 0.06)].map {
            drawn.scene.pose(drawn.surface.point(u: $0.0, v: $0.1))
        }
        let truth = try #require(Plane(through: corners[0], corners[1], corners[2]))
        let normal = SIMD3(plane.normal[0], plane.normal[1], plane.normal[2])
        let cosine = abs((normal * truth.normal).sum())
        // Half a degree and half a millimetre: the noise of one reading, not of the thousands that were averaged.
        #expect(acos(min(cosine, 1)) < 0.5 * .pi / 180)
        #expect(abs(plane.distanceMm - abs(truth.offset) * 1000) < 0.5)
        // A rectangle's sides are sqrt 12 of its standard deviations; a rim two depth pixels wide is left out, and the
        // drawn sheet's ends need not be straight.
        let sheet = drawn.scene.document
        let sides = plane.spreadMm.map { $0 * 12.0.squareRoot() / 1000 }
        #expect(sides[0] < 0.05 * sides[1])
        #expect(abs(sides[1] / min(sheet.width, sheet.height) - 1) < 0.1)
        #expect(abs(sides[2] / max(sheet.width, sheet.height) - 1) < 0.1)
        #expect(!report.warnings.contains { $0.contains("nearly on a line") })
    }

    @Test func readingsNearlyOnALineAreWarnedOf() throws {
        var capture = try DrawnReceipt.capture()
        let depth = try #require(capture.depth)
        let middle = depth.width / 2
        capture.depth = depth.mapReadings { x, _, z in abs(x - middle) <= 2 ? z : .nan }
        var options = ReceiptFlattener.Options()
        options.method = .plane
        let flattener = ReceiptFlattener(options: options)
        let report = try flattener.flatten(capture).report
        #expect(report.method == .plane)
        #expect(report.warnings.contains { $0.contains("nearly on a line") })
        #expect(try flattener.inspect(capture).findings.contains { $0.contains("nearly on a line") })
    }
}
