import DepthGeometry
import Foundation
import Imaging
import SyntheticCaptures
import Testing

@Suite("Drawn depth cameras")
struct DepthSensorTests {
    /// A camera straight above a bare table of white laminate, so that every reading is of one plane.
    private func flat(_ distance: Double, seed: UInt64 = 3) -> SyntheticScene {
        var scene = RenderingTests.scene(.plane, seed: seed)
        scene.table = .white
        scene.pose = CameraPose(distance: distance)
        return scene
    }

    private func sensor(_ kind: DepthSensor.Kind) -> DepthSensor {
        DepthSensor(kind: kind, longSide: 640, shortSide: 480, encoding: .tiff32)
    }

    /// Errors in metres at each pixel of a flat table, NaN where there is no reading.
    private func errors(_ kind: DepthSensor.Kind, distance: Double, seed: UInt64 = 3) -> Raster<Double> {
        flat(distance, seed: seed).renderDepth(sensor: sensor(kind)).values.map { Double($0) - distance }
    }

    /// Mean square of means over squares of so many pixels, their common mean taken out, and that of the differences of
    /// pixels next to each other.
    private func statistics(_ errors: Raster<Double>, square: Int) -> (slow: Double, fast: Double) {
        var means: [Double] = []
        var steps: [Double] = []
        for top in stride(from: 0, to: errors.height - square, by: square) {
            for left in stride(from: 0, to: errors.width - square, by: square) {
                var values: [Double] = []
                for y in top..<top + square {
                    for x in left..<left + square where !errors[x: x, y: y].isNaN {
                        values.append(errors[x: x, y: y])
                        let step = errors[x: x + 1, y: y] - errors[x: x, y: y]
                        if !step.isNaN { steps.append(step * step) }
                    }
                }
                guard !values.isEmpty else { continue }
                means.append(values.reduce(0, +) / Double(values.count))
            }
        }
        let mean = means.reduce(0, +) / Double(means.count)
        let slow = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(means.count)
        return (slow, steps.reduce(0, +) / Double(steps.count))
    }

    @Test("Stereo's slow error grows with the square of distance", arguments: [0.5, 1.0])
    func stereoGrows(distance: Double) {
        var squares = 0.0
        let seeds = 1...4 as ClosedRange<UInt64>
        for seed in seeds {
            squares += statistics(errors(.stereo, distance: distance, seed: seed), square: 8).slow
        }
        let deviation = (squares / Double(seeds.count)).squareRoot()
        let law = sensor(.stereo).bias(atDepth: distance)
        #expect(abs(law - 0.0035 * distance * distance) < 0.0001 * distance * distance)
        // Squares of 8 pixels take a little off the shortest waves of 25, and 24 waves a map know their deviation to a
        // tenth.
        #expect(abs(deviation / law - 1) < 0.15, "\(deviation) by a law of \(law)")
    }

    @Test("Stereo's error varies over tens of pixels, not from one to the next")
    func stereoIsSlow() {
        let errors = errors(.stereo, distance: 1)
        let (slow, fast) = statistics(errors, square: 8)
        // A wave of 25 pixels changes by at most a quarter of its height from pixel to pixel, the longer ones by less.
        #expect(fast < 0.06 * slow, "\(fast) \(slow)")
        // Squares of 80 pixels average most of the waves away.
        #expect(statistics(errors, square: 80).slow < 0.4 * slow)
    }

    @Test("Stereo's depth comes in steps of 1/32 pixel of disparity")
    func stereoSteps() {
        let depth = flat(1).renderDepth(sensor: sensor(.stereo))
        for reading in depth.values.elements where !reading.isNaN {
            let steps = 33 / Double(reading) * 32
            // Single precision holds a disparity of 33 pixels to 2e-6, in 32nds 6e-5.
            #expect(abs(steps - steps.rounded()) < 2e-4)
        }
    }

    @Test("Stereo's error swings once a pixel of disparity")
    func stereoRipples() {
        // Between these distances lies one pixel of disparity; the slow field of a seed is the same in pixels at each.
        var mean: [Double] = []
        for step in 0..<16 {
            let disparity = 40 + Double(step) / 16
            let errors = errors(.stereo, distance: 33 / disparity)
            let known = errors.elements.filter { !$0.isNaN }.map { 33 / ($0 + 33 / disparity) - disparity }
            mean.append(known.reduce(0, +) / Double(known.count))
        }
        var (sine, cosine) = (0.0, 0.0)
        for (step, value) in mean.enumerated() {
            sine += value * sin(2 * .pi * Double(step) / 16) / 8
            cosine += value * cos(2 * .pi * Double(step) / 16) / 8
        }
        // The amplitude of the law; steps of a thirty-second pixel are a fifth of it, and average out over the noise.
        #expect(abs(sine - 0.05) < 0.005, "\(sine)")
        #expect(abs(cosine) < 0.005, "\(cosine)")
    }

