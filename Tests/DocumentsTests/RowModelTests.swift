import CReceiptTables
import Diagnostics
import Foundation
import Testing
import TextTestSupport

@testable import Documents

@Suite struct RowModelTests {
    private static let receipt = """
        HARBOUR TRADING SDN BHD
        (123456-A)
        NO 12, JALAN MAWAR 3
        81100 JOHOR BAHRU
        Tea           2.00
        TOTAL         2.00
        """

    private func features(_ printed: String) -> RowFeatures {
        let text = readText(printed)
        return RowFeatures(of: .classified(text, style: NumberStyle(words: text.words.map(\.text))))
    }

    private static var weights: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: creceipttables_weights(), count: creceipttables_weights_size())
    }

    @Test("The weights that ship are for these features and classes")
    func shipped() throws {
        _ = try RowModel(Self.weights)
        for vector in features(Self.receipt).vectors {
            #expect(vector.count == RowFeatures.count)
            #expect(vector.allSatisfy { abs($0) <= 1 }, "one odd row must not drown the rest")
        }
    }

    @Test("Weights that are cut short, run on or are for another version are refused")
    func broken() throws {
        let bytes = Array(Self.weights)
        var other = bytes
        other[RowModel.magic.count] = 99
        for broken in [Array(bytes.dropLast(4)), bytes + [0, 0, 0, 0], other, [], Array(bytes.prefix(20))] {
            #expect(throws: FlatteningError.self) { try broken.withUnsafeBytes { try RowModel($0) } }
        }
    }

    @Test("The chain's marginals are those of all ways to name the rows, one by one")
    func marginals() throws {
        let model = try RowModel(Self.weights)
        // Three rows: 25 x 25 x 25 ways can be added up directly.
        let features = features("HARBOUR KIOSK\nTea   2.00\nTOTAL   2.00")
        let classes = RowClass.allCases.count
        var values = features.vectors
        for (index, layer) in model.layers.enumerated() {
            values = layer.applied(to: values)
            if index < 2 { values = values.map { $0.map { max($0, 0) } } }
        }
        var sums = [[Double]](repeating: [Double](repeating: 0, count: classes), count: 3)
        for a in 0..<classes {
            for b in 0..<classes {
                for c in 0..<classes {
                    let score =
                        model.starts[a] + values[0][a] + model.steps[a * classes + b] + values[1][b]
                        + model.steps[b * classes + c] + values[2][c] + model.ends[c]
                    let weight = exp(Double(score))
                    sums[0][a] += weight
                    sums[1][b] += weight
                    sums[2][c] += weight
                }
            }
        }
        let all = sums[0].reduce(0, +)
        let found = model.probabilities(of: features)
        for row in 0..<3 {
            for index in 0..<classes {
                // Scores are Float and some tens large: 1e-5 of a sum of a few of them.
                #expect(abs(found[row][index] - sums[row][index] / all) < 1e-4)
            }
        }
    }

    @Test("A page without rows has no classes")
    func nothing() throws {
        #expect(try RowModel(Self.weights).probabilities(of: RowFeatures(of: [])).isEmpty)
    }
}

@Suite struct VocabularyTests {
    private let vocabulary = Vocabulary.shared

    private func meanings(_ text: String) -> Meanings {
        Meanings(vocabulary.findings(in: vocabulary.tokens(of: text), text: text).map(\.phrase.meaning))
    }

    @Test("Every language has the words without which no receipt is understood")
    func complete() {
        #expect(
            vocabulary.languages == [
                "en", "ms", "de", "fr", "es", "it", "pt", "nl", "ja", "vi", "ru", "pl", "sv", "nb", "da",
                "fi",
                "cs",
                "sk", "hu", "ro", "tr", "el", "id", "hr", "sl", "et", "lv", "lt", "ca",
            ])
    }

    @Test(
        "A total is known in every language",
        arguments: [
            "GRAND TOTAL", "Jumlah", "SUMME", "Total TTC", "Importe total", "TOTALE COMPLESSIVO",
            "Valor total", "Totaal",
            "合計", "TỔNG CỘNG", "Tong cong", "SUMA PLN", "Łącznie", "Totalt", "Totalsum", "I alt", "YHTEENSÄ",
            "Celkem", "Spolu", "Összesen", "TOTAL LEI", "TOPLAM", "ΣΥΝΟΛΟ", "Jumlah", "Ukupno", "Skupaj",
            "Kokku", "Kopā", "Iš viso", "Import total", "СУММА", "ИТОГО", "CYMMA",
        ])
    func totals(text: String) {
        #expect(meanings(text).contains(.total))
    }

    @Test(
        "One misread letter, digits for letters and missing spaces do not hide a phrase",
        arguments: ["SUBTQTAL", "SUB T0TAL", "TotalAmt", "TOTALAMOUNT", "GRANDTOTAL"])
    func misread(text: String) {
        #expect(meanings(text).contains(anyOf: [.total, .subtotal]))
    }

    @Test("Letters before digits are a word of their own", arguments: ["GST6%", "VAT20%", "GST@6%"])
    func digits(text: String) {
        #expect(meanings(text).contains(.tax))
    }

    @Test("A number stays one, whatever letters its digits look like", arguments: ["8888", "10580", "0155"])
    func numbers(text: String) {
        #expect(vocabulary.tokens(of: text) == [text])
    }

    @Test("Lines that are no phrases are passed over")
    func odd() {
        let odd = Vocabulary(file: "# remark\nlanguage: xx\nno colon\nunknown: a, b\ntotal: , summa ,\n")
        #expect(odd.languages == ["xx"])
        #expect(odd.findings(in: ["summa"], text: "summa").map(\.phrase.language) == ["xx"])
    }
}

@Suite struct LegalFormTests {
    @Test(
        "A misread legal form at the end of a name is put right, in its case and with its marks",
        arguments: [
            ("HARBOUR KIOSK SON BHO", "HARBOUR KIOSK SDN BHD"), ("HARBOUR 5DN. 8HD.", "HARBOUR SDN. BHD."),
            ("Harbour Kiosk Lto", "Harbour Kiosk Ltd"), ("HARBOUR KIOSK 5/8", "HARBOUR KIOSK S/B"),
        ])
    func repaired(read: String, name: String) {
        #expect(
            LegalForm.repaired(read.split(separator: " ").map(String.init)).joined(separator: " ") == name)
    }

    @Test(
        "Other names stay as they are",
        arguments: ["MAIN STREET", "SDN BHD", "Harbour Kiosk Ltd", "SON OF BHO CAFE", "KIOSK 5/9", "5/8"])
    func untouched(name: String) {
        #expect(
            LegalForm.repaired(name.split(separator: " ").map(String.init)).joined(separator: " ") == name)
    }
}
