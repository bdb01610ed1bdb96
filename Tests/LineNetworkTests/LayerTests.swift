import CLineNetwork
import Foundation
import RobustStatistics
import Testing

@testable import LineNetwork

/// The network's loops, each against its definition.
@Suite struct LayerTests {
    static let seed: UInt64 = 20_261_125

    static func noise(_ count: Int, seed: UInt64) -> [Float] {
        var generator = SplitMix64(seed: seed)
        return (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
    }

    /// A layer with whole weights, each output's scale another.
    struct DirectDense {
        let inputs: Int
        let outputs: Int
        let whole: [Int]
        let scales: [Float]
        let biases: [Float]

        init(inputs: Int, outputs: Int, greatest: Int = 511, seed: UInt64) {
            var generator = SplitMix64(seed: seed)
            self.inputs = inputs
            self.outputs = outputs
            whole = (0..<inputs * outputs).map { _ in
                Int.random(in: -greatest...greatest, using: &generator)
            }
            scales = (0..<outputs).map { _ in Float.random(in: 0.001...0.002, using: &generator) }
            biases = LayerTests.noise(outputs, seed: seed + 1)
        }

        /// As `Training/Reader/export.py` packs it.
        var layer: Dense {
            var packed: [UInt8] = []
            for start in stride(from: 0, to: whole.count, by: 4) {
                let four = (start..<start + 4).map { $0 < whole.count ? whole[$0] + 512 : 0 }
                packed += four.map { UInt8($0 >> 2) }
                packed.append(UInt8(four.enumerated().reduce(0) { $0 | ($1.element & 3) << (2 * $1.offset) }))
            }
            return packed.withUnsafeBytes {
                Dense(inputs: inputs, packed: $0, scales: scales, biases: biases)
            }
        }

        /// The same for weights from -127 to 127.
        var byteLayer: ByteDense {
            whole.map { UInt8($0 + 128) }.withUnsafeBytes {
                ByteDense(inputs: inputs, packed: $0, scales: scales, biases: biases)
            }
        }

        func sums(_ input: ArraySlice<Float>) -> [Double] {
            (0..<outputs).map { output in
                zip(input, whole[output * inputs..<(output + 1) * inputs])
                    .reduce(Double(biases[output])) {
                        $0 + Double($1.0) * Double($1.1) * Double(scales[output])
                    }
            }
        }
    }

    /// Inputs are made 4,095 steps of their greatest, at most 1: each of `inputs` products is off by half a step at most.
    static func tolerance(_ inputs: Int) -> Double { 511 * 0.002 * 0.5 / 4095 * Double(inputs) + 1e-5 }

    @Test(arguments: [(1, 1, 1), (3, 5, 2), (9, 48, 7), (24, 17, 25), (96, 192, 31), (120, 710, 6)])
    func aLayerSumsItsInputs(inputs: Int, outputs: Int, places: Int) {
        let direct = DirectDense(inputs: inputs, outputs: outputs, seed: Self.seed)
        let numbers = Self.noise(inputs * places, seed: Self.seed + 2)
        let map = LineMap(height: 1, width: places, channels: inputs, numbers: numbers)
        let layer = direct.layer
        let all = LineKernel.available.map { layer(map, in: LineWorkspace($0)).numbers }
        for place in 0..<places {
            let sums = direct.sums(numbers[place * inputs..<(place + 1) * inputs])
            for (output, sum) in sums.enumerated() {
                #expect(abs(Double(all[0][place * outputs + output]) - sum) <= Self.tolerance(inputs))
            }
        }
        #expect(all.allSatisfy { $0.map(\.bitPattern) == all[0].map(\.bitPattern) })
    }

    @Test func theGreatestSumFits() {
        // 1,024 of the greatest weights and values: one more would leave 32 bits.
        let count = Int(CLINENETWORK_MOST_INPUTS)
        let packed = [UInt8](repeating: 0xFF, count: count / 4 * 5)
        let layer = packed.withUnsafeBytes { Dense(inputs: count, packed: $0, scales: [1], biases: [0]) }
        let ones = LineMap(
            height: 1, width: 1, channels: count, numbers: [Float](repeating: 1, count: count))
        for kernel in LineKernel.available {
            #expect(abs(layer(ones, in: LineWorkspace(kernel)).numbers[0] - 511 * 1024) < 1)
        }
    }

    @Test(arguments: [(3, 2, 1, 7, 9), (2, 1, 0, 5, 4), (3, 2, 1, 4, 6)])
    func aWindowTakesItsPlacesAndZerosBesideTheMap(
        side: Int, stride: Int, before: Int, height: Int, width: Int
    ) {
        let channels = 8
        let direct = DirectDense(inputs: side * side * channels, outputs: 20, seed: Self.seed)
        let numbers = Self.noise(height * width * channels, seed: Self.seed + 3)
        let map = LineMap(height: height, width: width, channels: channels, numbers: numbers)
        let window = clinenetwork_window(side: Int32(side), stride: Int32(stride), before: Int32(before))
        let layer = direct.layer
        let all = LineKernel.available.map { layer.onWindows(window, of: map, in: LineWorkspace($0)) }
        for y in 0..<all[0].height {
            for x in 0..<all[0].width {
                var patch: [Float] = []
                for i in 0..<side {
                    for j in 0..<side {
                        let (row, column) = (y * stride - before + i, x * stride - before + j)
                        let isInside = (0..<height).contains(row) && (0..<width).contains(column)
                        patch += (0..<channels).map {
                            isInside ? numbers[(row * width + column) * channels + $0] : 0
                        }
                    }
                }
                for (output, sum) in direct.sums(patch[...]).enumerated() {
                    let found = Double(all[0].numbers[(y * all[0].width + x) * 20 + output])
                    #expect(abs(found - max(sum, 0)) <= Self.tolerance(patch.count))
                }
            }
        }
        #expect(all.allSatisfy { $0.numbers.map(\.bitPattern) == all[0].numbers.map(\.bitPattern) })
    }

    /// 24 channels fill no whole number of vectors of sixteen.
    @Test(arguments: [
        (3, 3, 1, 1, 16), (3, 3, 2, 1, 16), (1, 7, 1, 1, 16), (1, 7, 1, 1, 24), (5, 5, 2, 2, 16),
    ])
    func eachChannelIsWeighedWithItsOwnNeighbours(
        rows: Int, columns: Int, stride: Int, columnStride: Int, channels: Int
    ) {
        let (height, width) = (6, 5)
        let layer = Depthwise(
            weights: Self.noise(rows * columns * channels, seed: Self.seed),
            biases: Self.noise(channels, seed: Self.seed + 1))
        let numbers = Self.noise(height * width * channels, seed: Self.seed + 2)
        let map = LineMap(height: height, width: width, channels: channels, numbers: numbers)
        for kernel in LineKernel.available {
            let found = layer(
                map, rows: rows, stride: stride, columnStride: columnStride, in: LineWorkspace(kernel))
            #expect(
                found.height == (height - 1) / stride + 1 && found.width == (width - 1) / columnStride + 1)
            for place in 0..<found.places {
                for c in 0..<channels {
                    var sum = Double(layer.biases[c])
                    for i in 0..<rows {
                        for j in 0..<columns {
                            let y = place / found.width * stride + i - rows / 2
                            let x = place % found.width * columnStride + j - columns / 2
                            guard (0..<height).contains(y), (0..<width).contains(x) else { continue }
                            sum +=
                                Double(layer.weights[(i * columns + j) * channels + c])
                                * Double(numbers[(y * width + x) * channels + c])
                        }
                    }
                    // Up to 25 products of numbers below 1, each rounded to 2^-24.
                    #expect(abs(Double(found.numbers[place * channels + c]) - sum) < 1e-5)
                }
            }
        }
    }

