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
            "schema", "method", "confidence", "refused", "dpi", "size_px", "size_mm", "plane", "surface",
            "coverage",
            "outline", "outline_confidence", "upright", "text", "intrinsics_origin", "warnings", "timings",
            "versions",
        ] {
            #expect(object.keys.contains(key), "\(key) is missing")
        }
        #expect(object["schema"] as? Int == 1)
        for key in ["dpi", "size_mm", "plane", "surface", "outline", "text"] {
            #expect(object[key] is NSNull)
        }
    }

    @Test func aReportComesBackFromItsJSON() throws {
        let report = try ReceiptFlattener().flatten(try DrawnReceipt.capture()).report
        let copy = try FlatteningReport(json: report.json())
        #expect(copy.method == report.method)
        #expect(copy.dpi == report.dpi)
        #expect(copy.plane == report.plane)
        #expect(copy.surface == report.surface)
        #expect(copy.outline == report.outline)
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
    }
}
