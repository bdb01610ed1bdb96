import Diagnostics
import Imaging
import Testing

@testable import SheetStitching

/// Parts of drawn paper joined, against the whole paper.
@Suite struct StitchedSheetTests {
    private static let paper = DrawnPaper()

    private static func parts() -> [(name: String, part: FlatPart)] {
        [
            ("a.jpg", paper.part(0...120, brightness: 0.9)),
            ("b.jpg", paper.part(85...205, scale: 1.01, turn: 0.004, brightness: 1.05)),
            ("c.jpg", paper.part(170...300, scale: 0.99, turn: -0.003)),
        ]
    }

    /// The mean over all pixels of how much a joined picture differs from the paper, in grey levels.
    private static func difference(_ sheet: StitchedSheet, _ paper: RGBImage) -> Double {
        // A pixel's half is where its place is counted from.
        let corner = sheet.placements[0].corner * sheet.density
        let map = SamplingMap(outputSize: paper.size, spacing: 8) { $0 + corner }
        let seen = sheet.picture.resampled(through: map)
        var sum = 0.0
        for (one, other) in zip(seen.elements, paper.elements) {
            sum += abs(Double(one.luma) - Double(other.luma))
        }
        return sum / Double(paper.elements.count)
    }

    @Test func theOutlineIsTheJoinedPapersRectangle() throws {
        let sheet = try StitchedSheet(joining: Self.parts(), options: options())
        let outline = try #require(sheet.outline)
        let corner = sheet.placements[0].corner * sheet.density
        let size = DrawnPaper.size * sheet.density
        let (lefts, rights) = (outline.prefix(outline.count / 2), outline.suffix(outline.count / 2))
        // Parts were drawn one per cent too large and too small: 4.8 pixels of the width, shared by both sides.
        for left in lefts.dropFirst().dropLast() { #expect(abs(left.x - corner.x) < 4) }
        for right in rights.dropFirst().dropLast() { #expect(abs(right.x - corner.x - size.x) < 4) }
        let (top, bottom) = (outline.map(\.y).min() ?? 0, outline.map(\.y).max() ?? 0)
        // As large and small are the parts at the ends, of which the upper is true and the lower one per cent too short.
        #expect(abs(top - corner.y) < 4 && abs(bottom - corner.y - size.y) < 12)
    }

    @Test func threePartsMakeTheWholePaper() throws {
        let sheet = try StitchedSheet(joining: Self.parts(), options: options())
        #expect(sheet.placements.map(\.part) == [0, 1, 2])
        // The three scales' mean stays, and their mean is 1: the length is right to what overlaps tell of scales.
        let length = Double(sheet.picture.height) / sheet.density
        // The area is rounded up to whole cells of a unit at both ends.
        #expect(abs(length - DrawnPaper.size.y) < 0.005 * DrawnPaper.size.y + 2, "\(length)")
        #expect(sheet.placements.compactMap(\.joint).allSatisfy { $0.crossing == 0 && $0.agreement > 0.9 })
    }

    @Test func neighboursAreAsBrightAsEachOther() throws {
        let sheet = try StitchedSheet(joining: Self.parts(), options: options())
        // The upper left corner of each part is blank.
        let gains = sheet.placements.map(\.gain.x)
        let papers = zip(gains, [0.9, 1.05, 1.0]).map { $0 * $1 }
        // 8 bits: a half of 207 is a quarter per cent.
        for other in papers { #expect(abs(other / papers[0] - 1) < 0.005, "\(papers)") }
    }

    @Test func theOrderInWhichPartsAreGivenDoesNotMatter() throws {
        let parts = Self.parts()
        let one = try StitchedSheet(joining: parts, options: options())
        for order in [[2, 0, 1], [1, 2, 0]] {
            let other = try StitchedSheet(joining: order.map { parts[$0] }, options: options())
            #expect(other.placements.map { order[$0.part] } == [0, 1, 2])
            // Pairs are laid the other way round, so that sums differ in the third digit of a pixel.
            #expect(abs(other.picture.height - one.picture.height) <= 1)
            #expect(abs(other.picture.width - one.picture.width) <= 1)
        }
    }

    @Test func aPartUpsideDownIsTurned() throws {
        var parts = Self.parts()
        parts[1] = ("b.jpg", Self.paper.part(85...205, isTurned: true))
        let sheet = try StitchedSheet(joining: parts, options: options())
        #expect(sheet.placements.map(\.isTurned) == [false, true, false])
        #expect(sheet.placements.map(\.part) == [0, 1, 2])
    }

    @Test func partsThatAreTrueGiveThePaperItself() throws {
        let parts = [("a", Self.paper.part(0...160)), ("b", Self.paper.part(120...300))].map {
            (name: $0.0, part: $0.1)
        }
        let sheet = try StitchedSheet(joining: parts, options: options())
        // A shift of a twentieth of a unit, a third of a pixel, along rows whose strokes cover a quarter of the paper.
        #expect(
            Self.difference(sheet, Self.paper.picture) < 12, "\(Self.difference(sheet, Self.paper.picture))")
    }

    @Test func whatAnotherPartShowsWholeIsNotUsed() throws {
        let parts = Self.parts() + [(name: "d.jpg", part: Self.paper.part(20...90))]
        let sheet = try StitchedSheet(joining: parts, options: options())
        #expect(sheet.unused == [3])
    }

    @Test func aPictureThatDoesNotOverlapIsNamed() throws {
        let stranger = DrawnPaper(seed: 99).part(0...120)
        let parts = Self.parts()
        for place in 0...3 {
            var given = parts
            given.insert((name: "stranger.jpg", part: stranger), at: place)
            let error = #expect(throws: FlatteningError.self) {
                try StitchedSheet(joining: given, options: options())
            }
            #expect(error?.code == .badInput && error?.file == "stranger.jpg", "\(place): \(error as Any)")
        }
    }

    @Test func theSameBytesComeOutEachTime() throws {
        let one = try StitchedSheet(joining: Self.parts(), options: options())
        let two = try StitchedSheet(joining: Self.parts(), options: options())
        #expect(one.picture == two.picture)
    }

    @Test func moreThanTheMostPixelsLowersTheDensity() throws {
        var few = options()
        few.maximumPixels = 400_000
        let sheet = try StitchedSheet(joining: Self.parts(), options: few)
        #expect(sheet.picture.size.pixelCount <= 400_000 && sheet.density < DrawnPaper.density)
    }
}
