import CLineNetwork
import Diagnostics
import Foundation
import Imaging
import TestSupport
import Testing

@testable import LineNetwork

@Suite struct RowNetworkTests {
    /// A page of print, and how likely print is at each pixel by ONNX Runtime, from the detector that the weights come from:
    /// what `Training/Reader/rows_golden.py` wrote.
    private static func golden() throws -> (page: GrayImage, probabilities: [Float]) {
        let url = try #require(
            Bundle.module.url(forResource: "rows-golden", withExtension: "bin", subdirectory: "Fixtures"))
        let data = [UInt8](try Data(contentsOf: url))
        let sizes = [0, 4].map { offset in
            (0..<4).reduce(0) { $0 | Int(data[offset + $1]) << (8 * $1) }
        }
        let count = sizes[0] * sizes[1]
        let page = GrayImage(width: sizes[0], height: sizes[1], elements: Array(data[8..<8 + count]))
        let probabilities = (0..<count).map { index in
            let offset = 8 + count + 2 * index
            return SmallFloat.float(half: UInt16(data[offset]) | UInt16(data[offset + 1]) << 8)
        }
        return (page, probabilities)
    }

    private static func probabilities(of page: GrayImage, _ network: RowNetwork = .shared) -> [Float] {
        network.odds(of: page).elements.map { 1 / (1 + exp(-$0)) }
    }

    @Test func probabilitiesAreThoseOfTheModelThatTheWeightsComeFrom() throws {
        let (page, wanted) = try Self.golden()
        let found = Self.probabilities(of: page)
        try #require(found.count == wanted.count)
        let marked = wanted.count { $0 > 0.3 }
        try #require(marked > wanted.count / 20)
        let others = zip(found, wanted).count { ($0 > 0.3) != ($1 > 0.3) }
        // Weights of 10 bits, three colours folded into brightness: on two photographs one pixel in 4,000 is judged otherwise.
        #expect(Double(others) < 0.005 * Double(wanted.count), "\(others) of \(wanted.count)")
        let mean = zip(found, wanted).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(wanted.count)
        #expect(mean < 0.003, "\(mean)")
    }

    @Test func bothKernelsGiveTheSameBits() throws {
        let page = try Self.golden().page
        let all = LineKernel.available.map { kernel in
            var network = RowNetwork.shared
            network.kernel = kernel
            return network.odds(of: page).elements.map(\.bitPattern)
        }
        #expect(all.allSatisfy { $0 == all[0] })
    }

    @Test(arguments: [UInt8(0), 128, 255])
    func onBlankPaperThereIsNoPrint(level: UInt8) {
        let odds = RowNetwork.shared.odds(of: GrayImage(width: 64, height: 96, filledWith: level))
        #expect(odds.width == 64 && odds.height == 96 && odds.elements.allSatisfy { $0 < -2 })
    }

    @Test func aFileOfAnotherLengthOrKindIsRefused() throws {
        let file = Array(
            UnsafeRawBufferPointer(
                start: clinenetwork_row_weights(), count: clinenetwork_row_weights_size()))
        func refusal(_ bytes: [UInt8]) -> FlatteningError? {
            failure { try bytes.withUnsafeBytes { bytes in try RowNetwork(weights: bytes) } }
        }
        for bytes in [Array(file.dropLast()), file + [0], Array(file[..<100])] {
            #expect(try #require(refusal(bytes)).seen == "\(bytes.count) bytes")
        }
        #expect(
            try #require(refusal(Array("LINENETW".utf8))).message
                == "this is no file of the row finder's weights")
    }
}