    @Test func aBendIsAHardSwishWithAGainAndAShift() {
        var numbers: [Float] = [-4, -3, -1.5, 0, 1.5, 3, 4]
        clinenetwork_bend(&numbers, numbers.count, 2, 1)
        // x times x / 6 + 1 / 2 between -3 and 3: doubled, and one more.
        #expect(numbers == [1, 1, 0.25, 1, 3.25, 7, 9])
    }

    @Test func placesAreEnlargedBesideOthersOrOnTopOfThem() {
        let small: [Float] = [1, 2, 3, 4]  // Two places of two channels.
        var wide = [Float](repeating: 9, count: 2 * 4 * 3)
        clinenetwork_enlarge(small, 1, 2, 2, 2, false, &wide, 3)
        #expect(wide == Array(repeating: [1, 2, 9, 1, 2, 9, 3, 4, 9, 3, 4, 9], count: 2).flatMap { $0 })
        var sums = [Float](repeating: 10, count: 2 * 4 * 2)
        clinenetwork_enlarge(small, 1, 2, 2, 2, true, &sums, 2)
        #expect(sums == Array(repeating: [11, 12, 11, 12, 13, 14, 13, 14], count: 2).flatMap { $0 })
    }

    /// 25 places of 24 channels fill neither whole tiles nor whole vectors, 10 and 13 no whole four.
    @Test(arguments: [(24, 48, 24, 25), (10, 13, 8, 7), (96, 192, 192, 31)])
    func aMixIsALayerOfTheGELUOfALayerPlusTheInputWhereItFits(
        inputs: Int, hidden: Int, outputs: Int, places: Int
    ) {
        let first = DirectDense(inputs: inputs, outputs: hidden, greatest: 127, seed: Self.seed)
        let second = DirectDense(inputs: hidden, outputs: outputs, greatest: 127, seed: Self.seed + 4)
        let numbers = Self.noise(inputs * places, seed: Self.seed + 2)
        let map = LineMap(height: 1, width: places, channels: inputs, numbers: numbers)
        let (firstLayer, secondLayer) = (first.byteLayer, second.byteLayer)
        let all = LineKernel.available.map {
            firstLayer.mixed(with: secondLayer, map, in: LineWorkspace($0)).numbers
        }
        #expect(all.allSatisfy { $0.map(\.bitPattern) == all[0].map(\.bitPattern) })
        for place in 0..<places {
            let input = numbers[place * inputs..<(place + 1) * inputs]
            let between = first.sums(input).map { $0 * (1 + erf($0 / 2.0.squareRoot())) / 2 }
            let sums = second.sums(between.map(Float.init)[...])
            // Half a step of 254 at each number, at a weight of .254 at most; a GELU makes no error greater by more than a
            // seventh, and is off by 2e-4 itself. Inputs lie within 2 of each other.
            let greatestWeight = 127 * 0.002
            let range = (between.max() ?? 0) - (between.min() ?? 0)
            let entered = greatestWeight * Double(inputs) * 2 / 254 / 2
            let left = entered * 8 / 7 + 2e-4 + (range + 2 * entered) / 254 / 2
            let tolerance = greatestWeight * Double(hidden) * left
            for (output, sum) in sums.enumerated() {
                let added = inputs == outputs ? Double(numbers[place * inputs + output]) : 0
                let found = Double(all[0][place * outputs + output])
                #expect(abs(found - sum - added) <= tolerance)
            }
        }
    }

