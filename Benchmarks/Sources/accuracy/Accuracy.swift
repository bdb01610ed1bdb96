import ArgumentParser
import Foundation
import ReceiptFlattening
import Stages
import ToolWords
import SyntheticCaptures

/// How right the results are: drawn captures whose shape and text are known, flattened and held against the truth, and the
/// outlines found in real photographs against borders that were marked.
@main
struct Accuracy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy",
        abstract: "Draw captures of seeds used nowhere else, flatten them, score them.")

    @Option(help: "The folder that gets ACCURACY.md and accuracy.svg.") var results: String
    @Option(help: "Captures of each surface and sensor.") var count = 2
    @Option(help: "The first seed.") var seed: UInt64 = 770_001
    @Option(help: "Pixels along the drawn photographs' longer side.") var longSide = 2016
    @Option(
        help: ArgumentHelp(
            "Photographs with marked borders, to score their outlines; may be given more than once.",
            discussion: """
                outlines.jsonl in the folder has a line for each, {"file": "a/b.jpg", "polygon": [[x, y], ...]} or, for \
                several sheets, {"file": "a/b.jpg", "outlines": [[[x, y], ...], ...]}, in fractions of the upright \
                photograph's width and height. Photographs of a folder without it show no sheet.
                """,
            valueName: "folder"))
    var photographs: [String] = []

    /// Sensors that err, of which pages without a table ask most.
    private static let erringSensors: [(name: String, sensor: DepthSensor)] = [
        ("structured light", .structuredLight), ("lidar", .lidar), ("stereo", .stereo),
        ("time of flight", .timeOfFlight),
    ]
    private static let sensors = [(name: "perfect", sensor: DepthSensor.perfect)] + erringSensors
    /// Of pages without a table around them, in metres.
    private static let pageDistances = [0.53, 0.66, 0.85, 1.18]

    static func main() { main(ToolWords.arguments) }

    func run() throws {
        // All folders are read before anything is measured: a wrong name shows at once.
        let outlines = try photographs.map { try MarkedPhotographs(folder: URL(filePath: $0)) }
            .map { try OutlineScore($0, report: note) }
        var next = seed
        var rows: [Row] = []
        for kind in SheetShape.Kind.allCases {
            for (name, sensor) in Self.sensors {
                for _ in 0..<count {
                    note("\(kind.rawValue), \(name), seed \(next)")
                    rows.append(try Row(kind: kind, sensor: (name, sensor), longSide: longSide, seed: next))
                    next += 1
                }
            }
        }
        let sweeps = try [Sweep.noise, .curvature].map { sweep in
            (sweep, try sweep.run(seeds: (0..<UInt64(count)).map { next + $0 }, report: note))
        }
        next += UInt64(count)
        var pages: [PageRow] = []
        for (name, sensor) in Self.erringSensors {
            for distance in Self.pageDistances {
                for seed in 0..<UInt64(2 * count) {
                    note("page at \(distance) m, \(name), seed \(next + seed)")
                    pages.append(
                        try PageRow(distance: distance, sensor: (name, sensor), seed: next + seed))
                }
            }
        }
        let folder = URL(filePath: results)
        let text = markdown(rows, pages, sweeps, outlines)
        print(text)
        try Data(text.utf8).write(to: folder.appending(path: "ACCURACY.md"), options: .atomic)
        try Data(LinePlot.svg(sweeps).utf8).write(
            to: folder.appending(path: "accuracy.svg"), options: .atomic)
    }

    private func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// One capture's outcome.
    private struct Row {
        let kind: SheetShape.Kind
        let sensor: String
        let method: String
        let score: Score
        /// The outline's intersection over union with what is seen of the printed side; 0 where none was found.
        let outlineOverlap: Double
        let characterErrors: Double

        init(
            kind: SheetShape.Kind, sensor: (name: String, sensor: DepthSensor), longSide: Int, seed: UInt64
        ) throws {
            var generator = SeededGenerator(seed: seed)
            let scene = SyntheticScene.random(
                kind, paper: seed.isMultiple(of: 2) ? .wide : .narrow,
                imageSize: PixelSize(width: longSide * 3 / 4, height: longSide), using: &generator)
            let drawn = try scene.render(sensor: sensor.sensor)
            var options = ReceiptFlattener.Options()
            options.language = "eng"
            // The same figures whether or not the learned reader is installed.
            options.reader = .tesseract
            let receipt = try ReceiptFlattener(options: options).flatten(
                Capture(image: drawn.image, depth: drawn.depth, intrinsics: drawn.intrinsics))
            self.kind = kind
            self.sensor = sensor.name
            method = receipt.report.method.rawValue
            score = Score(receipt, against: drawn)
            outlineOverlap =
                receipt.outline.map {
                    SheetMask(outline: $0).overlap(with: SheetMask(printedSideIn: drawn))
                } ?? 0
            characterErrors = CharacterErrors.rate(of: receipt.text?.string ?? "", against: drawn.text)
        }
    }

    /// A flat letter page with no table around it.
    private struct PageRow {
        let sensor: String
        let distance: Double
        let method: String
        let score: Score

        init(distance: Double, sensor: (name: String, sensor: DepthSensor), seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let scene = SyntheticScene.page(.letter, distance: distance, reach: 0, using: &generator)
            let drawn = try scene.render(sensor: sensor.sensor)
            let receipt = try ReceiptFlattener().flatten(
                Capture(image: drawn.image, depth: drawn.depth, intrinsics: drawn.intrinsics))
            self.sensor = sensor.name
            self.distance = distance
            method = receipt.report.method.rawValue
            score = Score(receipt, against: drawn)
        }
    }

    private func table(of pages: [PageRow]) -> String {
        let rows = Self.erringSensors.map(\.name).flatMap { name in
            Self.pageDistances.compactMap { distance -> [String]? in
                let found = pages.filter { $0.sensor == name && $0.distance == distance }
                guard !found.isEmpty else { return nil }
                let scales = found.map { abs($0.score.scaleError) * 100 }
                let methods = Dictionary(grouping: found, by: \.method).sorted { $0.key < $1.key }
                    .map { "\($0.key) \($0.value.count)" }
                return [
                    "\(name), \(distance) m", "\(found.count)",
                    number(found.map(\.score.rms).reduce(0, +) / Double(found.count)),
                    number(found.map(\.score.rms).max() ?? .nan),
                    number(scales.reduce(0, +) / Double(found.count)), number(scales.max() ?? .nan),
                    methods.joined(separator: ", "),
                ]
            }
        }
        return "## Flat letter pages, no table around them\n\n"
            + Markdown.table(
                [
                    "sensor, distance", "captures", "rms mm", "worst mm", "scale error %", "worst %",
                    "steps taken",
                ], rows)
    }

    private func markdown(
        _ rows: [Row], _ pages: [PageRow], _ sweeps: [(Sweep, [Sweep.Point])], _ outlines: [OutlineScore]
    ) -> String {
        let bySurface = SheetShape.Kind.allCases.flatMap { kind in
            Self.sensors.map { sensor in
                cells(
                    "\(kind.rawValue), \(sensor.name)",
                    rows.filter { $0.kind == kind && $0.sensor == sensor.name })
            }
        }
        let bySensor = Self.sensors.map { sensor in
            cells("all, \(sensor.name)", rows.filter { $0.sensor == sensor.name })
        }
        let captures = Markdown.table(
            [
                "surface, sensor", "captures", "rms mm", "worst mm", "p95 mm", "cover", "outline IoU",
                "scale error %", "wrong characters %", "steps taken",
            ], bySurface + bySensor)
        let plots = sweeps.map { sweep, points in
            "## \(sweep.title)\n\n"
                + Markdown.table(
                    [sweep.axis, "ours, mm", "PCA plane, mm"],
                    points.map { [$0.value.formatted(), number($0.ours), number($0.plane)] })
        }
        return """
            # Accuracy

            Written by `make accuracy`; not edited by hand. \(rows.count) captures drawn from seeds \(seed) on, which nothing else
            uses, \(longSide) pixels on their longer side. Errors are distances on the sheet between where print is shown and
            where it was printed; `--method plane` is what the PCA plane gives. Outline IoU is the intersection over union of the
            outline that was found and what the photograph shows of the sheet's printed side. Text is read by tesseract.

            \(captures)

            ![Error against noise and against curvature](accuracy.svg)

            \(([table(of: pages)] + plots + OutlineScore.paragraphs(outlines)).joined(separator: "\n\n"))

            """
    }

    /// Means over some captures.
    private func cells(_ name: String, _ rows: [Row]) -> [String] {
        func mean(_ value: (Row) -> Double) -> Double {
            let known = rows.map(value).filter { !$0.isNaN }
            return known.isEmpty ? .nan : known.reduce(0, +) / Double(known.count)
        }
        let steps = Dictionary(grouping: rows, by: \.method)
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map {
                "\($0.key) \(Int((Double($0.value.count) / Double(max(rows.count, 1)) * 100).rounded())) %"
            }
        return [
            name, "\(rows.count)", number(mean { $0.score.rms }), number(rows.map(\.score.rms).max() ?? .nan),
            number(mean { $0.score.percentile95 }), number(mean { $0.score.cover }),
            number(mean(\.outlineOverlap)), number(mean { abs($0.score.scaleError) * 100 }),
            number(mean { $0.characterErrors * 100 }), steps.joined(separator: ", "),
        ]
    }

    private func number(_ value: Double) -> String { Markdown.number(value) }
}
