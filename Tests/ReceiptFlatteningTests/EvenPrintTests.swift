import Captures
import DepthGeometry
import Foundation
import Imaging
import ReceiptFlattening
import RobustStatistics
import TestSupport
import Testing
import TextRecognition

/// Sheets without depth whose print is stretched between their sides.
@Suite struct EvenPrintTests {
    private static let readable: ReceiptFlattener.Options = {
        var options = ReceiptFlattener.Options()
        options.language = "eng"
        return options
    }()

    /// The photograph of a drawn capture, without what else is known of it.
    private static func photograph(_ name: String) throws -> Capture {
        Capture(image: try Capture(contentsOf: Repository.samples.appending(path: name)).image)
    }

    @Test func wordsStandOnTheEvenedPictureWhereTheyAreReadOnIt() throws {
        let receipt = try ReceiptFlattener(options: Self.readable).flatten(Self.photograph("cone-lidar"))
        #expect(receipt.report.sides?.stretch != nil)
        let told = try #require(receipt.text).words
        let read = try TextRecognizer(engine: try LineEngine(language: "eng")).recognize(
            TextPage(receipt.picture.render().gray(), pixelsPerMillimeter: nil)
        ).words
        let distances = told.compactMap { word in
            read.filter { $0.text == word.text }.map {
                (SIMD2($0.box.centerX, $0.box.centerY) - SIMD2(word.box.centerX, word.box.centerY)).length
            }.min()
        }
        #expect(distances.count > told.count / 2)
        // Ends of words are found to some pixels; the stretch moves words by up to a sixtieth of the picture's side, 10 and more.
        #expect(distances.sorted()[distances.count / 2] < 2.5, "\(distances.sorted())")
    }

    @Test func printIsMadeEvenWhetherTextIsAskedForOrNot() throws {
        let photograph = try Self.photograph("cone-lidar")
        let pictureAlone = try ReceiptFlattener().flatten(photograph)
        #expect(pictureAlone.text == nil)
        #expect(pictureAlone.report.sides?.stretch != nil)
    }

    @Test func whereTheSidesAreStraightNothingIsStretched() throws {
        let receipt = try ReceiptFlattener(options: Self.readable).flatten(Self.photograph("plane-lidar"))
        #expect(receipt.report.method == .corners)
        #expect(receipt.report.sides != nil && receipt.report.sides?.stretch == nil)
    }
}
