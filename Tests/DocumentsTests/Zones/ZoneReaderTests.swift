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
            reader.zone(
                on: flat, photograph: SheetPhotograph(image: photograph, map: map), isFramed: false))
        #expect(found.zone.lines == Self.zones[0])
        let whole = try #require(reader.zone(in: page))
        for (corner, source) in zip(found.corners, whole.corners) {
            let back = map.source(of: corner)
            // Newton's steps end where a place is shown to a hundredth of a pixel.
            #expect(abs(back.x - source.x) < 0.5 && abs(back.y - source.y) < 0.5)
        }
    }

    /// A photograph on which the page of a zone lies turned by so many radians, and where the flat image shows it.
    private func turned(_ lines: [String], by angle: Double) -> SheetPhotograph {
        let page = DrawnZone(lines).page()
        let side = 1000
        let middle = SIMD2(Double(side) - 1, Double(side) - 1) / 2
        let pageMiddle = SIMD2(Double(page.width) - 1, Double(page.height) - 1) / 2
        let (axis, down) = (SIMD2(cos(angle), sin(angle)), SIMD2(-sin(angle), cos(angle)))
        let photograph = RGBImage(
            width: side, height: side,
            elements: (0..<side * side).map { index in
                let place = SIMD2(Double(index % side), Double(index / side)) - middle
                let seen = pageMiddle + SIMD2((place * axis).sum(), (place * down).sum())
                let isOnPage =
                    (0...Double(page.width - 1)).contains(seen.x)
                    && (0...Double(page.height - 1)).contains(seen.y)
                let gray = isOnPage ? UInt8(page.bilinear(at: seen)) : 0
                return RGB(red: gray, green: gray, blue: gray)
            })
        // At a sixth of the size nothing can be read.
        let map = SamplingMap(
            outputSize: PixelSize(width: page.width / 6, height: page.height / 6), spacing: 8
        ) {
            let place = ($0 + 0.5) * 6 - 0.5 - pageMiddle
            return middle + place.x * axis + place.y * down
        }
        return SheetPhotograph(image: photograph, map: map)
    }

    @Test(
        "On the photograph of a sheet rows are looked for along its sides alone, and where it lies",
        arguments: [0.0, 0.55, -0.3, 1.9])
    func sides(angle: Double) throws {
        let sheet = turned(Self.zones[0], by: angle)
        let look = try #require(ZoneLook(at: sheet))
        let angles = try #require(look.angles.first)
        #expect(look.angles.count == 1 && angles.count == 2)
        // A twelfth of a half turn lies between the angles that are looked at.
        for side in [angle, angle + .pi / 2] {
            #expect(angles.contains { abs(remainder($0 - side, .pi)) <= .pi / 24 + 1e-9 }, "\(angles)")
        }
        let area = try #require(look.area)
        // Between the middles of the flat image's outermost pixels, of which each is six of the page's.
        let size = sheet.map.outputSize
        let (width, height) = (Double(size.width - 1) * 6, Double(size.height - 1) * 6)
        #expect(abs(area.width - abs(cos(angle)) * width - abs(sin(angle)) * height) < 0.01, "\(area)")
        #expect(abs(area.height - abs(sin(angle)) * width - abs(cos(angle)) * height) < 0.01, "\(area)")

        let flat = sheet.image.resampledGray(through: sheet.map, filter: .bilinear)
        let found = try #require(reader.zone(on: flat, photograph: sheet, isFramed: true))
        #expect(found.zone.lines == Self.zones[0])
    }

    @Test("Where no sheet tells which way its rows run, a zone is read at any slant")
    func slant() throws {
        let sheet = turned(Self.zones[0], by: 0.55)
        // The whole photograph, smaller, as a sheet that was not found.
        let map = SamplingMap(outputSize: PixelSize(width: 160, height: 160), spacing: 8) { $0 * 6.25 }
        let photograph = SheetPhotograph(image: sheet.image, map: map)
        let flat = sheet.image.resampledGray(through: map, filter: .bilinear)
        #expect(reader.zone(on: flat, photograph: photograph, isFramed: true) == nil)
        let found = try #require(reader.zone(on: flat, photograph: photograph, isFramed: false))
        #expect(found.zone.lines == Self.zones[0])
    }

    @Test("Of a sheet that reaches over its photograph's rim the part is looked at that it shows")
    func rim() throws {
        let map = SamplingMap(outputSize: PixelSize(width: 100, height: 100), spacing: 8) {
            $0 * 1e7 - SIMD2(1e8, 1e8)
        }
        let image = RGBImage(width: 30, height: 20, filledWith: RGB(red: 0, green: 0, blue: 0))
        let look = try #require(ZoneLook(at: SheetPhotograph(image: image, map: map)))
        #expect(look.area == Box(left: 0.5, top: 0.5, right: 29.5, bottom: 19.5))
        #expect(reader.zone(in: image.gray(), look: look) == nil)
    }

    @Test("A sheet that its photograph does not show is looked for nowhere")
    func nowhere() {
        let map = SamplingMap(outputSize: PixelSize(width: 100, height: 100), spacing: 8) { _ in
            SIMD2(Double.nan, Double.nan)
        }
        let image = RGBImage(width: 10, height: 10, filledWith: RGB(red: 0, green: 0, blue: 0))
        #expect(ZoneLook(at: SheetPhotograph(image: image, map: map)) == nil)
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
