import CReceiptTables
import Testing
import TextRecognition
import TextTestSupport

@testable import Documents

@Suite struct EvidenceTests {
    private static let table = """
        # reader, field, least, weights
        any merchant 0.50: 0 1 0 0 0 0
        slow merchant 0.75: 1 1 0 0 0 0
        slow date
        """

    private static let shipped = Calibration.all(
        in: Vocabulary.embeddedText(creceipttables_calibration(), creceipttables_calibration_size()))

    @Test func eachReaderHasConfidencesOfItsOwn() throws {
        let all = Calibration.all(in: Self.table)
        let (any, slow) = (try #require(all["any"]), try #require(all["slow"]))
        #expect(all.count == 2)
        #expect(any.leastConfidence(.merchant) == 0.5 && slow.leastConfidence(.merchant) == 0.75)
        // A likelihood of one half has log odds of 0: 1 / (1 + exp(-0)) and 1 / (1 + exp(-1)).
        let evidence = Evidence(likelihood: 0.5, words: [])
        #expect(abs(any.confidence(.merchant, evidence) - 0.5) < 1e-12)
        #expect(abs(slow.confidence(.merchant, evidence) - 0.731_058_578_630_005) < 1e-12)
    }

    @Test("The readers that come with the package have their own, and any other has one")
    func theReadersOfThePackage() throws {
        #expect(Set(Self.shipped.keys) == ["tesseract", "onnxruntime", Calibration.anyReader])
        for calibration in Self.shipped.values {
            for field in [ReceiptFieldName.merchant, .address, .date, .total] {
                #expect((0.5...0.9).contains(calibration.leastConfidence(field)), "\(field)")
                // A row that is surely of its kind, surely read, is surer than one that is neither.
                func confidence(_ sure: Double) -> Double {
                    let word = RecognizedWord(
                        text: "HARBOUR", confidence: sure, box: .init(left: 0, top: 0, right: 70, bottom: 20))
                    return calibration.confidence(field, Evidence(likelihood: sure, words: [word]))
                }
                #expect(confidence(0.99) > confidence(0.3), "\(field)")
            }
        }
    }

    @Test func textOfAnEngineThatIsNotKnownIsWeighedByTheCalibrationOfAny() {
        let evidence = Evidence(likelihood: 0.9, words: readText("HARBOUR TRADING").words)
        let any = Self.shipped[Calibration.anyReader]?.confidence(.address, evidence)
        for reader in [nil, "", "somebody's"] {
            #expect(Calibration.of(reader: reader).confidence(.address, evidence) == any)
        }
        #expect(Calibration.of(reader: "tesseract").confidence(.address, evidence) != any)
    }
}
