import Foundation
import Imaging
import RobustStatistics
import TestSupport
import Testing

@testable import SheetNetwork

/// A network that was never trained, narrow so that it is small, and what PyTorch computes with it in single precision
/// (`Training/export.py --random 1 --widths 4 6 8 10 12`, then `--golden`).
enum NarrowNetwork {
    static let fixtures = Fixtures(of: .module)

    static func bytes() throws -> [UInt8] { try fixtures.bytes("narrow.weights") }

    static func load() throws -> SheetNetwork {
        try bytes().withUnsafeBytes { bytes in try SheetNetwork(weights: bytes) }
    }

    /// A picture and the network's logits for it.
    struct Golden {
        var picture: SquashedPicture
        var sheet: [Float]
        var border: [Float]
        var presence: Float

        /// 32-bit S; S x S x 3 bytes; as Float sheet and border, S/2 x S/2 each, and presence.
        init(side: Int) throws {
            let bytes = try fixtures.bytes("golden-\(side).bin")
            let (pixels, points) = (3 * side * side, side * side / 4)
            try #require(bytes.count == 4 + pixels + 4 * (2 * points + 1))
            try #require(Array(bytes[..<4]) == Bytes.little(side, 4))
            picture = SquashedPicture(side: side, values: bytes[4..<4 + pixels].map { Float($0) / 255 })
            let logits = bytes.withUnsafeBytes { bytes in
                (0...2 * points).map { index in
                    Float(
                        bitPattern: UInt32(
                            littleEndian: bytes.loadUnaligned(
                                fromByteOffset: 4 + pixels + 4 * index, as: UInt32.self)))
                }
            }
            sheet = Array(logits[..<points])
            border = Array(logits[points..<2 * points])
            presence = logits[2 * points]
        }
    }
}

@Suite("The network that finds sheets")
struct SheetNetworkTests {
    /// log p / (1 - p).
    static func logit(_ probability: Float) -> Double {
        log(Double(probability)) - log1p(-Double(probability))
    }

    /// The largest distance between the logits behind probabilities and those of PyTorch.
    static func error(_ probabilities: [Float], _ logits: [Float]) -> Double {
        zip(probabilities, logits).map { abs(logit($0) - Double($1)) }.max() ?? .infinity
    }

    static let variants: [(Int, SheetKernel)] = [64, 96].flatMap { side in
        SheetKernel.available.map { (side, $0) }
    }

    @Test("Logits are those of PyTorch to 1e-4", arguments: variants)
    func golden(side: Int, kernel: SheetKernel) throws {
        var network = try NarrowNetwork.load()
        network.kernel = kernel
        let golden = try NarrowNetwork.Golden(side: side)
        let field = network.field(of: golden.picture)
        #expect(field.side == side / 2)
        // The logits span about 4. Both round to single precision, in another order: 2e-6 in the whole of the network.
        let errors = (
            Self.error(field.sheet, golden.sheet), Self.error(field.border, golden.border),
            Self.error([field.presence], [golden.presence])
        )
        #expect(errors.0 <= 1e-4 && errors.1 <= 1e-4 && errors.2 <= 1e-4, "\(errors)")
        let spread = (golden.sheet.max() ?? 0) - (golden.sheet.min() ?? 0)
        #expect(spread > 1, "the fixture tells a right field from a wrong one")
    }

    @Test("Every kernel gives the same bits", arguments: [32, 96, 160])
    func sameBits(side: Int) throws {
        for var network in [SheetNetwork.shared, try NarrowNetwork.load()] {
            let picture = SquashedPictureTests.noise(PixelSize(width: 190, height: 333))
            let fields = SheetKernel.available.map { kernel in
                network.kernel = kernel
                return network.field(of: picture, side: side)
            }
            #expect(fields.allSatisfy { Self.bits($0) == Self.bits(fields[0]) })
        }
    }

    static func bits(_ field: SheetField) -> [UInt32] {
        (field.sheet + field.border + [field.presence]).map(\.bitPattern)
    }

    @Test("The same bits come out on every machine and with every compiler")
    func knownBits() throws {
        let golden = try NarrowNetwork.Golden(side: 64)
        let field = try NarrowNetwork.load().field(of: golden.picture)
        var hash: UInt32 = 0
        for bits in Self.bits(field) { hash = hash &* 31 &+ bits }
        #expect(hash == 2_788_800_781)
    }

    @Test("A field does not depend on what was computed before")
    func repeated() throws {
        let network = try NarrowNetwork.load()
        let golden = try NarrowNetwork.Golden(side: 64)
        let first = network.field(of: golden.picture)
        _ = network.field(of: try NarrowNetwork.Golden(side: 96).picture)
        #expect(network.field(of: golden.picture) == first)
    }

    @Test("A picture's field is its squashed picture's")
    func pictures() throws {
        let network = try NarrowNetwork.load()
        let picture = SquashedPictureTests.noise(PixelSize(width: 120, height: 90))
        #expect(
            network.field(of: picture, side: 64, threading: .single)
                == network.field(of: SquashedPicture(picture, side: 64)))
    }

    @Test("A field is the same bits on one core and on all")
    func threads() {
        // As large as photographs are squashed to, or no layer would be shared out.
        let picture = SquashedPicture(
            SquashedPictureTests.noise(PixelSize(width: 500, height: 400)), side: 384)
        #expect(
            SheetNetwork.shared.field(of: picture, threading: .allCores)
                == SheetNetwork.shared.field(of: picture, threading: .single))
    }

    @Test("The weights that ship make a network of five levels whose outputs are probabilities")
    func shipped() {
        let network = SheetNetwork.shared
        #expect(network.widths.count == 5)
        #expect(network.blocks.count == 4)
        let field = network.field(of: RGBImage(width: 40, height: 30, filledWith: .white), side: 64)
        #expect((field.sheet + field.border + [field.presence]).allSatisfy { $0 >= 0 && $0 <= 1 })
    }
}
