import DepthGeometry
import Imaging
package import SyntheticCaptures

/// A receipt of 600 mm, and photographs that show about half of it each.
package struct DrawnLongReceipt: Sendable {
    /// The sheet's length in metres.
    package static let length = 0.6

    /// How a sheet is bent.
    package enum Bend: String, CaseIterable, Sendable {
        case flat, curl, wave

        /// - Parameter generator: where amounts come from, as typical of receipts.
        fileprivate func shape(using generator: inout SeededGenerator) -> SheetShape {
            switch self {
            case .flat: .plane
            // From end to end the arc turns by 0.3 to 0.8 radians, which lifts the ends by 22 to 60 mm.
            case .curl:
                .curl(
                    curvature: generator.uniform(0.3..<0.8) / DrawnLongReceipt.length,
                    direction: .pi / 2 + generator.uniform(-0.05..<0.05))
            case .wave:
                .wave(
                    slope: generator.uniform(0.12..<0.25), wavelength: generator.uniform(0.15..<0.25),
                    phase: generator.uniform(0..<2 * .pi), direction: .pi / 2)
            }
        }
    }

    /// The print. Each row of its list begins with a number of its own, so that a row that is lost or doubled can be
    /// told.
    package let document: ReceiptDocument
    /// The numbers of the list's rows, in order.
    package let numbers: [Int]
    /// What is drawn from.
    package let seed: UInt64
    private let bend: Bend

    /// A long receipt of a shape.
    package init(_ bend: Bend = .flat, seed: UInt64 = 600) {
        var generator = SeededGenerator(seed: seed)
        self.bend = bend
        self.seed = seed
        let goods = [
            "Rye Bread", "Salted Butter", "Oat Milk", "Plum Jam", "Olive Oil", "Green Tea", "Wood Glue",
        ]
        var document = ReceiptDocument(
            paper: .wide,
            lines: [
                .init("            QUIET HERON GROCER", isBold: true), .init("Date 2026-03-14"), .init(""),
            ])
        var numbers: [Int] = []
        while document.height < Self.length - 0.02 {
            let number = 1000 + numbers.count
            let name = goods[Int.random(in: 0..<goods.count, using: &generator)]
            let cents = Int.random(in: 100...4999, using: &generator)
            let price = "\(cents / 100)." + "\(100 + cents % 100)".suffix(2)
            let label = "\(number) " + name
            let gap = String(repeating: " ", count: document.paper.columns - label.count - price.count)
            document.lines.append(.init(label + gap + price))
            numbers.append(number)
        }
        document.endMargin += (Self.length - document.height) / 2
        self.document = document
        self.numbers = numbers
    }

    /// Three photographs from above: each tilted, turned and lit its own way, each of its own distance. The outer two show
    /// some 20 mm of table beyond the sheet's ends.
    package func captures() throws -> [SyntheticCapture] {
        var generator = SeededGenerator(seed: seed &+ 1)
        let shape = bend.shape(using: &generator)
        let surface = PaperSurface(shape: shape, width: document.width, height: document.height)
        let size = PixelSize(width: 1500, height: 2000)
        let camera = CameraIntrinsics(fx: 1660, fy: 1660, cx: 753.5, cy: 996.5, imageSize: size)
        return try [0.125, 0.3, 0.475].enumerated().map { index, height in
            let pose = CameraPose(
                distance: generator.uniform(0.245..<0.26), tilt: generator.uniform(0.05..<0.2),
                tiltDirection: generator.uniform(0..<2 * .pi), turn: generator.uniform(-0.08..<0.08),
                target: surface.point(u: document.width / 2, v: height))
            var look = PhotographLook(exposure: Float(generator.uniform(0.8..<0.95)))
            look.whiteBalance = SIMD3(
                Float(generator.uniform(0.97..<1.03)), 1, Float(generator.uniform(0.97..<1.03)))
            var scene = SyntheticScene(
                document: document, shape: shape, table: .wood,
                light: SceneLight(azimuth: 1.1, elevation: 1, angularRadius: 0.12, ambientShare: 0.6),
                camera: camera, pose: pose, look: look, seed: seed)
            scene.shot = UInt64(index + 1)
            return try scene.render(sensor: .lidar)
        }
    }
}