    /// Numbers that are whole steps, 254 of them from -27 to 227, are summed without an error.
    @Test func bytesThatAreWholeStepsAreSummedExactly() {
        let inputs: [Float] = [227, -27, 0, 1, -1, 100, 13, -5]
        let weights = [127, -127, 3, 99, -64, 1, 0, 5]
        let packed = weights.map { UInt8($0 + 128) }
        let layer = packed.withUnsafeBytes { ByteDense(inputs: 8, packed: $0, scales: [1], biases: [20_000]) }
        let identity = [UInt8(127 + 128)].withUnsafeBytes {
            ByteDense(inputs: 1, packed: $0, scales: [1], biases: [0])
        }
        let map = LineMap(height: 1, width: 1, channels: 8, numbers: inputs)
        // The GELU leaves what is greater than 4 as it is; it is all 254 steps, 127 times.
        var sum: Float = 20_000
        for (input, weight) in zip(inputs, weights) { sum += input * Float(weight) }
        for kernel in LineKernel.available {
            let found = layer.mixed(with: identity, map, in: LineWorkspace(kernel)).numbers
            let expected = 127 * sum
            #expect(abs(found[0] - expected) <= expected * 1e-6)
        }
    }

    @Test(arguments: [(7, 4), (33, 15)])
    func attentionIsTheMeanOfTheValuesByHowAlikeQueriesAndKeysAre(places: Int, length: Int) {
        let heads = 2
        let width = heads * length
        let views = Self.noise(places * 3 * width, seed: Self.seed)
        let all = LineKernel.available.map { kernel in
            var found = [Float](repeating: .nan, count: places * width)
            var scratch = [Float](repeating: .nan, count: places * Int(CLINENETWORK_ATTENTION))
            clinenetwork_attend(
                kernel.inC, views, Int32(places), Int32(heads), Int32(length), &found, &scratch)
            return found
        }
        let found = all[0]
        #expect(all.allSatisfy { $0.map(\.bitPattern) == found.map(\.bitPattern) })
        for head in 0..<heads {
            for place in 0..<places {
                let weights = (0..<places).map { other in
                    (0..<length).reduce(0.0) { sum, i in
                        sum + Double(views[place * 3 * width + head * length + i])
                            * Double(views[other * 3 * width + width + head * length + i])
                    }
                }.map { exponential($0 / Double(length).squareRoot()) }
                for i in 0..<length {
                    let sum = (0..<places).reduce(0.0) { sum, other in
                        sum + weights[other]
                            * Double(views[other * 3 * width + 2 * width + head * length + i])
                    }
                    let expected = sum / weights.reduce(0, +)
                    #expect(abs(Double(found[place * width + head * length + i]) - expected) < 1e-5)
                }
            }
        }
    }

    @Test func aNormBringsMeanAndVarianceToThoseAsked() {
        let norm = Norm(gains: [Float](repeating: 2, count: 16), shifts: [Float](repeating: 3, count: 16))
        let map = LineMap(height: 1, width: 2, channels: 16, numbers: Self.noise(32, seed: Self.seed))
        let found = norm(map).numbers
        for place in 0..<2 {
            let own = found[place * 16..<(place + 1) * 16].map(Double.init)
            let mean = own.reduce(0, +) / 16
            let variance = own.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 16
            // The variance of the input, about a third, has 1e-5 added to it.
            #expect(abs(mean - 3) < 1e-5 && abs(variance - 4) < 1e-3)
        }
    }

    @Test func logitsBecomeProbabilities() {
        var numbers: [Float] = [0, 1, 2, -100, 100, 0]
        clinenetwork_probabilities(&numbers, 2, 3)
        let sum = 1 + exponential(1) + exponential(2)
        let expected = [1 / sum, exponential(1) / sum, exponential(2) / sum, 0, 1, 0]
        for (number, value) in zip(numbers, expected) { #expect(abs(Double(number) - value) < 1e-6) }
    }
}

/// The series of exp, for tests that are not to use what they test.
private func exponential(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for n in 1...60 {
        term *= x / Double(n)
        sum += term
    }
    return sum
}
