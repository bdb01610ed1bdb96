import CSheetNetwork
import Foundation
import RobustStatistics
import Testing

@testable import SheetNetwork

@Suite("The network's loops, each against its definition")
struct KernelTests {
    static let seed: UInt64 = 20_261_122

    /// Memory that a kernel must fill: every number that it leaves alone shows.
    static func unwritten(_ count: Int, side: Int) -> [Float] {
        [Float](repeating: .nan, count: count * csheetnetwork_map_length(Int32(side)))
    }

    static func noise(_ count: Int, seed: UInt64) -> [Float] {
        var generator = SplitMix64(seed: seed)
        return (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
    }

    struct Shape: Sendable, CustomTestStringConvertible {
        var (inputs, outputs, side) = (1, 1, 1)
        var testDescription: String { "\(inputs) to \(outputs) maps of side \(side)" }
    }

    /// Sides and numbers of maps that fill vectors and blocks, and that do not.
    static let shapes = [
        Shape(inputs: 1, outputs: 1, side: 1), Shape(inputs: 3, outputs: 5, side: 2),
        Shape(inputs: 2, outputs: 6, side: 3), Shape(inputs: 7, outputs: 13, side: 5),
        Shape(inputs: 12, outputs: 12, side: 8), Shape(inputs: 4, outputs: 8, side: 12),
        Shape(inputs: 5, outputs: 2, side: 33),
    ]

    @Test("A convolution is the sum of its window, without anything from beside the maps", arguments: shapes)
    func convolution(shape: Shape) throws {
        for window in [Convolution.Window.point, .square, .halving] {
            let halves = window == .halving
            let input = DirectMaps.noise(
                shape.inputs, side: shape.side * (halves ? 2 : 1), seed: Self.seed)
            let addend = DirectMaps.noise(shape.outputs, side: shape.side, seed: Self.seed + 1)
            let weights = Self.noise(
                shape.inputs * shape.outputs * window.count, seed: Self.seed + 2)
            let biases = Self.noise(shape.outputs, seed: Self.seed + 3)
            let convolution = Convolution(
                window: window, inputs: shape.inputs, outputs: shape.outputs, weights: weights, biases: biases
            )
            var entered = input.withRim()
            if halves {
                var split = Self.unwritten(4 * shape.inputs, side: shape.side)
                csheetnetwork_split(entered, Int32(shape.inputs), Int32(shape.side), &split)
                entered = split
            }
            // Adding into the output itself is how residual blocks use it.
            for (adds, rectified) in [(false, false), (false, true), (true, true)] {
                for kernel in SheetKernel.available {
                    var output =
                        adds ? addend.withRim() : Self.unwritten(shape.outputs, side: shape.side)
                    output.withUnsafeMutableBufferPointer { output in
                        guard let base = output.baseAddress else { return }
                        convolution(
                            entered, side: shape.side, adding: adds ? UnsafePointer(base) : nil,
                            rectified: rectified, kernel: kernel, threading: .allCores, into: base)
                    }
                    let maps = try #require(
                        DirectMaps(withRim: output, count: shape.outputs, side: shape.side),
                        "\(window): the rim is not zero")
                    for output in 0..<shape.outputs {
                        for y in 0..<shape.side {
                            for x in 0..<shape.side {
                                let direct = input.sum(
                                    weights, of: output, x: x, y: y, reach: window == .point ? 0 : 1,
                                    stride: halves ? 2 : 1)
                                var expected = direct.value + Double(biases[output])
                                if adds { expected += addend.value(output, x, y) }
                                if rectified { expected = max(expected, 0) }
                                // n sums of single precision are off by less than n units in the last place of the
                                // magnitudes' sum.
                                let terms = Double(shape.inputs * window.count + 2)
                                let tolerance = terms * 0x1p-24 * (direct.magnitude + 2)
                                let error = abs(maps.value(output, x, y) - expected)
                                #expect(
                                    error <= tolerance,
                                    "\(window), \(kernel), \(output): (\(x), \(y)): \(error) > \(tolerance)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test(
        "Doubling is bilinear between the pixels' middles, the last ones held", arguments: [1, 2, 3, 8, 13])
    func doubling(side: Int) throws {
        let input = DirectMaps.noise(2, side: side, seed: Self.seed)
        var output = Self.unwritten(2, side: 2 * side)
        csheetnetwork_double(input.withRim(), 2, Int32(side), &output)
        let doubled = try #require(DirectMaps(withRim: output, count: 2, side: 2 * side))
        for map in 0..<2 {
            for y in 0..<2 * side {
                for x in 0..<2 * side {
                    let last = Double(side - 1)
                    let u = min(max((Double(x) + 0.5) / 2 - 0.5, 0), last)
                    let v = min(max((Double(y) + 0.5) / 2 - 0.5, 0), last)
                    let (column, row) = (Int(u), Int(v))
                    let (right, below) = (min(column + 1, side - 1), min(row + 1, side - 1))
                    let (s, t) = (u - Double(column), v - Double(row))
                    let upper = input.value(map, column, row) * (1 - s) + input.value(map, right, row) * s
                    let lower = input.value(map, column, below) * (1 - s) + input.value(map, right, below) * s
                    // Two blends of values below 1, each of three roundings.
                    let error = abs(doubled.value(map, x, y) - (upper * (1 - t) + lower * t))
                    #expect(error <= 6 * 0x1p-24, "(\(x), \(y)) of \(map): \(error)")
                }
            }
        }
    }

    @Test("Doubling leaves a plane a plane")
    func doublingOfPlane() throws {
        let side = 6
        let plane = { (x: Double, y: Double) in 3 * x - 2 * y + 1 }
        let input = DirectMaps(
            side: side,
            maps: [
                (0..<side * side).map { plane(Double($0 % side) + 0.5, Double($0 / side) + 0.5) }
            ])
        var output = Self.unwritten(1, side: 2 * side)
        csheetnetwork_double(input.withRim(), 1, Int32(side), &output)
        let doubled = try #require(DirectMaps(withRim: output, count: 1, side: 2 * side))
        for y in 1..<2 * side - 1 {
            for x in 1..<2 * side - 1 {
                // Quarters of small whole numbers: exact.
                #expect(
                    doubled.value(0, x, y) == plane((Double(x) + 0.5) / 2, (Double(y) + 0.5) / 2),
                    "\(x), \(y)")
            }
        }
    }

    @Test(
        "A mean counts each pixel once, and a number is added to the pixels only", arguments: [1, 2, 7, 12])
    func meanAndSum(side: Int) throws {
        let input = DirectMaps.noise(3, side: side, seed: Self.seed)
        var maps = input.withRim()
        var means = [Float](repeating: .nan, count: 3)
        csheetnetwork_means(maps, 3, Int32(side), &means)
        for map in 0..<3 {
            let expected = input.maps[map].reduce(0, +) / Double(side * side)
            #expect(abs(Double(means[map]) - expected) <= 0x1p-24, "rounded once")
        }
        csheetnetwork_add([1, -2, 0.5], 3, Int32(side), &maps)
        let sums = try #require(DirectMaps(withRim: maps, count: 3, side: side))
        for (map, number) in [Float(1), -2, 0.5].enumerated() {
            #expect(sums.maps[map] == input.maps[map].map { Double(Float($0) + number) })
        }
    }

    @Test("A picture enters shifted, scaled and split into even and odd rows and columns")
    func entering() throws {
        let side = 3
        let picture = Self.noise(3 * 4 * side * side, seed: Self.seed)
        var output = Self.unwritten(12, side: side)
        csheetnetwork_enter(picture, Int32(side), &output)
        let maps = try #require(DirectMaps(withRim: output, count: 12, side: side))
        for channel in 0..<3 {
            for y in 0..<2 * side {
                for x in 0..<2 * side {
                    let map = 4 * channel + 2 * (y % 2) + x % 2
                    let value = picture[3 * (y * 2 * side + x) + channel]
                    #expect(maps.value(map, x / 2, y / 2) == Double((value - 0.45) * 4))
                }
            }
        }
    }

    @Test("The probability of a logit is the logistic function's to 3e-7, and never outside 0 to 1")
    func probabilities() {
        var worst = 0.0
        for step in -20_000...20_000 {
            let logit = Float(step) / 200
            let probability = csheetnetwork_probability(logit)
            worst = max(worst, abs(Double(probability) - 1 / (1 + exp(-Double(logit)))))
            #expect(probability >= 0 && probability <= 1)
        }
        #expect(worst <= 3e-7, "worst \(worst)")
        #expect(csheetnetwork_probability(0) == 0.5)
        #expect(csheetnetwork_probability(.infinity) == 1)
        #expect(csheetnetwork_probability(-.infinity) < 1e-30)
    }
}
