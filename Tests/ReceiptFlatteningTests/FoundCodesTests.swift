import DepthGeometry
import Foundation
import Imaging
import ReceiptFlattening
import Testing
import TextTestSupport

@Suite struct FoundCodesTests {
    /// A photograph that is no sheet: a code on an even ground.
    private let photograph: RGBImage = {
        var page = GrayImage(width: 900, height: 600, filledWith: 210)
        DrawnEAN.draw("4006381333931", on: &page, left: 300, top: 200, module: 3, height: 150)
        return page.map { RGB(red: $0, green: $0, blue: $0) }
    }()

    private func receipt(finding contents: Set<SheetContent>) throws -> FlattenedReceipt {
        var options = ReceiptFlattener.Options()
        options.finds = contents
        return try ReceiptFlattener(options: options).flatten(Capture(image: photograph))
    }

    private func report(finding contents: Set<SheetContent>) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: receipt(finding: contents).report.json())
        return try #require(object as? [String: Any])
    }

    @Test func withoutASheetACodeIsReadFromThePhotographAndReported() throws {
        let report = try report(finding: [.codes])
        let codes = try #require(report["codes"] as? [[String: Any]])
        #expect(codes.count == 1)
        let code = try #require(codes.first)
        #expect(code["symbology"] as? String == "ean-13")
        #expect(code["text"] as? String == "4006381333931")
        #expect(code["bytes"] as? String == "34303036333831333333393331")
        #expect(code["gs1"] is NSNull && code["engine"] is String)
        let polygon = try #require(code["polygon"] as? [String: Any])
        let corners = try #require(polygon["photograph"] as? [[Double]])
        // zbar tells where scans end, to a few modules.
        for (corner, drawn) in zip(corners, [(300.0, 200.0), (585, 200), (585, 350), (300, 350)]) {
            #expect(abs(corner[0] - drawn.0) < 12 && abs(corner[1] - drawn.1) < 12, "\(corner)")
        }
        #expect(polygon["mm"] is NSNull, "no scale is known")
        #expect(report["faces"] is NSNull)
        #expect(
            (report["versions"] as? [String: String])?.keys.contains { ["zbar", "zxing-c++"].contains($0) }
                == true)
    }

    @Test("Without ZXing-C++ the report names the symbologies not looked for, and redaction warns of them")
    func symbologiesNotSought() throws {
        let receipt = try receipt(finding: [.codes])
        let hasZXing = String(decoding: try receipt.report.json(), as: UTF8.self).contains("zxing-c++")
        #expect(receipt.findings.codesNotSought == (hasZXing ? [] : [.aztec, .microQR, .pdf417]))
        let redacted = try #require(receipt.redacted([.codes]))
        #expect(redacted.report.warnings.contains { $0.contains("aztec, micro-qr, pdf-417") } == !hasZXing)
    }

    @Test func whatIsNotAskedForIsNull() throws {
        let report = try report(finding: [])
        #expect(["codes", "codes_not_sought", "faces"].allSatisfy { report[$0] is NSNull })
    }

    @Test func anEvenGroundHasNoFace() throws {
        let faces = try #require(try report(finding: [.faces])["faces"] as? [[String: Any]])
        #expect(faces.isEmpty)
    }
}
