import Foundation
import Testing

@testable import TextFormats

/// The font and the colour profile that go into every PDF, read back by their own specifications.
@Suite struct EmbeddedFilesTests {
    private func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    @Test("The font has the tables that PDF asks for, each where it says and with its sum")
    func font() throws {
        let font = GlyphlessFont.bytes
        #expect(number(font, 0, 4) == 0x10000)
        var tables: [String: Int] = [:]
        for entry in 0..<number(font, 4, 2) {
            let place = 12 + 16 * entry
            let name = String(decoding: font[place..<place + 4], as: UTF8.self)
            let (start, count) = (number(font, place + 8, 4), number(font, place + 12, 4))
            try #require(start % 4 == 0 && start + count <= font.count)
            tables[name] = start
            if name != "head" { #expect(sum(font, start, count) == number(font, place + 4, 4), "\(name)") }
        }
        #expect(tables.keys.sorted() == ["glyf", "head", "hhea", "hmtx", "loca", "maxp"])
        #expect(sum(font, 0, font.count) == 0xB1B0_AFBA, "the whole file's sum is given by the specification")
        let head = try #require(tables["head"])
        #expect(number(font, head + 12, 4) == 0x5F0F_3CF5 && number(font, head + 18, 2) == 1000)
        #expect(number(font, try #require(tables["maxp"]) + 4, 2) == 2, "glyphs")
        #expect(number(font, try #require(tables["hhea"]) + 34, 2) == 2, "advances")
        #expect(number(font, try #require(tables["hmtx"]) + 4, 2) == 600, "as the PDF says (6.2.11.5)")
        // Each glyph begins where the next one does: there is nothing to draw.
        #expect(number(font, try #require(tables["loca"]), 6) == 0)
    }

    private func sum(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        stride(from: start, to: start + count, by: 4).reduce(0) { ($0 + number(bytes, $1, 4)) & 0xFFFF_FFFF }
    }

    @Test(
        "The profile is sRGB: its size, class and tags, white from its primaries, and the curve of the standard"
    )
    func profile() throws {
        let profile = SRGBProfile.bytes
        #expect(number(profile, 0, 4) == profile.count)
        #expect(String(decoding: profile[12..<24], as: UTF8.self) == "mntrRGB XYZ ")
        #expect(String(decoding: profile[36..<40], as: UTF8.self) == "acsp")
        var tags: [String: Int] = [:]
        for entry in 0..<number(profile, 128, 4) {
            let place = 132 + 12 * entry
            tags[String(decoding: profile[place..<place + 4], as: UTF8.self)] = number(profile, place + 4, 4)
            #expect(number(profile, place + 4, 4) + number(profile, place + 8, 4) <= profile.count)
        }
        #expect(
            tags.keys.sorted()
                == ["bTRC", "bXYZ", "cprt", "desc", "gTRC", "gXYZ", "rTRC", "rXYZ", "wtpt"])
        for axis in 0..<3 {
            let parts = try ["rXYZ", "gXYZ", "bXYZ"].map {
                number(profile, try #require(tags[$0]) + 8 + 4 * axis, 4)
            }
            // All profiles of sRGB share these numbers, whose sum misses white by 2 of the fourth decimal: 13 here.
            #expect(
                abs(parts.reduce(0, +) - number(profile, try #require(tags["wtpt"]) + 8 + 4 * axis, 4)) <= 13)
        }
        let curve = try #require(tags["rTRC"])
        let steps = number(profile, curve + 8, 4)
        func light(_ value: Double) -> Double {
            let place = value * Double(steps - 1)
            let low = Int(place)
            let (a, b) = (
                number(profile, curve + 12 + 2 * low, 2),
                number(profile, curve + 12 + 2 * min(low + 1, steps - 1), 2)
            )
            return (Double(a) + (Double(b) - Double(a)) * (place - Double(low))) / 65535
        }
        // Values of IEC 61966-2-1: ends, the straight part, the middle grey of 18 % and one more.
        for (value, expected) in [(0, 0), (1, 1), (0.02, 0.0015480), (0.4613561, 0.18), (0.5, 0.2140411)] {
            #expect(abs(light(value) - expected) < 2e-5, "\(value)")
        }
    }
}
