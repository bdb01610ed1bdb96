import DepthGeometry
import Foundation
public import Imaging
public import RobustStatistics

extension SyntheticScene {
    /// How much of the photograph the sheet fills.
    public enum Framing: String, CaseIterable, Sendable {
        /// Up to two thirds of the longer side, with table all around.
        case comfortable
        /// Nearly all of it.
        case filling
        /// More than all of it: the sheet's ends lie outside the image.
        case overflowing

        fileprivate var fill: Range<Double> {
            switch self {
            case .comfortable: return 0.6..<0.75
            case .filling: return 0.84..<0.92
            case .overflowing: return 1.1..<1.35
            }
        }
    }

    /// Disturbances of the light.
    public enum Lighting: String, CaseIterable, Sendable {
        /// None.
        case plain
        /// A hard shadow lies across the sheet.
        case shadow
        /// The table reflects the lamp at an edge of the sheet, brighter than white.
        case glare
    }

    /// Returns a scene as people photograph receipts: from 20 to 40 cm away, slightly tilted, turned at random.
    /// - Parameters:
    ///   - kind: the sheet's shape.
    ///   - paper: the paper's width.
    ///   - itemCount: the number of items on the receipt, which sets its length; nil picks 4 to 14.
    ///   - scan: a scan to show on the paper instead of a drawn receipt; its aspect ratio sets the length. At least 2 x 2
    ///     pixels.
    ///   - imageSize: the photograph's size; 4:3 in either orientation, as on phones.
    ///   - table: the table under the sheet; nil picks one at random (never checked cloth, so that old seeds give the same
    ///     scenes).
    ///   - framing: how much of the photograph the sheet fills.
    ///   - lighting: the disturbance of the light; nothing else depends on it.
    ///   - generator: the source of everything else.
    public static func random(
        _ kind: SheetShape.Kind, paper: ReceiptDocument.Paper, itemCount: Int? = nil,
        scan: GrayImage? = nil, imageSize: PixelSize = PixelSize(width: 3024, height: 4032),
        table: TableMaterial? = nil,
        framing: Framing = .comfortable, lighting: Lighting = .plain, using generator: inout SplitMix64
    ) -> SyntheticScene {
        var document = ReceiptDocument.generated(paper: paper, itemCount: itemCount, using: &generator)
        document.blackness = generator.uniform(0.86..<0.98)
        if let scan {
            let length = document.width * Double(scan.height) / Double(scan.width)
            document = ReceiptDocument(paper: paper, lines: [], endMargin: length / 2)
        }
        let shape = SheetShape.random(
            kind, width: document.width, height: document.height, using: &generator)
        let tables = TableMaterial.allCases.filter { $0 != .checked }
        let drawnTable = tables[Int.random(in: 0..<tables.count, using: &generator)]

        // A phone's wide camera: 62 degrees along the longer side.
        let long = Double(max(imageSize.width, imageSize.height))
        var focal = 0.83 * long

        // The sheet is roughly parallel to the image's longer side; if turned further, a sheet that fills the image would not
        // fit.
        let isPortrait = imageSize.height >= imageSize.width
        let quarter: Double = isPortrait ? 0 : (generator.uniform(0..<1) < 0.5 ? .pi / 2 : -.pi / 2)
        let turn = quarter + generator.uniform(-0.3..<0.3) * (framing == .comfortable ? 1 : 0.2)
        let fill = generator.uniform(framing.fill)
        let byHeight = document.height * focal / (fill * long)
        let byWidth = document.width * focal / (fill * 0.75 * long)
        // Phones do not focus nearer than about 15 cm; for smaller sheets people zoom in.
        let nearest = generator.uniform(0.16..<0.2)
        var distance = framing == .overflowing ? byHeight : max(byHeight, byWidth)
        if distance < nearest {
            if framing != .comfortable { focal *= nearest / distance }
            distance = nearest
        }
        // The principal point is slightly off the middle.
        let camera = CameraIntrinsics(
            fx: focal, fy: focal,
            cx: (Double(imageSize.width) - 1) / 2 + long * generator.uniform(-0.004..<0.004),
            cy: (Double(imageSize.height) - 1) / 2 + long * generator.uniform(-0.004..<0.004),
            imageSize: imageSize)
        let pose = CameraPose(
            distance: distance, tilt: generator.uniform(0.03..<0.3),
            tiltDirection: generator.uniform(0..<2 * .pi), turn: turn,
            offset: SIMD2(generator.uniform(-0.03..<0.03), generator.uniform(-0.03..<0.03)))
        var light = SceneLight(
            azimuth: generator.uniform(0..<2 * .pi), elevation: generator.uniform(0.7..<1.25),
            angularRadius: generator.uniform(0.06..<0.2), ambientShare: generator.uniform(0.5..<0.75))
        var look = PhotographLook(exposure: Float(generator.uniform(0.8..<0.98)))
        let warmth = Float(generator.uniform(-0.06..<0.05))
        look.whiteBalance = SIMD3(1 + warmth, 1, 1 - 1.2 * warmth)
        let cuts: [EndCut] = [.straight, .straight, .serrated, .torn]
        let endCut = cuts[Int.random(in: 0..<cuts.count, using: &generator)]
        let seed = generator.next()
        light.change(
            for: lighting, width: document.width, height: document.height, eye: pose.position,
            using: &generator)
        var scene = SyntheticScene(
            document: document, shape: shape, endCut: endCut, table: table ?? drawnTable, light: light,
            camera: camera, pose: pose, look: look, seed: seed)
        scene.scan = scan
        return scene
    }
}

extension SceneLight {
    /// Casts a shadow across the sheet, or turns the lamp so that the table reflects it at one of the sheet's edges.
    fileprivate mutating func change(
        for lighting: SyntheticScene.Lighting, width: Double, height: Double, eye: SIMD3<Double>,
        using generator: inout SplitMix64
    ) {
        switch lighting {
        case .plain: break
        case .shadow:
            // A strong lamp, with little ambient light.
            ambientShare = generator.uniform(0.3..<0.5)
            angularRadius = generator.uniform(0.01..<0.04)
            shadow = CastShadow(
                place: SIMD2(generator.uniform(-0.3..<0.3) * width, generator.uniform(-0.3..<0.3) * height),
                direction: generator.uniform(0..<2 * .pi), height: generator.uniform(0.06..<0.2))
        case .glare:
            glare = generator.uniform(0.6..<1.5)
            angularRadius = generator.uniform(0.06..<0.12)
            let side = generator.uniform(0..<1) < 0.5 ? -0.5 : 0.5
            let along = generator.uniform(-0.4..<0.4)
            let isAcross = generator.uniform(0..<1) < 0.5
            let place =
                isAcross ? SIMD3(side * width, along * height, 0) : SIMD3(along * width, side * height, 0)
            let ray = place - eye
            azimuth = atan2(ray.y, ray.x)
            elevation = min(atan2(ray.z, (ray.x * ray.x + ray.y * ray.y).squareRoot()), .pi / 2)
        }
    }
}
