import CReceiptTables
import Imaging
import TextRecognition
import TextTestSupport
import Testing

@testable import Documents

/// Documents of a few words each; the layouts are none of those that the model was trained on.
struct DocumentKindTests {
    /// Rows of text down a page, each of the same size.
    private func page(_ rows: [String], width: Int = 1000, height: Int, rowHeight: Double = 30)
        -> RecognizedText
    {
        let lines = rows.enumerated().map { index, row in
            var left = 40.0
            return RecognizedLine(
                words: row.split(separator: " ").map { word in
                    let box = Box(
                        left: left, top: 40 + 1.6 * rowHeight * Double(index),
                        right: left + 0.6 * rowHeight * Double(word.count),
                        bottom: 40 + 1.6 * rowHeight * Double(index) + rowHeight)
                    left = box.right + 0.5 * rowHeight
                    return RecognizedWord(text: String(word), confidence: 0.95, box: box)
                })
        }
        return RecognizedText(
            blocks: lines.isEmpty ? [] : [RecognizedBlock(lines: lines)],
            pageSize: PixelSize(width: width, height: height), pixelsPerMillimeter: nil, language: "eng",
            legibility: lines.isEmpty ? .empty : .readable)
    }

    private func evidence(
        _ rows: [String], millimeters: SIMD2<Double>?, aspect: Double, tones: Double = 0.08
    ) -> DocumentEvidence {
        let text = page(rows, height: Int(1000 / aspect))
        return DocumentEvidence(
            millimeters: millimeters, aspect: aspect, text: text, fields: ReceiptFields(of: text),
            middleTones: tones)
    }

    private let receipt = [
        "CORNER STORE", "12 Mill Lane", "Milk 1l 1.29", "Bread 2.49", "Apples 3.10", "SUBTOTAL 6.88",
        "VAT 20% 1.38", "TOTAL 8.26", "CASH 10.00", "CHANGE 1.74", "Thank you",
    ]

    @Test func aTableAndTheFeaturesBelongTogether() throws {
        let model = try #require(KindModel.shared)
        let some = evidence(receipt, millimeters: nil, aspect: 0.5)
        #expect(model.features == some.features.map(\.name))
        #expect(Set(model.kinds) == Set(DocumentKind.allCases))
        #expect(model.threshold > 1 / Double(model.kinds.count))
    }

    @Test func aTillRollWithPricesAndATotalIsAReceipt() {
        for millimeters in [SIMD2(79.0, 160.0), nil] {
            let told = DocumentClassification(of: evidence(receipt, millimeters: millimeters, aspect: 0.5))
            #expect(told.kind == .receipt)
            #expect(told.reasons.count == 3)
        }
    }

    @Test func aSmallCardWithANameATitleAndWaysToReachItsOwnerIsABusinessCard() {
        var card = evidence(
            ["Anna Muller", "Sales Manager", "Acme Widgets Ltd", "anna@acme.com", "Tel. +44 20 7946 0991"],
            millimeters: SIMD2(85, 55), aspect: 85.0 / 55)
        card.emails = 1
        card.phones = 1
        #expect(DocumentClassification(of: card).kind == .businessCard)
        card.millimeters = nil
        #expect(DocumentClassification(of: card).kind == .businessCard)
    }

    @Test func aZoneOfTwoRowsOnAPassportPageIsAPassports() {
        var page = evidence(
            ["PASSPORT", "Surname", "SPECIMEN", "Given names", "ANNA", "P<UTOSPECIMEN<<ANNA<<<<<<<<<<<<"],
            millimeters: SIMD2(125, 88), aspect: 125.0 / 88, tones: 0.5)
        page.zone = "TD3"
        page.face = 0.4
        let told = DocumentClassification(of: page)
        #expect(told.kind == .passport)
        #expect(told.reasons.contains { $0.contains("zone") || $0.contains("size") || $0.contains("words") })
    }

    @Test func aSheetOfTonesWithoutTextIsAPhotograph() {
        let photograph = evidence([], millimeters: SIMD2(150, 100), aspect: 1.5, tones: 0.7)
        #expect(DocumentClassification(of: photograph).kind == .photograph)
    }

    @Test func halfASheetOfEverythingIsUnknown() {
        let odd = evidence(["1", "X"], millimeters: SIMD2(60, 33), aspect: 60.0 / 33, tones: 0.3)
        let told = DocumentClassification(of: odd)
        #expect(told.kind == .unknown)
        #expect(told.reasons.count <= 3)
    }

    @Test(arguments: [
        "", "kinds a b", "kinds receipt\nthreshold x\nbias 0", "kinds receipt\nthreshold 0.5\nbias 0 0",
    ])
    func whatIsNoTableIsRefused(table: String) { #expect(KindModel(table: table) == nil) }

    @Test func middleTonesAreNeitherPaperNorInk() {
        // Half of the rows at 0.6 of the paper's brightness: independent of how bright the paper is.
        for paper in [UInt8(250), 120] {
            let image = GrayImage(
                width: 64, height: 64,
                elements: (0..<64 * 64).map { $0 < 32 * 64 ? paper : UInt8(0.6 * Double(paper)) })
            #expect(abs(image.middleToneShare - 0.5) < 0.01)
        }
        #expect(GrayImage(width: 64, height: 64, filledWith: 200).middleToneShare == 0)
        #expect(GrayImage(width: 0, height: 0, filledWith: 200).middleToneShare == 0)
    }
}
