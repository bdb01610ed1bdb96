public import ArgumentParser
import Foundation
import ReceiptFlattening
import ToolWords
public import SyntheticCaptures

/// Draws the captures of SampleData, or any number of others.
struct DrawSamples: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw-samples",
        abstract: "Draw captures of receipts whose shape and text are known.",
        discussion: """
            Without --count, draws the package's SampleData: the same files each time. With --count, draws that many \
            captures of each kind for each sensor, 12 megapixels as phones take them unless --long-side says otherwise.
            """)

    @Argument(help: "The folder that gets a folder for each capture.")
    var folder: String

    @Flag(
        help: "Also write what is true of each capture, for scoring: uv.png, grid.npz, text.txt, case.json.")
    var truth = false

    @Option(help: "How many captures of each kind and sensor to draw instead of SampleData.")
    var count: Int?

    @Option(help: "With --count: seed of the first capture; the others follow from it.")
    var seed: UInt64 = 1

    @Option(
        parsing: .upToNextOption,
        help:
            "With --count: kinds of surfaces, of: \(SheetShape.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
    )
    var kinds: [SheetShape.Kind] = SheetShape.Kind.allCases

    @Option(
        parsing: .upToNextOption,
        help:
            "With --count: sensors, of: \(DepthSensor.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
    )
    var sensors: [DepthSensor.Kind] = [.structuredLight, .lidar]

    @Option(help: "With --count: pixels along the photographs' longer side.")
    var longSide = 4032

    @Option(
        help: "With --count: how much of the photograph the sheet takes: comfortable, filling, overflowing.")
    var framing = SyntheticScene.Framing.comfortable

    @Option(
        parsing: .upToNextOption,
        help:
            "With --count: what the sheets lie on, one of these each: \(TableMaterial.allCases.map(\.rawValue).joined(separator: ", ")); by default any but checked."
    )
    var tables: [TableMaterial] = []

    @Option(help: "With --count: what the light does: plain, shadow (a hard one across the sheet), glare.")
    var lighting = SyntheticScene.Lighting.plain

    @Option(help: "With --count: how many goods are on each receipt; by default 4 to 14.")
    var items: Int?

    @Option(
        help: "With --count: what is printed on: narrow or wide (rolls), letter, a4; by default either roll.")
    var paper: ReceiptDocument.Paper?

    @Option(
        help:
            "With --count: a folder of scans (JPEG, PNG), by name one after the other on the sheets instead of drawn receipts."
    )
    var scans: String?

    @Option(
        help:
            "With --count: how far the table goes on past the sheet, in millimetres; by default without end.")
    var reach: Double?

    @Option(help: "With --count: the confidence map that comes with depth: none, honest, lying.")
    var confidence = DepthSensor.Confidence.none

    @Option(
        help:
            "With --count: how far the camera moves between photograph and depth, in millimetres along each axis."
    )
    var motion = 0.0

    @Option(
        help:
            "With --count: draw recordings of this many shots from a moving hand instead of single captures.")
    var shots: Int?

    @Option(help: "With --shots: how recordings are laid out: stray-scanner or tum.")
    var layout = SyntheticSequence.Layout.strayScanner

    @Option(help: "With --shots: the one shot, from 0, that is in focus; all are if left out.")
    var sharpest: Int?

    @Option(
        help: "With --shots: how far the hand moves the camera, deviation along each axis in millimetres.")
    var shake = 3.0

    @Option(
        help: "With --shots: how far the recorded poses are off, deviation along each axis in millimetres.")
    var poseError = 0.0

    @Flag(
        help:
            "With --shots: the lamp's reflection lies on another place of the sheet in each shot, and a finger in one of three."
    )
    var flaws = false

    @Flag(help: "Draw coarser light and mesh, as tests do.")
    var draft = false

    func validate() throws {
        if let shots, !(1...1000).contains(shots) { throw ValidationError("--shots is 1 to 1000.") }
        if shots != nil, count == nil || truth {
            throw ValidationError("--shots goes with --count, and not with --truth.")
        }
        if !(0...50).contains(shake) { throw ValidationError("--shake is 0 to 50.") }
        if let reach, !(0...10_000).contains(reach) { throw ValidationError("--reach is 0 to 10000.") }
        if !(0...50).contains(poseError) { throw ValidationError("--pose-error is 0 to 50.") }
        if !(0...50).contains(motion) { throw ValidationError("--motion is 0 to 50.") }
        if let sharpest, !(0..<(shots ?? 0)).contains(sharpest) {
            throw ValidationError("--sharpest is one of the --shots.")
        }
        if let count, count < 1 { throw ValidationError("--count is at least 1.") }
        if let items, !(1...30).contains(items) { throw ValidationError("--items is 1 to 30.") }
        if !(64...16384).contains(longSide) { throw ValidationError("--long-side is 64 to 16384.") }
    }

    func run() throws {
        let target = URL(fileURLWithPath: folder)
        guard let count else {
            for sample in Sample.all {
                try sample.write(into: target, writesTruth: truth)
                print(sample.name)
            }
            try Sample.Recording.write(into: target)
            print(Sample.Recording.name)
            return
        }
        let scans = try self.scans.map(Self.pictures)
        var next = seed
        for kind in kinds {
            for sensorKind in sensors {
                for _ in 0..<count {
                    let scan = scans.map { $0[Int((next &- seed) % UInt64($0.count))] }
                    try draw(kind, sensorKind, scan: scan, seed: next, into: target)
                    next &+= 1
                }
            }
        }
    }

    /// The pictures of a folder, by name.
    private static func pictures(in folder: String) throws -> [URL] {
        let files = try FileManager.default.contentsOfDirectory(
            at: URL(fileURLWithPath: folder), includingPropertiesForKeys: nil)
        let pictures = files.filter { ["jpg", "jpeg", "png"].contains($0.pathExtension.lowercased()) }
        if pictures.isEmpty { throw ValidationError("--scans: \(folder) holds no .jpg or .png.") }
        return pictures.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private func draw(
        _ kind: SheetShape.Kind, _ sensorKind: DepthSensor.Kind, scan: URL?, seed: UInt64, into target: URL
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let rolled = Bool.random(using: &generator) ? ReceiptDocument.Paper.wide : .narrow
        let paper = paper ?? rolled
        let isLandscape = generator.uniform(0..<1) < 0.25
        let short = longSide * 3 / 4
        var scene = SyntheticScene.random(
            kind, paper: paper, itemCount: items,
            scan: try scan.map { try RGBImage(data: Data(contentsOf: $0)).gray() },
            imageSize: PixelSize(
                width: isLandscape ? longSide : short, height: isLandscape ? short : longSide),
            table: tables.isEmpty ? nil : tables[Int(seed % UInt64(tables.count))], framing: framing,
            lighting: lighting, using: &generator)
        var sensor = DepthSensor.named(sensorKind)
        sensor.confidence = confidence
        if sensorKind == .lidar, Bool.random(using: &generator) { sensor.encoding = .tiff32 }
        if draft { scene.quality = .draft }
        scene.tableReach = reach.map { $0 / 1000 }
        if motion > 0 {
            scene.depthMotion =
                scene.handHeldShots(2, shift: motion / 1000, turn: 0, using: &generator)[1].motion
        }
        let content = scan.map { "-" + $0.deletingPathExtension().lastPathComponent } ?? ""
        let name = "\(kind.rawValue)-\(sensorKind.rawValue)-\(seed)\(content)"
        let place = target.appendingPathComponent(name)
        if let shots {
            var sequence = SyntheticSequence(
                shots: scene.handHeldShots(shots, shift: shake / 1000, using: &generator), sensor: sensor)
            sequence.poseError = poseError / 1000
            for index in sequence.shots.indices where sharpest.map({ $0 != index }) ?? false {
                sequence.shots[index].scene.look.blur = 1
            }
            if flaws { sequence.spoil(using: &generator) }
            try sequence.write(to: place, layout: layout)
            print(name)
            return
        }
        let capture = try scene.render(sensor: sensor)
        try capture.write(to: place)
        if truth { try capture.writeTruth(to: place.appendingPathComponent("truth"), name: name) }
        print(name)
    }
}

extension SheetShape.Kind: ExpressibleByArgument {}
extension SyntheticScene.Framing: ExpressibleByArgument {}
extension SyntheticScene.Lighting: ExpressibleByArgument {}
extension SyntheticSequence.Layout: ExpressibleByArgument {}
extension TableMaterial: ExpressibleByArgument {}
extension DepthSensor.Kind: ExpressibleByArgument {}
extension DepthSensor.Confidence: ExpressibleByArgument {}
extension ReceiptDocument.Paper: ExpressibleByArgument {}

DrawSamples.main(ToolWords.arguments)
