import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import TestSupport
import Testing

/// Every kind of PNG that there is, on pictures given by a formula.
@Suite struct PNGKindTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var colorType: Int
        var bitDepth: Int
        var isInterlaced: Bool
        var size: PixelSize

        var testDescription: String {
            "colour type \(colorType), \(bitDepth) bits, \(size)\(isInterlaced ? ", interlaced" : "")"
        }

        var maximum: Int { 1 << bitDepth - 1 }

        /// Values that differ from pixel to pixel and from channel to channel, over the whole range.
        @Sendable func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
            (x * 40503 + y * 10007 + channel * 5003 + 1) & maximum
        }

        func png(_ chunks: [(kind: String, data: [UInt8])] = []) -> HandmadePNG {
            var png = HandmadePNG(
                width: size.width, height: size.height, bitDepth: bitDepth, colorType: colorType,
                isInterlaced: isInterlaced, sample: sample)
            if colorType == 3 {
                png.chunks = [("PLTE", (0...maximum).flatMap { PNGKindTests.paletteColor($0) })]
            }
            png.chunks += chunks
            return png
        }
    }

    /// Odd sizes, so that rows end within a byte; in the second most of Adam7's passes have no pixels.
    static let cases = HandmadePNG.kinds.flatMap { kind in
        [PixelSize(width: 13, height: 11), PixelSize(width: 3, height: 2), PixelSize(width: 1, height: 1)]
            .flatMap { size in
                [false, true].map {
                    Case(
                        colorType: kind.colorType, bitDepth: kind.bitDepth, isInterlaced: $0, size: size)
                }
            }
    }

    static func paletteColor(_ index: Int) -> [UInt8] {
        [index * 91 + 5, index * 37 + 11, 255 - index * 53].map { UInt8(truncatingIfNeeded: $0) }
    }

    /// A value as 8 bits, laid over white, rounded once.
    private static func byte(_ value: Int, _ alpha: Int, _ maximum: Int) -> UInt8 {
        let full = Double(maximum)
        let laid = Double(value) / full * (Double(alpha) / full) + (1 - Double(alpha) / full)
        return UInt8((laid * 255 + 0.5).rounded(.down))
    }

    /// What a case must look like. - Parameter isClear: whether tRNS makes a pixel of these values transparent.
    private static func expected(
        _ one: Case, isClear: ([Int]) -> Bool = { _ in false }, alphas: [Int] = []
    ) -> [RGB] {
        (0..<one.size.pixelCount).map { index in
            let (x, y) = (index % one.size.width, index / one.size.width)
            let values = (0..<4).map { one.sample(x, y, $0) }
            let full = one.maximum
            switch one.colorType {
            case 0:
                let gray = byte(values[0], isClear([values[0]]) ? 0 : full, full)
                return RGB(red: gray, green: gray, blue: gray)
            case 2:
                let alpha = isClear(Array(values[..<3])) ? 0 : full
                return RGB(
                    red: byte(values[0], alpha, full), green: byte(values[1], alpha, full),
                    blue: byte(values[2], alpha, full))
            case 3:
                let color = paletteColor(values[0]).map(Int.init)
                let alpha = values[0] < alphas.count ? alphas[values[0]] : 255
                return RGB(
                    red: byte(color[0], alpha, 255), green: byte(color[1], alpha, 255),
                    blue: byte(color[2], alpha, 255))
            case 4:
                let gray = byte(values[0], values[1], full)
                return RGB(red: gray, green: gray, blue: gray)
            default:
                return RGB(
                    red: byte(values[0], values[3], full), green: byte(values[1], values[3], full),
                    blue: byte(values[2], values[3], full))
            }
        }
    }

    private static func decoded(_ png: HandmadePNG) throws -> [RGB] {
        try ColorPicture.decode(InputFile(name: "handmade.png", bytes: png.bytes)).image.elements
    }

    @Test(arguments: cases)
    func everyPixelIsWhatItsValuesMean(one: Case) throws {
        #expect(try Self.decoded(one.png()) == Self.expected(one))
    }

    @Test(arguments: cases)
    func gammaAndSignificantBitsChangeNothing(one: Case) throws {
        // Gamma 1 instead of 1/2.2, and one significant bit in each channel, alpha's included.
        let significant = one.colorType == 3 ? 3 : one.png().channels
        var png = one.png()
        png.chunks.insert(("gAMA", Bytes.big(100_000)), at: 0)
        png.chunks.insert(("sBIT", [UInt8](repeating: 1, count: significant)), at: 0)
        #expect(try Self.decoded(png) == Self.expected(one))
    }

    @Test(arguments: cases.filter { $0.colorType == 0 })
    func aMapHoldsTheValuesThemselvesWhateverIsTransparent(one: Case) throws {
        let key = one.sample(0, 0, 0)
        for chunks in [[], [("tRNS", [UInt8(key >> 8), UInt8(key & 0xFF)])]] {
            let file = InputFile(name: "map.png", bytes: one.png(chunks).bytes)
            let values = (0..<one.size.pixelCount).map {
                one.sample($0 % one.size.width, $0 / one.size.width, 0)
            }
            switch try SampleMap.decode(file) {
            case .uint8(let raster): #expect(one.bitDepth <= 8 && raster.elements.map(Int.init) == values)
            case .uint16(let raster): #expect(one.bitDepth == 16 && raster.elements.map(Int.init) == values)
            case .float32: Issue.record("no PNG holds floating point")
            }
        }
    }

    /// Phones write grey as opaque RGB with alpha.
    @Test(arguments: cases.filter { [2, 4, 6].contains($0.colorType) })
    func aMapInColorsIsItsFirstChannelIfAllAreEqualOrTheFirstIsAskedFor(one: Case) throws {
        var png = one.png()
        let channels = png.channels
        let alpha = channels % 2 == 0 ? channels - 1 : channels
        let opaque = one.maximum
        png.sample = { x, y, channel in channel == alpha ? opaque : one.sample(x, y, 0) }
        let values = (0..<one.size.pixelCount).map {
            one.sample($0 % one.size.width, $0 / one.size.width, 0)
        }
        func expectValues(_ map: SampleMap) {
            switch map {
            case .uint8(let raster): #expect(one.bitDepth == 8 && raster.elements.map(Int.init) == values)
            case .uint16(let raster): #expect(one.bitDepth == 16 && raster.elements.map(Int.init) == values)
            case .float32: Issue.record("no PNG holds floating point")
            }
        }
        expectValues(try SampleMap.decode(InputFile(name: "map.png", bytes: png.bytes)))
        // The last pixel's last channel alone is another.
        let last = (one.size.width - 1, one.size.height - 1)
        png.sample = { x, y, channel in
            let value = channel == alpha ? opaque : one.sample(x, y, 0)
            return (x, y) == last && channel == channels - 1 ? value ^ 1 : value
        }
        let rendering = InputFile(name: "map.png", bytes: png.bytes)
        let error = try #require(throws: FlatteningError.self) { try SampleMap.decode(rendering) }
        #expect(error.code == .badInput && error.message.contains("not colours"))
        expectValues(try SampleMap.decodeFile(rendering, takesFirstChannel: true).map)
    }

    @Test(arguments: cases.filter { [0, 2].contains($0.colorType) })
    func theTransparentColorIsWhiteAndNoOtherIs(one: Case) throws {
        // The first pixel's own values, all bits of them: a neighbour that differs in the last bit stays.
        let key = (0..<one.png().channels).map { one.sample(0, 0, $0) }
        let chunk = key.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(
            try Self.decoded(one.png([("tRNS", chunk)])) == Self.expected(one, isClear: { $0 == key }))
    }

    @Test(arguments: cases.filter { $0.colorType == 3 })
    func aPalettesEntriesCanBePartlyTransparent(one: Case) throws {
        // Fewer than there are colours: the rest is opaque.
        let alphas = [0, 64, 200].prefix(one.maximum + 1)
        let chunk = ("tRNS", alphas.map { UInt8($0) })
        #expect(
            try Self.decoded(one.png([chunk])) == Self.expected(one, alphas: Array(alphas)))
    }
}
