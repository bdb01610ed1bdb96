public import ArgumentParser
import Captures
import Foundation
import ReceiptFlattening
import SyntheticCaptures
import ToolWords

/// Measures what fusing takes away of a depth camera's error.
struct MeasureFusion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure-fusion",
        abstract: "Fuse hand-held shots of drawn receipts and compare their depth with the truth.",
        discussion: """
            Prints for each scene the root mean square error of one frame's depth and of the fused one, in millimetres, \
            over the whole map but for depth edges; the motion between shots is found from the pictures.
            """)

    @Option(help: "How many shots are fused.") var frames = 10
    @Option(help: "How many scenes of each kind.") var count = 2
    @Option(help: "Seed of the first scene.") var seed: UInt64 = 1
    @Option(help: "Pixels along the pictures' longer side.") var longSide = 1024
    @Option(help: "The share of the slow error's variance that all shots have in common.") var sharedBias =
        0.0
    @Option(help: "The depth camera: lidar, structuredLight, stereo, timeOfFlight, perfect.") var sensor =
        DepthSensor.Kind.lidar
    @Option(parsing: .upToNextOption, help: "Kinds of surfaces.")
    var kinds: [SheetShape.Kind] = [.plane, .curl, .wave, .fold]

    func run() throws {
        print("kind seed frames one_mm fused_mm ratio")
        var ratios: [Double] = []
        var next = seed
        for kind in kinds {
            for _ in 0..<count {
                let (line, ratio) = try measure(kind, seed: next)
                print(line)
                ratios.append(ratio)
                next &+= 1
            }
        }
        print(
            "ratio: median \(rounded(ratios.sorted()[ratios.count / 2])), worst \(rounded(ratios.max() ?? 0))"
        )
    }

    private func measure(_ kind: SheetShape.Kind, seed: UInt64) throws -> (String, Double) {
        var generator = SeededGenerator(seed: seed)
        var scene = SyntheticScene.random(
            kind, paper: .wide, imageSize: PixelSize(width: longSide * 3 / 4, height: longSide),
            using: &generator)
        scene.quality = .draft
        var camera = DepthSensor.named(sensor)
        camera.sharedBias = sharedBias
        let shots = scene.handHeldShots(frames, using: &generator)
        let drawn = try shots.map { shot in
            let drawn = try shot.scene.render(sensor: camera)
            return CaptureFrame(
                capture: Capture(image: drawn.image, depth: drawn.depth, intrinsics: drawn.intrinsics))
        }
        let source = DrawnShots(frames: drawn)
        guard let single = drawn.first?.capture.depth else { throw ExitCode.failure }
        let fused = try source.fused(around: 0, count: drawn.count)
        guard let depth = fused.capture.depth else { throw ExitCode.failure }
        let truth = scene.renderDepth(
            sensor: DepthSensor(
                kind: .perfect, longSide: camera.longSide, shortSide: camera.shortSide, encoding: .tiff32))
        let (one, many) = Self.errors(single, depth, truth: truth)
        let line =
            "\(kind.rawValue) \(seed) \(fused.frameCount) \(rounded(one)) \(rounded(many)) \(rounded(many / one))"
        return (([line] + fused.capture.warnings).joined(separator: "\n  "), many / one)
    }

    /// Root mean squares in millimetres over the readings that both have, farther than three pixels from a depth edge.
    private static func errors(
        _ one: DepthMap, _ many: DepthMap, truth: DepthMap
    ) -> (one: Double, many: Double) {
        var sums = SIMD3<Double>.zero
        for y in 3..<truth.height - 3 {
            for x in 3..<truth.width - 3 {
                let z = truth[x: x, y: y]
                let (a, b) = (one[x: x, y: y] - z, many[x: x, y: y] - z)
                guard a.isFinite, b.isFinite else { continue }
                // A plane's depth is nearly linear over three pixels; half a millimetre more is an edge.
                let bends = [(3, 0), (0, 3), (3, 3), (3, -3)].contains { dx, dy in
                    !(abs(truth[x: x - dx, y: y - dy] + truth[x: x + dx, y: y + dy] - 2 * z) < 0.0005)
                }
                if bends { continue }
                sums += SIMD3(Double(a * a), Double(b * b), 1)
            }
        }
        return ((sums.x / sums.z).squareRoot() * 1000, (sums.y / sums.z).squareRoot() * 1000)
    }

    private func rounded(_ value: Double) -> String { String(format: "%.3f", value) }
}

/// Shots that are in memory.
private struct DrawnShots: CaptureSource {
    let frames: [CaptureFrame]
    var frameCount: Int { frames.count }

    func frame(at index: Int) -> CaptureFrame { frames[index] }
}

extension SheetShape.Kind: ExpressibleByArgument {}
extension DepthSensor.Kind: ExpressibleByArgument {}

MeasureFusion.main(ToolWords.arguments)