    @Test("Stereo has holes where an edge hides what lies behind it from one camera, and in clumps elsewhere")
    func stereoHoles() {
        var scene = flat(0.5)
        let whole = scene.renderDepth(sensor: sensor(.stereo))
        // 1.5 % of the bare table; clumps of 3 pixels make some 200 of them, known to a fifth.
        #expect(abs(1 - whole.validFraction - 0.015) < 0.006, "\(1 - whole.validFraction)")
        scene.tableReach = 0.02
        scene.table = .bright
        let truth = scene.renderDepth(
            sensor: .init(kind: .perfect, longSide: 640, shortSide: 480, encoding: .tiff32))
        let island = scene.renderDepth(sensor: sensor(.stereo))
        // A thing 0.4 m or more behind the table's edge at 0.5 m shifts by 30 pixels and more: its left rim is a strip of
        // holes, on the right side only the window's width is missing.
        let y = truth.height / 2
        let onTable = (0..<truth.width).filter { truth[x: $0, y: y] < 0.51 }
        let (left, right) = (onTable.first ?? 0, onTable.last ?? 0)
        let hidden = (left - 20..<left - 1).count { island[x: $0, y: y].isNaN }
        let seen = (right + 4..<right + 23).count { island[x: $0, y: y].isNaN }
        #expect(hidden == 19)
        #expect(seen < 6, "\(seen)")
    }

    @Test(
        "Time of flight errs slowly by 2 mm at any distance, and each pixel on its own",
        arguments: [0.4, 1.0])
    func timeOfFlight(distance: Double) {
        var (slow, fast) = (0.0, 0.0)
        let seeds = 1...4 as ClosedRange<UInt64>
        for seed in seeds {
            let found = statistics(errors(.timeOfFlight, distance: distance, seed: seed), square: 16)
            slow += found.slow / 4
            fast += found.fast / 4
        }
        // Waves of up to 300 pixels: a map holds a few of them.
        #expect(abs(slow.squareRoot() / 0.002 - 1) < 0.25, "\(slow.squareRoot())")
        let noise = sensor(.timeOfFlight).noise(atDepth: distance)
        // Differences of two; the slow waves add a twentieth of a millimetre.
        #expect(abs((fast / 2).squareRoot() / noise - 1) < 0.05, "\(fast.squareRoot()) \(noise)")
    }

    @Test(
        "Light by way of a fold's other side lengthens what time of flight reads in it; flat tables are spared"
    )
    func multipath() {
        // Both halves of a sheet stand up by 40 degrees along the crease in its middle.
        let valley = SheetShape.fold(
            creases: [.init(position: 0, angle: 1.4)], creaseWidth: 0.004, direction: .pi / 2)
        var (inside, outside, count) = (0.0, 0.0, 0.0)
        for seed in 1...6 as ClosedRange<UInt64> {
            func excess(_ shape: SheetShape) -> Double {
                var scene = RenderingTests.scene(shape, seed: seed, tilt: 0)
                scene.pose = CameraPose(distance: 0.2)
                let truth = scene.renderDepth(
                    sensor: .init(kind: .perfect, longSide: 640, shortSide: 480, encoding: .tiff32))
                let read = scene.renderDepth(sensor: sensor(.timeOfFlight))
                var (sum, count) = (0.0, 0.0)
                for y in truth.height / 2 - 20...truth.height / 2 + 20 {
                    for x in truth.width / 2 - 20...truth.width / 2 + 20 {
                        sum += Double(read[x: x, y: y] - truth[x: x, y: y])
                        count += 1
                    }
                }
                return sum / count
            }
            inside += excess(valley)
            outside += excess(.plane)
            count += 1
        }
        // Both maps of a seed share their slow error, which so drops out. The crease lies on the table, and over the 5 mm
        // that the sheet rises around it the ripple changes by less than 0.2 mm.
        #expect((inside - outside) / count > 0.0008, "\(inside / count) \(outside / count)")
    }

    @Test(
        "An honest confidence map is low at edges; a lying one is high there, and low on a third of the rest")
    func confidence() throws {
        var scene = flat(0.3)
        scene.tableReach = 0.02
        var camera = sensor(.timeOfFlight)
        #expect(try scene.render(sensor: camera).confidence == nil)
        camera.confidence = .honest
        let honest = try #require(try scene.render(sensor: camera).confidence)
        camera.confidence = .lying
        let lying = try #require(try scene.render(sensor: camera).confidence)
        let edges = honest.elements.indices.filter { honest.elements[$0] == 0 }
        #expect(edges.count > 1000)
        #expect(edges.allSatisfy { lying.elements[$0] == 2 })
        let rest = honest.elements.indices.filter { honest.elements[$0] > 0 }
        let low = rest.count { lying.elements[$0] == 0 }
        // Clumps of 6 pixels: some 700 of them.
        #expect(abs(Double(low) / Double(rest.count) - 0.333) < 0.06, "\(low) of \(rest.count)")
    }

    @Test("A camera that moves between photograph and depth reads what it sees from there")
    func motion() throws {
        var scene = flat(0.3)
        scene.depthMotion = RigidTransform(rotationVector: SIMD3(0, 0, 0), translation: SIMD3(0, 0, 0.01))
        let depth = scene.renderDepth(sensor: sensor(.perfect))
        #expect(depth.values.elements.allSatisfy { abs($0 - 0.31) < 1e-6 })
    }

    @Test("A table that ends leaves a room of many distances around a page")
    func room() {
        var generator = SeededGenerator(seed: 4)
        let scene = SyntheticScene.page(.letter, distance: 0.8, reach: 0, using: &generator)
        let depth = scene.renderDepth(sensor: sensor(.perfect))
        let far = depth.values.elements.filter { $0 > 1.1 }
        #expect(far.count > depth.values.elements.count / 4)
        #expect(Set(far.map { Int($0 * 10) }).count > 6)
    }
}
