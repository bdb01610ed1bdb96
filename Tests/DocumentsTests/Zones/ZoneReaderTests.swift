import Diagnostics
@testable import Documents
import Foundation
import Imaging
import RobustStatistics
import Testing
import TextTestSupport

/// Zones in drawn pictures.
@Suite struct ZoneReaderTests {
    private static let zones = [
        ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"],
        [
            "I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6",
            "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
        ],
        ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "L8988901C4XXX4009078F9612109<<<<<<<<"],
    ]

    private let reader = ZoneReader(today: Date(timeIntervalSince1970: 1_577_836_800))

    @Test(arguments: zones)
    func aDrawnZoneIsReadAndFound(lines: [String]) throws {
        let page = DrawnZone(lines).page()
        let found = try #require(reader.zone(in: page))
        #expect(found.zone.lines == lines)
        #expect(found.zone.holds)
        #expect(found.confidence > 0.5)
        // Three characters stand beside it, each of 14 pixels; half a character is what its corners stand out.
        let left = found.corners[0].x, right = found.corners[1].x
        #expect(abs(left - 3 * 14) < 7 && abs(right - Double(page.width - 3 * 14)) < 7, "\(found.corners)")
    }

    @Test(arguments: [(ImageOrientation.right, 3), (.down, 2), (.left, 1)])
    func aZoneSaysWhichWayIsUp(turn: ImageOrientation, quarters: Int) throws {
        let page = DrawnZone(Self.zones[0]).page().oriented(by: turn)
        let found = try #require(reader.zone(in: page))
        #expect(found.zone.lines == Self.zones[0])
        #expect(found.quarterTurns == quarters)
    }

    @Test func aZoneThatTheFlatPictureDoesNotShowIsReadOnThePhotograph() throws {
        let page = DrawnZone(Self.zones[0]).page()
        let photograph = RGBImage(
            width: page.width, height: page.height,
            elements: page.elements.map { RGB(red: $0, green: $0, blue: $0) })
        // At a sixth of the size nothing can be read.
        let map = SamplingMap(
            outputSize: PixelSize(width: page.width / 6, height: page.height / 6), spacing: 8
        ) { ($0 + 0.5) * 6 - 0.5 }
        let flat = photograph.resampledGray(through: map, filter: .bilinear)
        let found = try #require(
            reader.zone(on: flat, photograph: SheetPhotograph(image: photograph, map: map)))
        #expect(found.zone.lines == Self.zones[0])
        let whole = try #require(reader.zone(in: page))
        for (corner, source) in zip(found.corners, whole.corners) {
            let back = map.source(of: corner)
            // Newton's steps end where a place is shown to a hundredth of a pixel.
            #expect(abs(back.x - source.x) < 0.5 && abs(back.y - source.y) < 0.5)
        }
    }

    @Test func aPageOfNoiseHasNoZone() {
        var generator = SplitMix64(seed: 5)
        let noise = GrayImage(
            width: 600, height: 400,
            elements: (0..<240_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        #expect(reader.zone(in: noise) == nil)
        #expect(reader.zone(in: GrayImage(width: 20, height: 20, filledWith: 255)) == nil)
        #expect(reader.zone(in: GrayImage(width: 0, height: 0, filledWith: 0)) == nil)
    }

    @Test func theNetworkThatShipsBelongsToThisProgram() {
        #expect(CellNetwork.shared != nil)
    }

    @Test func brokenWeightsAreRefused() {
        let broken: [[UInt8]] = [
            [], Array("MRZCELLS".utf8), Array("MRZCELLS".utf8) + [1, 0, 0, 0, 255, 255, 255, 255],
        ]
        for bytes in broken {
            #expect(throws: FlatteningError.self) {
                try bytes.withUnsafeBytes { try CellNetwork($0) }
            }
        }
    }
}
