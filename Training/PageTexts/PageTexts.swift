import Documents
import Foundation
import ImageFiles
import Imaging
import LocalFiles
import TextFormats
import TextRecognition

/// What the package's own code sees of pages' texts, for the training of its models and for trials on drawn and on true texts.
///
/// Standard input has one page a line, in the form of the text output (`--text page.json`) or of a `draw.py`: only `page`,
/// `language`, `reader`, the words of `blocks` and `sheet` are read. For `gaps MODEL` it has one picture's path a line, of rows that
/// stand upright, and MODEL is the learned reader's.
@main struct PageTexts {
    private struct Page: Decodable {
        struct Size: Decodable {
            var width: Int
            var height: Int
        }
        /// What is known of a sheet besides its text; `features` and the others of receipts do without.
        struct Sheet: Decodable {
            var mm: [Double]?
            var zone: String?
            var barCodes: Int
            var squareCodes: Int
            var face: Double?
            var tones: Double
            var emails: Int
            var urls: Int
            var phones: Int
        }
        var page: Size
        var sheet: Sheet?

        /// What the kind of the sheet is told by.
        func evidence(_ text: RecognizedText) -> DocumentEvidence? {
            guard let sheet else { return nil }
            var evidence = DocumentEvidence(
                millimeters: sheet.mm.map { SIMD2($0[0], $0[1]) },
                aspect: Double(page.width) / Double(page.height), text: text,
                fields: ReceiptFields(of: text), middleTones: sheet.tones)
            evidence.zone = sheet.zone
            evidence.barCodes = sheet.barCodes
            evidence.squareCodes = sheet.squareCodes
            evidence.face = sheet.face
            evidence.emails = sheet.emails
            evidence.urls = sheet.urls
            evidence.phones = sheet.phones
            return evidence
        }
    }

    private static let modes = [
        "features", "classes", "evidence", "fields", "kinds", "kind", "items", "contact", "gaps",
    ]

    static func main() throws {
        guard let mode = CommandLine.arguments.dropFirst().first,
            modes.contains(mode)
        else {
            FileHandle.standardError.write(Data("page-texts \(modes.joined(separator: "|")) < PAGES\n".utf8))
            exit(64)
        }
        if mode == "gaps" { return try writeGaps(model: CommandLine.arguments.dropFirst(2).first ?? "") }
        while let line = readLine() {
            let page = try JSONDecoder().decode(Page.self, from: Data(line.utf8))
            let text = try RecognizedText(json: Data(line.utf8))
            switch mode {
            case "features": write(features: ReceiptFields.rowFeatures(of: text))
            case "classes":
                for (row, rowClass, probability) in ReceiptFields.rowClasses(of: text) {
                    print("\(rowClass) \((probability * 100).rounded() / 100)\t\(row)")
                }
                print("")
            case "evidence":
                for (field, value, numbers) in ReceiptFields.evidence(of: text) {
                    print("\(field)\t\(value)\t" + numbers.map { "\($0)" }.joined(separator: " "))
                }
                print("")
            case "kinds":
                guard let evidence = page.evidence(text) else { continue }
                print(evidence.numbers.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
            case "kind":
                guard let evidence = page.evidence(text) else { continue }
                let told = DocumentClassification(of: evidence)
                print("\(told.kind.rawValue)\t\(told.confidence)\t\(told.reasons.joined(separator: "; "))")
            case "items": try write(json: text.items())
            case "contact": try write(json: Contact(of: text))
            default: try write(json: ReceiptFields(of: text))
            }
        }
    }

    /// One line a picture: its rows' signs, and between each two of them the blank read, the step and the paper.
    private static func writeGaps(model: String) throws {
        struct Row: Encodable {
            var signs: [String]
            var gaps: [[Double]]
        }
        let engine = try LineEngine(language: "eng", model: model)
        while let path = readLine() {
            let picture = try ColorPicture.decode(InputFile.read(path: path)).image.gray()
            let rows = try engine.gaps(on: TextPage(picture)).compactMap { signs, gaps -> Row? in
                let numbers = gaps.compactMap { gap in gap.print.map { [gap.blank, $0.step, $0.paper] } }
                return numbers.isEmpty || numbers.count < gaps.count ? nil : Row(signs: signs, gaps: numbers)
            }
            try write(json: rows)
        }
    }

    private static func write(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Writes uint32 rows, uint32 features, then float32 row by row.
    private static func write(features: [[Float]]) {
        var data = Data()
        for number in [UInt32(features.count), UInt32(features.first?.count ?? 0)] {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        for number in features.joined() {
            withUnsafeBytes(of: number.bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
        FileHandle.standardOutput.write(data)
    }
}
